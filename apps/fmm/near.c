/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/near.h"

#include <math.h>
#include <string.h>

#include "apps/fmm/near_block.h"
#include "apps/fmm/near_parts.h"
#include "apps/fmm/split.h"

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
  if (options->split_order < 0 || options->split_order > TAC_SPLIT_MAX_ORDER)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "split order %d is outside 1 … %d (0: automatic)",
                         options->split_order, TAC_SPLIT_MAX_ORDER);
  if (options->smooth_order < 0 || options->smooth_order > TAC_NEAR_MOST_NODES)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "smooth order %d is outside 1 … %d (0: automatic)",
                         options->smooth_order, TAC_NEAR_MOST_NODES);
  return check_wavenumber(options, error);
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
  if (options->kernel.kind == TAC_FMM_LAPLACE)
    status = tac_near_make_laplace(NULL, near, error);
  else if (options->method == TAC_FMM_NEAR_TABLES)
    status = tac_near_make_tables(near, error);
  else
    status = tac_near_make_split(near, error);
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

int tac_near_split_order(const struct tac_near *near) {
  return near->split_order;
}

int tac_near_smooth_order(const struct tac_near *near) {
  return near->smooth_order;
}

int tac_near_channels(const struct tac_near *near, int level) {
  const int split = near->layers == 2 && near->options.has_leaves[level];
  return split && tac_near_in_reach(near, level) ? near->split_order - 1 : 0;
}

int tac_near_remainder_terms(const struct tac_near *near, int level) {
  const int split = near->layers == 2 && near->options.has_leaves[level];
  if (!split || !tac_near_in_reach(near, level))
    return 0;
  const int terms = tac_split_terms(near->options.dim, near->options.kernel.parameter * near->options.side[level]);
  const int helmholtz = near->options.kernel.kind == TAC_FMM_HELMHOLTZ;
  /* The real part's rough and even series, and the imaginary part's; in 3D Helmholtz' real part has no even one. */
  return terms * (2 + helmholtz - (helmholtz && near->options.dim == 3));
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
