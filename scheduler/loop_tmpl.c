/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "scheduler/loop_tmpl.h"

#include "runtime/arena.h"

/* `ordered` is a constant in every caller: inlining makes two loops of each. */
#if defined(__GNUC__)
#define SPECIALISED static inline __attribute__((always_inline))
#else
#define SPECIALISED static inline
#endif

SPECIALISED enum tac_status run_item(struct tac_run *run, size_t index, struct tac_lane *lane, size_t mark) {
  tac_lane_clear_error(lane);
  TAC_ITEM_ENTER(((struct tac_frame *)run)->measure, index, lane)
  const enum tac_status status = run->item(run->context, index, lane);
  TAC_ITEM_LEAVE(((struct tac_frame *)run)->measure, index, lane, status)
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

void TAC_VARIANT(tac_loop_shared)(struct tac_work *work, struct tac_lane *lane) {
  run_shared((struct tac_run *)work, lane, 0);
}

void TAC_VARIANT(tac_loop_shared_ordered)(struct tac_work *work, struct tac_lane *lane) {
  run_shared((struct tac_run *)work, lane, 1);
}

void TAC_VARIANT(tac_loop_alone)(struct tac_work *work, struct tac_lane *lane) {
  run_alone((struct tac_run *)work, lane, 0);
}

void TAC_VARIANT(tac_loop_alone_ordered)(struct tac_work *work, struct tac_lane *lane) {
  run_alone((struct tac_run *)work, lane, 1);
}

void TAC_VARIANT(tac_loop_one)(struct tac_work *work, size_t position, struct tac_lane *lane) {
  struct tac_run *run = (struct tac_run *)work;
  if (atomic_load_explicit(&run->stop, memory_order_relaxed))
    return;
  run_item(run, run->order ? run->order[position] : position, lane, tac_arena_mark(lane->arena));
}
