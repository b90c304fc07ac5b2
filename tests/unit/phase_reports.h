/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_UNIT_PHASE_REPORTS_H
#define TESTS_UNIT_PHASE_REPORTS_H

/* What the tests of phase reports share: a report on a profile that the test makes, and what it tells. */
#include <tactus/measure/phase_report.h>

#include <jansson.h>

#include "tests/support/driven_clock.h"
#include "tests/support/sink.h"
#include "tests/unit/suite.h"

enum { NEAR, UP, DOWN, PHASES };
static const char *const phases[PHASES] = {"near", "up", "down"};

static struct test_sink sink;
static struct driven_clock driven;
static struct tac_operation_count entries[PHASES];
static struct tac_operation_counts counts;
static struct tac_phase_report report;

static inline void record(struct tac_phase_profile *profile, const char *name, int64_t duration_ns, uint64_t calls) {
  ck_assert_int_eq(tac_phase_record(profile, name, duration_ns, calls, NULL), TAC_STATUS_OK);
}

/* near 4 ms in 2 calls, up 1 ms in one, down never entered, 3 ms of 8 ms elsewhere; the profile found them in another order. */
static inline struct tac_phase_profile *prepare(const struct tac_allocator *allocator) {
  struct tac_phase_profile_options options;
  struct tac_phase_profile *profile;
  tac_phase_profile_options_init(&options);
  driven_clock_init(&driven, 0, 0);
  options.clock = &driven.clock;
  options.allocator = allocator;
  ck_assert_int_eq(tac_phase_profile_create(&profile, &options, NULL), TAC_STATUS_OK);
  record(profile, "up", 1000000, 1);
  record(profile, "near", 4000000, 2);
  tac_operation_counts_init(&counts, entries, phases, PHASES, "coefficient touch", "rule-1");
  entries[NEAR] = (struct tac_operation_count){"near", 300, 6e6, 1, 1};
  entries[UP] = (struct tac_operation_count){"up", 100, 2.5e6, 1, 1};
  entries[DOWN] = (struct tac_operation_count){"down", 0, 0, 1, 1};
  tac_phase_report_init(&report);
  report.phases = phases;
  report.phase_count = PHASES;
  report.profile = profile;
  report.counts = &counts;
  report.profiled_ns = 8000000;
  report.off_ns = 7500000;
  report.kernel = "laplace";
  report.near = "tables";
  report.scope = "solve";
  return profile;
}

typedef enum tac_status (*report_fn)(const struct tac_phase_report *, tac_sink_fn, void *, struct tac_error *);

static inline const char *told(report_fn tell) {
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tell(&report, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  return sink.text;
}

static inline json_t *told_json(void) {
  json_error_t error;
  json_t *value = json_loads(told(tac_phase_report_json), JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(value != NULL, "%s at %d", error.text, error.position);
  return value;
}

static inline double number(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  ck_assert_msg(json_is_number(value), "%s is no number", key);
  return json_number_value(value);
}

static inline const char *text(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  ck_assert_msg(json_is_string(value), "%s is no text", key);
  return json_string_value(value);
}

static inline void assert_null(const json_t *object, const char *key) {
  ck_assert_msg(json_is_null(json_object_get(object, key)), "%s is not null", key);
}

#endif
