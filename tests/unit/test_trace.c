/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/trace.h>

#include "measure/trace.h"
#include "tests/support/recorded.h"
#include "tests/support/sink.h"
#include "tests/support/slices.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

static struct slices slices;
static struct test_sink sink;

static struct tac_trace *create_trace(void) {
  struct tac_trace_options options;
  struct tac_trace *trace;
  tac_trace_options_init(&options);
  driven_clock_init(&recorded_clock, 1000000, 0);
  options.level = TAC_DETAILED;
  options.clock = &recorded_clock.clock;
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_trace_create(&trace, &options, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  return trace;
}

static struct tac_recorder *create_recorder(struct tac_trace *trace, size_t batch_limit, size_t timeline_limit) {
  struct tac_recorder_options options;
  struct tac_recorder *recorder;
  tac_recorder_options_init(&options);
  options.events = &recorded_set;
  options.level = TAC_DETAILED;
  options.clock = &recorded_clock.clock;
  options.batch_limit = batch_limit;
  options.timeline_limit = timeline_limit;
  options.trace = trace;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  return recorder;
}

/* What the sink has so far, with the end that a killed program did not write. */
static json_t *parse_so_far(const char *end) {
  json_error_t error;
  ck_assert_uint_lt(sink.used + strlen(end), sizeof sink.text);
  memcpy(sink.text + sink.used, end, strlen(end) + 1);
  json_t *events = json_loads(sink.text, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(events != NULL, "%s at %d of %s", error.text, error.position, sink.text);
  sink.text[sink.used] = '\0';
  slices_read(&slices, events);
  return events;
}

static const json_t *arguments_of(const json_t *events, const char *name) {
  for (size_t i = 0; i < json_array_size(events); i++)
    if (strcmp(json_string_value(json_object_get(json_array_get(events, i), "name")), name) == 0)
      return json_object_get(json_array_get(events, i), "args");
  return NULL;
}

/* Without slots kept by the recorder: the trace has them as each batch ends. */
START_TEST(a_trace_has_what_ended) {
  static const struct slice lane[] = {
      {"batch", 1, 0, 2500, 6000},  {"item 0", 1, 0, 2500, 1000},  {"item 1", 1, 0, 3500, 2000},  {"item 2", 1, 0, 5500, 3000},
      {"batch", 1, 0, 12500, 6000}, {"item 0", 1, 0, 12500, 1000}, {"item 1", 1, 0, 13500, 2000}, {"item 2", 1, 0, 15500, 3000},
  };
  struct tac_trace *trace = create_trace();
  struct tac_recorder *recorder = create_recorder(trace, 10, 10);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  ck_assert_int_eq(tac_trace_finish(trace, NULL), TAC_STATUS_OK);
  tac_recorder_destroy(&recorder);
  tac_trace_destroy(&trace);
  json_t *events = parse_so_far("");
  SLICES_EXPECT(&slices, slices_track(events, "lane 0"), lane);
  size_t on_caller = 0;
  for (size_t i = 0; i < slices.count; i++)
    on_caller += slices.slice[i].tid == slices_track(events, "phases and batches");
  ck_assert_uint_eq(on_caller, 8);
  ck_assert_int_eq(json_integer_value(json_object_get(arguments_of(events, "tactus"), "origin_ns")), 1000000);
  ck_assert_int_eq(json_integer_value(json_object_get(arguments_of(events, "tactus_end"), "dropped")), 0);
  json_decref(events);
}
END_TEST

/* Lines are given when something ends 100 ms after the last ones; what the sink has then is whole but for its end. */
START_TEST(what_was_given_so_far_can_be_read) {
  struct tac_trace *trace = create_trace();
  struct tac_recorder *recorder = create_recorder(trace, 10, 100);
  const size_t begun = sink.used;
  for (int i = 0; i < 3; i++)
    recorded_phase(recorder, RECORDED_SOLVE, 30000000);
  ck_assert_uint_eq(sink.used, begun);
  recorded_phase(recorder, RECORDED_SOLVE, 10000000);
  ck_assert_uint_gt(sink.used, begun);
  json_t *events = parse_so_far("]");
  ck_assert_uint_eq(slices.count, 4);
  ck_assert_int_eq(slices.slice[3].start_ns, 90000000);
  json_decref(events);
  const size_t given = sink.used;
  recorded_phase(recorder, RECORDED_SOLVE, 10000000);
  ck_assert_uint_eq(sink.used, given);
  tac_recorder_destroy(&recorder);
  tac_trace_destroy(&trace);
  ck_assert_uint_eq(sink.used, given);
}
END_TEST

/* Of eight phases and batches the last three, and of two batches the second one's items, are beyond the limits. */
START_TEST(limits_of_the_recorder_hold) {
  static const char *const names[] = {"run", "set\x1bup \"\xef\xbf\xbd\"", "sweep", "solve \xc2\xb5", "batch"};
  struct tac_trace *trace = create_trace();
  struct tac_recorder *recorder = create_recorder(trace, 1, 5);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  ck_assert_int_eq(tac_trace_finish(trace, NULL), TAC_STATUS_OK);
  tac_recorder_destroy(&recorder);
  tac_trace_destroy(&trace);
  json_t *events = parse_so_far("");
  const json_t *end = arguments_of(events, "tactus_end");
  ck_assert_int_eq(json_integer_value(json_object_get(end, "dropped")), 3);
  ck_assert_int_eq(json_integer_value(json_object_get(end, "without_items")), 1);
  size_t found = 0;
  for (size_t i = 0; i < slices.count && slices.slice[i].tid == 1; i++)
    ck_assert_str_eq(slices.slice[i].name, names[found++]);
  ck_assert_uint_eq(found, 5);
  ck_assert_uint_eq(slices.count, 5 + 2 + 3); /* and the batch on two lanes, and its items */
  json_decref(events);
}
END_TEST

/* Items of one lane at the same time, as an executor that breaks its contract would run them: another track takes the second.
 */
START_TEST(items_that_overlap_do_not_share_a_track) {
  static const struct slice first[] = {{"work", 1, 0, 0, 100}, {"item 0", 1, 0, 10, 40}, {"item 2", 1, 0, 50, 10}};
  static const struct slice second[] = {{"item 1", 1, 0, 20, 40}};
  const struct tac_slot slots[] = {
      {.index = 0, .start_ns = 1000010, .finish_ns = 1000050, .start_sequence = 1, .finish_sequence = 3},
      {.index = 1, .start_ns = 1000020, .finish_ns = 1000060, .start_sequence = 2, .finish_sequence = 5},
      {.index = 2, .start_ns = 1000050, .finish_ns = 1000060, .start_sequence = 4, .finish_sequence = 6},
      {.index = 3},
  };
  const struct tac_batch_record record = {
      .lanes = 1, .requested = 4, .started = 3, .completed = 3, .begin_ns = 1000000, .wall_ns = 100};
  const struct tac_batch_details details = {.record = &record, .slots = slots};
  struct tac_trace *trace = create_trace();
  tac_trace_phase(trace, "work", 1000000, 1000100);
  tac_trace_batch(trace, "work", &details, 1);
  ck_assert_int_eq(tac_trace_finish(trace, NULL), TAC_STATUS_OK);
  tac_trace_destroy(&trace);
  json_t *events = parse_so_far("");
  SLICES_EXPECT(&slices, slices_track(events, "lane 0"), first);
  SLICES_EXPECT(&slices, slices_track(events, "lane 0, 2"), second);
  json_decref(events);
}
END_TEST

/* A thousand items at once have no track each: those that found none are counted. */
START_TEST(tracks_are_limited) {
  static struct tac_slot slots[1000];
  struct tac_trace *trace = create_trace();
  for (size_t i = 0; i < 1000; i++)
    slots[i] = (struct tac_slot){
        .index = i, .start_ns = 1000000, .finish_ns = 1000100, .start_sequence = i + 1, .finish_sequence = 1001 + i};
  const struct tac_batch_record record = {.lanes = 1, .requested = 1000, .begin_ns = 1000000, .wall_ns = 100};
  tac_trace_batch(trace, "work", &(struct tac_batch_details){.record = &record, .slots = slots}, 0);
  ck_assert_uint_eq(trace->tracks, TAC_TRACKS_MOST);
  ck_assert_uint_eq(trace->untracked, 1000 - (TAC_TRACKS_MOST - 1)); /* the caller has one */
  tac_trace_destroy(&trace);
}
END_TEST

struct tally {
  size_t bytes, longest;
  int refusing;
};

static int take_count(void *context, const char *text, size_t bytes) {
  struct tally *tally = context;
  (void)text;
  tally->bytes += bytes;
  tally->longest = bytes > tally->longest ? bytes : tally->longest;
  return tally->refusing;
}

/* A name of 100 kB does not fit into the buffer, and is given all the same; what is refused shows at the end. */
START_TEST(a_line_longer_than_the_buffer_is_given_in_pieces) {
  enum { LENGTH = 100000 };
  static char name[LENGTH + 1];
  struct tac_trace_options options;
  struct tac_trace *trace;
  struct tally tally = {0};
  tac_trace_options_init(&options);
  memset(name, 'x', LENGTH);
  ck_assert_int_eq(tac_trace_create(&trace, &options, take_count, &tally, NULL), TAC_STATUS_OK);
  tac_trace_phase(trace, name, trace->origin_ns, trace->origin_ns);
  ck_assert_uint_gt(tally.bytes, LENGTH - TAC_TRACE_BUFFER_BYTES);
  tac_trace_flush(trace);
  ck_assert_uint_gt(tally.bytes, LENGTH);
  ck_assert_uint_le(tally.longest, TAC_TRACE_BUFFER_BYTES);
  tally.refusing = 1;
  ck_assert_int_eq(tac_trace_finish(trace, NULL), TAC_STATUS_IO);
  tac_trace_destroy(&trace);
}
END_TEST

START_TEST(wrong_options_are_refused) {
  struct tac_trace_options options;
  struct tac_trace *trace;
  tac_trace_options_init(&options);
  ck_assert_int_eq(tac_trace_create(&trace, &options, NULL, NULL, NULL), TAC_STATUS_INVALID);
  options.level = TAC_OFF;
  ck_assert_int_eq(tac_trace_create(&trace, &options, test_sink_take, &sink, NULL), TAC_STATUS_INVALID);
  tac_trace_options_init(&options);
  options.size = 1;
  ck_assert_int_eq(tac_trace_create(&trace, &options, test_sink_take, &sink, NULL), TAC_STATUS_INVALID);
  tac_trace_options_init(&options);
  const struct tac_report_fact no_value = {"lanes", NULL};
  options.facts = &(const struct tac_report_facts){&no_value, 1};
  ck_assert_int_eq(tac_trace_create(&trace, &options, test_sink_take, &sink, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_trace_create(NULL, &options, test_sink_take, &sink, NULL), TAC_STATUS_INVALID);
  ck_assert_ptr_null(trace);
  tac_trace_destroy(&trace);
  tac_trace_destroy(NULL);
}
END_TEST

START_TEST(a_refused_allocation_is_reported) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_trace_options options;
  struct tac_trace *trace;
  enum tac_status status = TAC_STATUS_MEMORY;
  tac_trace_options_init(&options);
  options.allocator = &allocator;
  for (size_t left = 0; status == TAC_STATUS_MEMORY; left++) {
    ck_assert_uint_lt(left, 100);
    counting.left = left;
    sink = (struct test_sink){.limit = sizeof sink.text};
    status = tac_trace_create(&trace, &options, test_sink_take, &sink, NULL);
    ck_assert_int_eq(sink.used > 0, status == TAC_STATUS_OK);
  }
  ck_assert_int_eq(status, TAC_STATUS_OK);
  tac_trace_destroy(&trace);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_trace_has_what_ended,      what_was_given_so_far_can_be_read,
                                limits_of_the_recorder_hold, items_that_overlap_do_not_share_a_track,
                                tracks_are_limited,          a_line_longer_than_the_buffer_is_given_in_pieces,
                                wrong_options_are_refused,   a_refused_allocation_is_reported};
  return RUN_SUITE("trace", tests);
}
