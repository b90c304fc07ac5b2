/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_UNIT_FAKE_SCHEDULER_H
#define TESTS_UNIT_FAKE_SCHEDULER_H

#include <tactus/scheduler/scheduler.h>

#include "tests/support/fake_backend.h"
#include "tests/unit/suite.h"

/* A scheduler on the tests' own device runtime. */
static inline enum tac_status open_scheduler(struct tac_scheduler **out, enum tac_level level, int lanes, int streams,
                                             const struct tac_allocator *allocator, struct tac_error *error) {
  struct tac_scheduler_options options;
  tac_scheduler_options_init(&options);
  options.table = &fake_executor;
  options.level = level;
  options.allocator = allocator;
  options.executor_options.lanes = lanes;
  options.executor_options.streams = streams;
  return tac_scheduler_create(out, &options, error);
}

static inline void expect_ok(enum tac_status status, const struct tac_error *error) {
  ck_assert_msg(status == TAC_STATUS_OK, "%s: %s", error->where, error->text);
}

static inline struct tac_scheduler *scheduler_of(enum tac_level level, int lanes, int streams) {
  struct tac_scheduler *scheduler = NULL;
  struct tac_error error;
  expect_ok(open_scheduler(&scheduler, level, lanes, streams, NULL, &error), &error);
  return scheduler;
}

static inline int calls(enum fake_call call) {
  return atomic_load(&fake_state.calls[call]);
}

#endif
