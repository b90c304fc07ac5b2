/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <jansson.h>

#include "measure/html_page.h"
#include "tests/support/recorded.h"
#include "tests/support/sink.h"
#include "tests/unit/suite.h"

/* A page is larger than what the sink of the other reports holds: this one keeps the record and counts the rest. */
struct page {
  char record[20000];
  size_t used, taken, limit, pieces_after_refusal;
  int refused;
};

static struct page page;

static int take(void *context, const char *text, size_t bytes) {
  struct page *to = context;
  to->pieces_after_refusal += (size_t)to->refused;
  if (to->taken + bytes > to->limit) {
    to->refused = 1;
    return 1;
  }
  if (text != tac_html_page_head && text != tac_html_page_tail) {
    ck_assert_uint_lt(to->used + bytes, sizeof to->record);
    memcpy(to->record + to->used, text, bytes);
    to->used += bytes;
    to->record[to->used] = '\0';
  }
  to->taken += bytes;
  return 0;
}

static const char *page_record(const char *json) {
  page = (struct page){.limit = SIZE_MAX};
  ck_assert_int_eq(tac_html_page(json, strlen(json), take, &page, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(page.taken, strlen(tac_html_page_head) + page.used + strlen(tac_html_page_tail));
  return page.record;
}

START_TEST(the_record_stands_in_the_page_as_it_is) {
  static const char *const records[] = {"{}", "{\"a\":[1,2.5,null]}", "[\"x>y&z\"]", "\xc2\xb5"};
  for (size_t i = 0; i < sizeof records / sizeof *records; i++)
    ck_assert_str_eq(page_record(records[i]), records[i]);
}
END_TEST

START_TEST(nothing_in_a_record_ends_the_script) {
  ck_assert_str_eq(page_record("{\"a\":\"</script><!--<\"}"), "{\"a\":\"\\u003c/script>\\u003c!--\\u003c\"}");
  ck_assert_str_eq(page_record("<"), "\\u003c");
}
END_TEST

START_TEST(only_the_bytes_given_are_read) {
  static const char record[] = {'1', '<'};
  page = (struct page){.limit = SIZE_MAX};
  ck_assert_int_eq(tac_html_page(record, 1, take, &page, NULL), TAC_STATUS_OK);
  ck_assert_str_eq(page.record, "1");
}
END_TEST

/* The record is the whole content of its element, and the page needs nothing from elsewhere. */
START_TEST(the_page_is_whole) {
  static const char element[] = "<script type=\"application/json\" id=\"record\">\n";
  const size_t head = strlen(tac_html_page_head);
  ck_assert_uint_gt(head, strlen(element));
  ck_assert_str_eq(tac_html_page_head + head - strlen(element), element);
  ck_assert_int_eq(strncmp(tac_html_page_head, "<!DOCTYPE html>\n", 16), 0);
  ck_assert_int_eq(strncmp(tac_html_page_tail, "</script>\n", 10), 0);
  ck_assert_ptr_nonnull(strstr(tac_html_page_tail, "</html>\n"));
  static const char *const parts[] = {"@include", "@record@", "@import", "src=", "url("};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    ck_assert_msg(!strstr(tac_html_page_head, parts[i]), "%s", parts[i]);
    ck_assert_msg(!strstr(tac_html_page_tail, parts[i]), "%s", parts[i]);
  }
}
END_TEST

static struct tac_recorder *recorded(void) {
  struct tac_recorder *recorder;
  ck_assert_int_eq(recorded_create(&recorder, TAC_DETAILED, 10, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  return recorder;
}

static struct test_sink json;

START_TEST(a_recorder_gives_the_page_of_its_record) {
  struct tac_recorder *recorder = recorded();
  page = (struct page){.limit = SIZE_MAX};
  json = (struct test_sink){.limit = sizeof json.text};
  ck_assert_int_eq(tac_report_html(recorder, NULL, take, &page, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_report_json(recorder, NULL, test_sink_take, &json, NULL), TAC_STATUS_OK);
  json_t *seen = json_loads(page.record, 0, NULL), *expected = json_loads(json.text, 0, NULL);
  ck_assert_ptr_nonnull(expected);
  ck_assert_int_eq(json_equal(json_object_get(seen, "events"), json_object_get(expected, "events")), 1);
  ck_assert_int_eq(json_equal(json_object_get(seen, "batches"), json_object_get(expected, "batches")), 1);
  json_decref(seen);
  json_decref(expected);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(a_sink_that_refuses_stops_the_page) {
  static const char record[] = "{\"a\":\"<b<\"}";
  const size_t head = strlen(tac_html_page_head), tail = strlen(tac_html_page_tail);
  const size_t whole = head + strlen(page_record(record)) + tail, limits[] = {0, head, head + 1, head + 8, whole - 1};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    page = (struct page){.limit = limits[i]};
    ck_assert_int_eq(tac_html_page(record, strlen(record), take, &page, NULL), TAC_STATUS_IO);
    ck_assert_uint_eq(page.pieces_after_refusal, 0);
  }
  page = (struct page){.limit = whole};
  ck_assert_int_eq(tac_html_page(record, strlen(record), take, &page, NULL), TAC_STATUS_OK);
}
END_TEST

START_TEST(what_is_missing_is_refused) {
  page = (struct page){.limit = SIZE_MAX};
  ck_assert_int_eq(tac_html_page(NULL, 2, take, &page, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_html_page("{}", 0, take, &page, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_html_page("{}", 2, NULL, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_uint_eq(page.taken, 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      the_record_stands_in_the_page_as_it_is,
      nothing_in_a_record_ends_the_script,
      only_the_bytes_given_are_read,
      the_page_is_whole,
      a_recorder_gives_the_page_of_its_record,
      a_sink_that_refuses_stops_the_page,
      what_is_missing_is_refused,
  };
  return RUN_SUITE("html_page", tests);
}
