/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/cost_model.h>

#include <math.h>
#include <string.h>

#include "tests/support/sink.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

static const char *const names[] = {"m*n*k", "m*n", "item"}, *const other_names[] = {"item"};
static const struct tac_cost_terms terms = {3, names, NULL}, other_terms = {1, other_names, NULL};
static const struct tac_event_terms events[] = {{"product", &terms}, {"copy", &other_terms}};

static const struct tac_term_cost product[] = {{"item", 1e-6}, {"m*n*k", 0.1}}, copy[] = {{"item", 0}};
static const struct tac_event_costs of_events[] = {{"product", 2, product, 17, 0.125}, {"copy", 1, copy, 0, 1}};
static const struct tac_cost_model model = {.program = "tester \"quoted\"",
                                            .version = "1.2",
                                            .executor = "threads",
                                            .lanes = 3,
                                            .blas_name = "a BLAS",
                                            .blas_kernel = NULL,
                                            .events = 2,
                                            .event = of_events};

#define HEAD                                                                                                                   \
  "{\"schema\":1,\"kind\":\"costs\",\"program\":\"p\",\"version\":null,\"executor\":null,\"lanes\":null,"                      \
  "\"blas\":{\"name\":null,\"kernel\":null},\"events\":["
#define EVENT(terms_text) HEAD "{\"name\":\"e\",\"terms\":[" terms_text "],\"items\":1,\"median_relative_error\":0}]}"

START_TEST(what_is_written_is_read) {
  struct test_sink sink = {.limit = sizeof sink.text};
  ck_assert_int_eq(tac_cost_model_write(&model, NULL, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  struct tac_cost_model *read = NULL;
  ck_assert_int_eq(tac_cost_model_read(&read, sink.text, strlen(sink.text), NULL, NULL), TAC_STATUS_OK);
  ck_assert_str_eq(read->program, model.program);
  ck_assert_str_eq(read->version, "1.2");
  ck_assert_str_eq(read->executor, "threads");
  ck_assert_int_eq(read->lanes, 3);
  ck_assert_str_eq(read->blas_name, "a BLAS");
  ck_assert_ptr_null(read->blas_kernel);
  ck_assert_uint_eq(read->events, 2);
  for (size_t e = 0; e < 2; e++) {
    ck_assert_str_eq(read->event[e].event, of_events[e].event);
    ck_assert_uint_eq(read->event[e].items, of_events[e].items);
    ck_assert(read->event[e].median_relative_error == of_events[e].median_relative_error);
    ck_assert_uint_eq(read->event[e].terms, of_events[e].terms);
    for (size_t t = 0; t < of_events[e].terms; t++) {
      ck_assert_str_eq(read->event[e].term[t].name, of_events[e].term[t].name);
      ck_assert(read->event[e].term[t].seconds == of_events[e].term[t].seconds);
    }
  }
  tac_cost_model_destroy(&read);
  ck_assert_ptr_null(read);
  tac_cost_model_destroy(&read);
  tac_cost_model_destroy(NULL);
}
END_TEST

START_TEST(bound_in_the_order_of_the_algorithm) {
  struct tac_bound_costs bound[2];
  ck_assert_int_eq(tac_cost_model_bind(bound, &model, events, 2, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(bound[0].known, 1);
  ck_assert_uint_eq(bound[0].terms, 3);
  ck_assert(bound[0].seconds[0] == 0.1 && bound[0].seconds[1] == 0 && bound[0].seconds[2] == 1e-6);
  const double values[] = {10, 1e30, 2};
  ck_assert_double_eq_tol(tac_cost_seconds(bound[0].seconds, values, bound[0].terms), 1.000002, 1e-15);
  struct tac_cost_model less = model;
  less.events = 1;
  ck_assert_int_eq(tac_cost_model_bind(bound, &less, events, 2, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(bound[1].known, 0);
}
END_TEST

START_TEST(what_the_algorithm_lacks_is_refused) {
  struct tac_bound_costs bound[2];
  struct tac_error error;
  ck_assert_int_eq(tac_cost_model_bind(bound, &model, events, 1, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "events[1].name: no event 'copy'"));
  const struct tac_term_cost wrong[][2] = {
      {{"item", 0}, {"n^3", 1}}, {{"item", 0}, {"m*n", -1}}, {{"item", 0}, {"m*n", NAN}}, {{"item", 0}, {"m*n", 1e16}}};
  const char *const texts[] = {"events[0].terms[1]: 'product' has no term 'n^3'", "events[0].terms[1].seconds is -1",
                               "events[0].terms[1].seconds is nan", "events[0].terms[1].seconds is 1e+16"};
  for (size_t i = 0; i < 4; i++) {
    const struct tac_event_costs event = {"product", 2, wrong[i], 1, 0};
    const struct tac_cost_model bad = {.program = "p", .events = 1, .event = &event};
    ck_assert_int_eq(tac_cost_model_bind(bound, &bad, events, 2, &error), TAC_STATUS_INVALID);
    ck_assert_ptr_nonnull(strstr(error.text, texts[i]));
    struct test_sink sink = {.limit = sizeof sink.text}; /* a file is not written that would not be read */
    ck_assert_int_eq(tac_cost_model_write(&bad, NULL, test_sink_take, &sink, &error), i ? TAC_STATUS_INVALID : TAC_STATUS_OK);
    ck_assert(i == 0 || (sink.text[0] == '\0' && strstr(error.text, texts[i]) != NULL));
  }
}
END_TEST

/* Each text and what the refusal names. */
static const struct {
  const char *text, *member;
} wrong_texts[] = {
    {"", "line 1"},
    {"{\"schema\":1,\"kind\":\"costs\"", "line 1"},
    {"[]", "kind"},
    {"{\"schema\":1,\"kind\":\"kokkos\"}", "kind"},
    {"{\"kind\":\"costs\"}", "schema"},
    {"{\"schema\":2,\"kind\":\"costs\"}", "schema"},
    {"{\"schema\":1,\"kind\":\"costs\",\"program\":7}", "program"},
    {"{\"schema\":1,\"kind\":\"costs\",\"program\":\"p\"}", "events"},
    {"{\"schema\":1,\"kind\":\"costs\",\"program\":\"p\",\"events\":[]}", "version"},
    {"{\"schema\":1,\"kind\":\"costs\",\"program\":\"p\",\"events\":[],\"version\":\"1\",\"executor\":null,\"lanes\":null}",
     "blas.name"},
    {"{\"schema\":1,\"kind\":\"costs\",\"program\":\"p\",\"events\":[],\"version\":\"1\",\"executor\":null,\"lanes\":0,"
     "\"blas\":{\"name\":null,\"kernel\":null}}",
     "lanes"},
    {HEAD "7]}", "events[0].name"},
    {HEAD "{\"name\":\"e\"}]}", "events[0].terms"},
    {EVENT(""), "events[0].terms"},
    {EVENT("7,7,7,7,7,7,7,7,7"), "events[0].terms"},
    {HEAD "{\"name\":\"e\",\"terms\":[7]}]}", "events[0].items"},
    {HEAD "{\"name\":\"e\",\"terms\":[7],\"items\":-1}]}", "events[0].items"},
    {HEAD "{\"name\":\"e\",\"terms\":[7],\"items\":1}]}", "events[0].median_relative_error"},
    {EVENT("7"), "events[0].terms[0].name"},
    {EVENT("{\"name\":\"t\"}"), "events[0].terms[0].seconds"},
    {EVENT("{\"name\":\"t\",\"seconds\":\"1\"}"), "events[0].terms[0].seconds"},
    {EVENT("{\"name\":\"t\",\"seconds\":1e308}"), "events[0].terms[0].seconds is 1e+308"},
    {EVENT("{\"name\":\"t\",\"seconds\":1},{\"name\":\"u\",\"seconds\":-1e-9}"), "events[0].terms[1].seconds is -1e-09"},
    {EVENT("{\"name\":\"t\",\"seconds\":1e999}"), "line 1"},
    {EVENT("{\"name\":\"t\",\"seconds\":1},{\"name\":\"t\",\"seconds\":1}"), "events[0].terms[1].name: 't'"},
    {HEAD "{\"name\":\"e\",\"terms\":[{\"name\":\"t\",\"seconds\":1}],\"items\":1,\"median_relative_error\":0},"
          "{\"name\":\"e\"}]}",
     "events[1].name: 'e'"},
};

START_TEST(a_wrong_text_is_refused_by_its_member) {
  for (size_t i = 0; i < sizeof wrong_texts / sizeof *wrong_texts; i++) {
    struct tac_cost_model *read = NULL;
    struct tac_error error;
    ck_assert_msg(tac_cost_model_read(&read, wrong_texts[i].text, strlen(wrong_texts[i].text), NULL, &error) ==
                      TAC_STATUS_INVALID,
                  "%s", wrong_texts[i].text);
    ck_assert_msg(strstr(error.text, wrong_texts[i].member) != NULL, "%s: %s", wrong_texts[i].text, error.text);
    ck_assert_ptr_null(read);
  }
}
END_TEST

/* Every text that a truncated write could leave is refused. */
START_TEST(no_piece_is_read) {
  struct test_sink sink = {.limit = sizeof sink.text};
  struct tac_cost_model *read = NULL;
  ck_assert_int_eq(tac_cost_model_write(&model, NULL, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  for (size_t bytes = 0; bytes < strlen(sink.text); bytes++)
    ck_assert_int_eq(tac_cost_model_read(&read, sink.text, bytes, NULL, NULL), TAC_STATUS_INVALID);
}
END_TEST

static int refuse(void *context, const char *text, size_t bytes) {
  (void)context, (void)text, (void)bytes;
  return 1;
}

START_TEST(sinks_and_memory_that_fail) {
  struct test_sink sink = {.limit = sizeof sink.text};
  ck_assert_int_eq(tac_cost_model_write(&model, NULL, refuse, NULL, NULL), TAC_STATUS_IO);
  ck_assert_int_eq(tac_cost_model_write(NULL, NULL, refuse, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_cost_model_read(NULL, "", 0, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_cost_model_write(&model, NULL, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  struct counting counting = {.largest = SIZE_MAX, .left = 0};
  const struct tac_allocator allocator = {counting_allocate, counting_release, &counting};
  struct tac_cost_model *read = NULL;
  ck_assert_int_eq(tac_cost_model_read(&read, sink.text, strlen(sink.text), &allocator, NULL), TAC_STATUS_MEMORY);
  ck_assert_int_eq(tac_cost_model_write(&model, &allocator, refuse, NULL, NULL), TAC_STATUS_MEMORY);
  counting.left = 1;
  ck_assert_int_eq(tac_cost_model_read(&read, sink.text, strlen(sink.text), &allocator, NULL), TAC_STATUS_OK);
  tac_cost_model_destroy(&read);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {what_is_written_is_read,
                                bound_in_the_order_of_the_algorithm,
                                what_the_algorithm_lacks_is_refused,
                                a_wrong_text_is_refused_by_its_member,
                                no_piece_is_read,
                                sinks_and_memory_that_fail};
  return RUN_SUITE("cost_model", tests);
}
