/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_NEAR_BLOCK_H
#define APPS_FMM_NEAR_BLOCK_H

#include "apps/fmm/gaussians.h"
#include "apps/fmm/near_radial.h"
#include "apps/fmm/near_space.h"

/* A set holds the matrices of all canonical relations for one kernel: matrix (relation, component) is nodes x modes,
 * column-major, at tac_near_matrix_at(...); component 0 is the potential, 1 + axis the derivative along that axis per unit of
 * the TARGET's side. `components` is 1, or 1 + dim with gradients. */
size_t tac_near_matrix_size(const struct tac_near_space *space);
size_t tac_near_set_size(const struct tac_near_space *space, int components);
size_t tac_near_matrix_at(const struct tac_near_space *space, int components, int relation, int component);

/* Adds the matrices of a sum of Gaussians to a set. */
enum tac_status tac_near_add_gaussians(double *set, const struct tac_near_space *space, const struct tac_gaussians *gaussians,
                                       int components, struct tac_error *error);

/* Gauss rule over the source with that many nodes an axis; cut: where the target's coordinate lies inside the source, the axis
 * is cut there and each side gets as many, so that a function that is not smooth at the target meets it at corners only. */
#define TAC_NEAR_MOST_NODES 64
struct tac_near_rule {
  int nodes, cut;
};
/* Sets rough, smooth and power of a function for distances whose square is at most `limit`. */
typedef void (*tac_near_radial_fn)(const void *context, double limit, struct tac_radial *out);
/* Adds the matrices of a radial function by quadrature to a set. */
enum tac_status tac_near_add_radial(double *set, const struct tac_near_space *space, tac_near_radial_fn make,
                                    const void *context, const struct tac_near_rule *rule, int components,
                                    struct tac_error *error);

#endif
