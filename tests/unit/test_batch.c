/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/scheduler/scheduler.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/executors.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

static struct tac_scheduler *scheduler_on(const struct tac_executor *table, const struct tac_allocator *allocator) {
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler;
  tac_scheduler_options_init(&options);
  options.table = table;
  options.allocator = allocator;
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, NULL), TAC_STATUS_OK);
  return scheduler;
}

/* What each item writes to its lane's error before it returns its status. */
struct script {
  enum tac_status status;
  const char *text;
  int native_code;
};

static enum tac_status follow(void *context, size_t index, struct tac_lane *lane) {
  const struct script *script = &((const struct script *)context)[index];
  if (script->text)
    tac_error_set(lane->error, TAC_STATUS_NUMERICAL, "follow", "%s", script->text);
  if (script->native_code)
    lane->error->native_code = script->native_code;
  return script->status;
}

static enum tac_status run_script(const struct tac_executor *table, struct script *script, size_t count,
                                  struct tac_error *error) {
  struct tac_scheduler *scheduler = scheduler_on(table, NULL);
  const struct tac_batch batch = {.count = count, .item = follow, .context = script, .failure_mode = TAC_RUN_ALL};
  tac_error_clear(error);
  const enum tac_status status = tac_run_batch(scheduler, &batch, error);
  tac_scheduler_destroy(&scheduler);
  return status;
}

START_TEST(an_items_words_reach_the_caller) {
  struct script script[] = {{0}, {TAC_STATUS_NUMERICAL, "no convergence", 17}, {TAC_STATUS_ITEM, "later", 0}};
  struct tac_error error;
  ck_assert_int_eq(run_script(&test_executor_in_turn, script, 3, &error), TAC_STATUS_NUMERICAL);
  ck_assert_int_eq(error.status, TAC_STATUS_NUMERICAL);
  ck_assert_str_eq(error.text, "no convergence");
  ck_assert_str_eq(error.where, "follow");
  ck_assert_int_eq(error.native_code, 17);
  ck_assert_uint_eq(error.item, 1);
}
END_TEST

/* The first item only tried something and succeeded otherwise: its words are not those of the second. */
START_TEST(a_silent_failure_gets_a_line_of_its_own) {
  struct script script[] = {{TAC_STATUS_OK, "tried, then did it differently", 5}, {TAC_STATUS_ITEM, NULL, 0}, {0}};
  struct tac_error error;
  ck_assert_int_eq(run_script(&test_executor_in_turn, script, 3, &error), TAC_STATUS_ITEM);
  ck_assert_str_eq(error.text, "item 1: an item failed");
  ck_assert_str_eq(error.where, "item");
  ck_assert_int_eq(error.native_code, 0);
  ck_assert_uint_eq(error.item, 1);
}
END_TEST

START_TEST(a_native_code_without_words_is_kept) {
  struct script script[] = {{TAC_STATUS_SYSTEM, NULL, 11}, {0}};
  struct tac_error error;
  ck_assert_int_eq(run_script(&test_executor_in_turn, script, 2, &error), TAC_STATUS_SYSTEM);
  ck_assert_int_eq(error.native_code, 11);
  ck_assert_str_eq(error.text, "item 0: a system call failed");
}
END_TEST

START_TEST(success_leaves_the_error_alone) {
  struct script script[] = {{TAC_STATUS_OK, "tried", 0}, {0}};
  struct tac_error error;
  ck_assert_int_eq(run_script(&test_executor_in_turn, script, 2, &error), TAC_STATUS_OK);
  ck_assert_str_eq(error.text, "");
  ck_assert_int_eq(error.status, TAC_STATUS_OK);
}
END_TEST

START_TEST(an_executors_failure_reaches_the_caller_and_an_items_comes_first) {
  struct script quiet[] = {{0}, {0}}, failing[] = {{0}, {TAC_STATUS_ITEM, "mine", 0}};
  struct tac_error error;
  ck_assert_int_eq(run_script(&test_executor_refusing, quiet, 2, &error), TAC_STATUS_SYSTEM);
  ck_assert_str_eq(error.text, "a worker was lost");
  ck_assert_int_eq(run_script(&test_executor_refusing, failing, 2, &error), TAC_STATUS_ITEM);
  ck_assert_str_eq(error.text, "mine");
}
END_TEST

static enum tac_status wordless_status;

static enum tac_status run_wordless(void *state, struct tac_work *work, struct tac_error *error) {
  (void)state, (void)work, (void)error;
  return wordless_status;
}

START_TEST(a_wordless_executor_gets_the_words_of_its_status) {
  static const struct {
    enum tac_status status;
    const char *text;
  } cases[] = {{TAC_STATUS_SYSTEM, "a system call failed"}, {(enum tac_status)99, "unknown status"}};
  struct tac_executor wordless = test_executor_in_turn;
  wordless.run = run_wordless;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct script quiet[] = {{0}, {0}};
    struct tac_error error;
    char text[80];
    wordless_status = cases[i].status;
    snprintf(text, sizeof text, "the executor returned %d: %s", (int)cases[i].status, cases[i].text);
    ck_assert_int_eq(run_script(&wordless, quiet, 2, &error), cases[i].status);
    ck_assert_int_eq(error.status, cases[i].status);
    ck_assert_str_eq(error.text, text);
  }
}
END_TEST

START_TEST(no_scheduler_and_no_lane_are_refused) {
  const struct tac_batch batch = {.count = 1, .item = follow};
  struct tac_error error;
  ck_assert_int_eq(tac_run_batch(NULL, &batch, &error), TAC_STATUS_INVALID);
  ck_assert_str_eq(error.text, "no scheduler");
  ck_assert_int_eq(tac_lane_run_batch(NULL, &batch, &error), TAC_STATUS_INVALID);
  ck_assert_str_eq(error.text, "no lane");
}
END_TEST

START_TEST(a_failure_is_forgotten_by_the_next_batch) {
  struct tac_scheduler *scheduler = scheduler_on(&test_executor_in_turn, NULL);
  struct script script[] = {{TAC_STATUS_ITEM, "once", 0}, {0}};
  const struct tac_batch batch = {.count = 2, .item = follow, .context = script};
  ck_assert_int_eq(tac_run_batch(scheduler, &batch, NULL), TAC_STATUS_ITEM);
  script[0] = (struct script){0};
  ck_assert_int_eq(tac_run_batch(scheduler, &batch, NULL), TAC_STATUS_OK);
  tac_scheduler_destroy(&scheduler);
}
END_TEST

static double falling(const void *context, size_t index) {
  (void)context;
  return 100 - (double)(index % 100);
}

static enum tac_status take_and_nest(void *context, size_t index, struct tac_lane *lane) {
  const struct tac_batch *inner = context;
  memset(tac_arena_take(lane->arena, 1000 + index), 1, 1000 + index);
  return inner ? tac_lane_run_batch(lane, inner, lane->error) : TAC_STATUS_OK;
}

START_TEST(steady_use_allocates_nothing) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_scheduler *scheduler = scheduler_on(&test_executor_in_turn, &allocator);
  struct tac_batch inner = {.count = 10, .item = take_and_nest, .cost = falling};
  const struct tac_batch outer = {.count = 200, .item = take_and_nest, .cost = falling, .context = &inner};
  size_t allocated = 0;
  for (int pass = 0; pass < 5; pass++) {
    ck_assert_int_eq(tac_run_batch(scheduler, &outer, NULL), TAC_STATUS_OK);
    if (pass == 1)
      allocated = counting.allocated;
  }
  ck_assert_uint_eq(counting.allocated, allocated);
  tac_scheduler_destroy(&scheduler);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

static enum tac_status nest_and_look(void *context, size_t index, struct tac_lane *lane) {
  (void)index;
  struct tac_error nested;
  const int number = lane->number, count = lane->count;
  unsigned char *mine = tac_arena_take(lane->arena, 100);
  memset(mine, 7, 100);
  tac_error_set(lane->error, TAC_STATUS_ITEM, "nest_and_look", "mine");
  const enum tac_status status = tac_lane_run_batch(lane, context, &nested);
  if (status != TAC_STATUS_ITEM || strcmp(nested.text, "inner") != 0 || nested.item != 2)
    return TAC_STATUS_CONTRACT;
  if (strcmp(lane->error->text, "mine") != 0 || lane->number != number || lane->count != count || mine[99] != 7)
    return TAC_STATUS_CONTRACT;
  return TAC_STATUS_OK;
}

static enum tac_status inner_item(void *context, size_t index, struct tac_lane *lane) {
  (void)context;
  if (lane->number != 0 || lane->count != 1 || !tac_arena_take(lane->arena, 5000))
    return TAC_STATUS_CONTRACT;
  return index == 2 ? tac_error_set(lane->error, TAC_STATUS_ITEM, "inner_item", "inner") : TAC_STATUS_OK;
}

START_TEST(a_nested_batch_leaves_the_outer_lane_as_it_was) {
  struct tac_scheduler *scheduler = scheduler_on(&test_executor_in_turn, NULL);
  struct tac_batch inner = {.count = 4, .item = inner_item};
  const struct tac_batch outer = {.count = 3, .item = nest_and_look, .context = &inner};
  ck_assert_int_eq(tac_run_batch(scheduler, &outer, NULL), TAC_STATUS_OK);
  inner.cost = falling;
  ck_assert_int_eq(tac_run_batch(scheduler, &outer, NULL), TAC_STATUS_OK);
  tac_scheduler_destroy(&scheduler);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      an_items_words_reach_the_caller,
      a_silent_failure_gets_a_line_of_its_own,
      a_native_code_without_words_is_kept,
      success_leaves_the_error_alone,
      an_executors_failure_reaches_the_caller_and_an_items_comes_first,
      a_wordless_executor_gets_the_words_of_its_status,
      no_scheduler_and_no_lane_are_refused,
      a_failure_is_forgotten_by_the_next_batch,
      steady_use_allocates_nothing,
      a_nested_batch_leaves_the_outer_lane_as_it_was,
  };
  return RUN_SUITE("batch", tests);
}
