/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_ENGINE_H
#define APPS_DMRG_ENGINE_H

#include <tactus/scheduler/scheduler.h>

#include "apps/dmrg/bond.h"
#include "apps/dmrg/krylov.h"

/* Who computes with a bond's numbers, and where these live; one table for each, bound when environments are made for a
 * scheduler. The driver goes through the same steps with either.
 *
 * A step of a bond is a batch: its plan fills the tasks of that name in the bond, its item does one of them. Everything else is
 * called between batches, by the thread that runs them. */
struct tac_engine {
  int packs_vectors; /* blocks of a vector follow each other without gaps */

  /* Once, after kernels, pool and Hamiltonian of the bond are set. */
  enum tac_status (*create)(struct tac_bond *bond, struct tac_error *error);
  void (*destroy)(struct tac_bond *bond);

  enum tac_status (*plan_center)(struct tac_bond *bond, struct tac_error *error);
  enum tac_status (*plan_apply)(struct tac_bond *bond, struct tac_error *error); /* good for every product of the bond */
  enum tac_status (*plan_split)(struct tac_bond *bond, enum tac_split_method method, enum tac_dmrg_split_place place,
                                struct tac_error *error);
  enum tac_status (*plan_factor)(struct tac_bond *bond, struct tac_error *error);
  enum tac_status (*plan_part)(struct tac_bond *bond, struct tac_tensor *isometry, struct tac_part *updated,
                               struct tac_error *error);
  tac_item_fn center_item, apply_item, split_item, factor_item, part_item;
  const struct tac_cost_terms *center_terms, *apply_terms, *split_terms, *factor_terms, *part_terms; /* NULL: there are none */

  /* What a split leaves to do when its batch has ended; then the weights of all blocks are known. */
  enum tac_status (*end_split)(struct tac_bond *bond, struct tac_scheduler *scheduler, struct tac_error *error);

  /* The centre that the stored tensors give, to where bond->theta is. */
  enum tac_status (*build_center)(struct tac_bond *bond, struct tac_error *error);
  /* The right side's enlarged Hamiltonians, of a bond that tac_bond_layout_part has laid out. */
  enum tac_status (*enlarge_right)(struct tac_bond *bond, struct tac_error *error);

  /* The recurrence of a Krylov space, v[j] = krylov->vector[j]. Its numbers are known to the host where krylov->ahead is 0, and
   * else when they are fetched. */
  enum tac_status (*start)(struct tac_krylov *krylov, const struct tac_bond *bond, struct tac_error *error); /* norm = |v[0]| */
  /* v[j] /= its norm, which is beta[j-1], or that of the start. Not asked of a space that is ahead: with u[j] = |u[j]| v[j] for
   * v[j] the next two take H u[j] to the u[j+1] that goes with v[j+1]. */
  enum tac_status (*normalize)(const struct tac_krylov *krylov, int j, const struct tac_bond *bond, struct tac_error *error);
  /* v[j+1] -= beta[j-1] v[j-1]; alpha[j] = v[j]^H v[j+1] */
  enum tac_status (*project)(struct tac_krylov *krylov, int j, const struct tac_bond *bond, struct tac_error *error);
  /* v[j+1] -= alpha[j] v[j]; beta[j] = |v[j+1]| */
  enum tac_status (*subtract)(struct tac_krylov *krylov, int j, const struct tac_bond *bond, struct tac_error *error);
  /* The numbers of the first `steps` steps of a space that is ahead. NULL: this engine never is. */
  enum tac_status (*fetch)(struct tac_krylov *krylov, int steps, const struct tac_bond *bond, struct tac_error *error);

  /* Whole vectors of the centre's space. */
  enum tac_status (*dot)(const struct tac_bond *bond, struct tac_vector x, struct tac_vector y, double *out,
                         struct tac_error *error); /* real part of x^H y */
  /* y = sum over j < terms of factor[j] x[j]; one term at least. */
  enum tac_status (*combine)(const struct tac_bond *bond, int terms, const double *factor, const struct tac_vector *x,
                             struct tac_vector y, struct tac_error *error);
};

extern const struct tac_engine tac_engine_host, tac_engine_device;

#endif
