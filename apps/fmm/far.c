/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/far_set.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/fmm/cache.h"

#define FIRST_LEVEL 2
#define STRONGEST   1e4 /* decay of Yukawa's kernel over a box, far beyond where nothing is left of it */

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

/* Functions and matrices for the boxes of a level. */
static enum tac_status build_set(struct tac_far *far, struct tac_far_level *level, struct tac_error *error) {
  const struct tac_far_options *options = &far->options;
  struct tac_far_build build = {
      .dim = options->dim, .kernel = level->kernel, .cache_folder = options->cache_folder, .allocator = &far->allocator};
  struct tac_far_set *set = &far->set[far->sets];
  int cached = 0;
  enum tac_status status = tac_far_choose(&build.choice, options->dim, &build.kernel, options->eps, error);
  if (status)
    return status;
  far->sets++;
  status = tac_far_set_create(set, &build, &cached, error);
  if (status)
    return status;
  far->cached = cached && (far->cached || far->sets == 1);
  far->bytes += set->count * sizeof(double) + (size_t)set->modes.count * sizeof *set->modes.degree;
  level->set = set;
  memcpy(level->m2l, set->m2l, sizeof level->m2l);
  return TAC_STATUS_OK;
}

/* The logarithm of the side moves every matrix by a constant kernel: the entry between the constant functions. */
static enum tac_status shift(struct tac_far *far, struct tac_far_level *level, struct tac_error *error) {
  const size_t square = (size_t)level->set->rank * (size_t)level->set->rank;
  const size_t matrices = (size_t)tac_far_offset_count(far->options.dim);
  level->shifted = take(far, matrices * square * sizeof(double));
  if (!level->shifted)
    return out_of_memory(error);
  memcpy(level->shifted, level->set->m2l[0], matrices * square * sizeof(double));
  for (size_t slot = 0; slot < matrices; slot++)
    level->shifted[slot * square] += level->constant;
  level->m2l[0] = level->shifted;
  return TAC_STATUS_OK;
}

static enum tac_status build_level(struct tac_far *far, int level, struct tac_error *error) {
  const struct tac_far_options *options = &far->options;
  struct tac_far_level *here = &far->level[level];
  here->kernel = options->kernel;
  here->kernel.parameter *= options->side[level];
  if (options->kernel.kind == TAC_FMM_YUKAWA)
    here->kernel.parameter = fmin(here->kernel.parameter, STRONGEST);
  if (options->kernel.kind == TAC_FMM_LAPLACE && level > FIRST_LEVEL) {
    here->set = far->level[FIRST_LEVEL].set;
    memcpy(here->m2l, here->set->m2l, sizeof here->m2l);
  } else {
    const enum tac_status status = build_set(far, here, error);
    if (status)
      return status;
  }
  if (options->kernel.kind != TAC_FMM_LAPLACE || options->dim == 3)
    return TAC_STATUS_OK;
  here->constant = -log(options->side[level]) / (2 * pi);
  return shift(far, here, error);
}

/* Everything that goes from level to level, when the functions of all are known. */
static enum tac_status join_levels(struct tac_far *far, struct tac_error *error) {
  far->scratch = take(far, tac_far_scratch_size(far) * sizeof(double));
  if (!far->scratch)
    return out_of_memory(error);
  for (int level = FIRST_LEVEL + 1; level < far->options.levels; level++) {
    const struct tac_far_level *before = &far->level[level - 1];
    struct tac_far_level *here = &far->level[level];
    if (level > FIRST_LEVEL + 1 && here->set == before->set) {
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
  for (int level = 0; level < TAC_FMM_MAX_LEVELS; level++) {
    if (level == 0 || far->level[level].m2m != far->level[level - 1].m2m)
      memory.release(memory.context, far->level[level].m2m);
    memory.release(memory.context, far->level[level].shifted);
    tac_far_set_destroy(&far->set[level], &memory);
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

const struct tac_far_set *tac_far_level_set(const struct tac_far *far, int level) {
  return level >= 0 && level < TAC_FMM_MAX_LEVELS ? far->level[level].set : NULL;
}

void tac_far_key(char *key, size_t size, const struct tac_far *far, int level) {
  const struct tac_far_set *set = tac_far_level_set(far, level);
  if (set)
    snprintf(key, size, "%s, constant %.17g, functions %016" PRIx64, set->key, far->level[level].constant,
             tac_cache_checksum(set->vectors, (size_t)set->modes.count * (size_t)set->rank));
  else
    snprintf(key, size, "no expansions");
}

int tac_far_degree(const struct tac_far *far) {
  int degree = 0;
  for (int set = 0; set < far->sets; set++)
    degree = far->set[set].modes.order - 1 > degree ? far->set[set].modes.order - 1 : degree;
  return degree;
}

int tac_far_rank(const struct tac_far *far, int level) {
  const struct tac_far_set *set = tac_far_level_set(far, level);
  return set ? set->rank : 0;
}

const int *tac_far_class_begin(const struct tac_far *far, int level) {
  static const int none[TAC_MAX_CLASSES + 1] = {0};
  const struct tac_far_set *set = tac_far_level_set(far, level);
  return set ? set->class_begin : none;
}

/* Measured on uniform trees in 3D: it adds a few tenths of eps to the error. In 2D a large constant, as the logarithm of a
 * small side, may dominate the singular values, and nothing that varies must be lost beside it. */
double tac_far_block_tolerance(const struct tac_far *far) {
  const double varying = 0.3; /* of the logarithm over List 2 */
  double constant = 0;
  for (int level = FIRST_LEVEL; far->options.dim == 2 && level < far->options.levels; level++)
    constant = fmax(constant, fabs(far->level[level].m2l[0][0]));
  return 0.05 * far->options.eps * varying / (varying + constant);
}

int tac_far_same_operators(const struct tac_far *far, int level_a, int level_b) {
  return tac_far_level_set(far, level_a) && tac_far_level_set(far, level_b) &&
         far->level[level_a].m2l[0] == far->level[level_b].m2l[0];
}
