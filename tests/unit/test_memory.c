/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/arena.h"

#include <stdint.h>
#include <string.h>

#include "tests/unit/counting_allocator.h"
#include "tests/unit/seed.h"
#include "tests/unit/suite.h"

#define KIB ((size_t)1024)

START_TEST(system_memory_is_aligned) {
  const struct tac_allocator *system = tac_allocator_system();
  const size_t sizes[] = {0, 1, 63, 64, 65, 4097, 1000003};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    unsigned char *memory = system->allocate(system->context, sizes[i]);
    ck_assert_ptr_nonnull(memory);
    ck_assert_uint_eq((uintptr_t)memory % TAC_ALIGNMENT, 0);
    memset(memory, 0xa5, sizes[i]);
    system->release(system->context, memory);
  }
  system->release(system->context, NULL);
}
END_TEST

START_TEST(system_refuses_what_rounding_would_overflow) {
  const struct tac_allocator *system = tac_allocator_system();
  for (size_t below = 0; below < TAC_ALIGNMENT; below++)
    ck_assert_ptr_null(system->allocate(system->context, SIZE_MAX - below));
  ck_assert_ptr_null(system->allocate(system->context, PTRDIFF_MAX));
}
END_TEST

START_TEST(create_reports_no_memory) {
  struct counting counting = COUNTING_INIT;
  counting.left = 0;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_arena *arena = NULL;
  struct tac_error error;
  ck_assert_int_eq(tac_arena_create(&arena, &allocator, &error), TAC_STATUS_MEMORY);
  ck_assert_int_eq(error.status, TAC_STATUS_MEMORY);
  ck_assert_ptr_null(arena);
  tac_arena_destroy(&arena);
  tac_arena_destroy(NULL);
}
END_TEST

START_TEST(takes_are_aligned_and_apart) {
  struct tac_arena *arena;
  ck_assert_int_eq(tac_arena_create(&arena, NULL, NULL), TAC_STATUS_OK);
  enum { COUNT = 400 };
  unsigned char *taken[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    taken[i] = tac_arena_take(arena, i * 7);
    ck_assert_ptr_nonnull(taken[i]);
    ck_assert_uint_eq((uintptr_t)taken[i] % TAC_ALIGNMENT, 0);
    memset(taken[i], (int)(i & 0xff), i * 7);
  }
  for (size_t i = 0; i < COUNT; i++)
    for (size_t j = 0; j < i * 7; j++)
      if (taken[i][j] != (i & 0xff))
        ck_abort_msg("byte %zu of piece %zu was overwritten", j, i);
  tac_arena_destroy(&arena);
  ck_assert_ptr_null(arena);
}
END_TEST

START_TEST(release_gives_back_what_came_after_the_mark) {
  struct tac_arena *arena;
  ck_assert_int_eq(tac_arena_create(&arena, NULL, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_arena_mark(arena), 0);
  unsigned char *kept = tac_arena_take(arena, 100);
  memset(kept, 1, 100);
  size_t mark = tac_arena_mark(arena);
  void *first = tac_arena_take(arena, 200);
  ck_assert_ptr_nonnull(tac_arena_take(arena, 3000));
  tac_arena_release(arena, mark);
  ck_assert_uint_eq(tac_arena_mark(arena), mark);
  ck_assert_ptr_eq(tac_arena_take(arena, 200), first);
  ck_assert_uint_eq(kept[99], 1);
  tac_arena_destroy(&arena);
}
END_TEST

/* Marks and takes across several blocks: what was taken before the mark keeps its bytes, and blocks beyond serve again. */
START_TEST(marks_survive_growth) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_arena *arena;
  ck_assert_int_eq(tac_arena_create(&arena, &allocator, NULL), TAC_STATUS_OK);
  unsigned char *kept = tac_arena_take(arena, 1000);
  memset(kept, 7, 1000);
  size_t mark = tac_arena_mark(arena);
  for (int i = 0; i < 6; i++)
    memset(tac_arena_take(arena, 60 * KIB), 9, 60 * KIB);
  size_t blocks = counting.allocated;
  ck_assert_uint_gt(blocks, 2);
  for (int pass = 0; pass < 50; pass++) {
    tac_arena_release(arena, mark);
    for (int i = 0; i < 6; i++)
      memset(tac_arena_take(arena, 60 * KIB), pass, 60 * KIB);
  }
  ck_assert_uint_eq(counting.allocated, blocks);
  for (int i = 0; i < 1000; i++)
    ck_assert_uint_eq(kept[i], 7);
  tac_arena_destroy(&arena);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

START_TEST(release_to_zero_merges_into_one_block) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_arena *arena;
  ck_assert_int_eq(tac_arena_create(&arena, &allocator, NULL), TAC_STATUS_OK);
  for (int i = 0; i < 9; i++)
    ck_assert_ptr_nonnull(tac_arena_take(arena, 50 * KIB));
  tac_arena_release(arena, 0);
  ck_assert_uint_eq(counting.allocated - counting.released, 2); /* the arena and its one block */
  size_t allocated = counting.allocated;
  unsigned char *start = tac_arena_take(arena, 0);
  tac_arena_release(arena, 0);
  for (int pass = 0; pass < 3; pass++) {
    unsigned char *memory = tac_arena_take(arena, 9 * 50 * KIB); /* all of it at once: only one block can hold it */
    ck_assert_ptr_eq(memory, start);
    memset(memory, pass, 9 * 50 * KIB);
    tac_arena_release(arena, 0);
  }
  ck_assert_uint_eq(counting.allocated, allocated);
  tac_arena_destroy(&arena);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

/* A release that goes back to the first block leaves the others as spares; the release to 0 must still merge them. */
START_TEST(release_in_two_steps_merges_too) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_arena *arena;
  ck_assert_int_eq(tac_arena_create(&arena, &allocator, NULL), TAC_STATUS_OK);
  ck_assert_ptr_nonnull(tac_arena_take(arena, KIB));
  size_t mark = tac_arena_mark(arena);
  ck_assert_ptr_nonnull(tac_arena_take(arena, 500 * KIB));
  tac_arena_release(arena, mark);
  ck_assert_uint_eq(counting.allocated - counting.released, 3);
  tac_arena_release(arena, 0);
  ck_assert_uint_eq(counting.allocated - counting.released, 2);
  tac_arena_destroy(&arena);
}
END_TEST

START_TEST(refused_growth_keeps_what_was_taken) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_arena *arena;
  ck_assert_int_eq(tac_arena_create(&arena, &allocator, NULL), TAC_STATUS_OK);
  unsigned char *kept = tac_arena_take(arena, KIB);
  memset(kept, 3, KIB);
  size_t mark = tac_arena_mark(arena);
  counting.left = 0;
  ck_assert_ptr_null(tac_arena_take(arena, 1000 * KIB));
  ck_assert_uint_eq(tac_arena_mark(arena), mark);
  ck_assert_ptr_nonnull(tac_arena_take(arena, KIB)); /* what the block still holds is not lost */
  counting.left = (size_t)-1;
  ck_assert_ptr_nonnull(tac_arena_take(arena, 1000 * KIB));
  ck_assert_uint_eq(kept[KIB - 1], 3);
  tac_arena_destroy(&arena);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

START_TEST(growth_falls_back_to_what_was_asked) {
  struct counting counting = COUNTING_INIT;
  counting.largest = 8 * KIB;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_arena *arena;
  ck_assert_int_eq(tac_arena_create(&arena, &allocator, NULL), TAC_STATUS_OK);
  ck_assert_ptr_nonnull(tac_arena_take(arena, 4 * KIB));
  ck_assert_ptr_nonnull(tac_arena_take(arena, 4 * KIB));
  ck_assert_ptr_null(tac_arena_take(arena, 9 * KIB));
  tac_arena_destroy(&arena);
}
END_TEST

/* The merged block is refused: the arena is empty, and serves again once there is memory. */
START_TEST(refused_merge_leaves_a_usable_arena) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_arena *arena;
  ck_assert_int_eq(tac_arena_create(&arena, &allocator, NULL), TAC_STATUS_OK);
  for (int i = 0; i < 5; i++)
    ck_assert_ptr_nonnull(tac_arena_take(arena, 60 * KIB));
  counting.left = 0;
  tac_arena_release(arena, 0);
  ck_assert_uint_eq(tac_arena_mark(arena), 0);
  ck_assert_ptr_null(tac_arena_take(arena, 1));
  counting.left = (size_t)-1;
  ck_assert_ptr_nonnull(tac_arena_take(arena, 60 * KIB));
  tac_arena_destroy(&arena);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

START_TEST(take_is_overflow_safe) {
  struct tac_arena *arena;
  ck_assert_int_eq(tac_arena_create(&arena, NULL, NULL), TAC_STATUS_OK);
  ck_assert_ptr_nonnull(tac_arena_take(arena, 1));
  for (size_t below = 0; below < 200; below++)
    ck_assert_ptr_null(tac_arena_take(arena, SIZE_MAX - below));
  ck_assert_ptr_null(tac_arena_take(arena, PTRDIFF_MAX));
  ck_assert_ptr_nonnull(tac_arena_take(arena, 1));
  tac_arena_destroy(&arena);
}
END_TEST

START_TEST(take_of_nothing_is_valid) {
  struct tac_arena *arena;
  ck_assert_int_eq(tac_arena_create(&arena, NULL, NULL), TAC_STATUS_OK);
  ck_assert_ptr_nonnull(tac_arena_take(arena, 0));
  tac_arena_release(arena, 0);
  ck_assert_ptr_nonnull(tac_arena_take(arena, 64 * KIB)); /* the whole first block */
  ck_assert_ptr_nonnull(tac_arena_take(arena, 0));
  tac_arena_destroy(&arena);
}
END_TEST

/* Random nested items, as a batch inside an item makes them: every live piece keeps its own byte, and once the same
 * sequence has run, running it again allocates nothing. */
static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void nested_item(struct tac_arena *arena, uint32_t *state, int depth) {
  size_t mark = tac_arena_mark(arena);
  int pieces = 1 + (int)(next_random(state) % 5);
  for (int i = 0; i < pieces; i++) {
    size_t bytes = next_random(state) % (40 * KIB);
    unsigned char *memory = tac_arena_take(arena, bytes);
    ck_assert_ptr_nonnull(memory);
    memset(memory, depth * 16 + i, bytes);
    if (depth < 4 && next_random(state) % 3 == 0)
      nested_item(arena, state, depth + 1);
    for (size_t j = 0; j < bytes; j++)
      if (memory[j] != depth * 16 + i)
        ck_abort_msg("byte %zu of a piece at depth %d was overwritten", j, depth);
  }
  tac_arena_release(arena, mark);
}

START_TEST(steady_use_allocates_nothing) {
  const uint32_t seed = (uint32_t)test_seed();
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_arena *arena;
  ck_assert_int_eq(tac_arena_create(&arena, &allocator, NULL), TAC_STATUS_OK);
  size_t allocated = 0;
  for (int pass = 0; pass < 6; pass++) {
    uint32_t state = seed;
    for (int item = 0; item < 60; item++)
      nested_item(arena, &state, 0);
    ck_assert_uint_eq(tac_arena_mark(arena), 0);
    if (pass == 1) /* the first pass grows, and its merge may come in the second */
      allocated = counting.allocated;
  }
  ck_assert_uint_eq(counting.allocated, allocated);
  tac_arena_destroy(&arena);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      system_memory_is_aligned,
      system_refuses_what_rounding_would_overflow,
      create_reports_no_memory,
      takes_are_aligned_and_apart,
      release_gives_back_what_came_after_the_mark,
      marks_survive_growth,
      release_to_zero_merges_into_one_block,
      release_in_two_steps_merges_too,
      refused_growth_keeps_what_was_taken,
      growth_falls_back_to_what_was_asked,
      refused_merge_leaves_a_usable_arena,
      take_is_overflow_safe,
      take_of_nothing_is_valid,
      steady_use_allocates_nothing,
  };
  return RUN_SUITE("memory", tests);
}
