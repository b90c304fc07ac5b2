/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_HOOKS_TOOLS_H
#define TESTS_HOOKS_TOOLS_H

/* What the tests of tools share: three events, a recorder at hooked, and figures taken from a tool. */
#include <tactus/hooks.h>
#include <tactus/scheduler/scheduler.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

enum { RUN, SOLVE, WORK, EVENTS };
static const struct tac_event events[EVENTS] = {{"run", TAC_NO_EVENT, 0}, {"solve", RUN, 0}, {"work", SOLVE, 1}};
static const struct tac_event_set event_set = {"test", EVENTS, events};

static inline enum tac_status try_tool(struct tac_hook_tool **tool, const char *hooks, struct tac_error *error) {
  struct tac_hook_tool_options options;
  tac_hook_tool_options_init(&options);
  options.hooks = hooks;
  options.events = &event_set;
  tac_error_clear(error);
  return tac_hook_tool_create(tool, &options, error);
}

static inline struct tac_hook_tool *create_tool(const char *hooks) {
  struct tac_hook_tool *tool;
  struct tac_error error;
  ck_assert_msg(try_tool(&tool, hooks, &error) == TAC_STATUS_OK, "%s", error.text);
  return tool;
}

static inline void expect_refused(const char *hooks, enum tac_status status, const char *text) {
  struct tac_hook_tool *tool = (void *)1;
  struct tac_error error;
  ck_assert_int_eq(try_tool(&tool, hooks, &error), status);
  ck_assert_ptr_null(tool);
  ck_assert_msg(strstr(error.text, text) != NULL, "'%s' lacks '%s'", error.text, text);
}

static inline struct tac_recorder *recorder_of(const struct tac_hook_tool *tool) {
  struct tac_recorder_options options;
  struct tac_recorder *recorder;
  tac_recorder_options_init(&options);
  options.events = &event_set;
  options.level = TAC_HOOKED;
  options.hooks = tac_hook_tool_hooks(tool);
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  return recorder;
}

static inline struct tac_scheduler *scheduler_of(const char *executor, int lanes) {
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler;
  tac_scheduler_options_init(&options);
  options.executor = executor;
  options.executor_options.lanes = lanes;
  options.level = TAC_HOOKED;
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, NULL), TAC_STATUS_OK);
  return scheduler;
}

static inline struct tac_hook_figures *taken_from(struct tac_hook_tool *tool) {
  struct tac_hook_figures *figures;
  ck_assert_int_eq(tac_hook_tool_figures(&figures, tool, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_hook_tool_take(tool, figures, NULL), TAC_STATUS_OK);
  return figures;
}

static inline void expect_sum(const struct tac_hook_sum *sum, uint64_t count, int64_t first, int64_t second) {
  ck_assert_uint_eq(sum->count, count);
  ck_assert_int_eq(sum->value[0].value, first);
  ck_assert_int_eq(sum->value[1].value, second);
}

#endif
