/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "tests/support/comma_locale.h"
#include "tests/support/recorded.h"
#include "tests/support/text_sink.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

/* What every form of a report owes to its caller. */

static enum tac_status text_form(const struct tac_recorder *recorder, const struct tac_report_facts *facts, tac_sink_fn sink,
                                 void *context, struct tac_error *error) {
  (void)facts;
  return tac_report_text(recorder, sink, context, error);
}

static const struct form {
  enum tac_status (*report)(const struct tac_recorder *recorder, const struct tac_report_facts *facts, tac_sink_fn sink,
                            void *context, struct tac_error *error);
  int is_json;
} forms[] = {{text_form, 0},        {tac_report_json, 1},       {tac_report_csv, 0},
             {tac_report_trace, 1}, {tac_report_speedscope, 1}, {tac_report_html, 0}};
enum { FORMS = sizeof forms / sizeof *forms, FIRST_WITH_FACTS = 1 };

static struct tac_recorder *recorded(const struct tac_allocator *allocator) {
  struct tac_recorder *recorder;
  ck_assert_int_eq(recorded_create(&recorder, TAC_DETAILED, 10, allocator), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  return recorder;
}

/* Takes so many bytes and refuses the piece that would go beyond. */
struct refusing {
  size_t limit, taken, pieces_after_refusal;
  int refused;
};

static int take(void *context, const char *text, size_t bytes) {
  struct refusing *sink = context;
  (void)text;
  sink->pieces_after_refusal += (size_t)sink->refused;
  sink->refused |= bytes > sink->limit - sink->taken;
  if (!sink->refused)
    sink->taken += bytes;
  return sink->refused;
}

START_TEST(a_sink_that_refuses_stops_the_report) {
  enum { LIMITS = 60 };
  const struct form *form = &forms[_i];
  struct tac_recorder *recorder = recorded(NULL);
  struct tac_error error;
  struct refusing whole = {.limit = SIZE_MAX};
  ck_assert_int_eq(form->report(recorder, NULL, take, &whole, NULL), TAC_STATUS_OK);
  ck_assert_uint_gt(whole.taken, LIMITS);
  for (size_t i = 0; i <= LIMITS; i++) {
    struct refusing sink = {.limit = i * (whole.taken - 1) / LIMITS};
    ck_assert_int_eq(form->report(recorder, NULL, take, &sink, &error), TAC_STATUS_IO);
    ck_assert_int_eq(error.status, TAC_STATUS_IO);
    ck_assert_uint_eq(sink.pieces_after_refusal, 0);
  }
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(what_is_missing_is_refused) {
  struct tac_recorder *recorder = recorded(NULL);
  struct refusing sink = {.limit = SIZE_MAX};
  struct tac_error error;
  ck_assert_int_eq(forms[_i].report(recorder, NULL, NULL, NULL, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(error.status, TAC_STATUS_INVALID);
  ck_assert_int_eq(forms[_i].report(NULL, NULL, take, &sink, NULL), TAC_STATUS_INVALID);
  ck_assert_uint_eq(sink.taken, 0);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(facts_without_key_or_value_are_refused) {
  const struct tac_report_fact no_key[] = {{"lanes", "1"}, {NULL, "1"}}, no_value[] = {{"lanes", "1"}, {"blas", NULL}};
  const struct {
    struct tac_report_facts facts;
    enum tac_status expected;
    const char *why;
  } cases[] = {{{NULL, 0}, TAC_STATUS_OK, ""},
               {{no_key, 1}, TAC_STATUS_OK, ""},
               {{NULL, 1}, TAC_STATUS_INVALID, "no facts, where 1 are told"},
               {{no_key, 2}, TAC_STATUS_INVALID, "fact 1 has no key"},
               {{no_value, 2}, TAC_STATUS_INVALID, "fact 1 has no value"}};
  struct tac_recorder *recorder = recorded(NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct refusing sink = {.limit = SIZE_MAX};
    struct tac_error error;
    tac_error_clear(&error);
    ck_assert_int_eq(forms[_i].report(recorder, &cases[i].facts, take, &sink, &error), cases[i].expected);
    ck_assert_str_eq(error.text, cases[i].why);
    ck_assert_int_eq(sink.taken > 0, cases[i].expected == TAC_STATUS_OK);
  }
  tac_recorder_destroy(&recorder);
}
END_TEST

/* A trace without memory for the order of the items tells the rest; whatever is said to be whole is. */
START_TEST(a_refused_allocation_is_reported) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_recorder *recorder = recorded(&allocator);
  const size_t before = counting.allocated;
  struct refusing whole = {.limit = SIZE_MAX};
  ck_assert_int_eq(forms[_i].report(recorder, NULL, take, &whole, NULL), TAC_STATUS_OK);
  const size_t wanted = counting.allocated - before;
  ck_assert_uint_lt(wanted, 2000);
  for (size_t left = 0; left <= wanted; left++) {
    struct text_sink sink;
    text_sink_open(&sink);
    counting.left = left;
    const enum tac_status status = forms[_i].report(recorder, NULL, text_sink_take, &sink, NULL);
    char *text = text_sink_text(&sink);
    ck_assert(status == TAC_STATUS_OK || (status == TAC_STATUS_MEMORY && left < wanted));
    json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_int_eq(value != NULL, forms[_i].is_json && status == TAC_STATUS_OK);
    json_decref(value);
    free(text);
  }
  counting.left = (size_t)-1;
  tac_recorder_destroy(&recorder);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

static char *text_of(const struct form *form) {
  struct text_sink sink;
  struct tac_recorder *recorder = recorded(NULL);
  text_sink_open(&sink);
  ck_assert_int_eq(form->report(recorder, NULL, text_sink_take, &sink, NULL), TAC_STATUS_OK);
  tac_recorder_destroy(&recorder);
  return text_sink_text(&sink);
}

/* A decimal comma must not reach a number. */
START_TEST(numbers_do_not_depend_on_the_locale) {
  char *expected = text_of(&forms[_i]), half[8];
  const int comma = enter_comma_locale();
  snprintf(half, sizeof half, "%.1f", 0.5);
  ck_assert_str_eq(half, comma ? "0,5" : "0.5");
  char *found = text_of(&forms[_i]);
  ck_assert_str_eq(found, expected);
  snprintf(half, sizeof half, "%.1f", 0.5); /* the caller's locale is as it was */
  ck_assert_str_eq(half, comma ? "0,5" : "0.5");
  free(expected);
  free(found);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("report_forms");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, a_sink_that_refuses_stops_the_report, 0, FORMS);
  tcase_add_loop_test(cases, what_is_missing_is_refused, 0, FORMS);
  tcase_add_loop_test(cases, facts_without_key_or_value_are_refused, FIRST_WITH_FACTS, FORMS);
  tcase_add_loop_test(cases, a_refused_allocation_is_reported, 0, FORMS);
  tcase_add_loop_test(cases, numbers_do_not_depend_on_the_locale, 0, FORMS);
  return run_cases("report_forms", cases);
}
