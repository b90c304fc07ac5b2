/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/phase_profile.h>
#include <tactus/measure/recorder.h>

#include "apps/fmm/device/device.h"
#include "apps/fmm/driver.h"
#include "apps/fmm/plan.h"

typedef enum tac_status (*drive_fn)(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, struct tac_recorder *recorder,
                                    struct tac_error *error);

static const drive_fn drivers[] = {
    [TAC_LEVEL_COARSE] = tac_fmm_drive_coarse,
    [TAC_LEVEL_DETAILED] = tac_fmm_drive_detailed,
    [TAC_LEVEL_HOOKED] = tac_fmm_drive_hooked,
};

/* Where the scheduler's items run: on the host, or on a device that the plan comes to. */
static enum tac_status choose_course(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, struct tac_error *error) {
  struct tac_device *device = tac_scheduler_device(scheduler);
  plan->course = &plan->host;
  plan->expansions_on_device = 0;
  if (!device)
    return TAC_STATUS_OK;
  if (plan->options.costs)
    return tac_error_set(error, TAC_STATUS_INVALID, "evaluate",
                         "the plan's costs are of items on the host, and not on a device");
  const enum tac_status status = tac_plan_meet_device(plan, device, tac_scheduler_queue(scheduler), error);
  if (status)
    return status;
  plan->course = tac_fmm_device_course(plan->device);
  plan->expansions_on_device = 1;
  return TAC_STATUS_OK;
}

static enum tac_status check(const struct tac_fmm_plan *plan, const struct tac_scheduler *scheduler, const double *density,
                             double *const *fields, struct tac_error *error) {
  if (!plan || !scheduler || !density || !fields)
    return tac_error_set(error, TAC_STATUS_INVALID, "evaluate", "plan, scheduler, density or place for the answer is missing");
  for (int field = 0; field < plan->fields; field++)
    if (!fields[field])
      return tac_error_set(error, TAC_STATUS_INVALID, "evaluate", "no place for field %d of %d", field, plan->fields);
  return TAC_STATUS_OK;
}

static enum tac_status begin(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, const double *density,
                             double *const *fields, struct tac_error *error) {
  plan->density = density;
  plan->answer = fields;
  plan->evaluated = 0;
  return choose_course(plan, scheduler, error);
}

static enum tac_status end(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, enum tac_status status,
                           struct tac_error *error) {
  plan->evaluated = status == TAC_STATUS_OK;
  plan->density = NULL;
  plan->answer = NULL;
  if (status != TAC_STATUS_NUMERICAL)
    return status;
  if (plan->expansions_on_device && tac_fmm_device_fetch(plan->device, tac_scheduler_queue(scheduler), 1, NULL))
    return status; /* with the text that is there, of the leaf */
  return tac_plan_blame(plan, error);
}

enum tac_status tac_fmm_evaluate(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, const double *density,
                                 double *const *fields, struct tac_error *error) {
  enum tac_status status = check(plan, scheduler, density, fields, error);
  if (!status)
    status = begin(plan, scheduler, density, fields, error);
  return status ? status : end(plan, scheduler, tac_fmm_drive_off(plan, scheduler, error), error);
}

static enum tac_status check_recorder(const struct tac_recorder *recorder, const struct tac_scheduler *scheduler,
                                      struct tac_error *error) {
  if (!recorder || tac_recorder_events(recorder) != &tac_fmm_events)
    return tac_error_set(error, TAC_STATUS_INVALID, "evaluate", "no recorder of tac_fmm_events");
  if (tac_recorder_level(recorder) != tac_scheduler_level(scheduler))
    return tac_error_set(error, TAC_STATUS_LEVEL, "evaluate", "recorder and scheduler are of different levels");
  return TAC_STATUS_OK;
}

enum tac_status tac_fmm_evaluate_measured(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, const double *density,
                                          double *const *fields, struct tac_recorder *recorder, struct tac_error *error) {
  enum tac_status status = check(plan, scheduler, density, fields, error);
  if (!status)
    status = check_recorder(recorder, scheduler, error);
  if (!status)
    status = begin(plan, scheduler, density, fields, error);
  if (status)
    return status;
  return end(plan, scheduler, drivers[tac_recorder_level(recorder)](plan, scheduler, recorder, error), error);
}

enum tac_status tac_fmm_profile(struct tac_phase_profile *profile, const struct tac_recorder *recorder,
                                struct tac_error *error) {
  if (!profile || !recorder || tac_recorder_events(recorder) != &tac_fmm_events)
    return tac_error_set(error, TAC_STATUS_INVALID, "profile", "no profile, or no recorder of tac_fmm_events");
  int phases[TAC_FMM_PHASES];
  for (int i = 0; i < TAC_FMM_PHASES; i++)
    phases[i] = TAC_FMM_EVENT_SOLVE + 1 + i;
  return tac_phase_profile_take(profile, recorder, phases, TAC_FMM_PHASES, error);
}
