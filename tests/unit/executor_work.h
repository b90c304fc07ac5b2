/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Work that notes which lane ran what, for tests that drive an executor without a scheduler. */
#ifndef TESTS_UNIT_EXECUTOR_WORK_H
#define TESTS_UNIT_EXECUTOR_WORK_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include <check.h>
#include <tactus/runtime/executor.h>

#include "tests/unit/counting_allocator.h"

#define WORK_LANES 8
#define WORK_ITEMS 512

/* Plain where one lane owns the slot: that the caller may read it after the join is part of what is tested. */
struct work {
  struct tac_work work; /* first, so that a loop can find the rest */
  atomic_size_t next;
  atomic_int arrived;           /* lanes inside, for loops that wait for each other */
  int ran[WORK_ITEMS];          /* how often each item ran */
  int calls[WORK_LANES];        /* how often each lane's loop was called */
  pthread_t thread[WORK_LANES]; /* the thread that called it */
  struct tac_lane lane[WORK_LANES];
};

static inline void note_call(struct work *work, const struct tac_lane *lane) {
  work->calls[lane->number]++;
  work->thread[lane->number] = pthread_self();
}

static inline void claim_items(struct work *work) {
  for (;;) {
    size_t item = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed);
    if (item >= work->work.count)
      return;
    work->ran[item]++;
  }
}

static inline void claiming_loop(struct tac_work *base, struct tac_lane *lane) {
  struct work *work = (struct work *)base;
  note_call(work, lane);
  claim_items(work);
}

/* Returns only once every lane of the batch is inside. */
static inline void meet(struct work *work, const struct tac_lane *lane) {
  atomic_fetch_add(&work->arrived, 1);
  while (atomic_load(&work->arrived) < lane->count)
    sched_yield();
}

static inline void meeting_loop(struct tac_work *base, struct tac_lane *lane) {
  struct work *work = (struct work *)base;
  note_call(work, lane);
  meet(work, lane);
  claim_items(work);
}

static inline void work_init(struct work *work, size_t count, int lanes,
                             void (*loop)(struct tac_work *work, struct tac_lane *lane)) {
  memset(work, 0, sizeof *work);
  work->work = (struct tac_work){.count = count, .lanes = lanes, .loop = loop, .lane = work->lane};
  for (int k = 0; k < lanes; k++)
    work->lane[k] = (struct tac_lane){.number = k, .count = lanes};
}

/* What every executor owes: each item once, each lane at most once, none beyond the batch's, lane 0 on this thread and no
 * other lane on it unless the executor has one thread. */
static inline bool work_is_right(const struct work *work) {
  for (size_t i = 0; i < WORK_ITEMS; i++)
    if (work->ran[i] != (i < work->work.count))
      return false;
  if (work->calls[0] != 1 || !pthread_equal(work->thread[0], pthread_self()))
    return false;
  for (int k = 1; k < WORK_LANES; k++)
    if (work->calls[k] > (k < work->work.lanes) || (work->calls[k] && pthread_equal(work->thread[k], pthread_self())))
      return false;
  return true;
}

/* True when all lanes of the batch ran, each on a thread of its own. */
static inline bool work_ran_on_all_lanes(const struct work *work) {
  for (int k = 0; k < work->work.lanes; k++) {
    if (work->calls[k] != 1)
      return false;
    for (int j = 0; j < k; j++)
      if (pthread_equal(work->thread[j], work->thread[k]))
        return false;
  }
  return true;
}

/* An executor that gets no memory says so and leaves nothing behind. */
static inline void expect_no_memory(const struct tac_executor *executor) {
  struct counting counting = COUNTING_INIT;
  counting.left = 0;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_executor_options options;
  tac_executor_options_init(&options);
  options.allocator = &allocator;
  void *state = NULL;
  ck_assert_int_eq(executor->create(&state, &options, NULL), TAC_STATUS_MEMORY);
  ck_assert_ptr_null(state);
}

#endif
