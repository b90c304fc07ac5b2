/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_DEVICE_CUDA_SVD_H
#define RUNTIME_DEVICE_CUDA_SVD_H

#include "runtime/device/cuda/cuda.h"

/* The largest extent of gesvdjBatched. */
#define TAC_CUDA_SVD_BATCHED_MOST 32

/* A problem's row for the kernels, as in dense.kernel. */
enum {
  TAC_CUDA_ROW_M,
  TAC_CUDA_ROW_N,
  TAC_CUDA_ROW_A,
  TAC_CUDA_ROW_LDA,
  TAC_CUDA_ROW_U,
  TAC_CUDA_ROW_LDU,
  TAC_CUDA_ROW_V,
  TAC_CUDA_ROW_LDV,
  TAC_CUDA_ROW_S,
  TAC_CUDA_ROW_BATCHED,
  TAC_CUDA_ROW_TRANSPOSED,
  TAC_CUDA_ROW_PACKED_A,
  TAC_CUDA_ROW_PACKED_S,
  TAC_CUDA_ROW_PACKED_U,
  TAC_CUDA_ROW_PACKED_V,
  TAC_CUDA_ROW_PACKED_INFO,
  TAC_CUDA_ROW_WORDS
};

/* Small problems of one shape: one call of gesvdjBatched on packed matrices. Places count elements of `packed`. */
struct tac_cuda_svd_batch {
  int m, n, count, work_count;
  size_t a, s, u, v;
  size_t info; /* of packed_info */
};

/* A large problem: a call of gesvdp on its packed matrix, transposed where it is wide. Where gesvdp had to shift small singular
 * values by more than the accuracy allows, gesvdj decomposes the matrix once more. */
struct tac_cuda_svd_single {
  size_t problem;
  int m, n, jacobi_work_count; /* m >= n */
  bool is_transposed;
  size_t a;                     /* of packed */
  size_t host_work, host_bytes; /* of host_work */
};

/* Arrays of one call. */
struct tac_cuda_svd_place {
  void *a, *s, *u, *v;
  int lda, ldu, ldv;
  int *info;
};

struct tac_cuda_svd_plan {
  enum tac_device_scalar scalar;
  size_t scalar_bytes;
  size_t count, batch_count, single_count;
  uint64_t *rows; /* read by the device until the plan has arrived */
  struct tac_cuda_svd_batch *batches;
  struct tac_cuda_svd_single *singles;
  double *shifts; /* of the singles: gesvdp's report */
  char *host_work;
  size_t packed_count, info_count; /* elements */
  int most_columns;                /* of a problem */
  size_t work_bytes, host_bytes;
  struct tac_cuda_block *block; /* rows, packed, packed_info */
  size_t packed_at, info_at;    /* bytes */
  struct tac_cuda_block *work;
};

/* ---- svd_plan.c */

enum tac_status tac_cuda_svd_plan(void *context, void *stream, enum tac_device_scalar scalar,
                                  const struct tac_device_svd_problem *problems, size_t count, void **plan,
                                  const struct tac_backend_watcher *watcher, struct tac_error *error);
void tac_cuda_svd_release(void *context, void *plan);
/* Where a batch lies in the plan's packed arrays. */
struct tac_cuda_svd_place tac_cuda_svd_batch_place(const struct tac_cuda_svd_plan *plan,
                                                   const struct tac_cuda_svd_batch *batch);

/* ---- svd.c */

enum tac_status tac_cuda_svd_run(void *context, void *stream, void *plan, struct tac_backend_array a,
                                 struct tac_backend_array u, struct tac_backend_array s, struct tac_backend_array v, void *info,
                                 struct tac_backend_event **event, const struct tac_backend_watcher *watcher,
                                 struct tac_error *error);

/* ---- svd_calls.c: cuSOLVER's routines by scalar. For a size the arrays are only looked at. */

enum tac_status tac_cuda_gesvdj_batched_size(const struct tac_cuda *cuda, const struct tac_cuda_handle *handle,
                                             enum tac_device_scalar scalar, struct tac_cuda_svd_batch *batch,
                                             const struct tac_cuda_svd_place *place, struct tac_error *error);
enum tac_status tac_cuda_gesvdj_batched(const struct tac_cuda *cuda, const struct tac_cuda_handle *handle,
                                        enum tac_device_scalar scalar, const struct tac_cuda_svd_batch *batch,
                                        const struct tac_cuda_svd_place *place, void *work, struct tac_error *error);
enum tac_status tac_cuda_gesvdj_size(const struct tac_cuda *cuda, const struct tac_cuda_handle *handle,
                                     enum tac_device_scalar scalar, struct tac_cuda_svd_single *single,
                                     const struct tac_cuda_svd_place *place, struct tac_error *error);
enum tac_status tac_cuda_gesvdj(const struct tac_cuda *cuda, const struct tac_cuda_handle *handle,
                                enum tac_device_scalar scalar, const struct tac_cuda_svd_single *single,
                                const struct tac_cuda_svd_place *place, void *work, struct tac_error *error);
enum tac_status tac_cuda_gesvdp_size(const struct tac_cuda *cuda, const struct tac_cuda_handle *handle,
                                     enum tac_device_scalar scalar, const struct tac_cuda_svd_single *single,
                                     const struct tac_cuda_svd_place *place, size_t *device_bytes, size_t *host_bytes,
                                     struct tac_error *error);
enum tac_status tac_cuda_gesvdp(const struct tac_cuda *cuda, const struct tac_cuda_handle *handle,
                                enum tac_device_scalar scalar, const struct tac_cuda_svd_single *single,
                                const struct tac_cuda_svd_place *place, void *work, size_t work_bytes, void *host_work,
                                double *shift, struct tac_error *error);

#endif
