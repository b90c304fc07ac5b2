/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/far_set.h"

#include <stdio.h>
#include <string.h>

#include <cblas.h>

#include "apps/fmm/cache.h"
#include "apps/fmm/far_build.h"

#define KEPT_LIMIT ((size_t)160 << 20) /* bytes of matrices that are kept from the first use to the second */
#define HEADER     TAC_MAX_CLASSES     /* numbers before the functions: where each class ends */
#define KEY_SIZE   (TAC_FAR_KEY_BYTES + 64)

void *tac_far_take(const struct tac_far_work *work, size_t bytes) {
  return work->build->allocator->allocate(work->build->allocator->context, bytes ? bytes : 1);
}

void tac_far_release(const struct tac_far_work *work, void *memory) {
  work->build->allocator->release(work->build->allocator->context, memory);
}

const double *tac_far_galerkin(struct tac_far_work *work, int part, int sorted) {
  if (work->kept[part][sorted])
    return work->kept[part][sorted];
  const size_t count = (size_t)work->set->modes.count, bytes = count * count * sizeof(double);
  double *out = work->matrix;
  if (work->kept_bytes + bytes <= KEPT_LIMIT) {
    work->kept[part][sorted] = tac_far_take(work, bytes);
    if (work->kept[part][sorted]) {
      out = work->kept[part][sorted];
      work->kept_bytes += bytes;
    }
  }
  tac_correlation_matrix(out, work->correlation, &work->build->kernel, part, tac_far_sorted[sorted]);
  return out;
}

static enum tac_status prepare(struct tac_far_work *work, struct tac_error *error) {
  const struct tac_modes *modes = &work->set->modes;
  const size_t count = (size_t)modes->count;
  for (int order = 0; order < (modes->dim == 3 ? TAC_FAR_ORDERS : 2); order++) {
    work->maps[order] = tac_far_take(work, count * sizeof(int));
    if (!work->maps[order])
      return tac_error_set(error, TAC_STATUS_MEMORY, "far field", "no memory for degree %d", modes->order - 1);
    tac_far_permute_modes(modes, tac_far_orders[order], work->maps[order]);
  }
  work->matrix = tac_far_take(work, count * count * sizeof(double));
  if (!work->matrix)
    return tac_error_set(error, TAC_STATUS_MEMORY, "far field", "no memory for matrices of degree %d", modes->order - 1);
  return tac_correlation_create(&work->correlation, modes, work->build->choice.nodes, work->build->allocator, error);
}

static void finish(struct tac_far_work *work) {
  tac_correlation_destroy(&work->correlation);
  for (int order = 0; order < TAC_FAR_ORDERS; order++)
    tac_far_release(work, work->maps[order]);
  for (int part = 0; part < 2; part++)
    for (int sorted = 0; sorted < TAC_FAR_SORTED; sorted++)
      tac_far_release(work, work->kept[part][sorted]);
  tac_far_release(work, work->matrix);
}

/* The functions with permuted modes: permuted[map[i]] = vectors[i]. The classes move with the axes: to[class]. */
static void permute_functions(const struct tac_far_work *work, int order, double *permuted, int to[TAC_MAX_CLASSES]) {
  const struct tac_far_set *set = work->set;
  const struct tac_modes *modes = &set->modes;
  for (int class = 0; class < 1 << modes->dim; class ++) {
    to[class] = 0;
    for (int axis = 0; axis < 3; axis++)
      to[class] |= (class >> axis & 1) << tac_far_orders[order][axis];
    for (int k = set->class_begin[class]; k < set->class_begin[class + 1]; k++)
      for (int i = modes->class_begin[class]; i < modes->class_begin[class + 1]; i++)
        permuted[(size_t)work->maps[order][i] + (size_t)modes->count * (size_t)k] =
            set->vectors[(size_t)i + (size_t)modes->count * (size_t)k];
  }
}

/* W^T K W for one image of the offset, W = the functions with permuted modes: sums inside one class only. */
static void compress(double *out, const struct tac_far_work *work, const double *matrix, int order, double *permuted,
                     double *half) {
  const struct tac_far_set *set = work->set;
  const struct tac_modes *modes = &set->modes;
  const int count = modes->count, rank = set->rank;
  int to[TAC_MAX_CLASSES];
  permute_functions(work, order, permuted, to);
  for (int column = 0; column < 1 << modes->dim; column++) {
    const int first = set->class_begin[column], columns = set->class_begin[column + 1] - first;
    const int from = modes->class_begin[to[column]], inner = modes->class_begin[to[column] + 1] - from;
    if (!columns)
      continue;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, count, columns, inner, 1, matrix + (size_t)count * (size_t)from,
                count, permuted + (size_t)from + (size_t)count * (size_t)first, count, 0, half, count);
    for (int row = 0; row < 1 << modes->dim; row++) {
      const int begin = set->class_begin[row], rows = set->class_begin[row + 1] - begin;
      const int base = modes->class_begin[to[row]], depth = modes->class_begin[to[row] + 1] - base;
      if (rows)
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, columns, depth, 1,
                    permuted + (size_t)base + (size_t)count * (size_t)begin, count, half + base, count, 0,
                    out + (size_t)begin + (size_t)rank * (size_t)first, rank);
    }
  }
}

static enum tac_status compress_all(struct tac_far_work *work, struct tac_error *error) {
  const struct tac_far_set *set = work->set;
  const int dim = set->modes.dim;
  const size_t size = (size_t)set->modes.count * (size_t)set->rank, square = (size_t)set->rank * (size_t)set->rank;
  double *permuted = tac_far_take(work, size * sizeof(double)), *half = tac_far_take(work, size * sizeof(double));
  enum tac_status status = TAC_STATUS_OK;
  if (!permuted || !half)
    status = tac_error_set(error, TAC_STATUS_MEMORY, "far field", "no memory for operators of rank %d", set->rank);
  for (int part = 0; !status && part < work->parts; part++)
    for (int sorted = 0; sorted < tac_far_sorted_count(dim); sorted++) {
      const double *matrix = tac_far_galerkin(work, part, sorted);
      struct tac_far_image image[TAC_FAR_ORDERS];
      const int images = tac_far_images(dim, tac_far_sorted[sorted], image);
      for (int p = 0; p < images; p++)
        compress(set->m2l[part] + square * (size_t)tac_far_offset_slot(dim, image[p].offset), work, matrix, image[p].order,
                 permuted, half);
    }
  tac_far_release(work, permuted);
  tac_far_release(work, half);
  return status;
}

int tac_far_set_allocate(struct tac_far_set *set, const struct tac_far_build *build) {
  const size_t functions = (size_t)set->modes.count * (size_t)set->rank;
  const size_t matrices = (size_t)tac_far_offset_count(set->modes.dim) * (size_t)set->rank * (size_t)set->rank;
  const int parts = tac_fmm_kernel_parts(build->kernel.kind);
  set->count = HEADER + functions + (size_t)parts * matrices;
  set->block = build->allocator->allocate(build->allocator->context, set->count * sizeof *set->block);
  if (!set->block)
    return 0;
  set->vectors = set->block + HEADER;
  for (int part = 0; part < parts; part++)
    set->m2l[part] = set->vectors + functions + (size_t)part * matrices;
  for (int class = 0; class < HEADER; class ++)
    set->block[class] = set->class_begin[class + 1];
  return 1;
}

static void name_problem(struct tac_far_set *set, const struct tac_far_build *build) {
  const struct tac_far_choice *choice = &build->choice;
  snprintf(set->key, sizeof set->key, "%dD %s %.17g, degree %d, nodes %d, threshold %.17g, between %.17g and %.17g", build->dim,
           tac_fmm_kernel_name(build->kernel.kind), build->kernel.kind == TAC_FMM_LAPLACE ? 0 : build->kernel.parameter,
           choice->degree, choice->nodes, choice->threshold, choice->floor, choice->ceiling);
}

static void cache_key(char key[KEY_SIZE], const struct tac_far_set *set, const char *what) {
  snprintf(key, KEY_SIZE, "far operators 1, %s: %s", what, set->key);
}

/* The classes that the block tells, when they make sense. */
static int read_classes(struct tac_far_set *set) {
  int before = 0;
  for (int class = 0; class < HEADER; class ++) {
    if (!(set->block[class] >= before && set->block[class] <= set->rank))
      return 0;
    before = set->class_begin[class + 1] = (int)set->block[class];
  }
  return set->class_begin[1 << set->modes.dim] == set->rank;
}

/* Functions and matrices come from one file: those of two runs may differ by signs. */
static int load(struct tac_far_set *set, const struct tac_far_build *build) {
  char key[KEY_SIZE];
  double rank;
  cache_key(key, set, "rank");
  if (!tac_cache_load(build->cache_folder, key, &rank, 1) || !(rank >= 1 && rank <= set->modes.count))
    return 0;
  set->rank = (int)rank;
  cache_key(key, set, "functions and matrices");
  if (tac_far_set_allocate(set, build) && tac_cache_load(build->cache_folder, key, set->block, set->count) && read_classes(set))
    return 1;
  build->allocator->release(build->allocator->context, set->block);
  set->block = NULL;
  set->rank = 0;
  return 0;
}

static void store(const struct tac_far_set *set, const struct tac_far_build *build) {
  char key[KEY_SIZE];
  const double rank = set->rank;
  cache_key(key, set, "functions and matrices");
  if (!tac_cache_store(build->cache_folder, key, set->block, set->count))
    return;
  cache_key(key, set, "rank");
  tac_cache_store(build->cache_folder, key, &rank, 1);
}

enum tac_status tac_far_set_create(struct tac_far_set *out, const struct tac_far_build *build, int *cached,
                                   struct tac_error *error) {
  *out = (struct tac_far_set){0};
  enum tac_status status = tac_modes_create(&out->modes, build->dim, build->choice.degree + 1, TAC_FMM_TOTAL, error);
  if (status)
    return status;
  name_problem(out, build);
  *cached = load(out, build);
  if (*cached)
    return TAC_STATUS_OK;
  struct tac_far_work work = {.set = out, .build = build, .parts = tac_fmm_kernel_parts(build->kernel.kind)};
  status = prepare(&work, error);
  if (!status)
    status = tac_far_select_functions(&work, error);
  if (!status)
    status = compress_all(&work, error);
  finish(&work);
  if (!status)
    store(out, build);
  return status;
}

void tac_far_set_destroy(struct tac_far_set *set, const struct tac_allocator *allocator) {
  allocator->release(allocator->context, set->block);
  tac_modes_destroy(&set->modes);
  *set = (struct tac_far_set){0};
}
