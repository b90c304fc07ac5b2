/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/label_table.h"

#include <stdio.h>

#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

static const char *numbered(size_t number) {
  static char label[32];
  snprintf(label, sizeof label, "label %zu", number);
  return label;
}

START_TEST(labels_are_numbered_as_they_come) {
  struct tac_label_table table = {.allocator = tac_allocator_system(), .limit = SIZE_MAX};
  ck_assert_uint_eq(tac_label_table_find(&table, "a"), TAC_NO_LABEL);
  ck_assert_uint_eq(tac_label_table_add(&table, "a"), 0);
  ck_assert_uint_eq(tac_label_table_add(&table, ""), 1);
  ck_assert_uint_eq(tac_label_table_add(&table, "ab"), 2);
  ck_assert_uint_eq(tac_label_table_add(&table, "a"), 0);
  ck_assert_uint_eq(tac_label_table_find(&table, ""), 1);
  ck_assert_uint_eq(tac_label_table_find(&table, "b"), TAC_NO_LABEL);
  ck_assert_uint_eq(table.count, 3);
  tac_label_table_release(&table);
}
END_TEST

START_TEST(a_label_is_copied) {
  struct tac_label_table table = {.allocator = tac_allocator_system(), .limit = SIZE_MAX};
  char label[] = "kernel";
  tac_label_table_add(&table, label);
  label[0] = 'K';
  ck_assert_uint_eq(tac_label_table_find(&table, "kernel"), 0);
  ck_assert_uint_eq(tac_label_table_find(&table, label), TAC_NO_LABEL);
  tac_label_table_release(&table);
}
END_TEST

START_TEST(many_labels_keep_their_numbers) {
  enum { MANY = 5000 };
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_label_table table = {.allocator = &allocator, .limit = MANY};
  for (size_t i = 0; i < MANY; i++)
    ck_assert_uint_eq(tac_label_table_add(&table, numbered(i)), i);
  ck_assert_uint_eq(tac_label_table_add(&table, numbered(MANY)), TAC_NO_LABEL);
  for (size_t i = 0; i < MANY; i++) {
    ck_assert_uint_eq(tac_label_table_find(&table, numbered(i)), i);
    ck_assert_str_eq(table.labels[i], numbered(i));
  }
  tac_label_table_clear(&table);
  ck_assert_uint_eq(tac_label_table_find(&table, numbered(7)), TAC_NO_LABEL);
  ck_assert_uint_eq(tac_label_table_add(&table, numbered(7)), 0);
  tac_label_table_release(&table);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

/* Whichever allocation is refused, the labels that are there stay, and the new one comes in later. */
START_TEST(a_refused_allocation_adds_nothing) {
  for (size_t left = 0; left < 3; left++) {
    struct counting counting = COUNTING_INIT;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_label_table table = {.allocator = &allocator, .limit = SIZE_MAX};
    for (size_t i = 0; i < 32; i++)
      tac_label_table_add(&table, numbered(i));
    counting.left = left;
    const size_t expected = left == 2 ? 32 : TAC_NO_LABEL;
    ck_assert_uint_eq(tac_label_table_add(&table, numbered(32)), expected);
    counting.left = SIZE_MAX;
    for (size_t i = 0; i < 33; i++)
      ck_assert_uint_eq(tac_label_table_add(&table, numbered(i)), i);
    tac_label_table_release(&table);
    ck_assert_uint_eq(counting.allocated, counting.released);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {labels_are_numbered_as_they_come, a_label_is_copied, many_labels_keep_their_numbers,
                                a_refused_allocation_adds_nothing};
  return RUN_SUITE("label_table", tests);
}
