/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/costs.h"

#include <stdio.h>
#include <string.h>

#include <tactus/measure/report.h>
#include <tactus/scheduler/scheduler.h>

#include "apps/tactus/costs_print.h"
#include "tests/support/driven_clock.h"
#include "tests/unit/suite.h"

/* Records made by a recorder whose clock the items drive: 3 ns a unit of "a", 50 of "b". */
enum { ITEMS = 6 };
static const struct tac_event events[] = {{"run", TAC_NO_EVENT, 0}, {"work", 0, 1}, {"other", 0, 1}};
static const struct tac_event_set event_set = {"test", 3, events};
static struct driven_clock driven;

static void values(const void *context, size_t index, double *out) {
  const double scale = *(const double *)context;
  out[0] = scale * (double)(index * index);
  out[1] = (double)(index % 3);
  out[2] = 0;
}

static const char *const names[] = {"a", "b", "c"};
static const struct tac_cost_terms terms = {3, names, values};

static double by_index(const void *context, size_t index) {
  (void)context;
  return (double)index;
}

static enum tac_status item(void *context, size_t index, struct tac_lane *lane) {
  double v[3];
  (void)lane;
  values(context, index, v);
  driven_clock_advance(&driven, (int64_t)(3 * v[0] + 50 * v[1]));
  return TAC_STATUS_OK;
}

static enum tac_status failing(void *context, size_t index, struct tac_lane *lane) {
  (void)context;
  return index == 2 ? tac_error_set(lane->error, TAC_STATUS_ITEM, "item", "broke") : TAC_STATUS_OK;
}

static int write_piece(void *stream, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, stream) != bytes;
}

static json_t *record_of(double scale, int wants_failure) {
  struct tac_recorder_options options;
  struct tac_scheduler_options scheduling;
  struct tac_recorder *recorder;
  struct tac_scheduler *scheduler;
  tac_recorder_options_init(&options);
  driven_clock_init(&driven, 1000, 0);
  options.events = &event_set;
  options.level = TAC_DETAILED;
  options.clock = &driven.clock;
  options.keep_slots = 1;
  tac_scheduler_options_init(&scheduling);
  scheduling.executor = "serial";
  scheduling.level = TAC_DETAILED;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &scheduling, NULL), TAC_STATUS_OK);
  struct tac_batch batch = {.count = ITEMS, .item = item, .cost = by_index, .context = &scale, .event = 1, .terms = &terms};
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  batch.event = 2; /* without terms */
  batch.terms = NULL;
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  batch = (struct tac_batch){.count = ITEMS, .item = failing, .context = &scale, .event = 1, .terms = &terms};
  if (wants_failure)
    ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_ITEM);
  char *text = NULL;
  size_t bytes = 0;
  FILE *stream = open_memstream(&text, &bytes);
  ck_assert_int_eq(tac_report_json(recorder, NULL, write_piece, stream, NULL), TAC_STATUS_OK);
  fclose(stream);
  json_t *root = json_loadb(text, bytes, 0, NULL);
  ck_assert_ptr_nonnull(root);
  free(text);
  json_object_set_new(root, "run",
                      json_pack("{s:s, s:s, s:s, s:i, s:{s:s, s:s}}", "program", "tester", "version", "1", "executor", "serial",
                                "lanes", 1, "blas", "name", "B", "kernel", "K"));
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
  return root;
}

static void add(struct tac_costs *costs, json_t *record) {
  struct tac_error error;
  ck_assert_msg(tac_costs_add(costs, record, &error) == TAC_STATUS_OK, "%s", error.text);
  json_decref(record);
}

START_TEST(coefficients_of_driven_clocks) {
  struct tac_costs costs = {0};
  add(&costs, record_of(1000, 0));
  add(&costs, record_of(500, 1));
  ck_assert_int_eq(tac_costs_fit(&costs, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(costs.left_out, 1);
  ck_assert_uint_eq(costs.model.events, 1);
  ck_assert_str_eq(costs.model.program, "tester");
  ck_assert_int_eq(costs.model.lanes, 1);
  const struct tac_event_costs *event = &costs.model.event[0];
  ck_assert_str_eq(event->event, "work");
  ck_assert_uint_eq(event->items, 2 * ITEMS);
  ck_assert_uint_eq(event->terms, 3);
  for (size_t t = 0; t < 3; t++) {
    const double wanted[] = {3e-9, 50e-9, 0};
    ck_assert_str_eq(event->term[t].name, names[t]);
    /* The item with neither a nor b lasts 0 ns, counts as 100, and can be predicted by nothing. */
    ck_assert_double_eq_tol(event->term[t].seconds, wanted[t], 1e-6 * 3e-9);
  }
  ck_assert_int_eq(costs.event[0].fit.state[2], TAC_COST_TERM_ABSENT);
  tac_costs_release(&costs);
}
END_TEST

START_TEST(records_that_differ_leave_it_open) {
  struct tac_costs costs = {0};
  json_t *other = record_of(500, 0), *run = json_object_get(other, "run");
  json_object_set_new(run, "executor", json_string("threads"));
  json_object_set_new(run, "lanes", json_integer(2));
  json_object_set_new(json_object_get(run, "blas"), "kernel", json_null());
  add(&costs, record_of(1000, 0));
  add(&costs, other);
  ck_assert_int_eq(tac_costs_fit(&costs, NULL), TAC_STATUS_OK);
  ck_assert_ptr_null(costs.model.executor);
  ck_assert_ptr_null(costs.model.blas_kernel);
  ck_assert_int_eq(costs.model.lanes, 0);
  ck_assert_str_eq(costs.model.version, "1");
  ck_assert_str_eq(costs.model.blas_name, "B");
  tac_costs_release(&costs);
}
END_TEST

/* Takes the record over. */
static void expect_refusal(json_t *record, const char *member) {
  struct tac_costs costs = {0};
  struct tac_error error;
  ck_assert_int_eq(tac_costs_add(&costs, record, &error), TAC_STATUS_INVALID);
  ck_assert_msg(strstr(error.text, member) != NULL, "%s: %s", member, error.text);
  tac_costs_release(&costs);
  json_decref(record);
}

static json_t *items_of(json_t *record) {
  return json_object_get(json_array_get(json_object_get(record, "batches"), 0), "items");
}

START_TEST(wrong_records_are_refused_by_their_member) {
  expect_refusal(json_object(), "run.program");
  expect_refusal(json_pack("{s:{s:s}}", "run", "program", "p"), "batches");
  json_t *record = record_of(1, 0);
  json_array_remove(json_object_get(items_of(record), "cost"), 0);
  expect_refusal(record, "batches[0].items.cost");
  record = record_of(1, 0);
  json_array_remove(json_object_get(json_object_get(items_of(record), "terms"), "b"), 0);
  expect_refusal(record, "batches[0].items.terms");
  record = record_of(1, 0);
  json_object_clear(json_object_get(items_of(record), "terms"));
  expect_refusal(record, "batches[0].items.terms");
  record = record_of(1, 0);
  json_array_set_new(json_object_get(items_of(record), "duration_ns"), 3, json_integer(-1));
  expect_refusal(record, "batches[0].items.duration_ns");
  record = record_of(1, 0);
  json_object_set_new(json_array_get(json_object_get(record, "batches"), 0), "lanes", json_integer(0));
  expect_refusal(record, "batches[0].lanes");
  record = record_of(1, 0);
  json_object_set_new(json_array_get(json_object_get(record, "batches"), 0), "event", json_integer(0));
  expect_refusal(record, "batches[0].event");
}
END_TEST

START_TEST(another_program_or_other_terms_are_refused) {
  struct tac_costs costs = {0};
  struct tac_error error;
  add(&costs, record_of(1000, 0));
  json_t *other = record_of(1000, 0);
  json_object_set_new(json_object_get(other, "run"), "program", json_string("tester2"));
  ck_assert_int_eq(tac_costs_add(&costs, other, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "tester2"));
  json_decref(other);
  other = record_of(1000, 0);
  json_t *of = json_object_get(items_of(other), "terms");
  json_object_set(of, "d", json_object_get(of, "b"));
  json_object_del(of, "b");
  ck_assert_int_eq(tac_costs_add(&costs, other, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "others"));
  json_decref(other);
  tac_costs_release(&costs);
}
END_TEST

/* A term that is no number, and batches of submissions, are left out and counted. */
START_TEST(what_cannot_be_fitted_is_counted) {
  struct tac_costs costs = {0};
  json_t *record = record_of(1000, 0);
  json_array_set_new(json_object_get(json_object_get(items_of(record), "terms"), "a"), 1, json_null());
  add(&costs, record);
  record = record_of(1000, 0);
  json_object_set_new(json_array_get(json_object_get(record, "batches"), 0), "submission", json_true());
  add(&costs, record);
  ck_assert_uint_eq(costs.left_out, 2);
  tac_costs_release(&costs);
  ck_assert_int_eq(tac_costs_fit(&costs, NULL), TAC_STATUS_INVALID);
}
END_TEST

/* What a run had beyond its record is told, and terms that are always 0 share a line. */
START_TEST(the_text_tells_what_is_not_in_the_fit) {
  struct tac_costs costs = {0};
  char *text = NULL;
  size_t bytes = 0;
  json_t *record = record_of(1000, 0);
  const size_t kept = json_array_size(json_object_get(record, "batches"));
  char expected[160];
  snprintf(expected, sizeof expected,
           "not in the fit: 7 later batches beyond the limit of the record; a run with --detail-limit=%zu "
           "keeps all\n",
           kept + 7);
  json_object_set_new(record, "dropped", json_integer(7));
  json_object_set_new(record, "slots_dropped", json_integer(1));
  add(&costs, record);
  add(&costs, record_of(1000, 0));
  ck_assert_int_eq(tac_costs_fit(&costs, NULL), TAC_STATUS_OK);
  FILE *stream = open_memstream(&text, &bytes);
  ck_assert_int_eq(tac_costs_print_fit(stream, &costs, NULL), TAC_STATUS_OK);
  fclose(stream);
  ck_assert_msg(strstr(text, expected) != NULL, "%s", text);
  ck_assert_ptr_nonnull(strstr(text, "not in the fit: 1 item of batches"));
  ck_assert_ptr_nonnull(strstr(text, "\n  always 0: c\n"));
  ck_assert_ptr_null(strstr(text, "0 (always 0)"));
  free(text);
  tac_costs_release(&costs);
}
END_TEST

START_TEST(a_count_that_is_none_is_refused) {
  struct tac_costs costs = {0};
  struct tac_error error;
  json_t *record = record_of(1000, 0);
  json_object_set_new(record, "dropped", json_integer(-1));
  ck_assert_int_eq(tac_costs_add(&costs, record, &error), TAC_STATUS_INVALID);
  ck_assert_str_eq(error.where, "dropped");
  json_decref(record);
  tac_costs_release(&costs);
}
END_TEST

START_TEST(the_report_is_a_json_object) {
  struct tac_costs costs = {0};
  char *text = NULL;
  size_t bytes = 0;
  add(&costs, record_of(1000, 0));
  ck_assert_int_eq(tac_costs_fit(&costs, NULL), TAC_STATUS_OK);
  FILE *stream = open_memstream(&text, &bytes);
  ck_assert_int_eq(tac_costs_write_fit(&costs, write_piece, stream, NULL), TAC_STATUS_OK);
  fclose(stream);
  json_t *root = json_loadb(text, bytes, 0, NULL);
  const json_t *event = json_array_get(json_object_get(root, "events"), 0);
  ck_assert_str_eq(json_string_value(json_object_get(root, "kind")), "costs_report");
  ck_assert_int_eq(json_integer_value(json_object_get(root, "records")), 1);
  ck_assert_int_eq(json_integer_value(json_object_get(event, "items")), ITEMS);
  ck_assert_int_eq(json_integer_value(json_object_get(event, "batches")), 0); /* of one lane */
  ck_assert(json_real_value(json_object_get(event, "rank_correlation")) > 0.9);
  ck_assert_str_eq(json_string_value(json_object_get(json_array_get(json_object_get(event, "terms"), 2), "state")), "always 0");
  json_decref(root);
  free(text);
  tac_costs_release(&costs);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {coefficients_of_driven_clocks,
                                records_that_differ_leave_it_open,
                                wrong_records_are_refused_by_their_member,
                                another_program_or_other_terms_are_refused,
                                what_cannot_be_fitted_is_counted,
                                the_text_tells_what_is_not_in_the_fit,
                                a_count_that_is_none_is_refused,
                                the_report_is_a_json_object};
  return RUN_SUITE("tactus_costs", tests);
}
