/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/variant.h>

#include "apps/fmm/driver.h"
#include "apps/fmm/plan.h"

/* All batches of a step, one after another. */
static enum tac_status run_step(const struct tac_batches *step, struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER,
                                struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int i = 0; i < step->count && !status; i++)
    status = TAC_RUN_BATCH(scheduler, &step->batch[i], error);
  return status;
}

enum tac_status TAC_VARIANT(tac_fmm_drive)(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER,
                                           struct tac_error *error) {
  TAC_PHASE_ENTER(TAC_FMM_EVENT_SOLVE)
  const struct tac_course *course = plan->course;
  enum tac_status status = tac_run_batch(scheduler, &course->load, error);
  for (int i = 0; i < TAC_FMM_PHASES && !status; i++)
    status = run_step(&course->step[i], scheduler TAC_RECORDER_ARGUMENT, error);
  if (!status)
    status = tac_run_batch(scheduler, &course->store, error);
  TAC_PHASE_SYNC(status, scheduler, error)
  TAC_PHASE_LEAVE(TAC_FMM_EVENT_SOLVE)
  return status;
}
