/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/far.h"

#include <math.h>
#include <string.h>

#include "apps/fmm/far_set.h"

#define FIRST_LEVEL 2

static const double pi = 3.14159265358979323846;

static void *take(struct tac_far *far, size_t bytes) {
  void *memory = far->allocator.allocate(far->allocator.context, bytes);
  if (memory)
    far->bytes += bytes;
  return memory;
}

static enum tac_status out_of_memory(struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_MEMORY, "far field", "no memory for the operators");
}

static enum tac_status check(const struct tac_far_options *options, struct tac_error *error) {
  if (options->dim != 2 && options->dim != 3)
    return tac_error_set(error, TAC_STATUS_INVALID, "far field", "dimension %d is not 2 or 3", options->dim);
  if (options->order < TAC_FMM_MIN_ORDER || options->order > TAC_FMM_MAX_ORDER)
    return tac_error_set(error, TAC_STATUS_INVALID, "far field", "order %d is not in %d … %d", options->order,
                         TAC_FMM_MIN_ORDER, TAC_FMM_MAX_ORDER);
  if (!(options->eps >= 1e-13 && options->eps <= 1e-1))
    return tac_error_set(error, TAC_STATUS_INVALID, "far field", "eps %g is not in 1e-13 … 1e-1", options->eps);
  if (options->levels < 0 || options->levels > TAC_FMM_MAX_LEVELS)
    return tac_error_set(error, TAC_STATUS_INVALID, "far field", "%d levels are not in 0 … %d", options->levels,
                         TAC_FMM_MAX_LEVELS);
  return TAC_STATUS_OK;
}

/* Functions and matrices for boxes of a level, as set number `far->bases`. */
static enum tac_status build_set(struct tac_far *far, int level, struct tac_error *error) {
  const struct tac_far_options *options = &far->options;
  struct tac_far_basis *basis = &far->basis[far->bases];
  struct tac_far_build build = {.allocator = &far->allocator, .kernel = far->level[level].kernel};
  enum tac_status status = tac_far_choose(&build.choice, options->dim, &build.kernel, options->eps, error);
  if (status)
    return status;
  status = tac_modes_create(&basis->modes, options->dim, build.choice.degree + 1, TAC_FMM_TOTAL, error);
  if (status)
    return status;
  far->bases++;
  status = tac_correlation_create(&build.correlation, &basis->modes, build.choice.nodes, &far->allocator, error);
  if (!status)
    status = tac_far_build_basis(basis, &build, error);
  if (!status)
    status = tac_far_build_m2l(far->m2l[far->operators], basis, &build, error);
  tac_correlation_destroy(&build.correlation);
  if (status)
    return status;
  const size_t rank = (size_t)basis->rank, matrices = (size_t)tac_far_offset_count(options->dim);
  far->bytes += rank * (size_t)basis->modes.count * sizeof(double) + (size_t)basis->modes.count * sizeof *basis->modes.degree;
  far->bytes += (size_t)tac_fmm_kernel_parts(build.kernel.kind) * matrices * rank * rank * sizeof(double);
  far->operators++;
  return TAC_STATUS_OK;
}

/* The logarithm of the side moves every matrix by a constant kernel: the entry between the constant functions. */
static enum tac_status shift_set(struct tac_far *far, int level, struct tac_error *error) {
  const struct tac_far_basis *basis = &far->basis[0];
  const size_t square = (size_t)basis->rank * (size_t)basis->rank, count = (size_t)tac_far_offset_count(far->options.dim);
  const int set = far->operators;
  far->m2l[set][0] = take(far, count * square * sizeof(double));
  if (!far->m2l[set][0])
    return out_of_memory(error);
  far->operators++;
  memcpy(far->m2l[set][0], far->m2l[0][0], count * square * sizeof(double));
  for (size_t slot = 0; slot < count; slot++)
    far->m2l[set][0][slot * square] += far->level[level].constant - far->level[FIRST_LEVEL].constant;
  return TAC_STATUS_OK;
}

static enum tac_status build_level(struct tac_far *far, int level, struct tac_error *error) {
  const struct tac_far_options *options = &far->options;
  const int laplace = options->kernel.kind == TAC_FMM_LAPLACE, scales = laplace && options->dim == 3;
  struct tac_far_level *here = &far->level[level];
  here->kernel = options->kernel;
  here->kernel.parameter *= options->side[level];
  here->constant = laplace && options->dim == 2 ? -log(options->side[level]) / (2 * pi) : 0;
  enum tac_status status = TAC_STATUS_OK;
  if (level == FIRST_LEVEL || !laplace)
    status = build_set(far, level, error);
  else if (!scales)
    status = shift_set(far, level, error);
  if (status)
    return status;
  here->basis = far->bases - 1;
  here->operators = far->operators - 1;
  if (level == FIRST_LEVEL && here->constant != 0) {
    const size_t square = (size_t)far->basis[0].rank * (size_t)far->basis[0].rank;
    for (int slot = 0; slot < tac_far_offset_count(options->dim); slot++)
      far->m2l[0][0][(size_t)slot * square] += here->constant;
  }
  return TAC_STATUS_OK;
}

/* Everything that goes from level to level, when the functions of all are known. */
static enum tac_status join_levels(struct tac_far *far, struct tac_error *error) {
  far->scratch = take(far, tac_far_scratch_size(far) * sizeof(double));
  if (!far->scratch)
    return out_of_memory(error);
  for (int level = FIRST_LEVEL + 1; level < far->options.levels; level++) {
    const struct tac_far_level *before = &far->level[level - 1];
    struct tac_far_level *here = &far->level[level];
    if (level > FIRST_LEVEL + 1 && here->basis == before->basis) {
      here->m2m = before->m2m;
      continue;
    }
    here->m2m = take(far, (size_t)tac_far_rank(far, level) * (size_t)tac_far_rank(far, level - 1) * sizeof(double));
    if (!here->m2m)
      return out_of_memory(error);
    tac_far_fill_m2m(here->m2m, far, level);
  }
  return TAC_STATUS_OK;
}

enum tac_status tac_far_create(struct tac_far **out, const struct tac_far_options *options, struct tac_error *error) {
  *out = NULL;
  enum tac_status status = check(options, error);
  if (status)
    return status;
  const struct tac_allocator memory = options->allocator ? *options->allocator : *tac_allocator_system();
  struct tac_far *far = memory.allocate(memory.context, sizeof *far);
  if (!far)
    return out_of_memory(error);
  *far = (struct tac_far){.options = *options, .allocator = memory, .bytes = sizeof *far};
  for (int level = 0; level < TAC_FMM_MAX_LEVELS; level++)
    far->level[level].basis = far->level[level].operators = -1;
  status = tac_modes_create(&far->density, options->dim, options->order, options->basis, error);
  for (int level = FIRST_LEVEL; !status && level < options->levels; level++)
    status = build_level(far, level, error);
  if (!status && options->levels > FIRST_LEVEL)
    status = join_levels(far, error);
  if (status)
    tac_far_destroy(&far);
  else
    *out = far;
  return status;
}

void tac_far_destroy(struct tac_far **out) {
  struct tac_far *far = *out;
  if (!far)
    return;
  const struct tac_allocator memory = far->allocator;
  for (int level = FIRST_LEVEL + 1; level < far->options.levels; level++)
    if (far->level[level].m2m != far->level[level - 1].m2m)
      memory.release(memory.context, far->level[level].m2m);
  for (int set = 0; set < TAC_FMM_MAX_LEVELS; set++) {
    memory.release(memory.context, far->m2l[set][0]);
    memory.release(memory.context, far->m2l[set][1]);
    memory.release(memory.context, far->basis[set].vectors);
    tac_modes_destroy(&far->basis[set].modes);
  }
  tac_modes_destroy(&far->density);
  memory.release(memory.context, far->scratch);
  memory.release(memory.context, far);
  *out = NULL;
}

size_t tac_far_bytes(const struct tac_far *far) {
  return far->bytes;
}

int tac_far_cached(const struct tac_far *far) {
  return far->cached;
}

const struct tac_far_basis *tac_far_level_basis(const struct tac_far *far, int level) {
  if (level < 0 || level >= TAC_FMM_MAX_LEVELS || far->level[level].basis < 0)
    return NULL;
  return &far->basis[far->level[level].basis];
}

int tac_far_degree(const struct tac_far *far) {
  int degree = 0;
  for (int set = 0; set < far->bases; set++)
    degree = far->basis[set].modes.order - 1 > degree ? far->basis[set].modes.order - 1 : degree;
  return degree;
}

int tac_far_rank(const struct tac_far *far, int level) {
  const struct tac_far_basis *basis = tac_far_level_basis(far, level);
  return basis ? basis->rank : 0;
}

const int *tac_far_class_begin(const struct tac_far *far, int level) {
  static const int none[TAC_MAX_CLASSES + 1] = {0};
  const struct tac_far_basis *basis = tac_far_level_basis(far, level);
  return basis ? basis->class_begin : none;
}

double tac_far_block_tolerance(const struct tac_far *far) {
  return 0.1 * far->options.eps;
}

int tac_far_same_operators(const struct tac_far *far, int level_a, int level_b) {
  return tac_far_level_basis(far, level_a) && tac_far_level_basis(far, level_b) &&
         far->level[level_a].operators == far->level[level_b].operators;
}
