/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The batch loop as one writes it who never heard of measurement: the yardstick of the off variant of
 * scheduler/loop_tmpl.c. No header of measure/ is included here. -DPLANT=n puts one thing into the loop that must not be
 * there, and the proofs must find it: 1 a level test, 2 a counter, 3 a clock read, 4 a time-stamp counter read. */
#include "runtime/arena.h"
#include "scheduler/run.h"

#ifndef PLANT
#define PLANT 0
#endif
#if PLANT == 1
#define PLANTED                                                                                                                \
  if (run->ran_inline > 1)                                                                                                     \
    lane->error->native_code = run->ran_inline;
#elif PLANT == 2
#define PLANTED atomic_fetch_add_explicit(&run->failed, 1, memory_order_relaxed);
#elif PLANT == 3
#include <time.h>
#define PLANTED                                                                                                                \
  struct timespec now;                                                                                                         \
  clock_gettime(CLOCK_MONOTONIC, &now);                                                                                        \
  lane->error->native_code = (int)now.tv_nsec;
#elif PLANT == 4
#define PLANTED lane->error->native_code = (int)__builtin_ia32_rdtsc();
#else
#define PLANTED
#endif

#if defined(__GNUC__)
#define SPECIALISED static inline __attribute__((always_inline))
#else
#define SPECIALISED static inline
#endif

void tac_loop_shared_twin(struct tac_work *work, struct tac_lane *lane);
void tac_loop_shared_ordered_twin(struct tac_work *work, struct tac_lane *lane);
void tac_loop_alone_twin(struct tac_work *work, struct tac_lane *lane);
void tac_loop_alone_ordered_twin(struct tac_work *work, struct tac_lane *lane);
void tac_loop_one_twin(struct tac_work *work, size_t position, struct tac_lane *lane);

SPECIALISED enum tac_status run_item(struct tac_run *run, size_t index, struct tac_lane *lane, size_t mark) {
  tac_lane_clear_error(lane);
  PLANTED
  const enum tac_status status = run->item(run->context, index, lane);
  tac_arena_release(lane->arena, mark);
  if (status != TAC_STATUS_OK)
    tac_run_note_failure(run, lane, index, status);
  return status;
}

SPECIALISED void run_shared(struct tac_run *run, struct tac_lane *lane, int ordered) {
  const size_t count = run->work.count, grain = run->grain;
  const size_t mark = tac_arena_mark(lane->arena);
  for (;;) {
    const size_t first = atomic_fetch_add_explicit(&run->next, grain, memory_order_relaxed);
    if (first >= count)
      return;
    const size_t end = count - first < grain ? count : first + grain;
    for (size_t position = first; position < end; position++) {
      if (atomic_load_explicit(&run->stop, memory_order_relaxed))
        return;
      run_item(run, ordered ? run->order[position] : position, lane, mark);
    }
  }
}

SPECIALISED void run_alone(struct tac_run *run, struct tac_lane *lane, int ordered) {
  const size_t count = run->work.count;
  const size_t mark = tac_arena_mark(lane->arena);
  for (size_t position = 0; position < count; position++)
    if (run_item(run, ordered ? run->order[position] : position, lane, mark) != TAC_STATUS_OK && !run->run_all)
      return;
}

void tac_loop_shared_twin(struct tac_work *work, struct tac_lane *lane) {
  run_shared((struct tac_run *)work, lane, 0);
}

void tac_loop_shared_ordered_twin(struct tac_work *work, struct tac_lane *lane) {
  run_shared((struct tac_run *)work, lane, 1);
}

void tac_loop_alone_twin(struct tac_work *work, struct tac_lane *lane) {
  run_alone((struct tac_run *)work, lane, 0);
}

void tac_loop_alone_ordered_twin(struct tac_work *work, struct tac_lane *lane) {
  run_alone((struct tac_run *)work, lane, 1);
}

void tac_loop_one_twin(struct tac_work *work, size_t position, struct tac_lane *lane) {
  struct tac_run *run = (struct tac_run *)work;
  if (atomic_load_explicit(&run->stop, memory_order_relaxed))
    return;
  run_item(run, run->order ? run->order[position] : position, lane, tac_arena_mark(lane->arena));
}
