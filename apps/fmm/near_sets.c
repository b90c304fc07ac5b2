/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/fmm/cache.h"
#include "apps/fmm/near_block.h"
#include "apps/fmm/near_kernel.h"
#include "apps/fmm/near_parts.h"

static const double pi = 3.14159265358979323846;

double *tac_near_take(struct tac_near *near, size_t size, struct tac_error *error) {
  double *set = near->allocator.allocate(near->allocator.context, size * sizeof *set);
  if (!set) {
    tac_error_set(error, TAC_STATUS_MEMORY, "near field", "no memory for tables of %zu MB", size * sizeof *set >> 20);
    return NULL;
  }
  near->sets[near->set_count++] = set;
  near->bytes += size * sizeof *set;
  return set;
}

void tac_near_key(char key[TAC_NEAR_KEY_BYTES], const struct tac_near *near, const char *what) {
  const struct tac_near_options *options = &near->options;
  snprintf(key, TAC_NEAR_KEY_BYTES, "near field, layout 2: dim %d order %d basis %d components %d, %s", options->dim,
           options->order, (int)options->basis, near->components, what);
}

/* The matrices of one part of a kernel for a source of side 1, from the cache or built. */
static enum tac_status kernel_set(const double **out, struct tac_near *near, const struct tac_fmm_kernel *kernel, int part,
                                  struct tac_error *error) {
  const struct tac_near_options *options = &near->options;
  const size_t size = tac_near_set_size(&near->space, near->components);
  double *set = tac_near_take(near, size, error);
  if (!set)
    return TAC_STATUS_MEMORY;
  *out = set;
  char key[TAC_NEAR_KEY_BYTES], what[128];
  snprintf(what, sizeof what, "%s parameter %a part %d", tac_fmm_kernel_name(kernel->kind), kernel->parameter, part);
  tac_near_key(key, near, what);
  if (tac_cache_load(options->cache_folder, key, set, size)) {
    near->loaded++;
    return TAC_STATUS_OK;
  }
  near->built++;
  memset(set, 0, size * sizeof *set);
  const enum tac_status status = tac_near_add_kernel(set, &near->space, kernel, part, near->components, error);
  if (!status)
    tac_cache_store(options->cache_folder, key, set, size);
  return status;
}

void tac_near_point_to(struct tac_near *near, int layer, int level, int part, const double *set) {
  for (int relation = 0; relation < near->space.relations; relation++)
    for (int component = 0; component < near->components; component++)
      near->stored[layer][level][relation][part][component] =
          set + tac_near_matrix_at(&near->space, near->components, relation, component);
}

void tac_near_add_constant(double *set, const struct tac_near_space *space, int components, double constant) {
  for (int relation = 0; relation < space->relations; relation++) {
    double *column = set + tac_near_matrix_at(space, components, relation, 0);
    for (int node = 0; node < space->nodes; node++)
      column[node] += constant;
  }
}

/* 2D: a source of side h sees -(ln r + ln h)/(2 pi). Each level has potentials of its own; derivatives are shared. */
static enum tac_status shift_potentials(struct tac_near *near, int level, struct tac_error *error) {
  const size_t size = tac_near_matrix_size(&near->space);
  double *own = tac_near_take(near, tac_near_set_size(&near->space, 1), error);
  if (!own)
    return TAC_STATUS_MEMORY;
  for (int relation = 0; relation < near->space.relations; relation++) {
    double *matrix = own + tac_near_matrix_at(&near->space, 1, relation, 0);
    memcpy(matrix, near->stored[0][level][relation][0][0], size * sizeof *matrix);
    near->stored[0][level][relation][0][0] = matrix;
  }
  tac_near_add_constant(own, &near->space, 1, -log(near->options.side[level]) / (2 * pi));
  return TAC_STATUS_OK;
}

enum tac_status tac_near_make_laplace(const double **out, struct tac_near *near, struct tac_error *error) {
  const struct tac_fmm_kernel laplace = {TAC_FMM_LAPLACE, 0};
  const double *set = NULL;
  enum tac_status status = kernel_set(&set, near, &laplace, 0, error);
  for (int level = 0; level < near->options.levels && !status; level++) {
    tac_near_point_to(near, 0, level, 0, set);
    if (near->options.dim == 2 && near->options.has_leaves[level])
      status = shift_potentials(near, level, error);
  }
  if (out)
    *out = set;
  return status;
}

/* Yukawa and Helmholtz do not scale: G of parameter p at distance h r is h^(2-dim) times G of parameter p h at r. */
enum tac_status tac_near_make_level_tables(struct tac_near *near, int level, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int part = 0; part < near->parts && !status; part++) {
    const struct tac_fmm_kernel kernel = {near->options.kernel.kind,
                                          near->options.kernel.parameter * near->options.side[level]};
    const double *set;
    status = kernel_set(&set, near, &kernel, part, error);
    if (!status)
      tac_near_point_to(near, 0, level, part, set);
  }
  return status;
}

enum tac_status tac_near_make_tables(struct tac_near *near, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int level = 0; level < near->options.levels && !status; level++)
    if (near->options.has_leaves[level])
      status = tac_near_make_level_tables(near, level, error);
  return status;
}
