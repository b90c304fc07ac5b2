/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/sector.h"

#include <math.h>

#include "tests/unit/suite.h"

#define LIMIT 100000

static struct tac_dmrg_hamiltonian chain(int sites, int twice_spin, double jxy, double jz, double field) {
  return (struct tac_dmrg_hamiltonian){sizeof(struct tac_dmrg_hamiltonian), sites, twice_spin, jxy, jz, field};
}

/* Binomials for spin 1/2, trinomials for spin 1. */
START_TEST(dimensions) {
  ck_assert_uint_eq(tac_sector_dimension(4, 1, 0, LIMIT), 6);
  ck_assert_uint_eq(tac_sector_dimension(20, 1, 0, 1000000), 184756);
  ck_assert_uint_eq(tac_sector_dimension(20, 1, 2, 1000000), 167960);
  ck_assert_uint_eq(tac_sector_dimension(20, 1, -2, 1000000), 167960);
  ck_assert_uint_eq(tac_sector_dimension(4, 2, 0, LIMIT), 19);
  ck_assert_uint_eq(tac_sector_dimension(3, 2, 2, LIMIT), 6);
  ck_assert_uint_eq(tac_sector_dimension(1, 1, 1, LIMIT), 1);
}
END_TEST

START_TEST(all_sectors_together_hold_every_product_state) {
  for (int twice_spin = 1; twice_spin <= 2; twice_spin++)
    for (int sites = 1; sites <= 9; sites++) {
      size_t sum = 0, all = 1;
      for (int k = 0; k < sites; k++)
        all *= (size_t)twice_spin + 1;
      for (int twice_sz = -sites * twice_spin - 3; twice_sz <= sites * twice_spin + 3; twice_sz++)
        sum += tac_sector_dimension(sites, twice_spin, twice_sz, LIMIT);
      ck_assert_uint_eq(sum, all);
    }
}
END_TEST

START_TEST(sectors_that_do_not_exist_are_empty) {
  ck_assert_uint_eq(tac_sector_dimension(3, 1, 0, LIMIT), 0);
  ck_assert_uint_eq(tac_sector_dimension(4, 1, 6, LIMIT), 0);
  ck_assert_uint_eq(tac_sector_dimension(4, 2, 1, LIMIT), 0);
}
END_TEST

START_TEST(the_limit_holds_and_long_chains_are_beyond_it) {
  ck_assert_uint_eq(tac_sector_dimension(4, 1, 0, 6), 6);
  ck_assert_uint_eq(tac_sector_dimension(4, 1, 0, 5), 6);
  ck_assert_uint_eq(tac_sector_dimension(100, 1, 0, LIMIT), LIMIT + 1);
  ck_assert_uint_eq(tac_sector_dimension(100000, 1, 100000, LIMIT), 1);
  ck_assert_uint_eq(tac_sector_dimension(100000, 1, 99998, LIMIT), LIMIT + 1);
}
END_TEST

/* Two spins 1/2 without magnetisation, up-down before down-up. */
START_TEST(rows_of_two_spins) {
  struct tac_dmrg_hamiltonian h = chain(2, 1, 3, 5, 7);
  struct tac_sector *sector = NULL;
  ck_assert_int_eq(tac_sector_create(&sector, &h, 0, LIMIT, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_sector_size(sector), 2);
  const struct tac_sector_row *row = tac_sector_first_row(sector);
  for (size_t i = 0; i < 2; i++) {
    ck_assert_ptr_nonnull(row);
    ck_assert_uint_eq(row->row, i);
    ck_assert_double_eq(row->diagonal, -1.25);
    ck_assert_uint_eq(row->count, 1);
    ck_assert_uint_eq(row->columns[0], 1 - i);
    ck_assert_double_eq(row->values[0], 1.5);
    row = tac_sector_next_row(sector);
  }
  ck_assert_ptr_null(row);
  tac_sector_destroy(&sector);
}
END_TEST

START_TEST(a_field_is_in_no_row) {
  struct tac_dmrg_hamiltonian h = chain(2, 1, 3, 5, 7);
  struct tac_sector *sector = NULL;
  ck_assert_int_eq(tac_sector_create(&sector, &h, 2, LIMIT, NULL), TAC_STATUS_OK);
  ck_assert_double_eq(tac_sector_first_row(sector)->diagonal, 1.25);
  tac_sector_destroy(&sector);
}
END_TEST

/* S+ on spin 1 has elements of the square root of 2: 0,0 goes to up-down and back with Jxy. */
START_TEST(rows_of_two_spins_1) {
  struct tac_dmrg_hamiltonian h = chain(2, 2, 1, 1, 0);
  struct tac_sector *sector = NULL;
  ck_assert_int_eq(tac_sector_create(&sector, &h, 0, LIMIT, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_sector_size(sector), 3);
  const double diagonal[] = {-1, 0, -1};
  const size_t count[] = {1, 2, 1};
  size_t n = 0;
  for (const struct tac_sector_row *row = tac_sector_first_row(sector); row; row = tac_sector_next_row(sector), n++) {
    ck_assert_double_eq(row->diagonal, diagonal[n]);
    ck_assert_uint_eq(row->count, count[n]);
    for (size_t i = 0; i < row->count; i++)
      ck_assert_double_eq_tol(row->values[i], 1, 1e-15);
  }
  ck_assert_uint_eq(n, 3);
  tac_sector_destroy(&sector);
}
END_TEST

static void add_to_matrix(double *matrix, const struct tac_sector_row *row, size_t n) {
  matrix[row->row * n + row->row] += row->diagonal;
  for (size_t i = 0; i < row->count; i++) {
    ck_assert_uint_lt(row->columns[i], n);
    matrix[row->row * n + row->columns[i]] += row->values[i];
  }
}

/* Every row comes once, in order, and the places computed from the table are those of the states: else H is not symmetric. */
START_TEST(h_is_symmetric) {
  for (int twice_spin = 1; twice_spin <= 2; twice_spin++)
    for (int twice_sz = -6 * twice_spin; twice_sz <= 6 * twice_spin; twice_sz += 2) {
      struct tac_dmrg_hamiltonian h = chain(6, twice_spin, 0.7, -0.3, 0.2);
      struct tac_sector *sector = NULL;
      ck_assert_int_eq(tac_sector_create(&sector, &h, twice_sz, LIMIT, NULL), TAC_STATUS_OK);
      size_t n = tac_sector_size(sector), rows = 0;
      double *matrix = calloc(n * n, sizeof *matrix);
      for (const struct tac_sector_row *row = tac_sector_first_row(sector); row; row = tac_sector_next_row(sector)) {
        ck_assert_uint_eq(row->row, rows++);
        add_to_matrix(matrix, row, n);
      }
      ck_assert_uint_eq(rows, n);
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
          ck_assert_double_eq_tol(matrix[i * n + j], matrix[j * n + i], 1e-14);
      free(matrix);
      tac_sector_destroy(&sector);
    }
}
END_TEST

START_TEST(creation_refuses) {
  struct tac_dmrg_hamiltonian h = chain(4, 1, 1, 1, 0);
  struct tac_sector *sector = NULL;
  struct tac_error error;
  ck_assert_int_eq(tac_sector_create(&sector, &h, 1, LIMIT, &error), TAC_STATUS_INVALID);
  ck_assert_str_eq(error.text, "the sector has no state");
  ck_assert_int_eq(tac_sector_create(&sector, &h, 0, 5, &error), TAC_STATUS_INVALID);
  ck_assert_str_eq(error.text, "the sector has too many states");
  ck_assert_ptr_null(sector);
  tac_sector_destroy(&sector);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      dimensions,
      all_sectors_together_hold_every_product_state,
      sectors_that_do_not_exist_are_empty,
      the_limit_holds_and_long_chains_are_beyond_it,
      rows_of_two_spins,
      a_field_is_in_no_row,
      rows_of_two_spins_1,
      h_is_symmetric,
      creation_refuses,
  };
  return RUN_SUITE("sector", tests);
}
