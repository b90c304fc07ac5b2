/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/space.h"

#include <string.h>

#include "apps/dmrg/kernels.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

static struct tac_pool pool;
static struct tac_space space;
static struct tac_enlarged enlarged;
static struct tac_tensor tensor;
static struct tac_error error;

static void setup(void) {
  tac_pool_init(&pool, NULL);
  space = (struct tac_space){0};
  enlarged = (struct tac_enlarged){0};
  tensor = (struct tac_tensor){0};
  tac_error_clear(&error);
}

static int total_dimension(void) {
  int total = 0;
  for (int i = 0; i < space.count; i++)
    total += space.dimension[i];
  return total;
}

static void teardown(void) {
  tac_buffer_release(&space.memory, &pool);
  tac_buffer_release(&enlarged.memory, &pool);
  tac_tensor_release(&tensor, &pool);
  ck_assert_uint_eq(pool.bytes, 0);
}

static void set_space(int low, int count, const int *dimension) {
  ck_assert_int_eq(tac_space_resize(&space, &pool, low, count, &error), TAC_STATUS_OK);
  for (int i = 0; i < count; i++)
    ck_assert_int_eq(space.dimension[i], 0);
  memcpy(space.dimension, dimension, (size_t)count * sizeof *dimension);
}

START_TEST(dimensions_by_charge) {
  set_space(-3, 4, (const int[]){1, 0, 5, 2});
  ck_assert_int_eq(tac_space_dimension(&space, -3), 1);
  ck_assert_int_eq(tac_space_dimension(&space, -1), 0);
  ck_assert_int_eq(tac_space_dimension(&space, 1), 5);
  ck_assert_int_eq(tac_space_dimension(&space, 3), 2);
  ck_assert_int_eq(tac_space_dimension(&space, -5), 0);
  ck_assert_int_eq(tac_space_dimension(&space, 5), 0);
  ck_assert_int_eq(tac_space_dimension(&space, 2000000001), 0);
  ck_assert_int_eq(total_dimension(), 8);
}
END_TEST

START_TEST(trim_drops_empty_charges_at_the_ends_only) {
  set_space(-4, 6, (const int[]){0, 0, 3, 0, 1, 0});
  tac_space_trim(&space);
  ck_assert_int_eq(space.low, 0);
  ck_assert_int_eq(space.count, 3);
  ck_assert_int_eq(tac_space_dimension(&space, 0), 3);
  ck_assert_int_eq(tac_space_dimension(&space, 2), 0);
  ck_assert_int_eq(tac_space_dimension(&space, 4), 1);
  tac_space_trim(&space);
  ck_assert_int_eq(space.count, 3);
  set_space(-4, 3, (const int[]){0, 0, 0});
  tac_space_trim(&space);
  ck_assert_int_eq(space.count, 0);
  ck_assert_int_eq(total_dimension(), 0);
}
END_TEST

START_TEST(enlarged_rows_of_spin_half) {
  set_space(-1, 3, (const int[]){2, 0, 5}); /* charges -1, 1, 3 */
  ck_assert_int_eq(tac_enlarged_make(&enlarged, &pool, &space, 1, &error), TAC_STATUS_OK);
  ck_assert_int_eq(enlarged.low, -2);
  ck_assert_int_eq(enlarged.count, 4);
  /* charge c: up (+1) with c-1, then down (-1) with c+1 */
  const int up[] = {0, 2, 0, 5}, down[] = {2, 0, 5, 0};
  for (int i = 0; i < 4; i++) {
    const struct tac_enlarged_sector *sector = tac_enlarged_sector(&enlarged, -2 + 2 * i);
    ck_assert_int_eq(sector->offset[0], 0);
    ck_assert_int_eq(sector->offset[1], up[i]);
    ck_assert_int_eq(sector->offset[2], up[i] + down[i]);
    ck_assert_int_eq(sector->offset[3], up[i] + down[i]);
    ck_assert_int_eq(sector->rows, up[i] + down[i]);
  }
  ck_assert_ptr_null(tac_enlarged_sector(&enlarged, -4));
  ck_assert_ptr_null(tac_enlarged_sector(&enlarged, 6));
}
END_TEST

START_TEST(enlarged_rows_of_spin_one) {
  set_space(0, 2, (const int[]){3, 4}); /* charges 0, 2 */
  ck_assert_int_eq(tac_enlarged_make(&enlarged, &pool, &space, 2, &error), TAC_STATUS_OK);
  ck_assert_int_eq(enlarged.low, -2);
  ck_assert_int_eq(enlarged.count, 4);
  const int first[] = {0, 0, 3, 4}, second[] = {0, 3, 4, 0}, third[] = {3, 4, 0, 0}; /* Sz 1, 0, -1 with c-2, c, c+2 */
  for (int i = 0; i < 4; i++) {
    const struct tac_enlarged_sector *sector = tac_enlarged_sector(&enlarged, -2 + 2 * i);
    ck_assert_int_eq(sector->offset[1], first[i]);
    ck_assert_int_eq(sector->offset[2], first[i] + second[i]);
    ck_assert_int_eq(sector->offset[3], first[i] + second[i] + third[i]);
    ck_assert_int_eq(sector->rows, sector->offset[3]);
  }
}
END_TEST

START_TEST(joining_counts_every_product_state) {
  set_space(0, 1, (const int[]){1});
  const int spin = _i;
  int total = 1;
  for (int site = 0; site < 6; site++) {
    ck_assert_int_eq(tac_enlarged_make(&enlarged, &pool, &space, spin, &error), TAC_STATUS_OK);
    ck_assert_int_eq(tac_space_resize(&space, &pool, enlarged.low, enlarged.count, &error), TAC_STATUS_OK);
    for (int i = 0; i < enlarged.count; i++)
      space.dimension[i] = enlarged.sector[i].rows;
    total *= spin + 1;
    ck_assert_int_eq(total_dimension(), total);
  }
  ck_assert_int_eq(tac_space_dimension(&space, 0), spin == 1 ? 20 : 141); /* central bi- and trinomial coefficients */
  ck_assert_int_eq(tac_space_dimension(&space, 6 * spin), 1);
}
END_TEST

START_TEST(blocks_are_aligned_and_do_not_overlap) {
  const struct tac_kernels *kernels = tac_kernels_of((enum tac_dmrg_scalar)_i, "Haswell");
  struct tac_space columns = {0};
  set_space(-3, 4, (const int[]){1, 3, 3, 1});
  ck_assert_int_eq(tac_enlarged_make(&enlarged, &pool, &space, 1, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_space_resize(&columns, &pool, -4, 5, &error), TAC_STATUS_OK);
  memcpy(columns.dimension, (const int[]){1, 2, 0, 4, 1}, 5 * sizeof(int));
  ck_assert_int_eq(tac_tensor_layout(&tensor, &pool, kernels, TAC_DMRG_RIGHT_FORM, &columns, &enlarged, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tensor.form, TAC_DMRG_RIGHT_FORM);
  ck_assert_uint_eq(tensor.count, 5);
  ck_assert_uint_eq((uintptr_t)tensor.data.data % TAC_ALIGNMENT, 0);
  const int rows[] = {1, 4, 6, 4, 1};
  size_t end = 0;
  for (size_t i = 0; i < 5; i++) {
    const struct tac_dmrg_block *block = tac_tensor_block(&tensor, -4 + 2 * (int)i);
    ck_assert_ptr_eq(block, &tensor.block[i]);
    ck_assert_int_eq(block->charge, -4 + 2 * (int)i);
    ck_assert_int_eq(block->rows, rows[i]);
    ck_assert_int_eq(block->columns, columns.dimension[i]);
    ck_assert_uint_eq(block->offset * kernels->size % TAC_ALIGNMENT, 0);
    ck_assert_uint_ge(block->offset, end);
    end = block->offset + (size_t)block->rows * (size_t)block->columns;
  }
  ck_assert_uint_ge(tensor.data.capacity, end * kernels->size);
  ck_assert_ptr_null(tac_tensor_block(&tensor, -6));
  ck_assert_ptr_null(tac_tensor_block(&tensor, 6));
  ck_assert_int_eq(tac_tensor_columns(&tensor, &space, &pool, &error), TAC_STATUS_OK);
  ck_assert_int_eq(space.low, -4);
  for (int charge = -6; charge <= 6; charge += 2)
    ck_assert_int_eq(tac_space_dimension(&space, charge), tac_space_dimension(&columns, charge));
  tac_buffer_release(&columns.memory, &pool);
}
END_TEST

START_TEST(columns_outside_the_rows_have_none) {
  struct tac_space columns = {0};
  set_space(0, 1, (const int[]){2});
  ck_assert_int_eq(tac_enlarged_make(&enlarged, &pool, &space, 1, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_space_resize(&columns, &pool, -3, 4, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_tensor_layout(&tensor, &pool, &tac_kernels_real64, TAC_DMRG_LEFT_FORM, &columns, &enlarged, &error),
                   TAC_STATUS_OK);
  const int rows[] = {0, 2, 2, 0};
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(tensor.block[i].rows, rows[i]);
  tac_buffer_release(&columns.memory, &pool);
}
END_TEST

START_TEST(a_tensor_without_blocks_has_no_charge) {
  ck_assert_ptr_null(tac_tensor_block(&tensor, 0));
}
END_TEST

START_TEST(buffers_grow_and_count) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_buffer buffer = {0};
  struct tac_pool counted;
  tac_pool_init(&counted, &allocator);
  ck_assert_int_eq(tac_buffer_reserve(&buffer, &counted, 100, &error), TAC_STATUS_OK);
  void *const first = buffer.data;
  ck_assert_uint_ge(buffer.capacity, 100);
  ck_assert_uint_eq(counted.bytes, buffer.capacity);
  ck_assert_int_eq(tac_buffer_reserve(&buffer, &counted, 100, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_buffer_reserve(&buffer, &counted, 0, &error), TAC_STATUS_OK);
  ck_assert_ptr_eq(buffer.data, first);
  ck_assert_uint_eq(counted.allocations, 1);
  ck_assert_int_eq(tac_buffer_reserve(&buffer, &counted, 1000, &error), TAC_STATUS_OK);
  ck_assert_uint_eq(counted.allocations, 2);
  ck_assert_uint_eq(counting.allocated, 2);
  ck_assert_uint_eq(counting.released, 1);
  const struct tac_buffer before = buffer;
  counting.left = 0; /* growth that fails leaves everything as it is */
  ck_assert_int_eq(tac_buffer_reserve(&buffer, &counted, 100000, &error), TAC_STATUS_MEMORY);
  ck_assert_ptr_eq(buffer.data, before.data);
  ck_assert_uint_eq(buffer.capacity, before.capacity);
  ck_assert_ptr_nonnull(strstr(error.text, "100000"));
  ck_assert_int_eq(tac_buffer_reserve(&buffer, &counted, (size_t)-8, &error), TAC_STATUS_MEMORY);
  tac_buffer_release(&buffer, &counted);
  ck_assert_uint_eq(counted.bytes, 0);
  tac_buffer_release(&buffer, &counted);
  ck_assert_uint_eq(counting.released, 2);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("space");
  tcase_add_checked_fixture(cases, setup, teardown);
  tcase_add_test(cases, dimensions_by_charge);
  tcase_add_test(cases, trim_drops_empty_charges_at_the_ends_only);
  tcase_add_test(cases, enlarged_rows_of_spin_half);
  tcase_add_test(cases, enlarged_rows_of_spin_one);
  tcase_add_loop_test(cases, joining_counts_every_product_state, 1, 3);
  tcase_add_loop_test(cases, blocks_are_aligned_and_do_not_overlap, 0, 4);
  tcase_add_test(cases, columns_outside_the_rows_have_none);
  tcase_add_test(cases, a_tensor_without_blocks_has_no_charge);
  tcase_add_test(cases, buffers_grow_and_count);
  return run_cases("space", cases);
}
