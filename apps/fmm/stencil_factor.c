/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "apps/fmm/stencil_parts.h"

/* Left singular vectors of a block and its singular values, as many as may be above the tolerance. */
struct spectrum {
  double *vectors; /* rows x count */
  double *values;  /* descending */
  int count;
};

/* A factorization with pivoting is far cheaper than singular values and tells which part is negligible before they are asked
 * for. It overestimates what remains by a modest factor only: this one bears it. */
#define PIVOT_MARGIN 1e-3

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

/* Memory of one decomposition. size: of work. */
struct workspace {
  double *turned, *square, *small, *reflectors, *work;
  int *pivots;
  lapack_int size;
};

static void workspace_destroy(struct workspace *space, const struct tac_allocator *allocator) {
  release(allocator, &space->turned);
  release(allocator, &space->square);
  release(allocator, &space->small);
  release(allocator, &space->reflectors);
  release(allocator, &space->work);
  allocator->release(allocator->context, space->pivots);
}

static enum tac_status workspace_create(struct workspace *space, const struct tac_stencil_block *block,
                                        const struct tac_allocator *allocator, struct tac_error *error) {
  const size_t rows = (size_t)block->rows, columns = (size_t)block->columns, larger = rows > columns ? rows : columns;
  space->size = (lapack_int)(66 * larger + 64); /* blocked forms of all routines below */
  space->turned = allocate(allocator, rows * columns);
  space->square = allocate(allocator, rows * rows);
  space->small = allocate(allocator, rows * rows);
  space->reflectors = allocate(allocator, larger);
  space->work = allocate(allocator, (size_t)space->size);
  space->pivots = allocate(allocator, rows);
  if (space->turned && space->square && space->small && space->reflectors && space->work && space->pivots)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_MEMORY, "stencil", "no memory for singular values of %d x %d", block->rows,
                       block->columns);
}

/* square (rows x kept): a matrix with the block's left singular vectors and values: itself, or, where it is wider than high,
 * R^T of the QR factorization of its transpose (faster than LQ). */
static lapack_int make_square(const struct tac_stencil_block *block, const struct workspace *space) {
  const int rows = block->rows, columns = block->columns;
  if (columns <= rows) {
    memcpy(space->square, block->matrix, (size_t)rows * (size_t)columns * sizeof *space->square);
    return 0;
  }
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++)
      space->turned[(size_t)i * (size_t)columns + (size_t)j] = block->matrix[(size_t)j * (size_t)rows + (size_t)i];
  const lapack_int info =
      LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, columns, rows, space->turned, columns, space->reflectors, space->work, space->size);
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < rows; i++)
      space->square[(size_t)j * (size_t)rows + (size_t)i] = i < j ? 0 : space->turned[(size_t)i * (size_t)columns + (size_t)j];
  return info;
}

/* square P = Q R with pivoting, cut at `count` where R becomes negligible; singular vectors U of what is left of R by way of
 * its LQ factorization; the square's own are Q U. */
static lapack_int decompose(struct spectrum *out, int rows, int kept, double tolerance, const struct workspace *space) {
  double *square = space->square, *small = space->small;
  memset(space->pivots, 0, (size_t)kept * sizeof *space->pivots);
  lapack_int info = LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, rows, kept, square, rows, space->pivots, space->reflectors,
                                        space->work, space->size);
  if (info)
    return info;
  const double limit = PIVOT_MARGIN * tolerance * fabs(square[0]);
  int count = 0;
  while (count < kept && fabs(square[(size_t)count * (size_t)rows + (size_t)count]) > limit)
    count++;
  out->count = count;
  if (!count)
    return 0;
  for (int j = 0; j < kept; j++)
    for (int i = 0; i < count; i++)
      small[(size_t)j * (size_t)count + (size_t)i] = i > j ? 0 : square[(size_t)j * (size_t)rows + (size_t)i];
  info =
      LAPACKE_dgelqf_work(LAPACK_COL_MAJOR, count, kept, small, count, space->work, space->work + count, space->size - count);
  for (int j = 1; j < count; j++)
    memset(small + (size_t)j * (size_t)count, 0, (size_t)j * sizeof *small);
  if (!info)
    info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'O', 'N', count, count, small, count, out->values, NULL, 1, NULL, 1,
                               space->work, space->size);
  if (info)
    return info;
  memset(out->vectors, 0, (size_t)rows * (size_t)count * sizeof *out->vectors);
  for (int j = 0; j < count; j++)
    memcpy(out->vectors + (size_t)j * (size_t)rows, small + (size_t)j * (size_t)count, (size_t)count * sizeof *small);
  return LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', rows, count, kept, square, rows, space->reflectors, out->vectors, rows,
                             space->work, space->size);
}

static enum tac_status spectrum_create(struct spectrum *out, const struct tac_stencil_block *block, double tolerance,
                                       const struct tac_allocator *allocator, struct tac_error *error) {
  const int kept = smaller(block->rows, block->columns);
  struct workspace space = {0};
  enum tac_status status = workspace_create(&space, block, allocator, error);
  out->vectors = allocate(allocator, (size_t)block->rows * (size_t)kept);
  out->values = allocate(allocator, (size_t)kept);
  if (status == TAC_STATUS_OK && (!out->vectors || !out->values))
    status = tac_error_set(error, TAC_STATUS_MEMORY, "stencil", "no memory for %d singular vectors", kept);
  if (status == TAC_STATUS_OK) {
    lapack_int info = make_square(block, &space);
    if (!info)
      info = decompose(out, block->rows, kept, tolerance, &space);
    if (info)
      status = tac_error_set(error, TAC_STATUS_NUMERICAL, "stencil", "singular values of %d x %d: LAPACK says %d", block->rows,
                             block->columns, (int)info);
  }
  workspace_destroy(&space, allocator);
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
      status = spectrum_create(&spectra[b], &blocks[b], tolerance, allocator, error);
      if (status == TAC_STATUS_OK && spectra[b].count && spectra[b].values[0] > largest)
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
