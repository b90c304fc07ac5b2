/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/near.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/fmm/cache.h"
#include "apps/fmm/near_block.h"
#include "apps/fmm/near_kernel.h"

static const double pi = 3.14159265358979323846;

/* Both layers, both parts and one of its own for every level in 2D. */
enum { MOST_SETS = 4 * TAC_FMM_MAX_LEVELS + 1, MOST_PARTS = 2, MOST_COMPONENTS = 4 };

struct tac_near {
  struct tac_near_options options;
  struct tac_allocator allocator;
  struct tac_near_space space;
  int parts, components, layers;
  size_t bytes;
  int built, loaded; /* sets */
  double *sets[MOST_SETS];
  int set_count;
  /* The canonical matrices; NULL where there is nothing to apply. */
  const double *stored[2][TAC_FMM_MAX_LEVELS][TAC_NEAR_RELATIONS][MOST_PARTS][MOST_COMPONENTS];
};

/* Above this k h the weights of Helmholtz' sums grow and distances of several wavelengths meet in one table. */
static const double most_kh = 3;

static enum tac_status check_wavenumber(const struct tac_near_options *options, struct tac_error *error) {
  int coarsest = 0;
  while (coarsest < options->levels - 1 && !options->has_leaves[coarsest])
    coarsest++;
  const double kh = options->kernel.parameter * options->side[coarsest];
  if (options->kernel.kind != TAC_FMM_HELMHOLTZ || kh <= most_kh * (1 + 1e-12))
    return TAC_STATUS_OK;
  return tac_error_set(
      error, TAC_STATUS_INVALID, "near field",
      "k*h is %.3g on the coarsest near-field box (level %d), at most %g is borne: leaves at level %d or deeper "
      "would do",
      kh, coarsest, most_kh, coarsest + (int)ceil(log2(kh / most_kh) - 1e-9));
}

static enum tac_status check(const struct tac_near_options *options, struct tac_error *error) {
  static const char where[] = "near field";
  if (options->dim != 2 && options->dim != 3)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "dimension %d is not 2 or 3", options->dim);
  if (options->order < TAC_FMM_MIN_ORDER || options->order > TAC_FMM_MAX_ORDER)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "order %d is outside %d … %d", options->order, TAC_FMM_MIN_ORDER,
                         TAC_FMM_MAX_ORDER);
  if (options->levels < 1 || options->levels > TAC_FMM_MAX_LEVELS)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "%d levels are outside 1 … %d", options->levels, TAC_FMM_MAX_LEVELS);
  if (options->kernel.kind != TAC_FMM_LAPLACE && !(options->kernel.parameter > 0 && options->kernel.parameter < INFINITY))
    return tac_error_set(error, TAC_STATUS_INVALID, where, "the kernel's parameter %g is not positive and finite",
                         options->kernel.parameter);
  return check_wavenumber(options, error);
}

/* Room for `size` numbers, kept by the near field; NULL when there is no memory. */
static double *take(struct tac_near *near, size_t size, struct tac_error *error) {
  double *set = near->allocator.allocate(near->allocator.context, size * sizeof *set);
  if (!set) {
    tac_error_set(error, TAC_STATUS_MEMORY, "near field", "no memory for tables of %zu MB", size * sizeof *set >> 20);
    return NULL;
  }
  near->sets[near->set_count++] = set;
  near->bytes += size * sizeof *set;
  return set;
}

/* The matrices of one part of a kernel for a source of side 1, from the cache or built. */
static enum tac_status kernel_set(const double **out, struct tac_near *near, const struct tac_fmm_kernel *kernel, int part,
                                  struct tac_error *error) {
  const struct tac_near_options *options = &near->options;
  const size_t size = tac_near_set_size(&near->space, near->components);
  double *set = take(near, size, error);
  if (!set)
    return TAC_STATUS_MEMORY;
  *out = set;
  char key[256];
  snprintf(key, sizeof key, "near tables, layout 1: dim %d order %d basis %d kernel %s parameter %a part %d components %d",
           options->dim, options->order, (int)options->basis, tac_fmm_kernel_name(kernel->kind), kernel->parameter, part,
           near->components);
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

static void point_to(struct tac_near *near, int layer, int level, int part, const double *set) {
  for (int relation = 0; relation < near->space.relations; relation++)
    for (int component = 0; component < near->components; component++)
      near->stored[layer][level][relation][part][component] =
          set + tac_near_matrix_at(&near->space, near->components, relation, component);
}

/* 2D: a source of side h sees -(ln r + ln h)/(2 pi). The constant meets the first mode alone, whose integral is 1. Each level
 * has potentials of its own; derivatives are shared. */
static enum tac_status shift_potentials(struct tac_near *near, int level, struct tac_error *error) {
  const size_t size = tac_near_matrix_size(&near->space);
  double *own = take(near, (size_t)near->space.relations * size, error);
  if (!own)
    return TAC_STATUS_MEMORY;
  const double shift = -log(near->options.side[level]) / (2 * pi);
  for (int relation = 0; relation < near->space.relations; relation++) {
    double *matrix = own + (size_t)relation * size;
    memcpy(matrix, near->stored[0][level][relation][0][0], size * sizeof *matrix);
    for (int node = 0; node < near->space.nodes; node++)
      matrix[node] += shift;
    near->stored[0][level][relation][0][0] = matrix;
  }
  return TAC_STATUS_OK;
}

static enum tac_status make_laplace(struct tac_near *near, struct tac_error *error) {
  const struct tac_fmm_kernel laplace = {TAC_FMM_LAPLACE, 0};
  const double *set;
  enum tac_status status = kernel_set(&set, near, &laplace, 0, error);
  for (int level = 0; level < near->options.levels && !status; level++) {
    point_to(near, 0, level, 0, set);
    if (near->options.dim == 2 && near->options.has_leaves[level])
      status = shift_potentials(near, level, error);
  }
  return status;
}

/* Yukawa and Helmholtz do not scale: G of parameter p at distance h r is h^(2-dim) times G of parameter p h at r. */
static enum tac_status make_tables(struct tac_near *near, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int level = 0; level < near->options.levels; level++)
    for (int part = 0; part < near->parts && !status && near->options.has_leaves[level]; part++) {
      const struct tac_fmm_kernel kernel = {near->options.kernel.kind,
                                            near->options.kernel.parameter * near->options.side[level]};
      const double *set;
      status = kernel_set(&set, near, &kernel, part, error);
      if (!status)
        point_to(near, 0, level, part, set);
    }
  return status;
}

enum tac_status tac_near_create(struct tac_near **out, const struct tac_near_options *options, struct tac_error *error) {
  *out = NULL;
  enum tac_status status = check(options, error);
  if (status)
    return status;
  const struct tac_allocator *allocator = options->allocator ? options->allocator : tac_allocator_system();
  struct tac_near *near = allocator->allocate(allocator->context, sizeof *near);
  if (!near)
    return tac_error_set(error, TAC_STATUS_MEMORY, "near field", "no memory");
  *near = (struct tac_near){.options = *options, .allocator = *allocator, .bytes = sizeof *near, .layers = 1};
  near->parts = tac_fmm_kernel_parts(options->kernel.kind);
  near->components = options->gradient ? 1 + options->dim : 1;
  status = tac_near_space_create(&near->space, options->dim, options->order, options->basis, error);
  if (status)
    goto done;
  status = options->kernel.kind == TAC_FMM_LAPLACE ? make_laplace(near, error) : make_tables(near, error);
done:
  if (status)
    tac_near_destroy(&near);
  *out = near;
  return status;
}

void tac_near_destroy(struct tac_near **near) {
  if (!near || !*near)
    return;
  const struct tac_allocator allocator = (*near)->allocator;
  for (int i = 0; i < (*near)->set_count; i++)
    allocator.release(allocator.context, (*near)->sets[i]);
  tac_near_space_destroy(&(*near)->space);
  allocator.release(allocator.context, *near);
  *near = NULL;
}

size_t tac_near_bytes(const struct tac_near *near) {
  return near->bytes;
}

int tac_near_layers(const struct tac_near *near) {
  return near->layers;
}

int tac_near_cached(const struct tac_near *near) {
  return near->loaded > 0 && near->built == 0;
}

int tac_near_same_matrices(const struct tac_near *near, int layer, int level_a, int level_b) {
  return memcmp(near->stored[layer][level_a], near->stored[layer][level_b], sizeof near->stored[layer][level_a]) == 0;
}

void tac_near_relation(struct tac_near_relation *out, const struct tac_near *near, int layer, enum tac_list list,
                       const int offset[3], int level, int field) {
  const struct tac_near_space *space = &near->space;
  const int part = field % near->parts, component = field / near->parts;
  int image;
  const int relation = tac_near_find(space, list, offset, &image);
  const int axis = component - 1;
  const int from = component ? 1 + space->from[image][axis] : 0;
  *out = (struct tac_near_relation){
      .stored = near->stored[layer][level][relation][part][from],
      .sign = component ? space->sign[image][axis] : 1,
      .node_from = space->node_from + (size_t)image * (size_t)space->nodes,
      .mode_from = space->mode_from + (size_t)image * (size_t)space->modes.count,
      .mode_sign = space->mode_sign + (size_t)image * (size_t)space->modes.count,
  };
}

void tac_near_matrix(double *out, const struct tac_near *near, int layer, enum tac_list list, const int offset[3], int level,
                     int field) {
  struct tac_near_relation relation;
  tac_near_relation(&relation, near, layer, list, offset, level, field);
  const int nodes = near->space.nodes;
  for (int j = 0; j < near->space.modes.count; j++) {
    const double sign = relation.sign * relation.mode_sign[j];
    for (int i = 0; i < nodes; i++)
      out[i + nodes * j] = relation.stored ? sign * relation.stored[relation.node_from[i] + nodes * relation.mode_from[j]] : 0;
  }
}
