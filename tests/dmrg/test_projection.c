/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#define TAC_LEVEL 0 /* the variant of lanczos_tmpl.h that is called here */

#include "apps/dmrg/projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/dmrg/lanczos_tmpl.h"
#include "tests/dmrg/chain.h"
#include "tests/dmrg/scalars.h"
#include "tests/unit/suite.h"

/* Decompositions by Gram matrices and in warm subspaces against the SVD of the same centre. */

static struct chain chain;
static struct tac_bond *bond;

/* A converged chain, its centre improved at bond (site, site+1) as a sweep does. */
static void prepare(int direction, enum tac_dmrg_scalar scalar, int max_states) {
  chain_init(&chain, 20);
  chain.start.scalar = scalar;
  chain.options.max_states = max_states;
  chain_create(&chain);
  chain_sweeps(&chain, direction > 0 ? 30 : 31);
  chain_stop_after(&chain, direction > 0 ? 8 : 10);
  chain_center(&chain, 9, direction);
  bond = &chain.environments->bond;
  bond->seed = 5;
  struct tac_ritz ritz;
  ck_assert_int_eq(tac_lanczos_off(&ritz, bond, chain.scheduler, 4, &chain.error), TAC_STATUS_OK);
}

static void decompose(enum tac_split_method method) {
  ck_assert_int_eq(tac_split_plan(bond, method, &chain.error), TAC_STATUS_OK);
  ck_assert_int_eq(chain_run_items(bond, bond->split_tasks.count, tac_split_item, &chain.error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_split_select(bond, &chain.options, &chain.error), TAC_STATUS_OK);
}

static double complex element(const void *base, size_t at) {
  return scalars_get(bond->kernels, base, at);
}

static double square(double complex z) {
  return creal(z) * creal(z) + cimag(z) * cimag(z);
}

/* What the kept columns leave of theta, over its square, and how far the near side is from an isometry. */
static void measure(double *left_over, double *defect) {
  double total = 0;
  *left_over = *defect = 0;
  for (int b = 0; b < bond->blocks; b++) {
    const struct tac_center_block *block = &bond->block[b];
    const struct tac_split_block *result = &bond->split.block[b];
    const int *order = (const int *)bond->split.order.data + result->weight;
    const size_t m = (size_t)block->rows, n = (size_t)block->columns;
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < m; i++) {
        double complex rest = element(tac_vector_at(bond, bond->theta, 0), block->offset + j * m + i);
        total += square(rest);
        for (int l = 0; l < result->keep; l++)
          rest -= element(bond->split.left.data, result->left + (size_t)order[l] * m + i) *
                  conj(element(bond->split.right.data, result->right + (size_t)order[l] * n + j));
        *left_over += square(rest);
      }
    const int right = bond->direction > 0;
    const size_t rows = right ? m : n, base = right ? result->left : result->right;
    const void *near = right ? bond->split.left.data : bond->split.right.data;
    for (int k = 0; k < result->candidates; k++)
      for (int l = 0; l < result->candidates; l++) {
        double complex sum = 0;
        for (size_t i = 0; i < rows; i++)
          sum += conj(element(near, base + (size_t)k * rows + i)) * element(near, base + (size_t)l * rows + i);
        *defect = fmax(*defect, cabs(sum - (k == l)));
      }
  }
  *left_over /= total;
}

/* Kept weights of all blocks, blocks in order. Returns how many. */
static int copy_weights(double *out) {
  int count = 0;
  for (int b = 0; b < bond->blocks; b++)
    for (int j = 0; j < bond->split.block[b].keep; j++)
      out[count++] = ((const double *)bond->split.weight.data)[bond->split.block[b].weight + (size_t)j];
  return count;
}

enum { STATES = 60 };

/* Weights agree to a relative error, their squares to a rounding of the whole. */
static void check_at_fixed_point(enum tac_split_method method, double relative, double rounding) {
  double full[STATES], other[STATES], left_over, defect;
  decompose(TAC_SPLIT_FULL);
  ck_assert_int_eq(copy_weights(full), STATES);
  const double discarded = bond->split.discarded;
  decompose(method);
  ck_assert_int_eq(copy_weights(other), STATES);
  for (int i = 0; i < STATES; i++)
    ck_assert_msg(fabs(other[i] * other[i] - full[i] * full[i]) <= 2 * relative * full[i] * full[i] + rounding,
                  "%.15g instead of %.15g", other[i], full[i]);
  ck_assert_double_eq_tol(bond->split.discarded, discarded, 1e-9 * discarded + 1e-14);
  measure(&left_over, &defect);
  ck_assert_double_le(defect, 1e-13);
  ck_assert_double_eq_tol(bond->split.discarded, left_over, 1e-14);
}

START_TEST(gram_gives_the_weights_of_the_svd) {
  prepare(_i % 2 ? 1 : -1, _i / 2 ? TAC_DMRG_COMPLEX64 : TAC_DMRG_REAL64, STATES);
  check_at_fixed_point(TAC_SPLIT_GRAM, 1e-9, 1e-16);
  chain_destroy(&chain);
}
END_TEST

START_TEST(warm_gives_the_weights_of_the_svd_at_a_fixed_point) {
  prepare(_i % 2 ? 1 : -1, _i / 2 ? TAC_DMRG_COMPLEX64 : TAC_DMRG_REAL64, STATES);
  check_at_fixed_point(TAC_SPLIT_WARM, 1e-9, 1e-20);
  chain_destroy(&chain);
}
END_TEST

/* A guess that has nothing to do with the centre: the factors stay factors and what they miss is told. */
START_TEST(a_useless_guess_is_honest) {
  uint64_t random = scalars_seed();
  double left_over, defect;
  prepare(_i % 2 ? 1 : -1, _i / 2 ? TAC_DMRG_COMPLEX64 : TAC_DMRG_REAL64, 30);
  for (int b = 0; b < bond->blocks; b++)
    scalars_fill(bond->kernels, &random, tac_vector_at(bond, bond->theta, bond->block[b].offset),
                 (size_t)bond->block[b].rows * (size_t)bond->block[b].columns);
  decompose(TAC_SPLIT_FULL);
  const double least = bond->split.discarded;
  decompose(TAC_SPLIT_WARM);
  measure(&left_over, &defect);
  ck_assert_double_le(defect, 1e-12);
  ck_assert_double_eq_tol(bond->split.discarded, left_over, 1e-13);
  ck_assert_double_gt(bond->split.discarded, 1.1 * least); /* what the guard sees */
  chain_destroy(&chain);
}
END_TEST

/* Where the guess has no overlap with a block at all, its columns are dependent: the block is decomposed in full. */
START_TEST(a_block_of_zeros_is_decomposed_in_full) {
  double left_over, defect;
  prepare(1, TAC_DMRG_REAL64, 60);
  int largest = 0;
  for (int b = 0; b < bond->blocks; b++)
    if (bond->block[b].rows > bond->block[largest].rows)
      largest = b;
  const struct tac_center_block *block = &bond->block[largest];
  ck_assert_int_gt(block->rows, 24);
  memset(tac_vector_at(bond, bond->theta, block->offset), 0,
         (size_t)block->rows * (size_t)block->columns * bond->kernels->size);
  for (int method = TAC_SPLIT_GRAM; method <= TAC_SPLIT_WARM; method++) {
    decompose((enum tac_split_method)method);
    measure(&left_over, &defect);
    ck_assert_double_le(defect, 1e-12);
    ck_assert_double_eq_tol(bond->split.discarded, left_over, 1e-13);
    ck_assert_double_eq(((const double *)bond->split.weight.data)[bond->split.block[largest].weight], 0);
  }
  chain_destroy(&chain);
}
END_TEST

START_TEST(products_from_and_to_the_near_side) {
  prepare(_i ? 1 : -1, TAC_DMRG_COMPLEX64, 20);
  decompose(TAC_SPLIT_FULL);
  uint64_t random = 99;
  for (int b = 0; b < bond->blocks; b++) {
    const struct tac_projection p = tac_projection_of(bond, (size_t)b);
    const int right = bond->direction > 0, m = bond->block[b].rows, n = bond->block[b].columns;
    ck_assert_int_eq(p.near_rows, right ? m : n);
    ck_assert_int_eq(p.far_rows, right ? n : m);
    ck_assert_int_eq(p.rank, m < n ? m : n);
    double complex *near = calloc((size_t)p.near_rows, sizeof *near), *far = calloc((size_t)p.far_rows, sizeof *far);
    double complex *to_near = calloc((size_t)p.near_rows, sizeof *near), *to_far = calloc((size_t)p.far_rows, sizeof *far);
    scalars_fill(bond->kernels, &random, near, (size_t)p.near_rows);
    scalars_fill(bond->kernels, &random, far, (size_t)p.far_rows);
    tac_projection_multiply(&p, 1, 1, far, to_near);
    tac_projection_multiply(&p, 0, 1, near, to_far);
    double complex one = 0, other = 0; /* <near, theta far> = <theta^H near, far> */
    for (int i = 0; i < p.near_rows; i++) {
      double complex expected = 0;
      for (int j = 0; j < p.far_rows; j++) {
        const double complex z =
            element(p.theta, right ? (size_t)j * (size_t)m + (size_t)i : (size_t)i * (size_t)m + (size_t)j);
        expected += (right ? z : conj(z)) * far[j];
      }
      ck_assert_double_le(cabs(to_near[i] - expected), 1e-13);
      one += conj(near[i]) * to_near[i];
    }
    for (int j = 0; j < p.far_rows; j++)
      other += conj(to_far[j]) * far[j];
    ck_assert_double_le(cabs(one - other), 1e-13);
    double complex *all[] = {near, far, to_near, to_far};
    for (int i = 0; i < 4; i++)
      free(all[i]);
  }
  chain_destroy(&chain);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("projection");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, gram_gives_the_weights_of_the_svd, 0, 4);
  tcase_add_loop_test(cases, warm_gives_the_weights_of_the_svd_at_a_fixed_point, 0, 4);
  tcase_add_loop_test(cases, a_useless_guess_is_honest, 0, 4);
  tcase_add_test(cases, a_block_of_zeros_is_decomposed_in_full);
  tcase_add_loop_test(cases, products_from_and_to_the_near_side, 0, 2);
  return run_cases("projection", cases);
}
