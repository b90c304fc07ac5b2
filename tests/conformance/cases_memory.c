/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/conformance/subject.h"

#include <stdint.h>

/* The system's memory behind a counter: gives `left` blocks more. Called from every lane. */
struct memory {
  atomic_long left, given, taken_back;
};

static void *give(void *context, size_t bytes) {
  struct memory *memory = context;
  if (atomic_fetch_sub(&memory->left, 1) <= 0)
    return NULL;
  atomic_fetch_add(&memory->given, 1);
  return tac_allocator_system()->allocate(NULL, bytes);
}

static void take_back(void *context, void *block) {
  struct memory *memory = context;
  atomic_fetch_add(&memory->taken_back, block != NULL);
  tac_allocator_system()->release(NULL, block);
}

static double index_cost(const void *context, size_t index) {
  (void)context;
  return (double)index;
}

/* Refuses the first allocation, then the second, and so on until all goes well: whatever was refused, no item had started
 * when the batch said so, and nothing leaks. */
START_TEST(no_memory_starts_nothing) {
  enum tac_status status = TAC_STATUS_MEMORY;
  for (long left = 0; status == TAC_STATUS_MEMORY; left++) {
    ck_assert_int_lt(left, 1000);
    struct memory memory = {.left = left};
    const struct tac_allocator allocator = {give, take_back, &memory};
    struct subject subject;
    struct counts counts;
    tac_counts_open(&counts, 100);
    status = tac_subject_try_open(&subject, &allocator);
    if (status == TAC_STATUS_OK) {
      const struct tac_batch batch = {.count = 100, .item = tac_count_item, .cost = index_cost, .context = &counts};
      status = tac_run_batch(subject.scheduler, &batch, &subject.error);
      tac_counts_expect(&counts, status == TAC_STATUS_OK);
      if (status == TAC_STATUS_OK && subject.recorder)
        status = tac_run_batch_measured(subject.scheduler, &batch, subject.recorder, &subject.error);
      if (subject.recorder)
        tac_counts_expect(&counts, status == TAC_STATUS_OK ? 2 : counts.ran[0]);
      ck_assert_uint_le(counts.ran[0], status == TAC_STATUS_OK ? 2 : 1);
    }
    ck_assert_int_eq(subject.error.status, status);
    tac_counts_close(&counts);
    tac_subject_close(&subject);
    ck_assert_int_eq(memory.given, memory.taken_back);
  }
  ck_assert_int_eq(status, TAC_STATUS_OK);
}
END_TEST

START_TEST(impossible_counts_start_nothing) {
  struct subject subject;
  struct counts counts;
  tac_subject_open(&subject, NULL);
  tac_counts_open(&counts, 1);
  const struct tac_batch batch = {.count = SIZE_MAX / 2, .item = tac_count_item, .cost = index_cost, .context = &counts};
  ck_assert_int_eq(tac_subject_run(&subject, batch), TAC_STATUS_MEMORY);
  tac_counts_expect(&counts, 0);
  tac_counts_close(&counts);
  tac_subject_close(&subject);
}
END_TEST

struct scratch_use {
  atomic_int refused, misaligned, shared;
};

/* Fills scratch of many sizes, and finds it untouched: no other lane, and no item before, holds the same bytes. */
static enum tac_status use_scratch(void *context, size_t index, struct tac_lane *lane) {
  struct scratch_use *use = context;
  enum { PIECES = 5 };
  unsigned char *piece[PIECES];
  size_t bytes[PIECES];
  for (size_t p = 0; p < PIECES; p++) {
    bytes[p] = (index * 37 + p * 1001) % 9000;
    piece[p] = tac_arena_take(lane->arena, bytes[p]);
    if (!piece[p]) {
      atomic_fetch_add(&use->refused, 1);
      return TAC_STATUS_MEMORY;
    }
    if ((uintptr_t)piece[p] % TAC_ALIGNMENT)
      atomic_fetch_add(&use->misaligned, 1);
    memset(piece[p], (int)(index + p) & 0xff, bytes[p]);
  }
  for (size_t p = 0; p < PIECES; p++)
    for (size_t i = 0; i < bytes[p]; i++)
      if (piece[p][i] != ((index + p) & 0xff))
        atomic_fetch_add(&use->shared, 1);
  return TAC_STATUS_OK;
}

START_TEST(scratch_belongs_to_the_item) {
  struct scratch_use use = {0};
  struct subject subject;
  tac_subject_open(&subject, NULL);
  ck_assert_int_eq(tac_subject_run(&subject, (struct tac_batch){.count = 400, .item = use_scratch, .context = &use}),
                   TAC_STATUS_OK);
  ck_assert_int_eq(use.misaligned, 0);
  ck_assert_int_eq(use.shared, 0);
  tac_subject_close(&subject);
}
END_TEST

/* A thousand items take 50 MB in all; what the lanes hold stays near what one item takes. */
START_TEST(scratch_is_taken_back_after_each_item) {
  struct memory memory = {.left = 1000000};
  const struct tac_allocator allocator = {give, take_back, &memory};
  struct scratch_use use = {0};
  struct subject subject;
  tac_subject_open(&subject, &allocator);
  const struct tac_batch batch = {.count = 1000, .item = use_scratch, .context = &use};
  ck_assert_int_eq(tac_run_batch(subject.scheduler, &batch, NULL), TAC_STATUS_OK);
  ck_assert_int_lt(memory.given, 10 + 20 * tac_subject.lanes);
  tac_subject_close(&subject);
  ck_assert_int_eq(memory.given, memory.taken_back);
}
END_TEST

/* Scratch that cannot be had fails the item that asked, and the batch goes on to work afterwards. */
START_TEST(an_item_without_scratch_fails) {
  struct memory memory = {.left = 1000000};
  const struct tac_allocator allocator = {give, take_back, &memory};
  struct scratch_use use = {0};
  struct subject subject;
  tac_subject_open(&subject, &allocator);
  const struct tac_batch batch = {.count = 50, .item = use_scratch, .context = &use, .failure_mode = TAC_RUN_ALL};
  atomic_store(&memory.left, 0);
  const enum tac_status status = tac_run_batch(subject.scheduler, &batch, &subject.error);
  ck_assert_int_eq(status, use.refused > 0 ? TAC_STATUS_MEMORY : TAC_STATUS_OK);
  atomic_store(&memory.left, 1000000);
  ck_assert_int_eq(tac_run_batch(subject.scheduler, &batch, &subject.error), TAC_STATUS_OK);
  tac_subject_close(&subject);
  ck_assert_int_eq(memory.given, memory.taken_back);
}
END_TEST

void tac_memory_cases(TCase *cases) {
  tcase_add_test(cases, no_memory_starts_nothing);
  tcase_add_test(cases, impossible_counts_start_nothing);
  tcase_add_test(cases, scratch_belongs_to_the_item);
  tcase_add_test(cases, scratch_is_taken_back_after_each_item);
  tcase_add_test(cases, an_item_without_scratch_fails);
}
