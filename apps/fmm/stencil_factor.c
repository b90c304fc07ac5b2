/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <cblas.h>
#include <lapacke.h>
#include <string.h>

#include "apps/fmm/stencil_parts.h"

/* A matrix overwritten by its left singular vectors, and its singular values. */
struct spectrum {
  double *vectors; /* rows x count */
  double *values;  /* descending */
  int count;
};

static void *allocate(const struct tac_allocator *allocator, size_t doubles) {
  return allocator->allocate(allocator->context, (doubles ? doubles : 1) * sizeof(double));
}

static void release(const struct tac_allocator *allocator, double **memory) {
  allocator->release(allocator->context, *memory);
  *memory = NULL;
}

static int smaller(int a, int b) {
  return a < b ? a : b;
}

/* Lower triangle of an LQ factorization in place, zero above: same left vectors and values with fewer columns. Then its
 * singular vectors. work: `size` doubles. */
static lapack_int decompose(int rows, int columns, double *a, double *values, double *work, lapack_int size) {
  lapack_int info = 0;
  if (columns > rows) {
    info = LAPACKE_dgelqf_work(LAPACK_COL_MAJOR, rows, columns, a, rows, work, work + rows, size - rows);
    for (int j = 1; j < rows; j++)
      memset(a + (size_t)j * (size_t)rows, 0, (size_t)j * sizeof *a);
  }
  const int kept = smaller(rows, columns);
  if (!info)
    info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'O', 'N', rows, kept, a, rows, values, NULL, 1, NULL, 1, work, size);
  return info;
}

/* Room enough for both routines' blocked forms. */
static lapack_int work_size(int rows, int columns) {
  const int larger = rows > columns ? rows : columns;
  return 66 * larger + rows;
}

static enum tac_status spectrum_create(struct spectrum *out, const struct tac_stencil_block *block,
                                       const struct tac_allocator *allocator, struct tac_error *error) {
  const size_t entries = (size_t)block->rows * (size_t)block->columns;
  const lapack_int size = work_size(block->rows, block->columns);
  out->count = smaller(block->rows, block->columns);
  double *work = allocate(allocator, (size_t)size);
  double *copy = allocate(allocator, entries);
  out->vectors = allocate(allocator, (size_t)block->rows * (size_t)out->count);
  out->values = allocate(allocator, (size_t)out->count);
  enum tac_status status = TAC_STATUS_OK;
  if (!work || !copy || !out->vectors || !out->values) {
    status = tac_error_set(error, TAC_STATUS_MEMORY, "stencil", "no memory for singular values of %d x %d", block->rows,
                           block->columns);
    goto done;
  }
  memcpy(copy, block->matrix, entries * sizeof *copy);
  const lapack_int info = decompose(block->rows, block->columns, copy, out->values, work, size);
  if (info) {
    status = tac_error_set(error, TAC_STATUS_NUMERICAL, "stencil", "singular values of %d x %d: LAPACK says %d", block->rows,
                           block->columns, (int)info);
    goto done;
  }
  memcpy(out->vectors, copy, (size_t)block->rows * (size_t)out->count * sizeof *copy);
done:
  release(allocator, &copy);
  release(allocator, &work);
  return status;
}

/* left = U_rank, right = U_rank^T matrix: the best approximation of that rank. */
static enum tac_status replace(struct tac_stencil_block *block, const struct spectrum *spectrum, int rank,
                               const struct tac_allocator *allocator, struct tac_error *error) {
  const size_t rows = (size_t)block->rows, columns = (size_t)block->columns;
  block->left = allocate(allocator, rows * (size_t)rank);
  block->right = allocate(allocator, columns * (size_t)rank);
  if (!block->left || !block->right)
    return tac_error_set(error, TAC_STATUS_MEMORY, "stencil", "no memory for factors of rank %d", rank);
  if (rank > 0) {
    memcpy(block->left, spectrum->vectors, rows * (size_t)rank * sizeof *block->left);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rank, block->columns, block->rows, 1, block->left, block->rows,
                block->matrix, block->rows, 0, block->right, rank);
  }
  block->rank = rank;
  release(allocator, &block->matrix);
  return TAC_STATUS_OK;
}

static int rank_above(const struct spectrum *spectrum, double limit) {
  int rank = 0;
  while (rank < spectrum->count && spectrum->values[rank] > limit)
    rank++;
  return rank;
}

static int is_cheaper(const struct tac_stencil_block *block, int rank) {
  return (double)rank * (block->rows + block->columns) < (double)block->rows * block->columns;
}

enum tac_status tac_stencil_factor(struct tac_stencil_block *blocks, size_t count, double tolerance,
                                   const struct tac_allocator *allocator, struct tac_error *error) {
  struct spectrum spectra[TAC_MAX_CLASSES * TAC_MAX_CLASSES] = {{0}};
  enum tac_status status = TAC_STATUS_OK;
  double largest = 0;
  for (size_t b = 0; b < count && status == TAC_STATUS_OK; b++)
    if (blocks[b].matrix) {
      status = spectrum_create(&spectra[b], &blocks[b], allocator, error);
      if (status == TAC_STATUS_OK && spectra[b].values[0] > largest)
        largest = spectra[b].values[0];
    }
  for (size_t b = 0; b < count && status == TAC_STATUS_OK; b++)
    if (blocks[b].matrix) {
      const int rank = rank_above(&spectra[b], tolerance * largest);
      if (is_cheaper(&blocks[b], rank))
        status = replace(&blocks[b], &spectra[b], rank, allocator, error);
    }
  for (size_t b = 0; b < count; b++) {
    release(allocator, &spectra[b].vectors);
    release(allocator, &spectra[b].values);
  }
  return status;
}
