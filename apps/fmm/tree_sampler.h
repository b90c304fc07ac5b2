/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_TREE_SAMPLER_H
#define APPS_FMM_TREE_SAMPLER_H

#include "apps/fmm/tree.h"

/* A box, there or not. */
struct tac_place {
  int level;
  int32_t coordinate[3];
};

/* What is done along each axis: the same matrix row by row and column by column. */
struct tac_axis_matrix {
  int to, from;
  double rows[2 * TAC_FMM_MAX_ORDER * TAC_FMM_MAX_ORDER], columns[2 * TAC_FMM_MAX_ORDER * TAC_FMM_MAX_ORDER];
};

#define TAC_SAMPLER_PLACES 128

/* Asks the density for values, many points at a time, and compares it with its polynomial. */
struct tac_sampler {
  const struct tac_fmm_tree_options *options;
  const struct tac_allocator *allocator;
  tac_fmm_density_fn density;
  void *context;
  int nodes, fine_nodes; /* of a box: order^dim, (2 order)^dim */
  double node[TAC_FMM_MAX_ORDER], fine_node[2 * TAC_FMM_MAX_ORDER];
  struct tac_axis_matrix project, evaluate; /* node values to coefficients, those to values at twice the nodes */
  double *points, *values, *scratch[2];
  double largest; /* max |f| over all points so far */
  /* Places that wait until there are enough for a call of the density, and where their answers go. */
  size_t waiting, batch;
  struct tac_place place[TAC_SAMPLER_PLACES];
  double *difference[TAC_SAMPLER_PLACES];
};

enum tac_status tac_sampler_init(struct tac_sampler *sampler, const struct tac_fmm_tree_options *options,
                                 const struct tac_allocator *allocator, tac_fmm_density_fn density, void *context,
                                 struct tac_error *error);
void tac_sampler_release(struct tac_sampler *sampler);

/* max |f| over this point as well. */
enum tac_status tac_sampler_note(struct tac_sampler *sampler, const double *point, struct tac_error *error);
/* *difference: the largest |density - polynomial| at twice the nodes of a place; written at the latest by the next finish. */
enum tac_status tac_sampler_compare(struct tac_sampler *sampler, const struct tac_place *place, double *difference,
                                    struct tac_error *error);
enum tac_status tac_sampler_finish(struct tac_sampler *sampler, struct tac_error *error);

#endif
