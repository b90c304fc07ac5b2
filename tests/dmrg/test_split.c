/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/bond.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/dmrg/chain.h"
#include "tests/dmrg/scalars.h"
#include "tests/unit/suite.h"

static struct chain chain;
static struct tac_bond *bond;

/* A chain of 8 spins with its centre laid out at bond (3, 4), and random numbers in it. */
static void prepare(int direction, enum tac_dmrg_scalar scalar, uint64_t seed) {
  chain_init(&chain, 8);
  chain.start.scalar = scalar;
  chain.start.start = TAC_DMRG_RANDOM;
  chain.options.max_states = 7;
  chain_create(&chain);
  if (direction > 0) {
    chain_stop_after(&chain, 2);
  } else {
    chain_sweep(&chain);
    chain_stop_after(&chain, 4);
  }
  chain_center(&chain, 3, direction);
  bond = &chain.environments->bond;
  for (int b = 0; b < bond->blocks && seed; b++)
    scalars_fill(bond->kernels, &seed, tac_vector_at(bond, bond->theta, bond->block[b].offset),
                 (size_t)bond->block[b].rows * (size_t)bond->block[b].columns);
}

static void decompose(enum tac_split_method method) {
  ck_assert_int_eq(tac_split_plan(bond, method, &chain.error), TAC_STATUS_OK);
  ck_assert_int_eq(chain_run_items(bond, bond->split_tasks.count, tac_split_item, &chain.error), TAC_STATUS_OK);
}

static enum tac_status choose(int max_states, double cutoff) {
  struct tac_dmrg_options options = chain.options;
  options.max_states = max_states;
  options.cutoff = cutoff;
  return tac_split_select(bond, &options, &chain.error);
}

static double complex theta_at(const struct tac_center_block *block, int i, int j) {
  return scalars_get(bond->kernels, tac_vector_at(bond, bond->theta, 0),
                     block->offset + (size_t)j * (size_t)block->rows + (size_t)i);
}

static double square(double complex z) {
  return creal(z) * creal(z) + cimag(z) * cimag(z);
}

static int column_of(int b, int j) {
  return ((const int *)bond->split.order.data)[bond->split.block[b].weight + (size_t)j];
}

static double weight_of(int b, int j) {
  return ((const double *)bond->split.weight.data)[bond->split.block[b].weight + (size_t)j];
}

static double complex left_at(int b, int i, int j) {
  return scalars_get(bond->kernels, bond->split.left.data,
                     bond->split.block[b].left + (size_t)column_of(b, j) * (size_t)bond->block[b].rows + (size_t)i);
}

static double complex right_at(int b, int i, int j) {
  return scalars_get(bond->kernels, bond->split.right.data,
                     bond->split.block[b].right + (size_t)column_of(b, j) * (size_t)bond->block[b].columns + (size_t)i);
}

/* Square of what the leading `keep` columns of both factors leave of theta. */
static double left_over(int b, int keep) {
  const struct tac_center_block *block = &bond->block[b];
  double sum = 0;
  for (int j = 0; j < block->columns; j++)
    for (int i = 0; i < block->rows; i++) {
      double complex rest = theta_at(block, i, j);
      for (int l = 0; l < keep; l++)
        rest -= left_at(b, i, l) * conj(right_at(b, j, l));
      sum += square(rest);
    }
  return sum;
}

static double all_left_over(void) {
  double sum = 0;
  for (int b = 0; b < bond->blocks; b++)
    sum += left_over(b, bond->split.block[b].keep);
  return sum;
}

static double theta_square(void) {
  double sum = 0;
  for (int b = 0; b < bond->blocks; b++)
    for (int j = 0; j < bond->block[b].columns; j++)
      for (int i = 0; i < bond->block[b].rows; i++)
        sum += square(theta_at(&bond->block[b], i, j));
  return sum;
}

/* The factor left behind is an isometry, the other one holds the weights as the norms of its columns. */
static void assert_factors(double weight_tolerance) {
  const double epsilon = bond->kernels->epsilon;
  for (int b = 0; b < bond->blocks; b++) {
    const struct tac_center_block *block = &bond->block[b];
    const int right = bond->direction > 0, count = bond->split.block[b].candidates;
    for (int k = 0; k < count; k++) {
      double norm = 0;
      ck_assert(k == 0 || weight_of(b, k) <= weight_of(b, k - 1));
      for (int i = 0; i < (right ? block->columns : block->rows); i++)
        norm += square(right ? right_at(b, i, k) : left_at(b, i, k));
      ck_assert_double_eq_tol(sqrt(norm), weight_of(b, k), weight_tolerance);
      for (int l = 0; l < count; l++) {
        double complex sum = 0;
        for (int i = 0; i < (right ? block->rows : block->columns); i++)
          sum += right ? conj(left_at(b, i, k)) * left_at(b, i, l) : conj(right_at(b, i, k)) * right_at(b, i, l);
        ck_assert_double_le(cabs(sum - (k == l)), 200 * epsilon);
      }
    }
  }
}

START_TEST(full_factors_give_theta_back) {
  prepare(_i % 2 ? 1 : -1, (enum tac_dmrg_scalar)(_i / 2), 11);
  decompose(TAC_SPLIT_FULL);
  assert_factors(200 * bond->kernels->epsilon);
  for (int b = 0; b < bond->blocks; b++) {
    const struct tac_center_block *block = &bond->block[b];
    ck_assert_int_eq(bond->split.block[b].candidates, block->rows < block->columns ? block->rows : block->columns);
    ck_assert_double_le(left_over(b, bond->split.block[b].candidates), 1e4 * bond->kernels->epsilon * bond->kernels->epsilon);
  }
  chain_destroy(&chain);
}
END_TEST

/* The cap keeps the largest weights of all blocks; the discarded weight is what is dropped. */
START_TEST(cap_keeps_the_largest) {
  prepare(_i % 2 ? 1 : -1, (enum tac_dmrg_scalar)(_i / 2), 12);
  decompose(TAC_SPLIT_FULL);
  const double epsilon = bond->kernels->epsilon, total = theta_square();
  int candidates = 0;
  for (int b = 0; b < bond->blocks; b++)
    candidates += bond->split.block[b].candidates;
  for (int most = 1; most <= candidates + 1; most++) {
    ck_assert_int_eq(choose(most, 0), TAC_STATUS_OK);
    int kept = 0;
    double smallest_kept = HUGE_VAL, largest_dropped = 0;
    for (int b = 0; b < bond->blocks; b++) {
      const struct tac_split_block *block = &bond->split.block[b];
      kept += block->keep;
      if (block->keep > 0)
        smallest_kept = fmin(smallest_kept, weight_of(b, block->keep - 1));
      if (block->keep < block->candidates)
        largest_dropped = fmax(largest_dropped, weight_of(b, block->keep));
    }
    ck_assert_int_eq(kept, most < candidates ? most : candidates);
    ck_assert_double_ge(smallest_kept, largest_dropped);
    ck_assert_double_eq_tol(bond->split.total, total, 100 * epsilon * total);
    ck_assert_double_eq_tol(bond->split.discarded, all_left_over() / total, 100 * epsilon);
    if (most >= candidates)
      ck_assert_double_eq(bond->split.discarded, 0);
  }
  chain_destroy(&chain);
}
END_TEST

START_TEST(cutoff_drops_as_much_as_it_allows) {
  const double cutoffs[] = {1e-6, 0.001, 0.05, 0.3, 0.99};
  prepare(1, TAC_DMRG_REAL64, 13);
  decompose(TAC_SPLIT_FULL);
  for (int c = 0; c < 5; c++) {
    ck_assert_int_eq(choose(1000, cutoffs[c]), TAC_STATUS_OK);
    double weakest = HUGE_VAL;
    for (int b = 0; b < bond->blocks; b++)
      if (bond->split.block[b].keep > 0)
        weakest = fmin(weakest, weight_of(b, bond->split.block[b].keep - 1));
    ck_assert_double_le(bond->split.discarded, cutoffs[c] * (1 + 1e-12));
    ck_assert_double_gt(bond->split.discarded + weakest * weakest / bond->split.total, cutoffs[c]);
  }
  chain_destroy(&chain);
}
END_TEST

static int kept_states(void) {
  int kept = 0;
  for (int b = 0; b < bond->blocks; b++)
    kept += bond->split.block[b].keep;
  return kept;
}

START_TEST(cutoff_of_zero_and_of_one) {
  prepare(1, TAC_DMRG_REAL64, 0);
  for (int b = 0; b < bond->blocks; b++) /* most weights are exactly zero */
    memset(tac_vector_at(bond, bond->theta, bond->block[b].offset), 0,
           (size_t)bond->block[b].rows * (size_t)bond->block[b].columns * bond->kernels->size);
  scalars_set(bond->kernels, tac_vector_at(bond, bond->theta, 0), bond->block[1].offset, 2);
  decompose(TAC_SPLIT_FULL);
  int candidates = 0;
  for (int b = 0; b < bond->blocks; b++)
    candidates += bond->split.block[b].candidates;
  ck_assert_int_eq(choose(1000, 0), TAC_STATUS_OK);
  ck_assert_int_eq(kept_states(), candidates);
  ck_assert_double_eq(bond->split.discarded, 0);
  ck_assert_int_eq(choose(1000, 1), TAC_STATUS_OK);
  ck_assert_int_eq(kept_states(), 1);
  ck_assert_int_eq(bond->split.block[1].keep, 1);
  ck_assert_double_eq(bond->split.discarded, 0);
  ck_assert_int_eq(choose(1000, 1e-300), TAC_STATUS_OK);
  ck_assert_int_eq(kept_states(), 1);
  chain_destroy(&chain);
}
END_TEST

/* All weights alike: the smaller charge first, so that a multiplet is cut the same way everywhere. */
START_TEST(ties_go_to_the_smaller_charge) {
  prepare(1, TAC_DMRG_REAL64, 0);
  for (int b = 0; b < bond->blocks; b++) {
    const struct tac_center_block *block = &bond->block[b];
    for (int j = 0; j < block->columns; j++)
      for (int i = 0; i < block->rows; i++)
        scalars_set(bond->kernels, tac_vector_at(bond, bond->theta, 0),
                    block->offset + (size_t)j * (size_t)block->rows + (size_t)i, i == j);
  }
  decompose(TAC_SPLIT_FULL);
  for (int most = 1; most < 12; most++) {
    ck_assert_int_eq(choose(most, 0), TAC_STATUS_OK);
    int left = most;
    for (int b = 0; b < bond->blocks; b++) {
      const int candidates = bond->split.block[b].candidates, expected = left < candidates ? left : candidates;
      ck_assert_int_eq(bond->split.block[b].keep, expected);
      left -= expected;
    }
  }
  chain_destroy(&chain);
}
END_TEST

START_TEST(a_centre_without_norm_is_refused) {
  prepare(1, TAC_DMRG_REAL64, 0);
  memset(tac_vector_at(bond, bond->theta, 0), 0, bond->length * bond->kernels->size);
  decompose(TAC_SPLIT_FULL);
  ck_assert_int_eq(choose(5, 0), TAC_STATUS_NUMERICAL);
  ck_assert_str_eq(chain.error.where, "state selection");
  ck_assert_ptr_nonnull(strstr(chain.error.text, "site 3"));
  chain_destroy(&chain);
}
END_TEST

/* Square of theta less the product of the state's two new tensors. */
static double distance_of_installed(void) {
  const struct tac_vector theta = bond->theta;
  struct tac_buffer product = {.data = tac_allocator_system()->allocate(NULL, bond->length * bond->kernels->size)};
  double sum = 0;
  bond->theta = (struct tac_vector){&product, 0};
  for (int b = 0; b < bond->blocks; b++)
    tac_center_block_build(bond, &bond->block[b]);
  bond->theta = theta;
  for (int b = 0; b < bond->blocks; b++)
    for (size_t i = 0; i < (size_t)bond->block[b].rows * (size_t)bond->block[b].columns; i++)
      sum += square(scalars_get(bond->kernels, tac_vector_at(bond, theta, 0), bond->block[b].offset + i) -
                    scalars_get(bond->kernels, product.data, bond->block[b].offset + i));
  tac_allocator_system()->release(NULL, product.data);
  return sum;
}

START_TEST(installed_factors_give_the_kept_part) {
  const int most[] = {1, 5, 1000};
  for (int m = 0; m < 3; m++) {
    prepare(_i % 2 ? 1 : -1, (enum tac_dmrg_scalar)(_i / 2), 14);
    const uint64_t before = chain_fingerprint(chain.state);
    decompose(TAC_SPLIT_FULL);
    ck_assert_int_eq(choose(most[m], 0), TAC_STATUS_OK);
    ck_assert_int_eq(tac_factor_plan(bond, &chain.error), TAC_STATUS_OK);
    ck_assert_int_eq(chain_run_items(bond, bond->factor_tasks.count, tac_factor_item, NULL), TAC_STATUS_OK);
    ck_assert(chain_fingerprint(chain.state) == before); /* until they are installed */
    const size_t held = chain.state->pool.bytes + bond->pool->bytes;
    tac_factor_install(bond);
    ck_assert_uint_eq(chain.state->pool.bytes + bond->pool->bytes, held);
    ck_assert_int_eq(tac_dmrg_state_center(chain.state), bond->direction > 0 ? 4 : 3);
    ck_assert_int_eq(tac_dmrg_state_form(chain.state, 3), TAC_DMRG_LEFT_FORM);
    ck_assert_int_eq(tac_dmrg_state_form(chain.state, 4), TAC_DMRG_RIGHT_FORM);
    ck_assert_int_eq(tac_dmrg_state_bond_dimension(chain.state, 4), kept_states());
    ck_assert_double_eq_tol(distance_of_installed() / bond->split.total, bond->split.discarded, 100 * bond->kernels->epsilon);
    chain_destroy(&chain);
  }
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("split");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, full_factors_give_theta_back, 0, 8);
  tcase_add_loop_test(cases, cap_keeps_the_largest, 0, 8);
  tcase_add_test(cases, cutoff_drops_as_much_as_it_allows);
  tcase_add_test(cases, cutoff_of_zero_and_of_one);
  tcase_add_test(cases, ties_go_to_the_smaller_charge);
  tcase_add_test(cases, a_centre_without_norm_is_refused);
  tcase_add_loop_test(cases, installed_factors_give_the_kept_part, 0, 8);
  return run_cases("split", cases);
}
