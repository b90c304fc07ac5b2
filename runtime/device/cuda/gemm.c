/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/device/cuda/gemm.h"
#include "runtime/device/cuda/svd.h"

#define ADDRESS_ITEMS  64
#define ADDRESS_GROUPS 64

/* The arrays of one run, where their first elements are. */
struct bases {
  char *a, *b, *c;
};

static char *base(struct tac_backend_array array, size_t scalar_bytes) {
  return (char *)array.memory + array.offset * scalar_bytes;
}

static enum tac_status clear(const struct tac_cuda_gemm_plan *plan, const struct tac_cuda_stream *stream,
                             const struct bases *bases, struct tac_error *error) {
  const size_t bytes = plan->scalar_bytes;
  enum tac_status status = TAC_STATUS_OK;
  for (size_t k = 0; status == TAC_STATUS_OK && k < plan->clear_count; k++) {
    const struct tac_device_product *product = &plan->clears[k];
    status = tac_cuda_check(cudaMemset2DAsync(bases->c + product->c * bytes, (size_t)product->ldc * bytes, 0,
                                              (size_t)product->m * bytes, (size_t)product->n, stream->stream),
                            "cudaMemset2DAsync", error);
  }
  return status;
}

static enum tac_status call_strided(const struct tac_cuda *cuda, cublasHandle_t handle, const struct tac_cuda_gemm_plan *plan,
                                    const struct tac_cuda_gemm_call *call, const struct bases *bases, struct tac_error *error) {
  const struct tac_device_product *p = &call->first;
  const cublasOperation_t op_a = p->op_a == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;
  const cublasOperation_t op_b = p->op_b == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;
  const void *a = bases->a + p->a * plan->scalar_bytes, *b = bases->b + p->b * plan->scalar_bytes;
  void *c = bases->c + p->c * plan->scalar_bytes;
  if (plan->scalar == TAC_DEVICE_REAL64) {
    const double alpha = 1, beta = p->accumulate ? 1 : 0;
    return tac_cuda_check_blas(cuda,
                               cuda->libraries.cublasDgemmStridedBatched(handle, op_a, op_b, p->m, p->n, p->k, &alpha, a,
                                                                         p->lda, call->stride_a, b, p->ldb, call->stride_b,
                                                                         &beta, c, p->ldc, call->stride_c, call->count),
                               "cublasDgemmStridedBatched", error);
  }
  const float alpha = 1, beta = p->accumulate ? 1 : 0;
  return tac_cuda_check_blas(cuda,
                             cuda->libraries.cublasSgemmStridedBatched(handle, op_a, op_b, p->m, p->n, p->k, &alpha, a, p->lda,
                                                                       call->stride_a, b, p->ldb, call->stride_b, &beta, c,
                                                                       p->ldc, call->stride_c, call->count),
                             "cublasSgemmStridedBatched", error);
}

static enum tac_status write_addresses(struct tac_cuda *cuda, const struct tac_cuda_stream *stream,
                                       const struct tac_cuda_gemm_plan *plan, const struct bases *bases,
                                       struct tac_error *error) {
  const struct tac_cuda_kernels *kernels;
  enum tac_status status = tac_cuda_own_kernels(cuda, plan->scalar, &kernels, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaStreamWaitEvent(stream->stream, plan->used, 0), "cudaStreamWaitEvent", error);
  if (status != TAC_STATUS_OK)
    return status;
  uint64_t count = plan->groups.problems, a = (uintptr_t)bases->a, b = (uintptr_t)bases->b, c = (uintptr_t)bases->c;
  void *places = plan->block->memory, *addresses = (uint64_t *)plan->block->memory + 3 * count;
  void *values[] = {&addresses, &places, &count, &a, &b, &c};
  const uint64_t groups = (3 * count + ADDRESS_ITEMS - 1) / ADDRESS_ITEMS;
  const struct dim3 grid = {groups < ADDRESS_GROUPS ? (unsigned)groups : ADDRESS_GROUPS, 1, 1}, group = {ADDRESS_ITEMS, 1, 1};
  return tac_cuda_check(cudaLaunchKernel(kernels->pointers, grid, group, values, 0, stream->stream), "cudaLaunchKernel", error);
}

static enum tac_status call_grouped(const struct tac_cuda *cuda, cublasHandle_t handle, const struct tac_cuda_gemm_plan *plan,
                                    struct tac_error *error) {
  const struct tac_cuda_gemm_groups *g = &plan->groups;
  uint64_t *addresses = (uint64_t *)plan->block->memory + 3 * g->problems;
  void *a = addresses, *b = addresses + g->problems, *c = addresses + 2 * g->problems;
  if (plan->scalar == TAC_DEVICE_REAL64)
    return tac_cuda_check_blas(cuda,
                               cuda->libraries.cublasDgemmGroupedBatched(handle, g->op_a, g->op_b, g->m, g->n, g->k, g->alpha,
                                                                         a, g->lda, b, g->ldb, g->beta, c, g->ldc, g->count,
                                                                         g->size),
                               "cublasDgemmGroupedBatched", error);
  return tac_cuda_check_blas(cuda,
                             cuda->libraries.cublasSgemmGroupedBatched(handle, g->op_a, g->op_b, g->m, g->n, g->k, g->alpha, a,
                                                                       g->lda, b, g->ldb, g->beta, c, g->ldc, g->count,
                                                                       g->size),
                             "cublasSgemmGroupedBatched", error);
}

static enum tac_status submit(struct tac_cuda *cuda, struct tac_cuda_stream *stream, const struct tac_cuda_gemm_plan *plan,
                              const struct bases *bases, const struct tac_backend_watcher *watcher, struct tac_error *error) {
  enum tac_status status = clear(plan, stream, bases, error);
  if (status != TAC_STATUS_OK || (plan->call_count == 0 && plan->groups.count == 0))
    return status;
  struct tac_cuda_handle *handle;
  status = tac_cuda_blas_take(cuda, stream, &handle, watcher, error);
  if (status != TAC_STATUS_OK)
    return status;
  for (size_t k = 0; status == TAC_STATUS_OK && k < plan->call_count; k++)
    status = call_strided(cuda, handle->blas, plan, &plan->calls[k], bases, error);
  if (status == TAC_STATUS_OK && plan->groups.count > 0) {
    status = write_addresses(cuda, stream, plan, bases, error);
    if (status == TAC_STATUS_OK)
      status = call_grouped(cuda, handle->blas, plan, error);
    if (status == TAC_STATUS_OK)
      status = tac_cuda_check(cudaEventRecord(plan->used, stream->stream), "cudaEventRecord", error);
  }
  tac_cuda_blas_give(cuda, handle);
  return status;
}

static enum tac_status run(void *context, void *on, void *planned, struct tac_backend_array a, struct tac_backend_array b,
                           struct tac_backend_array c, struct tac_backend_event **event,
                           const struct tac_backend_watcher *watcher, struct tac_error *error) {
  struct tac_cuda *cuda = context;
  struct tac_cuda_stream *stream = on;
  const struct tac_cuda_gemm_plan *plan = planned;
  const struct bases bases = {base(a, plan->scalar_bytes), base(b, plan->scalar_bytes), base(c, plan->scalar_bytes)};
  enum tac_status status = tac_cuda_command_begin(cuda, stream, event, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_command_end(cuda, stream, event, submit(cuda, stream, plan, &bases, watcher, error), error);
  return status;
}

static int supports(enum tac_device_scalar scalar) {
  return scalar == TAC_DEVICE_REAL64 || scalar == TAC_DEVICE_REAL32;
}

const struct tac_backend_dense tac_cuda_dense = {
    .gemm_supports = supports,
    .gemm_plan = tac_cuda_gemm_plan,
    .gemm_run = run,
    .gemm_release = tac_cuda_gemm_release,
    .svd_supports = supports,
    .svd_plan = tac_cuda_svd_plan,
    .svd_run = tac_cuda_svd_run,
    .svd_release = tac_cuda_svd_release,
};
