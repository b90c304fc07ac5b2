/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/engine.h"

/* Everything in the host's memory: the lanes' BLAS and LAPACK do the items, the caller's thread the vectors. */

static enum tac_status create(struct tac_bond *bond, struct tac_error *error) {
  (void)bond, (void)error;
  return TAC_STATUS_OK;
}

static void destroy(struct tac_bond *bond) {
  (void)bond;
}

static enum tac_status plan_split(struct tac_bond *bond, enum tac_split_method method, enum tac_dmrg_split_place place,
                                  struct tac_error *error) {
  (void)place; /* refused where it is the device */
  return tac_split_plan(bond, method, error);
}

static enum tac_status end_split(struct tac_bond *bond, struct tac_scheduler *scheduler, struct tac_error *error) {
  (void)bond, (void)scheduler, (void)error;
  return TAC_STATUS_OK;
}

static enum tac_status build_center(struct tac_bond *bond, struct tac_error *error) {
  (void)error;
  for (int i = 0; i < bond->blocks; i++)
    tac_center_block_build(bond, &bond->block[i]);
  return TAC_STATUS_OK;
}

static enum tac_status enlarge_right(struct tac_bond *bond, struct tac_error *error) {
  const struct tac_bond_side *side = &bond->side[1];
  (void)error;
  for (int i = 0; i < bond->blocks; i++)
    tac_part_enlarge(bond->kernels, bond->hamiltonian, side->part, bond->block[i].right, bond->block[i].right_charge,
                     tac_element(bond->kernels, side->hamiltonian.data, bond->block[i].right_hamiltonian));
  return TAC_STATUS_OK;
}

static enum tac_status dot(const struct tac_bond *bond, struct tac_vector x, struct tac_vector y, double *out,
                           struct tac_error *error) {
  (void)error;
  *out = bond->kernels->dot(bond->length, tac_vector_at(bond, x, 0), tac_vector_at(bond, y, 0));
  return TAC_STATUS_OK;
}

static void axpy(const struct tac_bond *bond, double alpha, struct tac_vector x, struct tac_vector y) {
  bond->kernels->axpy(bond->length, alpha, tac_vector_at(bond, x, 0), tac_vector_at(bond, y, 0));
}

static double norm(const struct tac_bond *bond, struct tac_vector x) {
  return bond->kernels->norm(bond->length, tac_vector_at(bond, x, 0));
}

static enum tac_status start(struct tac_krylov *krylov, const struct tac_bond *bond, struct tac_error *error) {
  (void)error;
  krylov->norm = norm(bond, krylov->vector[0]);
  return TAC_STATUS_OK;
}

static enum tac_status normalize(const struct tac_krylov *krylov, int j, const struct tac_bond *bond, struct tac_error *error) {
  (void)error;
  const double length = j > 0 ? krylov->beta[j - 1] : krylov->norm;
  bond->kernels->scale(bond->length, 1 / length, tac_vector_at(bond, krylov->vector[j], 0));
  return TAC_STATUS_OK;
}

static enum tac_status project(struct tac_krylov *krylov, int j, const struct tac_bond *bond, struct tac_error *error) {
  const struct tac_vector *v = krylov->vector;
  if (j > 0)
    axpy(bond, -krylov->beta[j - 1], v[j - 1], v[j + 1]);
  return dot(bond, v[j + 1], v[j], &krylov->alpha[j], error);
}

static enum tac_status subtract(struct tac_krylov *krylov, int j, const struct tac_bond *bond, struct tac_error *error) {
  const struct tac_vector *v = krylov->vector;
  (void)error;
  axpy(bond, -krylov->alpha[j], v[j], v[j + 1]);
  krylov->beta[j] = norm(bond, v[j + 1]);
  return TAC_STATUS_OK;
}

static enum tac_status combine(const struct tac_bond *bond, int terms, const double *factor, const struct tac_vector *x,
                               struct tac_vector y, struct tac_error *error) {
  (void)error;
  const void **operand = bond->operands;
  for (int j = 0; j < terms; j++)
    operand[j] = tac_vector_at(bond, x[j], 0);
  bond->kernels->combine(bond->length, terms, factor, operand, tac_vector_at(bond, y, 0));
  return TAC_STATUS_OK;
}

const struct tac_engine tac_engine_host = {
    .create = create,
    .destroy = destroy,
    .plan_center = tac_center_plan,
    .plan_apply = tac_apply_plan,
    .plan_split = plan_split,
    .plan_factor = tac_factor_plan,
    .plan_part = tac_part_plan,
    .center_item = tac_center_item,
    .apply_item = tac_apply_item,
    .split_item = tac_split_item,
    .factor_item = tac_factor_item,
    .part_item = tac_part_item,
    .center_terms = &tac_center_terms,
    .apply_terms = &tac_apply_terms,
    .split_terms = &tac_split_terms,
    .factor_terms = &tac_factor_terms,
    .part_terms = &tac_part_terms,
    .end_split = end_split,
    .build_center = build_center,
    .enlarge_right = enlarge_right,
    .start = start,
    .normalize = normalize,
    .project = project,
    .subtract = subtract,
    .dot = dot,
    .combine = combine,
};
