/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/device/cuda/svd.h"

#define VECTORS CUSOLVER_EIG_MODE_VECTOR
#define ECONOMY 1

/* A routine, its name without the letter of the scalar. */
#define BY_SCALAR(scalar, routine, ...)                                                                                        \
  ((scalar) == TAC_DEVICE_REAL64                                                                                               \
       ? tac_cuda_check_solver(cuda->libraries.cusolverDnD##routine(__VA_ARGS__), "cusolverDnD" #routine, error)               \
       : tac_cuda_check_solver(cuda->libraries.cusolverDnS##routine(__VA_ARGS__), "cusolverDnS" #routine, error))

enum tac_status tac_cuda_gesvdj_batched_size(const struct tac_cuda *cuda, const struct tac_cuda_handle *handle,
                                             enum tac_device_scalar scalar, struct tac_cuda_svd_batch *batch,
                                             const struct tac_cuda_svd_place *place, struct tac_error *error) {
  return BY_SCALAR(scalar, gesvdjBatched_bufferSize, handle->solver, VECTORS, batch->m, batch->n, place->a, place->lda,
                   place->s, place->u, place->ldu, place->v, place->ldv, &batch->work_count, handle->jacobi, batch->count);
}

enum tac_status tac_cuda_gesvdj_batched(const struct tac_cuda *cuda, const struct tac_cuda_handle *handle,
                                        enum tac_device_scalar scalar, const struct tac_cuda_svd_batch *batch,
                                        const struct tac_cuda_svd_place *place, void *work, struct tac_error *error) {
  return BY_SCALAR(scalar, gesvdjBatched, handle->solver, VECTORS, batch->m, batch->n, place->a, place->lda, place->s, place->u,
                   place->ldu, place->v, place->ldv, work, batch->work_count, place->info, handle->jacobi, batch->count);
}

enum tac_status tac_cuda_gesvdj_size(const struct tac_cuda *cuda, const struct tac_cuda_handle *handle,
                                     enum tac_device_scalar scalar, struct tac_cuda_svd_single *single,
                                     const struct tac_cuda_svd_place *place, struct tac_error *error) {
  return BY_SCALAR(scalar, gesvdj_bufferSize, handle->solver, VECTORS, ECONOMY, single->m, single->n, place->a, place->lda,
                   place->s, place->u, place->ldu, place->v, place->ldv, &single->jacobi_work_count, handle->jacobi);
}

enum tac_status tac_cuda_gesvdj(const struct tac_cuda *cuda, const struct tac_cuda_handle *handle,
                                enum tac_device_scalar scalar, const struct tac_cuda_svd_single *single,
                                const struct tac_cuda_svd_place *place, void *work, struct tac_error *error) {
  return BY_SCALAR(scalar, gesvdj, handle->solver, VECTORS, ECONOMY, single->m, single->n, place->a, place->lda, place->s,
                   place->u, place->ldu, place->v, place->ldv, work, single->jacobi_work_count, place->info, handle->jacobi);
}

static cudaDataType type_of(enum tac_device_scalar scalar) {
  return scalar == TAC_DEVICE_REAL64 ? CUDA_R_64F : CUDA_R_32F;
}

enum tac_status tac_cuda_gesvdp_size(const struct tac_cuda *cuda, const struct tac_cuda_handle *handle,
                                     enum tac_device_scalar scalar, const struct tac_cuda_svd_single *single,
                                     const struct tac_cuda_svd_place *place, size_t *device_bytes, size_t *host_bytes,
                                     struct tac_error *error) {
  const cudaDataType type = type_of(scalar);
  return tac_cuda_check_solver(
      cuda->libraries.cusolverDnXgesvdp_bufferSize(handle->solver, NULL, VECTORS, ECONOMY, single->m, single->n, type, place->a,
                                                   place->lda, type, place->s, type, place->u, place->ldu, type, place->v,
                                                   place->ldv, type, device_bytes, host_bytes),
      "cusolverDnXgesvdp_bufferSize", error);
}

enum tac_status tac_cuda_gesvdp(const struct tac_cuda *cuda, const struct tac_cuda_handle *handle,
                                enum tac_device_scalar scalar, const struct tac_cuda_svd_single *single,
                                const struct tac_cuda_svd_place *place, void *work, size_t work_bytes, void *host_work,
                                double *shift, struct tac_error *error) {
  const cudaDataType type = type_of(scalar);
  return tac_cuda_check_solver(cuda->libraries.cusolverDnXgesvdp(handle->solver, NULL, VECTORS, ECONOMY, single->m, single->n,
                                                                 type, place->a, place->lda, type, place->s, type, place->u,
                                                                 place->ldu, type, place->v, place->ldv, type, work, work_bytes,
                                                                 host_work, single->host_bytes, place->info, shift),
                               "cusolverDnXgesvdp", error);
}
