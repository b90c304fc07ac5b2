/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/recorder.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/driven_clock.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

enum { RUN, STEP, SOLVE, EVENTS };
static const struct tac_event events[EVENTS] = {
    [RUN] = {"run", TAC_NO_EVENT, 0}, [STEP] = {"step", RUN, 0}, [SOLVE] = {"solve", STEP, 1}};
static const struct tac_event_set event_set = {"test", EVENTS, events};

static struct driven_clock driven;

static struct tac_recorder_options options_at(enum tac_level level) {
  struct tac_recorder_options options;
  tac_recorder_options_init(&options);
  driven_clock_init(&driven, 1000, 0);
  options.events = &event_set;
  options.level = level;
  options.clock = &driven.clock;
  return options;
}

static struct tac_recorder *recorder_at(enum tac_level level) {
  const struct tac_recorder_options options = options_at(level);
  struct tac_recorder *recorder;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  driven.reads = 0; /* its making reads the clock once */
  return recorder;
}

static void phase(struct tac_recorder *recorder, int event, int64_t duration_ns) {
  tac_recorder_enter(recorder, event);
  driven_clock_advance(&driven, duration_ns);
  tac_recorder_leave(recorder, event);
}

START_TEST(durations_4_8_6) {
  struct tac_recorder *recorder = recorder_at(TAC_COARSE);
  phase(recorder, STEP, 4);
  phase(recorder, STEP, 8);
  phase(recorder, STEP, 6);
  const struct tac_event_stats stats = tac_recorder_stats(recorder, STEP);
  ck_assert_uint_eq(stats.count, 3);
  ck_assert_int_eq(stats.total_ns, 18);
  ck_assert_int_eq(stats.min_ns, 4);
  ck_assert_int_eq(stats.max_ns, 8);
  ck_assert(tac_event_stats_mean_ns(&stats) == 6);
  ck_assert_int_eq(driven.reads, 6);
  tac_recorder_destroy(&recorder);
  ck_assert_ptr_null(recorder);
  tac_recorder_destroy(&recorder);
  tac_recorder_destroy(NULL);
}
END_TEST

/* A clock of the caller's may say anything: sums stop at the largest time, and what they leave of a whole at the smallest. */
START_TEST(sums_stop_at_the_largest_time) {
  struct tac_recorder *recorder = recorder_at(TAC_COARSE);
  for (int i = 0; i < 3; i++) {
    driven.now_ns = 0;
    phase(recorder, STEP, INT64_MAX - i);
  }
  ck_assert_int_eq(tac_recorder_stats(recorder, STEP).total_ns, INT64_MAX);
  ck_assert_int_eq(tac_recorder_stats(recorder, STEP).min_ns, INT64_MAX - 2);
  ck_assert_int_eq(tac_recorder_exclusive_ns(recorder, STEP), INT64_MAX);
  driven.now_ns = 0;
  phase(recorder, RUN, -2); /* a clock that ran back */
  ck_assert_int_eq(tac_recorder_exclusive_ns(recorder, RUN), INT64_MIN);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(an_event_never_entered_is_zeros) {
  struct tac_recorder *recorder = recorder_at(TAC_COARSE);
  const int unknown[] = {SOLVE, EVENTS, -1, 1000000};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    const struct tac_event_stats stats = tac_recorder_stats(recorder, unknown[i]);
    ck_assert_uint_eq(stats.count, 0);
    ck_assert_int_eq(stats.total_ns + stats.min_ns + stats.max_ns, 0);
    ck_assert(tac_event_stats_mean_ns(&stats) == 0);
    ck_assert_uint_eq(tac_recorder_summary(recorder, unknown[i]).batches, 0);
  }
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(phases_are_inclusive) {
  struct tac_recorder *recorder = recorder_at(TAC_COARSE);
  tac_recorder_enter(recorder, RUN);
  driven_clock_advance(&driven, 1);
  phase(recorder, STEP, 10);
  driven_clock_advance(&driven, 2);
  tac_recorder_leave(recorder, RUN);
  ck_assert_int_eq(tac_recorder_stats(recorder, RUN).total_ns, 13);
  ck_assert_int_eq(tac_recorder_stats(recorder, STEP).total_ns, 10);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(mismatches_are_counted_and_change_nothing) {
  struct tac_recorder *recorder = recorder_at(TAC_COARSE);
  tac_recorder_leave(recorder, STEP); /* never entered */
  tac_recorder_enter(recorder, EVENTS);
  tac_recorder_leave(recorder, EVENTS);
  tac_recorder_enter(recorder, -1);
  ck_assert_uint_eq(tac_recorder_mismatches(recorder), 4);
  ck_assert_int_eq(driven.reads, 0);
  tac_recorder_enter(recorder, RUN);
  tac_recorder_enter(recorder, STEP);
  driven_clock_advance(&driven, 5);
  tac_recorder_leave(recorder, RUN); /* STEP is open */
  ck_assert_uint_eq(tac_recorder_mismatches(recorder), 5);
  ck_assert_uint_eq(tac_recorder_stats(recorder, RUN).count, 0);
  tac_recorder_leave(recorder, STEP);
  tac_recorder_leave(recorder, RUN);
  ck_assert_uint_eq(tac_recorder_mismatches(recorder), 5);
  ck_assert_int_eq(tac_recorder_stats(recorder, STEP).total_ns, 5);
  ck_assert_int_eq(tac_recorder_stats(recorder, RUN).total_ns, 5);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(phases_beyond_the_depth_are_mismatches) {
  struct tac_recorder *recorder = recorder_at(TAC_COARSE);
  for (int i = 0; i < TAC_RECORDER_DEPTH + 3; i++)
    tac_recorder_enter(recorder, STEP);
  ck_assert_uint_eq(tac_recorder_mismatches(recorder), 3);
  driven_clock_advance(&driven, 2);
  for (int i = 0; i < TAC_RECORDER_DEPTH + 3; i++)
    tac_recorder_leave(recorder, STEP);
  ck_assert_uint_eq(tac_recorder_mismatches(recorder), 3);
  ck_assert_uint_eq(tac_recorder_stats(recorder, STEP).count, TAC_RECORDER_DEPTH);
  ck_assert_int_eq(tac_recorder_stats(recorder, STEP).min_ns, 2);
  tac_recorder_leave(recorder, STEP);
  ck_assert_uint_eq(tac_recorder_mismatches(recorder), 4);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(reset_forgets_and_open_phases_start_anew) {
  struct tac_recorder *recorder = recorder_at(TAC_COARSE);
  phase(recorder, STEP, 4);
  tac_recorder_leave(recorder, SOLVE);
  tac_recorder_enter(recorder, RUN);
  driven_clock_advance(&driven, 100);
  tac_recorder_reset(recorder);
  ck_assert_uint_eq(tac_recorder_stats(recorder, STEP).count, 0);
  ck_assert_uint_eq(tac_recorder_mismatches(recorder), 0);
  driven_clock_advance(&driven, 7);
  tac_recorder_leave(recorder, RUN);
  ck_assert_int_eq(tac_recorder_stats(recorder, RUN).total_ns, 7);
  ck_assert_uint_eq(tac_recorder_mismatches(recorder), 0);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(the_timeline_holds_what_began_first) {
  static const struct tac_timeline_entry expected[] = {{RUN, 0, 1003, 16}, {STEP, 1, 1004, 10}, {SOLVE, 2, 1004, 10}};
  struct tac_recorder_options options = options_at(TAC_COARSE);
  struct tac_recorder *recorder;
  size_t count;
  options.timeline_limit = 3;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  ck_assert_ptr_null(tac_recorder_timeline(recorder, &count));
  ck_assert_uint_eq(count, 0);
  driven_clock_advance(&driven, 3);
  tac_recorder_enter(recorder, RUN);
  driven_clock_advance(&driven, 1);
  tac_recorder_enter(recorder, STEP);
  phase(recorder, SOLVE, 10);
  tac_recorder_leave(recorder, STEP);
  ck_assert_int_eq(tac_recorder_timeline(recorder, &count)[0].duration_ns, -1);
  phase(recorder, STEP, 5);
  tac_recorder_leave(recorder, RUN);
  const struct tac_timeline_entry *timeline = tac_recorder_timeline(recorder, &count);
  ck_assert_int_eq(tac_recorder_origin_ns(recorder), 1000);
  ck_assert_uint_eq(count, 3);
  for (size_t i = 0; i < count; i++) {
    ck_assert_int_eq(timeline[i].event, expected[i].event);
    ck_assert_int_eq(timeline[i].depth, expected[i].depth);
    ck_assert_int_eq(timeline[i].begin_ns, expected[i].begin_ns);
    ck_assert_int_eq(timeline[i].duration_ns, expected[i].duration_ns);
  }
  ck_assert_uint_eq(tac_recorder_timeline_dropped(recorder), 1);
  tac_recorder_enter(recorder, RUN);
  tac_recorder_reset(recorder);
  driven_clock_advance(&driven, 2);
  tac_recorder_leave(recorder, RUN);
  ck_assert_uint_eq(tac_recorder_timeline_dropped(recorder), 0);
  ck_assert_int_eq(tac_recorder_origin_ns(recorder), 1019);
  ck_assert_int_eq(tac_recorder_timeline(recorder, &count)[0].duration_ns, 2);
  ck_assert_uint_eq(count, 1);
  tac_recorder_destroy(&recorder);
}
END_TEST

/* Who asks for no timeline misses nothing. */
START_TEST(a_timeline_of_nothing_drops_nothing) {
  struct tac_recorder_options options = options_at(TAC_COARSE);
  struct tac_recorder *recorder;
  size_t count;
  options.timeline_limit = 0;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  phase(recorder, STEP, 5);
  ck_assert_ptr_null(tac_recorder_timeline(recorder, &count));
  ck_assert_uint_eq(tac_recorder_timeline_dropped(recorder), 0);
  tac_recorder_destroy(&recorder);
  options.timeline_limit = SIZE_MAX;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_MEMORY);
}
END_TEST

START_TEST(exclusive_time_is_what_no_child_has) {
  struct tac_recorder *recorder = recorder_at(TAC_COARSE);
  tac_recorder_enter(recorder, RUN);
  driven_clock_advance(&driven, 1);
  tac_recorder_enter(recorder, STEP);
  phase(recorder, SOLVE, 10);
  driven_clock_advance(&driven, 4);
  tac_recorder_leave(recorder, STEP);
  tac_recorder_leave(recorder, RUN);
  ck_assert_int_eq(tac_recorder_exclusive_ns(recorder, RUN), 1);
  ck_assert_int_eq(tac_recorder_exclusive_ns(recorder, STEP), 4);
  ck_assert_int_eq(tac_recorder_exclusive_ns(recorder, SOLVE), 10);
  ck_assert_int_eq(tac_recorder_exclusive_ns(recorder, EVENTS), 0);
  ck_assert_int_eq(tac_recorder_exclusive_ns(recorder, -1), 0);
  phase(recorder, SOLVE, 7); /* outside of its parent */
  ck_assert_int_eq(tac_recorder_exclusive_ns(recorder, STEP), -3);
  tac_recorder_destroy(&recorder);
}
END_TEST

struct hook_log {
  char text[256];
};

static void log_enter(void *context, int event, const char *name) {
  struct hook_log *log = context;
  sprintf(log->text + strlen(log->text), "+%d%s@%d ", event, name, driven.reads);
}

static void log_leave(void *context, int event, const char *name) {
  struct hook_log *log = context;
  sprintf(log->text + strlen(log->text), "-%d%s@%d ", event, name, driven.reads);
}

/* A hook's own time stays outside the phase: it runs before the first read and after the second. */
START_TEST(hooks_are_called_in_order) {
  struct hook_log log = {""};
  const struct tac_hooks hooks = {.context = &log, .phase_enter = log_enter, .phase_leave = log_leave};
  struct tac_recorder_options options = options_at(TAC_HOOKED);
  options.hooks = &hooks;
  struct tac_recorder *recorder;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  driven.reads = 0; /* its making reads the clock once */
  tac_recorder_enter(recorder, RUN);
  phase(recorder, STEP, 3);
  tac_recorder_leave(recorder, STEP); /* a mismatch calls nothing */
  tac_recorder_leave(recorder, RUN);
  ck_assert_str_eq(log.text, "+0run@0 +1step@1 -1step@3 -0run@4 ");
  ck_assert_int_eq(tac_recorder_stats(recorder, RUN).total_ns, 3);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(empty_hooks_are_skipped) {
  const struct tac_hooks hooks = {0};
  struct tac_recorder_options options = options_at(TAC_HOOKED);
  options.hooks = &hooks;
  struct tac_recorder *recorder;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  driven.reads = 0; /* its making reads the clock once */
  phase(recorder, STEP, 3);
  ck_assert_int_eq(tac_recorder_stats(recorder, STEP).total_ns, 3);
  tac_recorder_destroy(&recorder);
}
END_TEST

static void expect_refused(const struct tac_recorder_options *options, const char *text) {
  struct tac_recorder *recorder = (struct tac_recorder *)&driven;
  struct tac_error error;
  ck_assert_int_eq(tac_recorder_create(&recorder, options, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_null(recorder);
  ck_assert_msg(strstr(error.text, text) != NULL, "'%s' does not say '%s'", error.text, text);
}

START_TEST(wrong_options_are_refused) {
  static const struct tac_hooks hooks = {0};
  static const struct tac_event orphan[] = {{"a", 0, 0}}, forward[] = {{"a", TAC_NO_EVENT, 0}, {"b", 2, 0}, {"c", 0, 0}},
                                nameless[] = {{NULL, TAC_NO_EVENT, 0}}, strange[] = {{"a", -2, 0}};
  static const struct tac_event_set orphans = {"", 1, orphan}, forwards = {"", 3, forward}, namelesses = {"", 1, nameless},
                                    stranges = {"", 1, strange}, empty = {"", 1, NULL};
  struct tac_recorder_options options = options_at(TAC_OFF);
  expect_refused(&options, "not off");
  expect_refused(NULL, "options");
  options = options_at((enum tac_level)4);
  expect_refused(&options, "not unknown");
  options = options_at(TAC_COARSE);
  options.size--;
  expect_refused(&options, "options");
  options = options_at(TAC_HOOKED);
  expect_refused(&options, "needs hooks");
  options = options_at(TAC_DETAILED);
  options.hooks = &hooks;
  expect_refused(&options, "hooked only");
  const struct {
    const struct tac_event_set *set;
    const char *text;
  } sets[] = {{NULL, "no event set"}, {&empty, "no event set"}, {&orphans, "event 0"},
              {&forwards, "event 1"}, {&stranges, "event 0"},   {&namelesses, "no name"}};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    options = options_at(TAC_COARSE);
    options.events = sets[i].set;
    expect_refused(&options, sets[i].text);
  }
  options = options_at(TAC_COARSE);
  ck_assert_int_eq(tac_recorder_create(NULL, &options, NULL), TAC_STATUS_INVALID);
}
END_TEST

START_TEST(creation_survives_every_refused_allocation) {
  for (size_t allowed = 0;; allowed++) {
    struct counting counting = COUNTING_INIT;
    counting.left = allowed;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_recorder_options options = options_at(TAC_DETAILED);
    options.allocator = &allocator;
    struct tac_recorder *recorder;
    struct tac_error error;
    const enum tac_status status = tac_recorder_create(&recorder, &options, &error);
    ck_assert((status == TAC_STATUS_OK) == (recorder != NULL));
    tac_recorder_destroy(&recorder);
    ck_assert_uint_eq(counting.allocated, counting.released);
    if (status == TAC_STATUS_OK)
      break;
    ck_assert_int_eq(status, TAC_STATUS_MEMORY);
    ck_assert_int_eq(error.status, TAC_STATUS_MEMORY);
  }
}
END_TEST

START_TEST(a_recorder_says_what_it_was_made_for) {
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  ck_assert_int_eq(tac_recorder_level(recorder), TAC_DETAILED);
  ck_assert_ptr_eq(tac_recorder_events(recorder), &event_set);
  ck_assert_ptr_eq(tac_recorder_clock(recorder), &driven.clock);
  ck_assert_uint_eq(tac_recorder_batch_count(recorder), 0);
  ck_assert_ptr_null(tac_recorder_batch(recorder, 0));
  tac_recorder_destroy(&recorder);
  struct tac_recorder_options options;
  tac_recorder_options_init(&options);
  options.events = &event_set;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  driven.reads = 0; /* its making reads the clock once */
  ck_assert_int_eq(tac_recorder_level(recorder), TAC_COARSE);
  ck_assert_ptr_eq(tac_recorder_clock(recorder), tac_clock_monotonic());
  tac_recorder_destroy(&recorder);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      the_timeline_holds_what_began_first,
      a_timeline_of_nothing_drops_nothing,
      exclusive_time_is_what_no_child_has,
      durations_4_8_6,
      an_event_never_entered_is_zeros,
      sums_stop_at_the_largest_time,
      phases_are_inclusive,
      mismatches_are_counted_and_change_nothing,
      phases_beyond_the_depth_are_mismatches,
      reset_forgets_and_open_phases_start_anew,
      hooks_are_called_in_order,
      empty_hooks_are_skipped,
      wrong_options_are_refused,
      creation_survives_every_refused_allocation,
      a_recorder_says_what_it_was_made_for,
  };
  return RUN_SUITE("recorder", tests);
}
