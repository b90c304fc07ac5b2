/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_UNIT_MEASURED_H
#define TESTS_UNIT_MEASURED_H

/* What the tests of measured batches share: two events, a clock that the test drives, a recorder and a scheduler of a level. */
#include <tactus/scheduler/scheduler.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "measure/recorder.h"
#include "tests/support/driven_clock.h"
#include "tests/support/executors.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

enum { WORK, OTHER, EVENTS };
static const struct tac_event events[EVENTS] = {{"work", TAC_NO_EVENT, 1}, {"other", TAC_NO_EVENT, 1}};
static const struct tac_event_set event_set = {"test", EVENTS, events};
static const struct tac_hooks no_hooks = {0};

static struct driven_clock driven;

static inline struct tac_recorder_options recorder_options(enum tac_level level) {
  struct tac_recorder_options options;
  tac_recorder_options_init(&options);
  driven_clock_init(&driven, 1000, 0);
  options.events = &event_set;
  options.level = level;
  options.clock = &driven.clock;
  options.keep_slots = 1;
  options.hooks = level == TAC_HOOKED ? &no_hooks : NULL;
  return options;
}

static inline struct tac_recorder *create_recorder(const struct tac_recorder_options *options) {
  struct tac_recorder *recorder;
  ck_assert_int_eq(tac_recorder_create(&recorder, options, NULL), TAC_STATUS_OK);
  driven.reads = 0; /* its making reads the clock once */
  return recorder;
}

static inline struct tac_recorder *recorder_at(enum tac_level level) {
  const struct tac_recorder_options options = recorder_options(level);
  return create_recorder(&options);
}

static inline struct tac_scheduler *scheduler_at(enum tac_level level, const struct tac_executor *table) {
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler;
  tac_scheduler_options_init(&options);
  options.executor = "serial";
  options.table = table;
  options.level = level;
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, NULL), TAC_STATUS_OK);
  return scheduler;
}

/* Item i lasts as long as the context says; a negative duration is a failure after that time. */
static inline enum tac_status timed_item(void *context, size_t index, struct tac_lane *lane) {
  const int64_t duration_ns = ((const int64_t *)context)[index];
  driven_clock_advance(&driven, duration_ns < 0 ? -duration_ns : duration_ns);
  return duration_ns < 0 ? tac_error_set(lane->error, TAC_STATUS_ITEM, "timed_item", "item %zu broke", index) : TAC_STATUS_OK;
}

#endif
