/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <complex.h>
#include <math.h>

#include "apps/heisenberg_dmrg/sector.h"
#include "tests/apps/chain.h"
#include "tests/unit/suite.h"

#define MOST_STATES 512

static double variance_of(const struct chain *chain, double *energy) {
  double variance = NAN;
  struct tac_error error;
  tac_error_clear(&error);
  enum tac_status status = tac_dmrg_variance(&variance, energy, chain->state, &chain->hamiltonian, &error);
  ck_assert_msg(status == TAC_STATUS_OK, "%s", error.text);
  return variance;
}

static double complex element(const struct tac_dmrg_state *state, const void *data, size_t i) {
  switch (tac_dmrg_state_scalar(state)) {
  case TAC_DMRG_REAL64:
    return ((const double *)data)[i];
  case TAC_DMRG_REAL32:
    return (double)((const float *)data)[i];
  case TAC_DMRG_COMPLEX64:
    return ((const double complex *)data)[i];
  default:
    return ((const float complex *)data)[i];
  }
}

static const struct tac_dmrg_block *find_block(const struct tac_dmrg_block *block, size_t count, int charge) {
  for (size_t i = 0; i < count; i++)
    if (block[i].charge == charge)
      return &block[i];
  return NULL;
}

/* States of bond `number` with left charge `charge`, read from the site beside it that tells. */
static int bond_states(const struct tac_dmrg_state *state, int number, int charge) {
  size_t count;
  const int twice_sz = tac_dmrg_state_twice_sz(state), sites = tac_dmrg_state_sites(state);
  if (number == 0 || number == sites)
    return charge == (number == 0 ? 0 : twice_sz);
  int left = tac_dmrg_state_form(state, number - 1) == TAC_DMRG_LEFT_FORM;
  const struct tac_dmrg_block *block = tac_dmrg_state_blocks(state, left ? number - 1 : number, &count, NULL);
  block = find_block(block, count, left ? charge : twice_sz - charge);
  return block ? block->columns : 0;
}

/* Multiplies the row vector of the sites so far by the tensor of one more site in the local state `local`. */
static int step(double complex *vector, const struct tac_dmrg_state *state, int site, int charge, int local) {
  const int spin = tac_dmrg_state_twice_spin(state), twice_sz = tac_dmrg_state_twice_sz(state);
  const int next = charge + spin - 2 * local, left = tac_dmrg_state_form(state, site) == TAC_DMRG_LEFT_FORM;
  size_t count, first = 0;
  const void *data;
  double complex result[MOST_STATES] = {0};
  const struct tac_dmrg_block *block = tac_dmrg_state_blocks(state, site, &count, &data);
  block = find_block(block, count, left ? next : twice_sz - charge);
  int rows = bond_states(state, site, charge), columns = bond_states(state, site + 1, next);
  for (int s = 0; s < local; s++) /* the local states before this one in the rows */
    first +=
        (size_t)(left ? bond_states(state, site, next - (spin - 2 * s)) : bond_states(state, site + 1, charge + spin - 2 * s));
  for (int j = 0; block && j < columns; j++)
    for (int i = 0; i < rows; i++) {
      size_t row = first + (size_t)(left ? i : j), column = (size_t)(left ? j : i);
      double complex value = element(state, data, block->offset + column * (size_t)block->rows + row);
      result[j] += vector[i] * (left ? value : conj(value));
    }
  for (int j = 0; j < MOST_STATES; j++)
    vector[j] = result[j];
  return next;
}

static double complex amplitude(const struct tac_dmrg_state *state, const int *local) {
  double complex vector[MOST_STATES] = {1};
  int charge = 0;
  for (int site = 0; site < tac_dmrg_state_sites(state); site++)
    charge = step(vector, state, site, charge, local[site]);
  return charge == tac_dmrg_state_twice_sz(state) ? vector[0] : 0;
}

/* The amplitudes of a sector in the order of its rows; the number of them. */
static size_t dense_vector(double complex *out, const struct tac_dmrg_state *state) {
  const int sites = tac_dmrg_state_sites(state), spin = tac_dmrg_state_twice_spin(state);
  int local[16] = {0};
  size_t count = 0;
  for (int site = sites - 1; site >= 0;) {
    int charge = 0;
    for (int k = 0; k < sites; k++)
      charge += spin - 2 * local[k];
    if (charge == tac_dmrg_state_twice_sz(state))
      out[count++] = amplitude(state, local);
    for (site = sites - 1; site >= 0 && local[site] == spin; site--)
      local[site] = 0;
    if (site >= 0)
      local[site]++;
  }
  return count;
}

/* <H> and <H^2> - <H>^2 by the rows of H. */
static double dense_variance(const struct chain *chain, double *energy) {
  struct tac_sector *sector = NULL;
  static double complex x[5000];
  double complex mean = 0;
  double norm = 0, square = 0;
  ck_assert_int_eq(tac_sector_create(&sector, &chain->hamiltonian, chain->start.twice_sz, 5000, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(dense_vector(x, chain->state), tac_sector_size(sector));
  for (const struct tac_sector_row *row = tac_sector_first_row(sector); row; row = tac_sector_next_row(sector)) {
    double complex y = row->diagonal * x[row->row];
    for (size_t i = 0; i < row->count; i++)
      y += row->values[i] * x[row->columns[i]];
    norm += creal(conj(x[row->row]) * x[row->row]);
    mean += conj(x[row->row]) * y;
    square += creal(conj(y) * y);
  }
  tac_sector_destroy(&sector);
  mean /= norm;
  *energy = creal(mean) - 0.5 * chain->hamiltonian.field * chain->start.twice_sz;
  return square / norm - creal(mean) * creal(mean);
}

/* H on the Neel state gives itself and one flipped pair a bond, of Jxy/2 each; a field adds nothing. */
START_TEST(neel_states_by_hand) {
  for (int sites = 2; sites <= 30; sites += 7) {
    struct chain chain = chain_of(sites, 1, sites % 2);
    chain.hamiltonian.jxy = 0.6;
    chain.hamiltonian.jz = 1.3;
    chain.hamiltonian.field = 0.4;
    chain.options.max_states = 1;
    double energy;
    ck_assert_int_eq(tac_dmrg_state_create(&chain.state, &chain.start, NULL), TAC_STATUS_OK);
    ck_assert_double_eq_tol(variance_of(&chain, &energy), (sites - 1) * 0.09, 1e-12);
    ck_assert_double_eq_tol(energy, -0.25 * 1.3 * (sites - 1) - 0.2 * (sites % 2), 1e-12);
    chain_destroy(&chain);
  }
}
END_TEST

START_TEST(no_field_is_too_large) {
  struct chain chain = chain_of(8, 1, 2);
  double energy, with_field;
  ck_assert_int_eq(tac_dmrg_state_create(&chain.state, &chain.start, NULL), TAC_STATUS_OK);
  double variance = variance_of(&chain, &energy);
  chain.hamiltonian.field = 1e300;
  ck_assert_double_eq(variance_of(&chain, &with_field), variance);
  ck_assert_double_eq(with_field, energy - 1e300);
  chain_destroy(&chain);
}
END_TEST

START_TEST(nothing_may_be_missing) {
  struct chain chain = chain_of(2, 1, 0);
  double variance, energy;
  const struct tac_dmrg_hamiltonian *h = &chain.hamiltonian;
  ck_assert_int_eq(tac_dmrg_state_create(&chain.state, &chain.start, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_dmrg_variance(NULL, &energy, chain.state, h, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_dmrg_variance(&variance, NULL, chain.state, h, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_dmrg_variance(&variance, &energy, NULL, h, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_dmrg_variance(&variance, &energy, chain.state, NULL, NULL), TAC_STATUS_INVALID);
  chain_destroy(&chain);
}
END_TEST

START_TEST(one_site_has_none) {
  struct chain chain = chain_of(1, 2, -2);
  double energy;
  chain.hamiltonian.field = 3;
  ck_assert_int_eq(tac_dmrg_state_create(&chain.state, &chain.start, NULL), TAC_STATUS_OK);
  ck_assert_double_eq(variance_of(&chain, &energy), 0);
  ck_assert_double_eq(energy, 3);
  chain_destroy(&chain);
}
END_TEST

static void compare_with_dense(const struct chain *chain, double tolerance) {
  double energy, exact_energy;
  double variance = variance_of(chain, &energy), exact = dense_variance(chain, &exact_energy);
  ck_assert_double_eq_tol(energy, exact_energy, tolerance);
  ck_assert_double_eq_tol(variance, exact, tolerance);
}

/* Random states in every number type, the centre at the left end, at the right end, and truncated. */
START_TEST(equals_dense_h) {
  for (int scalar = TAC_DMRG_REAL64; scalar <= TAC_DMRG_COMPLEX32; scalar++)
    for (int twice_spin = 1; twice_spin <= 2; twice_spin++)
      for (int twice_sz = -4; twice_sz <= 4; twice_sz += 2) {
        struct chain chain = chain_of(twice_spin == 1 ? 8 : 5, twice_spin, twice_sz);
        int single = scalar == TAC_DMRG_REAL32 || scalar == TAC_DMRG_COMPLEX32;
        chain.hamiltonian.jxy = 0.7;
        chain.hamiltonian.jz = -1.1;
        chain.hamiltonian.field = 0.3;
        chain.start.start = TAC_DMRG_RANDOM;
        chain.start.seed = 11;
        chain.start.random_states = 12;
        chain.start.scalar = (enum tac_dmrg_scalar)scalar;
        chain.options.max_states = 5;
        chain.options.local_matvecs = 2;
        chain.options.decomposition = single ? TAC_DMRG_EXACT : TAC_DMRG_GUARDED;
        ck_assert_int_eq(tac_dmrg_state_create(&chain.state, &chain.start, NULL), TAC_STATUS_OK);
        compare_with_dense(&chain, 1e-11); /* of the same single precision numbers, by double arithmetic */
        tac_dmrg_state_destroy(&chain.state);
        for (int sweep = 0; sweep < 3; sweep++) {
          chain_sweep(&chain);
          compare_with_dense(&chain, 1e-11);
        }
        chain_destroy(&chain);
      }
}
END_TEST

START_TEST(an_eigenstate_has_none) {
  for (int twice_spin = 1; twice_spin <= 2; twice_spin++) {
    struct chain chain = chain_of(6, twice_spin, 0);
    double energy, converged = chain_converge(&chain, 1e-15, 30);
    ck_assert_double_le(variance_of(&chain, &energy), 1e-12);
    ck_assert_double_eq_tol(energy, converged, 1e-12);
    chain_destroy(&chain);
  }
}
END_TEST

/* Between the energies of two sweeps the variance falls with the error: it is far above rounding at first. */
START_TEST(falls_as_the_state_converges) {
  struct chain chain = chain_of(40, 1, 0);
  double energy, variance = INFINITY;
  chain.options.max_states = 64;
  for (int sweep = 1; sweep <= 8; sweep++) {
    chain_sweep(&chain);
    double next = variance_of(&chain, &energy);
    ck_assert_double_eq_tol(energy, chain.last.energy, 1e-11);
    ck_assert_double_lt(next, variance);
    variance = next;
  }
  ck_assert_double_gt(variance, 1e-10);
  ck_assert_double_lt(variance, 1e-6);
  chain_destroy(&chain);
}
END_TEST

START_TEST(refuses_another_chain) {
  struct chain chain = chain_of(4, 1, 0);
  struct tac_dmrg_hamiltonian other;
  struct tac_error error;
  double variance, energy;
  ck_assert_int_eq(tac_dmrg_state_create(&chain.state, &chain.start, NULL), TAC_STATUS_OK);
  tac_dmrg_hamiltonian_init(&other, 5);
  ck_assert_int_eq(tac_dmrg_variance(&variance, &energy, chain.state, &other, &error), TAC_STATUS_INVALID);
  tac_dmrg_hamiltonian_init(&other, 4);
  other.jz = NAN;
  ck_assert_int_eq(tac_dmrg_variance(&variance, &energy, chain.state, &other, &error), TAC_STATUS_INVALID);
  other.jz = 1e200;
  ck_assert_int_eq(tac_dmrg_variance(&variance, &energy, chain.state, &other, &error), TAC_STATUS_NUMERICAL);
  chain_destroy(&chain);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      neel_states_by_hand, no_field_is_too_large,  nothing_may_be_missing,       one_site_has_none,
      equals_dense_h,      an_eigenstate_has_none, falls_as_the_state_converges, refuses_another_chain,
  };
  return RUN_SUITE("variance", tests);
}
