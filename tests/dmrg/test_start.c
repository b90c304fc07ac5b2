/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/state.h"

#include <math.h>
#include <stdlib.h>

#include "tests/dmrg/chain.h"
#include "tests/dmrg/exact.h"
#include "tests/dmrg/scalars.h"
#include "tests/unit/suite.h"

static struct tac_dmrg_state *create(const struct tac_dmrg_state_options *options) {
  struct tac_dmrg_state *state = NULL;
  struct tac_error error;
  const enum tac_status status = tac_dmrg_state_create(&state, options, &error);
  ck_assert_msg(!status, "%s", error.text);
  return state;
}

static struct tac_dmrg_state_options options_of(int sites, int twice_spin, int twice_sz, enum tac_dmrg_start start) {
  struct tac_dmrg_state_options options;
  tac_dmrg_state_options_init(&options, sites);
  options.twice_spin = twice_spin;
  options.twice_sz = twice_sz;
  options.start = start;
  return options;
}

/* The one product state that the amplitudes hold; each site's local state in `local`. */
static void read_product(const struct tac_dmrg_state *state, int *local) {
  const int sites = tac_dmrg_state_sites(state), spin = tac_dmrg_state_twice_spin(state);
  const size_t dimension = exact_dimension(sites, spin);
  double complex *psi = exact_amplitudes(state);
  size_t number = 0, found = 0;
  for (size_t i = 0; i < dimension; i++)
    if (psi[i] != 0) {
      number = i;
      found++;
      ck_assert(psi[i] == 1);
    }
  ck_assert_uint_eq(found, 1);
  for (int site = sites - 1; site >= 0; site--, number /= (size_t)spin + 1)
    local[site] = (int)(number % ((size_t)spin + 1));
  free(psi);
}

static void check_product(int sites, int twice_spin, int twice_sz, enum tac_dmrg_scalar scalar) {
  struct tac_dmrg_state_options options = options_of(sites, twice_spin, twice_sz, TAC_DMRG_NEEL);
  options.scalar = scalar;
  struct tac_dmrg_state *state = create(&options);
  int local[8], sum = 0;
  read_product(state, local);
  for (int site = 0; site < sites; site++)
    sum += twice_spin - 2 * local[site];
  ck_assert_int_eq(sum, twice_sz);
  ck_assert_int_eq(tac_dmrg_state_center(state), 0);
  ck_assert_int_eq(tac_dmrg_state_max_bond_dimension(state), 1);
  for (int bond = 0; bond <= sites; bond++)
    ck_assert_int_eq(tac_dmrg_state_bond_dimension(state, bond), 1);
  for (int site = 0; site < sites; site++)
    ck_assert_int_eq(tac_dmrg_state_form(state, site), site == 0 ? TAC_DMRG_LEFT_FORM : TAC_DMRG_RIGHT_FORM);
  if (twice_sz == 0 && sites % 2 == 0) /* Néel, up first */
    for (int site = 0; site < sites; site++)
      ck_assert_int_eq(local[site], site % 2 ? twice_spin : 0);
  if (twice_spin == 1 && sites % 2 && twice_sz == 1)
    for (int site = 0; site < sites; site++)
      ck_assert_int_eq(local[site], site % 2);
  tac_dmrg_state_destroy(&state);
  ck_assert_ptr_null(state);
}

START_TEST(product_start_in_every_sector) {
  const int spin = _i;
  for (int sites = 1; sites <= 8; sites++)
    for (int twice_sz = -sites * spin; twice_sz <= sites * spin; twice_sz += 2)
      check_product(sites, spin, twice_sz, (enum tac_dmrg_scalar)((sites + twice_sz + 40) % 4));
}
END_TEST

/* Spins that differ from their neighbours as often as the sector allows. */
START_TEST(product_start_is_as_alternating_as_the_sector_allows) {
  for (int sites = 2; sites <= 8; sites++)
    for (int twice_sz = -sites; twice_sz <= sites; twice_sz += 2) {
      struct tac_dmrg_state_options options = options_of(sites, 1, twice_sz, TAC_DMRG_NEEL);
      struct tac_dmrg_state *state = create(&options);
      int local[8], alike[2] = {0, 0};
      read_product(state, local);
      for (int site = 1; site < sites; site++)
        if (local[site] == local[site - 1])
          alike[local[site]]++;
      ck_assert_msg(!alike[0] || !alike[1], "N=%d 2Sz=%d: pairs of both kinds", sites, twice_sz);
      tac_dmrg_state_destroy(&state);
    }
}
END_TEST

/* V^H V = 1 in every block right of the centre. */
static void assert_right_isometries(const struct tac_dmrg_state *state) {
  const struct tac_kernels *kernels = scalars_plain(tac_dmrg_state_scalar(state));
  for (int site = 1; site < tac_dmrg_state_sites(state); site++) {
    size_t count;
    const void *data;
    const struct tac_dmrg_block *block = tac_dmrg_state_blocks(state, site, &count, &data);
    ck_assert_int_eq(tac_dmrg_state_form(state, site), TAC_DMRG_RIGHT_FORM);
    for (size_t b = 0; b < count; b++)
      for (int i = 0; i < block[b].columns; i++)
        for (int j = 0; j < block[b].columns; j++) {
          double complex sum = 0;
          const size_t x = block[b].offset + (size_t)i * (size_t)block[b].rows;
          const size_t y = block[b].offset + (size_t)j * (size_t)block[b].rows;
          for (size_t k = 0; k < (size_t)block[b].rows; k++)
            sum += conj(scalars_get(kernels, data, x + k)) * scalars_get(kernels, data, y + k);
          ck_assert_double_le(cabs(sum - (i == j)), 50 * kernels->epsilon);
        }
  }
}

static void check_random(const struct tac_dmrg_state_options *options) {
  struct tac_dmrg_state *state = create(options);
  const size_t dimension = exact_dimension(options->sites, options->twice_spin);
  const double epsilon = scalars_plain(options->scalar)->epsilon;
  ck_assert_int_le(tac_dmrg_state_max_bond_dimension(state), options->random_states);
  for (int bond = 1; bond < options->sites; bond++)
    ck_assert_int_ge(tac_dmrg_state_bond_dimension(state, bond), 1);
  assert_right_isometries(state);
  double complex *psi = exact_amplitudes(state);
  ck_assert_double_eq_tol(exact_norm(dimension, psi), 1, 100 * epsilon);
  for (size_t i = 0; i < dimension; i++)
    ck_assert(psi[i] == 0 || exact_twice_sz(options->sites, options->twice_spin, i) == options->twice_sz);
  free(psi);
  tac_dmrg_state_destroy(&state);
}

START_TEST(random_start_in_every_sector) {
  const int spin = _i % 2 + 1, most[] = {1, 2, 16}; /* extreme sectors have one state, whatever is allowed */
  for (int sites = 1; sites <= (spin == 1 ? 7 : 5); sites++)
    for (int twice_sz = -sites * spin; twice_sz <= sites * spin; twice_sz += 2) {
      struct tac_dmrg_state_options options = options_of(sites, spin, twice_sz, TAC_DMRG_RANDOM);
      options.random_states = most[_i / 2];
      options.scalar = (enum tac_dmrg_scalar)((twice_sz + 40) / 2 % 4);
      options.seed = 100 * (uint64_t)sites + (uint64_t)(twice_sz + 40);
      check_random(&options);
    }
}
END_TEST

START_TEST(random_start_of_a_long_chain) {
  struct tac_dmrg_state_options options = options_of(60, 1 + _i % 2, 4, TAC_DMRG_RANDOM);
  options.scalar = (enum tac_dmrg_scalar)_i;
  options.random_states = 30;
  struct tac_dmrg_state *state = create(&options);
  ck_assert_int_eq(tac_dmrg_state_bond_dimension(state, 30), 30);
  ck_assert_int_eq(tac_dmrg_state_max_bond_dimension(state), 30);
  assert_right_isometries(state);
  tac_dmrg_state_destroy(&state);
}
END_TEST

START_TEST(seeds_differ_and_repeat) {
  struct tac_dmrg_state_options options = options_of(10, 1, 0, TAC_DMRG_RANDOM);
  uint64_t mark[20];
  for (int seed = 0; seed < 20; seed++) {
    options.seed = (uint64_t)seed;
    struct tac_dmrg_state *state = create(&options), *again = create(&options);
    mark[seed] = chain_fingerprint(state);
    ck_assert(chain_fingerprint(again) == mark[seed]);
    for (int other = 0; other < seed; other++)
      ck_assert(mark[other] != mark[seed]);
    tac_dmrg_state_destroy(&state);
    tac_dmrg_state_destroy(&again);
  }
}
END_TEST

START_TEST(complex_random_states_are_complex) {
  struct tac_dmrg_state_options options = options_of(6, 1, 0, TAC_DMRG_RANDOM);
  options.scalar = TAC_DMRG_COMPLEX64;
  struct tac_dmrg_state *state = create(&options);
  double complex *psi = exact_amplitudes(state);
  double imaginary = 0;
  for (size_t i = 0; i < 64; i++)
    imaginary += cimag(psi[i]) * cimag(psi[i]);
  ck_assert_double_ge(imaginary, 0.01);
  free(psi);
  tac_dmrg_state_destroy(&state);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("start");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, product_start_in_every_sector, 1, 3);
  tcase_add_test(cases, product_start_is_as_alternating_as_the_sector_allows);
  tcase_add_loop_test(cases, random_start_in_every_sector, 0, 6);
  tcase_add_loop_test(cases, random_start_of_a_long_chain, 0, 4);
  tcase_add_test(cases, seeds_differ_and_repeat);
  tcase_add_test(cases, complex_random_states_are_complex);
  return run_cases("start", cases);
}
