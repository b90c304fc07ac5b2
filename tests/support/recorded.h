/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_RECORDED_H
#define TESTS_SUPPORT_RECORDED_H

#include <tactus/measure/recorder.h>
#include <tactus/scheduler/scheduler.h>

#include "tests/support/driven_clock.h"
#include "tests/support/executors.h"

/* A small algorithm with hand-chosen durations, for the reports: run > {sweep > {solve, a batch}, setup}. The set is not in
 * the order of inclusion, one event is never entered, and one name holds bytes that a report must not pass on. */
enum { RECORDED_RUN, RECORDED_SWEEP, RECORDED_SETUP, RECORDED_SOLVE, RECORDED_BATCH, RECORDED_NEVER, RECORDED_EVENTS };
static const struct tac_event recorded_events[RECORDED_EVENTS] = {
    [RECORDED_RUN] = {"run", TAC_NO_EVENT, 0},
    [RECORDED_SWEEP] = {"sweep", RECORDED_RUN, 0},
    [RECORDED_SETUP] = {"set\x1bup \"\xff\"", RECORDED_RUN, 0},
    [RECORDED_SOLVE] = {"solve \xc2\xb5", RECORDED_SWEEP, 0},
    [RECORDED_BATCH] = {"batch", RECORDED_SWEEP, 1},
    [RECORDED_NEVER] = {"never", RECORDED_SWEEP, 1},
};
static const struct tac_event_set recorded_set = {"recorded", RECORDED_EVENTS, recorded_events};

static struct driven_clock recorded_clock;

/* Item i lasts 1000 (i + 1) ns. */
static inline enum tac_status recorded_item(void *context, size_t index, struct tac_lane *lane) {
  (void)context, (void)lane;
  driven_clock_advance(&recorded_clock, 1000 * (int64_t)(index + 1));
  return TAC_STATUS_OK;
}

static inline void recorded_phase(struct tac_recorder *recorder, int event, int64_t duration_ns) {
  tac_recorder_enter(recorder, event);
  driven_clock_advance(&recorded_clock, duration_ns);
  tac_recorder_leave(recorder, event);
}

/* Two sweeps, each with a batch of three items at the detailed level; lanes run in turn, so that times are exact. */
static inline enum tac_status recorded_run(struct tac_recorder *recorder) {
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler;
  tac_scheduler_options_init(&options);
  options.table = &test_executor_in_turn;
  options.executor_options.lanes = 2;
  options.level = tac_recorder_level(recorder);
  enum tac_status status = tac_scheduler_create(&scheduler, &options, NULL);
  if (status != TAC_STATUS_OK)
    return status;
  tac_recorder_enter(recorder, RECORDED_RUN);
  recorded_phase(recorder, RECORDED_SETUP, 500);
  for (int sweep = 0; sweep < 2 && status == TAC_STATUS_OK; sweep++) {
    tac_recorder_enter(recorder, RECORDED_SWEEP);
    recorded_phase(recorder, RECORDED_SOLVE, 2000 + 2000 * sweep);
    const struct tac_batch batch = {.count = 3, .item = recorded_item, .event = RECORDED_BATCH};
    status = tac_run_batch_measured(scheduler, &batch, recorder, NULL);
    tac_recorder_leave(recorder, RECORDED_SWEEP);
  }
  tac_recorder_leave(recorder, RECORDED_RUN);
  tac_scheduler_destroy(&scheduler);
  return status;
}

static inline enum tac_status recorded_create(struct tac_recorder **recorder, enum tac_level level, size_t batch_limit,
                                              const struct tac_allocator *allocator) {
  struct tac_recorder_options options;
  tac_recorder_options_init(&options);
  driven_clock_init(&recorded_clock, 1000000, 0);
  options.events = &recorded_set;
  options.level = level;
  options.clock = &recorded_clock.clock;
  options.batch_limit = batch_limit;
  options.keep_slots = 1;
  options.allocator = allocator;
  return tac_recorder_create(recorder, &options, NULL);
}

#endif
