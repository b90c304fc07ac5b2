/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/conformance/subject.h"

#include <pthread.h>

enum { OUTER = 40, INNER = 30 };

/* Item i of the outer batch runs an inner batch over row i, and has scratch of its own meanwhile. */
struct table {
  unsigned char cell[OUTER][INNER];
  size_t fails; /* column that fails; INNER for none */
  int measured;
  atomic_int damaged;
};

struct row {
  struct table *table;
  size_t number;
};

static enum tac_status fill_cell(void *context, size_t index, struct tac_lane *lane) {
  const struct row *row = context;
  memset(tac_arena_take(lane->arena, 300), (int)index, 300);
  row->table->cell[row->number][index]++;
  return index == row->table->fails ? tac_error_set(lane->error, TAC_STATUS_ITEM, "fill_cell", "column %zu", index)
                                    : TAC_STATUS_OK;
}

static double column_cost(const void *context, size_t index) {
  (void)context;
  return (double)(index % 3);
}

static const struct tac_event inner_events[] = {{"inner", TAC_NO_EVENT, 1}};
static const struct tac_event_set inner_set = {"inner", 1, inner_events};

/* With a recorder that the item owns, or none. */
static enum tac_status run_inner(const struct tac_batch *inner, struct tac_lane *lane, int measured, struct tac_error *error) {
  if (!measured)
    return tac_lane_run_batch(lane, inner, error);
  struct tac_recorder_options options;
  struct tac_recorder *recorder;
  tac_recorder_options_init(&options);
  options.events = &inner_set;
  options.level = TAC_DETAILED;
  enum tac_status status = tac_recorder_create(&recorder, &options, error);
  if (status != TAC_STATUS_OK)
    return status;
  status = tac_lane_run_batch_measured(lane, inner, recorder, error);
  const struct tac_batch_record *record = tac_recorder_batch(recorder, 0);
  if (tac_recorder_batch_count(recorder) != 1 || record->requested != INNER || record->peak_overlap != 1 || !record->ran_inline)
    status = TAC_STATUS_CONTRACT;
  tac_recorder_destroy(&recorder);
  return status;
}

static enum tac_status run_row(void *context, size_t index, struct tac_lane *lane) {
  struct table *table = context;
  struct row row = {table, index};
  struct tac_error inner_error;
  unsigned char *mine = tac_arena_take(lane->arena, 500);
  memset(mine, (int)index, 500);
  const struct tac_batch inner = {
      .count = INNER, .item = fill_cell, .cost = index % 2 ? column_cost : NULL, .context = &row, .failure_mode = TAC_RUN_ALL};
  const enum tac_status status = run_inner(&inner, lane, table->measured, &inner_error);
  for (int i = 0; i < 500; i++)
    if (mine[i] != index)
      atomic_fetch_add(&table->damaged, 1);
  if (status != TAC_STATUS_OK)
    tac_error_set(lane->error, status, "run_row", "row %zu, %s", index, inner_error.text);
  return status;
}

static void expect_filled(const struct table *table) {
  ck_assert_int_eq(table->damaged, 0);
  for (size_t i = 0; i < OUTER; i++)
    for (size_t j = 0; j < INNER; j++)
      ck_assert_uint_eq(table->cell[i][j], 1);
}

START_TEST(batches_nest) {
  struct subject subject;
  tac_subject_open(&subject, NULL);
  struct table table = {.fails = INNER, .measured = _i};
  const struct tac_batch outer = {.count = OUTER, .item = run_row, .context = &table};
  ck_assert_int_eq(tac_subject_run(&subject, outer), TAC_STATUS_OK);
  expect_filled(&table);
  tac_subject_close(&subject);
}
END_TEST

START_TEST(a_nested_failure_comes_out_through_its_item) {
  struct subject subject;
  tac_subject_open(&subject, NULL);
  struct table table = {.fails = 7, .measured = _i};
  const struct tac_batch outer = {.count = OUTER, .item = run_row, .context = &table, .failure_mode = TAC_RUN_ALL};
  ck_assert_int_eq(tac_subject_run(&subject, outer), TAC_STATUS_ITEM);
  ck_assert_uint_eq(subject.error.item, 0);
  ck_assert_str_eq(subject.error.text, "row 0, column 7");
  expect_filled(&table);
  tac_subject_close(&subject);
}
END_TEST

/* From inside an item: the item's own thread, and a thread that it starts. */
struct intrusion {
  struct subject *subject;
  struct counts counts;
  atomic_int statuses[TAC_STATUS_SYSTEM + 1];
};

static enum tac_status intrude(struct intrusion *intrusion) {
  struct tac_error error;
  const struct tac_batch batch = {.count = 4, .item = tac_count_item, .context = &intrusion->counts};
  return tac_run_batch(intrusion->subject->scheduler, &batch, &error);
}

static void *intrude_from_thread(void *context) {
  struct intrusion *intrusion = context;
  atomic_fetch_add(&intrusion->statuses[intrude(intrusion)], 1);
  return NULL;
}

static enum tac_status intruding_item(void *context, size_t index, struct tac_lane *lane) {
  struct intrusion *intrusion = context;
  pthread_t thread;
  (void)lane;
  if (index % 2) {
    atomic_fetch_add(&intrusion->statuses[intrude(intrusion)], 1);
    return TAC_STATUS_OK;
  }
  if (pthread_create(&thread, NULL, intrude_from_thread, intrusion) != 0)
    return TAC_STATUS_SYSTEM;
  pthread_join(thread, NULL);
  return TAC_STATUS_OK;
}

START_TEST(a_second_caller_is_refused) {
  struct subject subject;
  tac_subject_open(&subject, NULL);
  struct intrusion intrusion = {.subject = &subject};
  tac_counts_open(&intrusion.counts, 4);
  for (size_t count = 1; count <= 8; count++)
    ck_assert_int_eq(
        tac_subject_run(&subject, (struct tac_batch){.count = count, .item = intruding_item, .context = &intrusion}),
        TAC_STATUS_OK);
  ck_assert_int_eq(intrusion.statuses[TAC_STATUS_BUSY], 36);
  tac_counts_expect(&intrusion.counts, 0);
  ck_assert_int_eq(intrude(&intrusion), TAC_STATUS_OK);
  tac_counts_expect(&intrusion.counts, 1);
  tac_counts_close(&intrusion.counts);
  tac_subject_close(&subject);
}
END_TEST

/* Two schedulers of the same executor know nothing of each other. */
struct neighbour {
  struct subject subject;
  struct counts counts;
  enum tac_status status;
};

static void *run_neighbour(void *context) {
  struct neighbour *neighbour = context;
  for (int pass = 0; pass < 100 && neighbour->status == TAC_STATUS_OK; pass++) {
    const struct tac_batch batch = {.count = 64, .item = tac_count_item, .context = &neighbour->counts};
    neighbour->status = tac_run_batch(neighbour->subject.scheduler, &batch, NULL);
  }
  return NULL;
}

START_TEST(schedulers_are_independent) {
  static struct neighbour neighbours[2];
  pthread_t thread;
  for (int i = 0; i < 2; i++) {
    tac_subject_open(&neighbours[i].subject, NULL);
    tac_counts_open(&neighbours[i].counts, 64);
  }
  ck_assert_int_eq(pthread_create(&thread, NULL, run_neighbour, &neighbours[0]), 0);
  run_neighbour(&neighbours[1]);
  pthread_join(thread, NULL);
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(neighbours[i].status, TAC_STATUS_OK);
    tac_counts_expect(&neighbours[i].counts, 100);
    tac_counts_close(&neighbours[i].counts);
    tac_subject_close(&neighbours[i].subject);
  }
}
END_TEST

void tac_nesting_cases(TCase *cases) {
  tcase_add_loop_test(cases, batches_nest, 0, 2);
  tcase_add_loop_test(cases, a_nested_failure_comes_out_through_its_item, 0, 2);
  tcase_add_test(cases, a_second_caller_is_refused);
  tcase_add_test(cases, schedulers_are_independent);
}
