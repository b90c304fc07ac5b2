/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

#include "apps/fmm/far_set.h"

#define MAX_ORDERS 6 /* of three axes */

int tac_far_offset_slot(int dim, const int offset[3]) {
  int slot = 0;
  for (int z = 0; z <= (dim == 3 ? TAC_FAR_REACH : 0); z++)
    for (int y = 0; y <= TAC_FAR_REACH; y++)
      for (int x = 0; x <= TAC_FAR_REACH; x++) {
        const int near = x <= 1 && y <= 1 && z <= 1;
        if (x == offset[0] && y == offset[1] && z == offset[2])
          return near ? -1 : slot;
        slot += !near;
      }
  return -1;
}

int tac_far_offset_count(int dim) {
  return dim == 3 ? TAC_FAR_MAX_OFFSETS : 12;
}

static const int orders[MAX_ORDERS][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};

/* An image of an offset with descending components: offset[axis] = sorted[orders[order][axis]]. */
struct image {
  int offset[3], order;
};

static int distinct_images(int dim, const int sorted[3], struct image out[MAX_ORDERS]) {
  int count = 0;
  for (int p = 0; p < (dim == 3 ? MAX_ORDERS : 2); p++) {
    struct image image = {.order = p};
    for (int axis = 0; axis < 3; axis++)
      image.offset[axis] = sorted[orders[p][axis]];
    int known = 0;
    for (int k = 0; k < count; k++)
      known |= memcmp(out[k].offset, image.offset, sizeof image.offset) == 0;
    if (!known)
      out[count++] = image;
  }
  return count;
}

/* The next offset with descending components that has a slot, in a fixed order; 0 after the last one. Starts at 0, 0, 0. */
static int next_sorted(int dim, int offset[3]) {
  do {
    if (dim == 3 && offset[2] < offset[1])
      offset[2]++;
    else if (offset[1] < offset[0]) {
      offset[1]++;
      offset[2] = 0;
    } else {
      offset[0]++;
      offset[1] = offset[2] = 0;
    }
  } while (offset[0] <= 1);
  return offset[0] <= TAC_FAR_REACH;
}

/* map[i]: the mode whose degree along order[axis] is that of mode i along `axis`. */
static void permute_modes(const struct tac_modes *modes, const int order[3], int *map) {
  for (int i = 0; i < modes->count; i++) {
    unsigned char degree[3];
    for (int axis = 0; axis < 3; axis++)
      degree[order[axis]] = modes->degree[i][axis];
    map[i] = 0;
    while (memcmp(modes->degree[map[i]], degree, sizeof degree) != 0)
      map[i]++;
  }
}

/* Classes that are permutations of one another have the same singular values: one stands for all with as many odd axes, the
 * one of the first axes. */
struct sector {
  int class, first, size; /* modes; without the constant one */
  double *rows;           /* stacked matrices under the triangle of those before, ld rows */
  double *values;         /* singular values, descending */
  int kept;
};

struct work {
  const struct tac_far_basis *basis;
  const struct tac_far_build *build;
  int sectors, parts, depth; /* depth: rows of `rows` */
  struct sector sector[4];
  double *matrix, *tau, *lapack;
  int lapack_size;
  int *maps[MAX_ORDERS + 1]; /* of the orders, and a spare one */
  int count;                 /* images of the offset at hand */
  struct image image[MAX_ORDERS];
};

static void *take(const struct work *work, size_t bytes) {
  const struct tac_allocator *memory = work->build->allocator;
  return memory->allocate(memory->context, bytes);
}

static void release(const struct work *work, void *memory) {
  work->build->allocator->release(work->build->allocator->context, memory);
}

static void finish(struct work *work) {
  for (int s = 0; s < work->sectors; s++) {
    release(work, work->sector[s].rows);
    release(work, work->sector[s].values);
  }
  for (int p = 0; p <= MAX_ORDERS; p++)
    release(work, work->maps[p]);
  release(work, work->matrix);
  release(work, work->tau);
  release(work, work->lapack);
}

static enum tac_status prepare(struct work *work, const struct tac_far_basis *basis, const struct tac_far_build *build,
                               struct tac_error *error) {
  const struct tac_modes *modes = &basis->modes;
  const size_t count = (size_t)modes->count;
  *work = (struct work){.basis = basis, .build = build, .parts = tac_fmm_kernel_parts(build->kernel.kind)};
  work->sectors = modes->dim + 1;
  int largest = 1, ready = 1;
  for (int s = 0; s < work->sectors; s++) {
    struct sector *sector = &work->sector[s];
    sector->class = (1 << s) - 1;
    sector->first = modes->class_begin[sector->class] + (s == 0);
    sector->size = modes->class_begin[sector->class + 1] - sector->first;
    largest = sector->size > largest ? sector->size : largest;
  }
  work->depth = largest + MAX_ORDERS * modes->count;
  work->lapack_size = 64 * work->depth;
  for (int s = 0; s < work->sectors; s++) {
    struct sector *sector = &work->sector[s];
    const size_t size = (size_t)(sector->size ? sector->size : 1);
    sector->rows = take(work, (size_t)work->depth * size * sizeof(double));
    sector->values = take(work, size * sizeof(double));
    ready &= sector->rows && sector->values;
    for (size_t k = 0; ready && k < size * (size_t)work->depth; k++)
      sector->rows[k] = 0;
  }
  for (int p = 0; p <= MAX_ORDERS; p++) {
    work->maps[p] = take(work, count * sizeof(int));
    ready &= work->maps[p] != NULL;
    if (work->maps[p] && p < (modes->dim == 3 ? MAX_ORDERS : 2))
      permute_modes(modes, orders[p], work->maps[p]);
  }
  work->matrix = take(work, count * count * sizeof(double));
  work->tau = take(work, (size_t)largest * sizeof(double));
  work->lapack = take(work, (size_t)work->lapack_size * sizeof(double));
  if (ready && work->matrix && work->tau && work->lapack)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_MEMORY, "far field", "no memory for operators of degree %d", modes->order - 1);
}

static void take_offset(struct work *work, int part, const int offset[3]) {
  tac_correlation_matrix(work->matrix, work->build->correlation, &work->build->kernel, part, offset);
  work->count = distinct_images(work->basis->modes.dim, offset, work->image);
}

/* Appends the columns of a sector in the matrix at hand and in its images, K(image)_ij = K(sorted)_map(i)map(j), weighted by
 * the number of mirror images, and brings all back to a triangle. */
static enum tac_status stack(struct work *work, struct sector *sector, double weight, struct tac_error *error) {
  const int count = work->basis->modes.count, rows = sector->size + work->count * count;
  for (int p = 0; p < work->count; p++)
    for (int j = 0; j < sector->size; j++) {
      const double *column = work->matrix + (size_t)work->maps[work->image[p].order][sector->first + j] * (size_t)count;
      double *to = sector->rows + (size_t)j * (size_t)work->depth + (sector->size + p * count);
      for (int i = 0; i < count; i++)
        to[i] = weight * column[i];
    }
  const lapack_int info = LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, rows, sector->size, sector->rows, work->depth, work->tau,
                                              work->lapack, work->lapack_size);
  if (info)
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "far field", "LAPACK's geqrf gave %d", (int)info);
  for (int j = 0; j < sector->size; j++)
    memset(sector->rows + (size_t)j * (size_t)work->depth + (j + 1), 0, (size_t)(sector->size - j - 1) * sizeof(double));
  return TAC_STATUS_OK;
}

static enum tac_status stack_all(struct work *work, struct tac_error *error) {
  for (int part = 0; part < work->parts; part++) {
    int offset[3] = {0};
    while (next_sorted(work->basis->modes.dim, offset)) {
      take_offset(work, part, offset);
      int mirrors = 1;
      for (int axis = 0; axis < 3; axis++)
        mirrors *= offset[axis] ? 2 : 1;
      for (int s = 0; s < work->sectors; s++) {
        if (!work->sector[s].size)
          continue;
        const enum tac_status status = stack(work, &work->sector[s], sqrt(mirrors), error);
        if (status)
          return status;
      }
    }
  }
  return TAC_STATUS_OK;
}

/* Right singular vectors of the triangle, as rows into the upper square of sector->rows. */
static enum tac_status decompose(struct work *work, struct sector *sector, struct tac_error *error) {
  if (!sector->size)
    return TAC_STATUS_OK;
  double unused;
  const lapack_int info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'O', sector->size, sector->size, sector->rows, work->depth,
                                              sector->values, &unused, 1, &unused, 1, work->lapack, work->lapack_size);
  if (info)
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "far field", "LAPACK's gesvd gave %d", (int)info);
  return TAC_STATUS_OK;
}

/* Keeps what is above the threshold, and never splits a multiplet of equal singular values. */
static void cut(struct work *work) {
  double reference = work->build->choice.floor;
  for (int s = 0; s < work->sectors; s++)
    if (work->sector[s].size)
      reference = fmax(reference, work->sector[s].values[0]);
  for (int s = 0; s < work->sectors; s++) {
    struct sector *sector = &work->sector[s];
    const double *values = sector->values;
    while (sector->kept < sector->size &&
           (values[sector->kept] > work->build->choice.threshold * reference ||
            (sector->kept && values[sector->kept] > 0 && values[sector->kept] > (1 - 1e-5) * values[sector->kept - 1])))
      sector->kept++;
  }
}

static int odd_axes(int class) {
  return (class & 1) + (class >> 1 & 1) + (class >> 2 & 1);
}

/* An order of the axes that takes the class to the one of its first axes. */
static void sorting_order(int class, int order[3]) {
  int next = 0;
  for (int axis = 0; axis < 3; axis++)
    if (class >> axis & 1)
      order[axis] = next++;
  for (int axis = 0; axis < 3; axis++)
    if (!(class >> axis & 1))
      order[axis] = next++;
}

static enum tac_status assemble(struct tac_far_basis *basis, struct work *work, struct tac_error *error) {
  const int count = basis->modes.count;
  for (int class = 0; class < 1 << basis->modes.dim; class ++) {
    basis->class_begin[class] = basis->rank;
    basis->rank += work->sector[odd_axes(class)].kept + (class == 0);
  }
  basis->class_begin[1 << basis->modes.dim] = basis->rank;
  const size_t bytes = (size_t)count * (size_t)basis->rank * sizeof(double);
  basis->vectors = take(work, bytes);
  if (!basis->vectors)
    return tac_error_set(error, TAC_STATUS_MEMORY, "far field", "no memory for %d expansion functions", basis->rank);
  memset(basis->vectors, 0, bytes);
  basis->vectors[0] = 1;
  for (int class = 0; class < 1 << basis->modes.dim; class ++) {
    const struct sector *sector = &work->sector[odd_axes(class)];
    int order[3], *map = work->maps[MAX_ORDERS];
    sorting_order(class, order);
    permute_modes(&basis->modes, order, map);
    for (int k = 0; k < sector->kept; k++) {
      double *vector = basis->vectors + (size_t)count * (size_t)(basis->class_begin[class] + (class == 0) + k);
      for (int i = basis->modes.class_begin[class]; i < basis->modes.class_begin[class + 1]; i++)
        if (map[i] >= sector->first) /* not the constant mode */
          vector[i] = sector->rows[(size_t)(map[i] - sector->first) * (size_t)work->depth + (size_t)k];
    }
  }
  return TAC_STATUS_OK;
}

enum tac_status tac_far_build_basis(struct tac_far_basis *basis, const struct tac_far_build *build, struct tac_error *error) {
  struct work work;
  enum tac_status status = prepare(&work, basis, build, error);
  if (!status)
    status = stack_all(&work, error);
  for (int s = 0; !status && s < work.sectors; s++)
    status = decompose(&work, &work.sector[s], error);
  if (!status) {
    cut(&work);
    status = assemble(basis, &work, error);
  }
  finish(&work);
  return status;
}

/* W^T K W for one image of the offset, W = the vectors with permuted modes: nonzero only from class to class. */
static void compress(double *out, const struct work *work, int image, double *permuted, double *half) {
  const struct tac_far_basis *basis = work->basis;
  const struct tac_modes *modes = &basis->modes;
  const int count = modes->count, rank = basis->rank, *map = work->maps[work->image[image].order];
  int to[TAC_MAX_CLASSES]; /* the class of the permuted modes */
  for (int class = 0; class < 1 << modes->dim; class ++) {
    to[class] = 0;
    for (int axis = 0; axis < 3; axis++)
      to[class] |= (class >> axis & 1) << orders[work->image[image].order][axis];
    for (int k = basis->class_begin[class]; k < basis->class_begin[class + 1]; k++)
      for (int i = modes->class_begin[class]; i < modes->class_begin[class + 1]; i++)
        permuted[(size_t)map[i] + (size_t)count * (size_t)k] = basis->vectors[(size_t)i + (size_t)count * (size_t)k];
  }
  for (int column = 0; column < 1 << modes->dim; column++) {
    const int first = basis->class_begin[column], columns = basis->class_begin[column + 1] - first;
    const int from = modes->class_begin[to[column]], inner = modes->class_begin[to[column] + 1] - from;
    if (!columns)
      continue;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, count, columns, inner, 1,
                work->matrix + (size_t)count * (size_t)from, count, permuted + (size_t)from + (size_t)count * (size_t)first,
                count, 0, half, count);
    for (int row = 0; row < 1 << modes->dim; row++) {
      const int begin = basis->class_begin[row], rows = basis->class_begin[row + 1] - begin;
      const int base = modes->class_begin[to[row]], depth = modes->class_begin[to[row] + 1] - base;
      if (rows)
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, columns, depth, 1,
                    permuted + (size_t)base + (size_t)count * (size_t)begin, count, half + base, count, 0,
                    out + (size_t)begin + (size_t)rank * (size_t)first, rank);
    }
  }
}

enum tac_status tac_far_build_m2l(double *m2l[2], const struct tac_far_basis *basis, const struct tac_far_build *build,
                                  struct tac_error *error) {
  const int dim = basis->modes.dim;
  const size_t square = (size_t)basis->rank * (size_t)basis->rank, size = (size_t)basis->modes.count * (size_t)basis->rank;
  struct work work;
  enum tac_status status = prepare(&work, basis, build, error);
  double *permuted = take(&work, size * sizeof(double)), *half = take(&work, size * sizeof(double));
  for (int part = 0; !status && part < work.parts; part++) {
    m2l[part] = take(&work, square * (size_t)tac_far_offset_count(dim) * sizeof(double));
    if (!permuted || !half || !m2l[part]) {
      status = tac_error_set(error, TAC_STATUS_MEMORY, "far field", "no memory for operators of rank %d", basis->rank);
      break;
    }
    int offset[3] = {0};
    while (next_sorted(dim, offset)) {
      take_offset(&work, part, offset);
      for (int image = 0; image < work.count; image++)
        compress(m2l[part] + square * (size_t)tac_far_offset_slot(dim, work.image[image].offset), &work, image, permuted, half);
    }
  }
  release(&work, permuted);
  release(&work, half);
  finish(&work);
  return status;
}
