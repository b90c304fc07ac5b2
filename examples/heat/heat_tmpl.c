/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Compiled once per level with -DTAC_LEVEL=0 … 3. At 0 every line with a phase vanishes. */
#include "heat_variants.h"

#include <tactus/measure/variant.h>

enum { CELLS_PER_ITEM = 256 };

static enum tac_status update_block(void *context, size_t index, struct tac_lane *lane) {
  const struct heat_rod *rod = context;
  size_t begin = index * CELLS_PER_ITEM + 1;
  size_t end = begin + CELLS_PER_ITEM;
  (void)lane;
  if (end > rod->cells + 1)
    end = rod->cells + 1;
  for (size_t i = begin; i < end; i++)
    rod->next[i] = rod->now[i] + rod->ratio * (rod->now[i - 1] - 2 * rod->now[i] + rod->now[i + 1]);
  return TAC_STATUS_OK;
}

static double find_peak(const struct heat_rod *rod) {
  double peak = 0;
  for (size_t i = 1; i <= rod->cells; i++)
    if (rod->now[i] > peak)
      peak = rod->now[i];
  return peak;
}

static enum tac_status step(struct heat_rod *rod, double *peak, struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER,
                            struct tac_error *error) {
  struct tac_batch batch = {.count = (rod->cells + CELLS_PER_ITEM - 1) / CELLS_PER_ITEM,
                            .item = update_block,
                            .context = rod,
                            .event = HEAT_EVENT_UPDATE};
  enum tac_status status = TAC_RUN_BATCH(scheduler, &batch, error);
  if (status)
    return status;
  double *before = rod->now;
  rod->now = rod->next;
  rod->next = before;
  rod->steps++;
  TAC_DETAIL_ENTER(HEAT_EVENT_PEAK)
  *peak = find_peak(rod);
  TAC_DETAIL_LEAVE(HEAT_EVENT_PEAK)
  return TAC_STATUS_OK;
}

enum tac_status TAC_VARIANT(heat_drive)(struct heat_rod *rod, struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER,
                                        struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  TAC_PHASE_ENTER(HEAT_EVENT_RUN)
  double peak = find_peak(rod);
  while (!status && peak > rod->until && rod->steps < rod->step_limit) {
    TAC_PHASE_ENTER(HEAT_EVENT_STEP)
    status = step(rod, &peak, scheduler TAC_RECORDER_ARGUMENT, error);
    TAC_PHASE_LEAVE(HEAT_EVENT_STEP)
  }
  TAC_PHASE_LEAVE(HEAT_EVENT_RUN)
  return status;
}
