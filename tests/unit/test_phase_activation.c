/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/phase_profile.h>

#include <pthread.h>
#include <string.h>

#include <tactus/scheduler/scheduler.h>

#include "tests/support/driven_clock.h"
#include "tests/unit/suite.h"

/* A solve on one thread: a clock, a queue that counts its syncs, and a profile of both. */
struct solve {
  struct driven_clock driven;
  int syncs;
  enum tac_status sync_status;
  struct tac_phase_profile *profile;
};

static enum tac_status sync_queue(void *context, struct tac_error *error) {
  struct solve *solve = context;
  solve->syncs++;
  if (solve->sync_status == TAC_STATUS_OK)
    return TAC_STATUS_OK;
  return tac_error_set(error, solve->sync_status, "queue", "the queue broke");
}

static enum tac_status create(struct solve *solve) {
  struct tac_phase_profile_options options;
  tac_phase_profile_options_init(&options);
  driven_clock_init(&solve->driven, 1000, 0);
  solve->syncs = 0;
  solve->sync_status = TAC_STATUS_OK;
  options.clock = &solve->driven.clock;
  options.sync = sync_queue;
  options.sync_context = solve;
  return tac_phase_profile_create(&solve->profile, &options, NULL);
}

static void begin(struct solve *solve) {
  ck_assert_int_eq(tac_phase_activation_begin(solve->profile, NULL), TAC_STATUS_OK);
}

static void end(struct solve *solve) {
  ck_assert_int_eq(tac_phase_activation_end(solve->profile, NULL), TAC_STATUS_OK);
}

static void assert_phase(const struct solve *solve, const char *name, int64_t total_ns, uint64_t calls, int nested) {
  const struct tac_phase phase = tac_phase_profile_find(solve->profile, name);
  ck_assert_int_eq(phase.total_ns, total_ns);
  ck_assert_uint_eq(phase.calls, calls);
  ck_assert_int_eq(phase.nested, nested);
}

START_TEST(without_an_active_profile_a_phase_does_nothing) {
  ck_assert_ptr_null(tac_phase_active());
  ck_assert_int_eq(tac_active_phase_enter("a", NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_active_phase_leave("b", NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_active_phase_leave(NULL, NULL), TAC_STATUS_OK);
}
END_TEST

START_TEST(every_active_profile_records_and_syncs) {
  struct solve outer, inner;
  ck_assert_int_eq(create(&outer), TAC_STATUS_OK);
  ck_assert_int_eq(create(&inner), TAC_STATUS_OK);
  begin(&outer);
  ck_assert_ptr_eq(tac_phase_active(), outer.profile);
  tac_active_phase_enter("alone", NULL);
  driven_clock_advance(&outer.driven, 3);
  tac_active_phase_leave("alone", NULL);
  begin(&inner);
  ck_assert_ptr_eq(tac_phase_active(), inner.profile);
  ck_assert_int_eq(tac_active_phase_enter("both", NULL), TAC_STATUS_OK);
  driven_clock_advance(&outer.driven, 5);
  driven_clock_advance(&inner.driven, 50);
  ck_assert_int_eq(tac_active_phase_leave("both", NULL), TAC_STATUS_OK);
  end(&inner);
  ck_assert_ptr_eq(tac_phase_active(), outer.profile);
  end(&outer);
  ck_assert_ptr_null(tac_phase_active());
  assert_phase(&outer, "alone", 3, 1, 0);
  assert_phase(&outer, "both", 5, 1, 0);
  assert_phase(&inner, "alone", 0, 0, 0);
  assert_phase(&inner, "both", 50, 1, 0);
  ck_assert_int_eq(outer.syncs, 4);
  ck_assert_int_eq(inner.syncs, 2);
  ck_assert_int_eq(inner.driven.reads, 2);
  tac_phase_profile_destroy(&outer.profile);
  tac_phase_profile_destroy(&inner.profile);
}
END_TEST

START_TEST(an_end_out_of_order_is_refused) {
  struct solve outer, inner;
  struct tac_error error;
  ck_assert_int_eq(create(&outer), TAC_STATUS_OK);
  ck_assert_int_eq(create(&inner), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_activation_end(outer.profile, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_phase_activation_end(NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_phase_activation_begin(NULL, NULL), TAC_STATUS_INVALID);
  begin(&outer);
  begin(&inner);
  ck_assert_int_eq(tac_phase_activation_end(outer.profile, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(error.status, TAC_STATUS_INVALID);
  ck_assert_ptr_eq(tac_phase_active(), inner.profile);
  ck_assert_int_eq(tac_phase_activation_begin(outer.profile, &error), TAC_STATUS_BUSY);
  end(&inner);
  end(&outer);
  ck_assert_int_eq(tac_phase_activation_end(outer.profile, NULL), TAC_STATUS_INVALID);
  begin(&outer);
  end(&outer);
  tac_phase_profile_destroy(&outer.profile);
  tac_phase_profile_destroy(&inner.profile);
}
END_TEST

/* A callee that returns past its leaves, as after a failure. */
static enum tac_status fail_inside(struct solve *solve) {
  tac_active_phase_enter("solve", NULL);
  driven_clock_advance(&solve->driven, 4);
  tac_active_phase_enter("factor", NULL);
  driven_clock_advance(&solve->driven, 2);
  return TAC_STATUS_NUMERICAL;
}

START_TEST(an_end_leaves_what_a_failure_left_open) {
  struct solve solve;
  ck_assert_int_eq(create(&solve), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_enter(solve.profile, "whole", NULL), TAC_STATUS_OK);
  begin(&solve);
  ck_assert_int_eq(fail_inside(&solve), TAC_STATUS_NUMERICAL);
  end(&solve);
  ck_assert_ptr_null(tac_phase_active());
  assert_phase(&solve, "factor", 2, 1, 1);
  assert_phase(&solve, "solve", 6, 1, 1);
  assert_phase(&solve, "whole", 0, 0, 0); /* entered before the begin: still open */
  ck_assert_int_eq(tac_phase_leave(solve.profile, "whole", NULL), TAC_STATUS_OK);
  assert_phase(&solve, "whole", 6, 1, 0);
  begin(&solve);
  tac_active_phase_enter("solve", NULL);
  solve.sync_status = TAC_STATUS_SYSTEM;
  ck_assert_int_eq(tac_phase_activation_end(solve.profile, NULL), TAC_STATUS_SYSTEM);
  ck_assert_ptr_null(tac_phase_active());
  assert_phase(&solve, "solve", 6, 2, 1);
  tac_phase_profile_destroy(&solve.profile);
}
END_TEST

START_TEST(phases_too_deep_are_left_by_an_end_too) {
  struct solve solve;
  ck_assert_int_eq(create(&solve), TAC_STATUS_OK);
  begin(&solve);
  for (int i = 0; i < TAC_PHASE_DEPTH; i++)
    ck_assert_int_eq(tac_active_phase_enter("deep", NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_active_phase_enter("deeper", NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_phase_activation_end(solve.profile, NULL), TAC_STATUS_INVALID);
  ck_assert_ptr_null(tac_phase_active());
  assert_phase(&solve, "deep", 0, TAC_PHASE_DEPTH, 1);
  ck_assert_uint_eq(tac_phase_profile_unrecorded(solve.profile), 1);
  tac_phase_profile_destroy(&solve.profile);
}
END_TEST

/* The failure of the one begun last is told, and neither keeps the other from recording. */
START_TEST(a_failure_in_one_profile_does_not_hide_the_others) {
  struct solve outer, inner;
  struct tac_error error;
  ck_assert_int_eq(create(&outer), TAC_STATUS_OK);
  ck_assert_int_eq(create(&inner), TAC_STATUS_OK);
  begin(&outer);
  begin(&inner);
  outer.sync_status = TAC_STATUS_SYSTEM;
  ck_assert_int_eq(tac_active_phase_enter("a", &error), TAC_STATUS_SYSTEM);
  inner.sync_status = TAC_STATUS_UNAVAILABLE;
  ck_assert_int_eq(tac_active_phase_leave("a", &error), TAC_STATUS_UNAVAILABLE);
  ck_assert_int_eq(error.status, TAC_STATUS_UNAVAILABLE);
  assert_phase(&outer, "a", 0, 1, 0);
  assert_phase(&inner, "a", 0, 1, 0);
  inner.sync_status = outer.sync_status = TAC_STATUS_OK;
  ck_assert_int_eq(tac_phase_enter(inner.profile, "its own", NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_enter(outer.profile, "b", NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_active_phase_leave("b", &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "'its own' was entered last"));
  assert_phase(&outer, "b", 0, 1, 0);
  ck_assert_int_eq(tac_active_phase_enter(NULL, NULL), TAC_STATUS_INVALID);
  end(&inner);
  end(&outer);
  tac_phase_profile_destroy(&outer.profile);
  tac_phase_profile_destroy(&inner.profile);
}
END_TEST

START_TEST(a_destroyed_profile_is_not_active) {
  struct solve outer, inner;
  ck_assert_int_eq(create(&outer), TAC_STATUS_OK);
  ck_assert_int_eq(create(&inner), TAC_STATUS_OK);
  begin(&outer);
  begin(&inner);
  tac_phase_profile_destroy(&outer.profile);
  ck_assert_ptr_eq(tac_phase_active(), inner.profile);
  ck_assert_int_eq(tac_active_phase_enter("a", NULL), TAC_STATUS_OK);
  tac_phase_profile_destroy(&inner.profile);
  ck_assert_ptr_null(tac_phase_active());
}
END_TEST

START_TEST(an_active_profile_is_not_active_in_its_copy) {
  struct solve solve;
  struct tac_phase_profile *copy;
  ck_assert_int_eq(create(&solve), TAC_STATUS_OK);
  begin(&solve);
  ck_assert_int_eq(tac_phase_profile_copy(&copy, solve.profile, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_activation_begin(copy, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_activation_end(copy, NULL), TAC_STATUS_OK);
  tac_phase_profile_destroy(&copy);
  end(&solve);
  tac_phase_profile_destroy(&solve.profile);
}
END_TEST

enum { SOLVES = 2, ROUNDS = 500 };

/* What a thread of its own does and found; nothing is asserted there. */
struct profiling_thread {
  pthread_barrier_t *barrier;
  struct solve solve;
  int64_t step_ns;
  int inherited, wrong;
};

static void *profile_solve(void *argument) {
  struct profiling_thread *thread = argument;
  thread->inherited = tac_phase_active() != NULL;
  thread->wrong = create(&thread->solve) != TAC_STATUS_OK;
  pthread_barrier_wait(thread->barrier);
  thread->wrong |= tac_phase_activation_begin(thread->solve.profile, NULL) != TAC_STATUS_OK;
  pthread_barrier_wait(thread->barrier); /* all are active now */
  for (int i = 0; i < ROUNDS; i++) {
    thread->wrong |= tac_active_phase_enter("solve", NULL) != TAC_STATUS_OK;
    driven_clock_advance(&thread->solve.driven, thread->step_ns);
    thread->wrong |= tac_active_phase_leave("solve", NULL) != TAC_STATUS_OK;
  }
  thread->wrong |= tac_phase_active() != thread->solve.profile;
  pthread_barrier_wait(thread->barrier);
  thread->wrong |= tac_phase_activation_end(thread->solve.profile, NULL) != TAC_STATUS_OK;
  return NULL;
}

START_TEST(two_threads_record_and_sync_only_their_own) {
  struct profiling_thread threads[SOLVES] = {{0}};
  struct solve here;
  pthread_t handles[SOLVES];
  pthread_barrier_t barrier;
  ck_assert_int_eq(create(&here), TAC_STATUS_OK);
  begin(&here);
  ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, SOLVES), 0);
  for (int i = 0; i < SOLVES; i++) {
    threads[i].barrier = &barrier;
    threads[i].step_ns = i + 1;
    ck_assert_int_eq(pthread_create(&handles[i], NULL, profile_solve, &threads[i]), 0);
  }
  for (int i = 0; i < SOLVES; i++)
    ck_assert_int_eq(pthread_join(handles[i], NULL), 0);
  for (int i = 0; i < SOLVES; i++) {
    ck_assert_int_eq(threads[i].inherited, 0);
    ck_assert_int_eq(threads[i].wrong, 0);
    assert_phase(&threads[i].solve, "solve", ROUNDS * (int64_t)(i + 1), ROUNDS, 0);
    ck_assert_int_eq(threads[i].solve.syncs, 2 * ROUNDS);
    tac_phase_profile_destroy(&threads[i].solve.profile);
  }
  end(&here);
  ck_assert_uint_eq(tac_phase_profile_count(here.profile), 0);
  ck_assert_int_eq(here.syncs, 0);
  pthread_barrier_destroy(&barrier);
  tac_phase_profile_destroy(&here.profile);
}
END_TEST

struct meddler {
  struct tac_phase_profile *profile;
  enum tac_status begun, ended;
};

static void *meddle(void *argument) {
  struct meddler *meddler = argument;
  meddler->begun = tac_phase_activation_begin(meddler->profile, NULL);
  meddler->ended = tac_phase_activation_end(meddler->profile, NULL);
  return NULL;
}

START_TEST(another_thread_can_neither_begin_nor_end_an_active_profile) {
  struct solve solve;
  pthread_t handle;
  ck_assert_int_eq(create(&solve), TAC_STATUS_OK);
  begin(&solve);
  struct meddler meddler = {.profile = solve.profile};
  ck_assert_int_eq(pthread_create(&handle, NULL, meddle, &meddler), 0);
  ck_assert_int_eq(pthread_join(handle, NULL), 0);
  ck_assert_int_eq(meddler.begun, TAC_STATUS_BUSY);
  ck_assert_int_eq(meddler.ended, TAC_STATUS_INVALID);
  end(&solve);
  tac_phase_profile_destroy(&solve.profile);
}
END_TEST

enum { LANES = 2 };

/* Lane 0 is the caller's thread; the items meet, so that both lanes take one. */
struct lanes {
  pthread_barrier_t barrier;
  pthread_t caller;
  int active_on_caller, active_elsewhere, elsewhere;
};

static enum tac_status look_for_a_profile(void *context, size_t index, struct tac_lane *lane) {
  struct lanes *lanes = context;
  (void)index, (void)lane;
  const int active = tac_phase_active() != NULL;
  const int serial = pthread_barrier_wait(&lanes->barrier);
  if (pthread_equal(pthread_self(), lanes->caller))
    lanes->active_on_caller = active;
  else {
    lanes->active_elsewhere = active;
    lanes->elsewhere = 1;
  }
  return serial == 0 || serial == PTHREAD_BARRIER_SERIAL_THREAD ? TAC_STATUS_OK : TAC_STATUS_SYSTEM;
}

START_TEST(lane_threads_inherit_none) {
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler;
  struct lanes lanes = {.caller = pthread_self()};
  struct solve solve;
  tac_scheduler_options_init(&options);
  options.executor = "threads";
  options.executor_options.lanes = LANES;
  ck_assert_int_eq(create(&solve), TAC_STATUS_OK);
  begin(&solve); /* before the threads of the executor exist */
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(pthread_barrier_init(&lanes.barrier, NULL, LANES), 0);
  const struct tac_batch batch = {.count = LANES, .item = look_for_a_profile, .context = &lanes};
  ck_assert_int_eq(tac_run_batch(scheduler, &batch, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(lanes.active_on_caller, 1);
  ck_assert_int_eq(lanes.elsewhere, 1);
  ck_assert_int_eq(lanes.active_elsewhere, 0);
  tac_scheduler_destroy(&scheduler);
  pthread_barrier_destroy(&lanes.barrier);
  end(&solve);
  tac_phase_profile_destroy(&solve.profile);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      without_an_active_profile_a_phase_does_nothing,
      every_active_profile_records_and_syncs,
      an_end_out_of_order_is_refused,
      an_end_leaves_what_a_failure_left_open,
      phases_too_deep_are_left_by_an_end_too,
      a_failure_in_one_profile_does_not_hide_the_others,
      a_destroyed_profile_is_not_active,
      an_active_profile_is_not_active_in_its_copy,
      two_threads_record_and_sync_only_their_own,
      another_thread_can_neither_begin_nor_end_an_active_profile,
      lane_threads_inherit_none,
  };
  return RUN_SUITE("phase_activation", tests);
}
