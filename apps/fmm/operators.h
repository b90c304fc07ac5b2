/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_OPERATORS_H
#define APPS_FMM_OPERATORS_H

#include "apps/fmm/plan.h"

/* What a stencil under construction is made of: the context of a tac_stencil_matrix_fn. */
struct tac_operator_request {
  struct tac_fmm_plan *plan;
  int level, layer, field, part, component;
};

/* Turns the rows of a matrix from nodes to class form. */
void tac_rows_to_classes(const struct tac_fmm_plan *plan, const double *matrix, int columns, double *out);
/* Uninitialised memory for nodes x columns, to be freed; NULL with the error filled. */
double *tac_node_matrix(const struct tac_fmm_plan *plan, int columns, struct tac_error *error);

/* What M2P and P2L of a level are made from, computed once: tac_far_child_functions and tac_far_child_moments; NULL with the
 * error filled. Those of the last level asked for are kept until they are forgotten. */
const double *tac_plan_child_functions(struct tac_fmm_plan *plan, int level, int component, struct tac_error *error);
const double *tac_plan_child_moments(struct tac_fmm_plan *plan, int level, struct tac_error *error);
void tac_plan_forget_children(struct tac_fmm_plan *plan);

/* 1 where a stencil for list 2, 3 or 4 pays for itself after a few evaluations; level: of the smaller boxes, the first of those
 * that share it. Always on the paired path. */
int tac_plan_is_worth(const struct tac_fmm_plan *plan, enum tac_list list, int level);

/* Between super vectors: M2L of all children of two boxes, M2P from all children of a colleague to a leaf, P2L from a leaf to
 * all children of a colleague. Pairs that touch are left out: they are near. `level` is the children's. */
enum tac_status tac_m2l_matrix(void *request, const int offset[3], double *out, struct tac_error *error);
enum tac_status tac_m2p_matrix(void *request, const int offset[3], double *out, struct tac_error *error);
enum tac_status tac_p2l_matrix(void *request, const int offset[3], double *out, struct tac_error *error);

#endif
