/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_UNIT_HOOK_FIGURES_H
#define TESTS_UNIT_HOOK_FIGURES_H

/* What the tests of hooks' figures share: an event with two children, one of them with a name of odd bytes. */
#include <tactus/measure/hook_report.h>

#include <stdio.h>

#include "tests/support/sink.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

enum { RUN, SOLVE, ODD, NEVER, EVENTS };
static const struct tac_event events[EVENTS] = {
    {"run", TAC_NO_EVENT, 0}, {"solve", RUN, 1}, {"o\"d\x01\xff", SOLVE, 0}, {"never", RUN, 0}};
static const struct tac_event_set event_set = {"test", EVENTS, events};

static inline struct tac_hook_figures *create_figures(void) {
  struct tac_hook_figures *figures;
  ck_assert_int_eq(tac_hook_figures_create(&figures, "fake", &event_set, NULL, NULL), TAC_STATUS_OK);
  return figures;
}

static inline void set_counter(struct tac_hook_figures *figures, size_t number, const char *name, const char *unit) {
  figures->counters = number + 1;
  snprintf(figures->counter[number].name, sizeof figures->counter->name, "%s", name);
  snprintf(figures->counter[number].unit, sizeof figures->counter->unit, "%s", unit);
}

/* A time, a plain number and one of a unit of its own. */
static inline struct tac_hook_figures *filled_figures(void) {
  struct tac_hook_figures *figures = create_figures();
  set_counter(figures, 0, "clock", "ns");
  set_counter(figures, 1, "faults", "");
  set_counter(figures, 2, "energy", "nJ");
  figures->phase[RUN] = (struct tac_hook_sum){1, {{5000000, 9, 9}, {12, 9, 9}, {-3, 0, 0}}};
  figures->phase[SOLVE] = (struct tac_hook_sum){2, {{4000, 9, 9}, {7, 9, 9}, {1, 0, 0}}};
  figures->phase[ODD] = (struct tac_hook_sum){3, {{17, 9, 9}, {0, 9, 9}, {0, 0, 0}}};
  figures->item[SOLVE] = (struct tac_hook_sum){100, {{1500, 9, 9}, {7, 9, 9}, {2, 0, 0}}};
  return figures;
}

typedef enum tac_status (*hook_report_fn)(const struct tac_hook_figures *figures, tac_sink_fn sink, void *context,
                                          struct tac_error *error);

static inline const char *told(hook_report_fn report, const struct tac_hook_figures *figures) {
  static struct test_sink sink;
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(report(figures, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  return sink.text;
}

/* Both reports refuse the same, and stop at a piece that the sink does not take. */
static inline void expect_refusals(hook_report_fn report) {
  struct tac_hook_figures *figures = filled_figures();
  struct test_sink sink = {.limit = sizeof sink.text};
  struct tac_error error;
  ck_assert_int_eq(report(NULL, test_sink_take, &sink, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(report(figures, NULL, NULL, &error), TAC_STATUS_INVALID);
  figures->counters = TAC_HOOK_COUNTERS_MOST + 1;
  ck_assert_int_eq(report(figures, test_sink_take, &sink, &error), TAC_STATUS_INVALID);
  figures->counters = 3;
  ck_assert_uint_eq(sink.used, 0);
  const size_t whole = strlen(told(report, figures));
  for (size_t limit = 0; limit < whole; limit += 7) {
    sink = (struct test_sink){.limit = limit};
    ck_assert_int_eq(report(figures, test_sink_take, &sink, &error), TAC_STATUS_IO);
    ck_assert_uint_eq(sink.pieces_after_refusal, 0);
  }
  tac_hook_figures_destroy(&figures);
}

#endif
