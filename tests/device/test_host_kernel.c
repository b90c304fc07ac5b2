/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Work-groups on the host: places, barriers, local memory, and work-items that part ways. */
#include "tests/support/host_kernel.h"

#include <math.h>
#include <sys/mman.h>

#include "runtime/device/kernels/names.h"
#include "tests/unit/suite.h"

enum { ITEMS = 12 };

/* Every item adds what the next one brought, which is there only if all have passed the barrier. */
static void neighbours(void *const *argument) {
  TAC_LOCAL size_t brought[ITEMS];
  size_t *out = *(size_t **)argument[0];
  const size_t at = TAC_ITEM(0) + TAC_ITEM(1) * TAC_ITEMS(0);
  const size_t group = TAC_GROUP(0) + TAC_GROUPS(0) * (TAC_GROUP(1) + TAC_GROUPS(1) * TAC_GROUP(2));
  for (size_t round = 0; round < 3; round++) {
    brought[at] = 100 * group + at;
    TAC_BARRIER();
    out[group * ITEMS + at] += brought[(at + 1) % ITEMS];
    TAC_BARRIER();
  }
}

/* The first item ends early. The others have something on their stacks. */
static void part_ways(void *const *argument) {
  volatile char kept[64];
  (void)argument;
  kept[TAC_ITEM(0)] = 1;
  if (kept[TAC_ITEM(0)] && TAC_ITEM(0) > 0)
    TAC_BARRIER();
}

START_TEST(items_of_a_group_meet) {
  const struct host_kernel kernel = {"neighbours", 1, neighbours};
  const size_t groups[3] = {2, 3, 2}, items[3] = {4, 3, 0};
  size_t out[12 * ITEMS] = {0}, *pointer = out;
  void *const arguments[] = {(void *)&pointer};
  ck_assert_int_eq(host_kernel_run(&kernel, groups, items, arguments), 0);
  for (size_t g = 0; g < 12; g++)
    for (size_t i = 0; i < ITEMS; i++)
      ck_assert_uint_eq(out[g * ITEMS + i], 3 * (100 * g + (i + 1) % ITEMS));
}
END_TEST

START_TEST(no_groups_are_nothing_to_do) {
  const struct host_kernel kernel = {"neighbours", 1, neighbours};
  const size_t groups[3] = {2, 0, 2}, items[3] = {4, 3, 1};
  size_t *pointer = NULL;
  void *const arguments[] = {(void *)&pointer};
  ck_assert_int_eq(host_kernel_run(&kernel, groups, items, arguments), 0);
}
END_TEST

START_TEST(a_barrier_that_not_all_reach_is_told) {
  const struct host_kernel kernel = {"part_ways", 0, part_ways};
  const size_t groups[3] = {1, 1, 1}, items[3] = {4, 1, 1};
  ck_assert_int_eq(host_kernel_run(&kernel, groups, items, NULL), 1);
}
END_TEST

/* Where stacks were that nobody left properly other memory comes, which sanitizers must not take for them. */
START_TEST(stacks_of_items_that_wait_for_ever_are_forgotten) {
  const struct host_kernel kernel = {"part_ways", 0, part_ways};
  const size_t groups[3] = {1, 1, 1}, items[3] = {8, 1, 1}, bytes = (size_t)8 << 20;
  size_t sum = 0;
  ck_assert_int_eq(host_kernel_run(&kernel, groups, items, NULL), 1);
  unsigned char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ck_assert_ptr_ne(memory, MAP_FAILED);
  for (size_t i = 0; i < bytes; i += 8)
    sum += memory[i];
  ck_assert_uint_eq(sum, 0);
  munmap(memory, bytes);
}
END_TEST

START_TEST(programs_are_found_by_name_and_options) {
  ck_assert_uint_gt(host_program_count, 0);
  for (size_t i = 0; i < host_program_count; i++) {
    const struct host_program *program = host_programs[i];
    ck_assert_ptr_eq(host_program_find(program->name, program->options), program);
    ck_assert_uint_gt(program->count, 0);
    for (size_t k = 0; k < program->count; k++) {
      ck_assert_ptr_eq(host_kernel_find(program, program->kernels[k].name), program->kernels + k);
      ck_assert_uint_gt(program->kernels[k].arguments, 0);
    }
    ck_assert_ptr_null(host_kernel_find(program, "none"));
  }
  ck_assert_ptr_null(host_program_find("gemm", "-DTAC_REAL=half"));
}
END_TEST

int main(void) {
  const TTest *const tests[] = {items_of_a_group_meet, no_groups_are_nothing_to_do, a_barrier_that_not_all_reach_is_told,
                                stacks_of_items_that_wait_for_ever_are_forgotten, programs_are_found_by_name_and_options};
  return RUN_SUITE("host_kernel", tests);
}
