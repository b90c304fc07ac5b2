/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/processors.h"

#include <pthread.h>
#include <sched.h>

#include <tactus/runtime/executor.h>

#include "tests/unit/suite.h"

START_TEST(counts_the_affinity_mask) {
  cpu_set_t mask;
  ck_assert_int_eq(sched_getaffinity(0, sizeof mask, &mask), 0);
  ck_assert_int_eq(tac_processors_allowed(), CPU_COUNT(&mask));
}
END_TEST

START_TEST(follows_a_narrower_mask) {
  cpu_set_t mask, one;
  ck_assert_int_eq(sched_getaffinity(0, sizeof mask, &mask), 0);
  int first = 0;
  while (!CPU_ISSET(first, &mask))
    first++;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
  ck_assert_int_eq(tac_processors_allowed(), 1);
}
END_TEST

/* What a thread of its own sees: Check's process keeps its mask. */
struct move {
  cpu_set_t allowed; /* set before leaving, empty: as it comes */
  int processor;     /* to leave; ON_IT: the one it is on */
  cpu_set_t before, after;
  int left, now;
};
enum { ON_IT = -2 };

static void *leave(void *context) {
  struct move *move = context;
  if (CPU_COUNT(&move->allowed) > 0)
    sched_setaffinity(0, sizeof move->allowed, &move->allowed);
  sched_getaffinity(0, sizeof move->before, &move->before);
  move->left = move->processor == ON_IT ? sched_getcpu() : move->processor;
  tac_processor_leave(move->left);
  move->now = sched_getcpu();
  sched_getaffinity(0, sizeof move->after, &move->after);
  return NULL;
}

static void run_move(struct move *move) {
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, leave, move), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_assert(CPU_EQUAL(&move->before, &move->after));
}

START_TEST(leaving_a_processor_keeps_the_mask) {
  const int processors[] = {ON_IT, -1, 0, 1 << 30};
  for (size_t i = 0; i < sizeof processors / sizeof *processors; i++) {
    struct move move = {.processor = processors[i]};
    run_move(&move);
  }
}
END_TEST

/* Once the mask is wide again the kernel may move the thread back, but rarely does so at once; without the call it moves
 * none of them between two looks. */
START_TEST(a_thread_leaves_where_another_is_allowed) {
  if (tac_processors_allowed() < 2)
    return;
  int moved = 0;
  for (int pass = 0; pass < 200; pass++) {
    struct move move = {.processor = ON_IT};
    run_move(&move);
    moved += move.now != move.left;
  }
  ck_assert_int_ge(moved, 20);
}
END_TEST

START_TEST(a_single_processor_is_not_left) {
  cpu_set_t mask;
  ck_assert_int_eq(sched_getaffinity(0, sizeof mask, &mask), 0);
  int first = 0;
  while (!CPU_ISSET(first, &mask))
    first++;
  struct move move = {.processor = ON_IT};
  CPU_SET(first, &move.allowed);
  run_move(&move);
  ck_assert_int_eq(move.left, first);
  ck_assert_int_eq(move.now, first);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {counts_the_affinity_mask, follows_a_narrower_mask, leaving_a_processor_keeps_the_mask,
                                a_thread_leaves_where_another_is_allowed, a_single_processor_is_not_left};
  return RUN_SUITE("processors", tests);
}
