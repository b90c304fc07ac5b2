/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Decompositions by cuSOLVER: first every matrix is packed, so that what the caller gave stays whole; then a call for all small
 * ones of a shape, and one for each large one; then results go where they belong. gesvdp is many times faster than the other
 * routines for large matrices, but shifts singular values near zero, and tells how far. Where that is too much the matrix is
 * packed once more and decomposed by gesvdj. Only for that does the host wait. */
#include "runtime/device/cuda/svd.h"

#include <math.h>

#define GROUP_ITEMS   128
#define GATHER_SLICES 32 /* at most: groups that share a matrix */

/* Of the largest singular value: half of what device_dense.h promises. */
#define LARGEST_SHIFT        5e-14
#define LARGEST_SHIFT_SINGLE 5e-6

struct arrays {
  void *a, *u, *s, *v; /* the blocks */
  uint64_t a_at, u_at, s_at, v_at;
  int *info;
};

static char *element(void *memory, size_t at, size_t bytes) {
  return (char *)memory + at * bytes;
}

static enum tac_status gather(struct tac_cuda *cuda, const struct tac_cuda_stream *stream, const struct tac_cuda_svd_plan *plan,
                              const struct arrays *arrays, uint64_t first, size_t count, struct tac_error *error) {
  const struct tac_cuda_kernels *kernels;
  enum tac_status status = tac_cuda_own_kernels(cuda, plan->scalar, &kernels, error);
  if (status != TAC_STATUS_OK)
    return status;
  void *rows = plan->block->memory, *packed = (char *)plan->block->memory + plan->packed_at, *a = arrays->a;
  uint64_t a_at = arrays->a_at;
  void *values[] = {&rows, &first, &a, &a_at, &packed};
  const unsigned slices = plan->most_columns < GATHER_SLICES ? (unsigned)plan->most_columns : GATHER_SLICES;
  const struct dim3 grid = {(unsigned)count, slices, 1}, group = {GROUP_ITEMS, 1, 1};
  return tac_cuda_check(cudaLaunchKernel(kernels->svd_gather, grid, group, values, 0, stream->stream), "cudaLaunchKernel",
                        error);
}

static enum tac_status finish(struct tac_cuda *cuda, const struct tac_cuda_stream *stream, const struct tac_cuda_svd_plan *plan,
                              const struct arrays *arrays, struct tac_error *error) {
  const struct tac_cuda_kernels *kernels;
  enum tac_status status = tac_cuda_own_kernels(cuda, plan->scalar, &kernels, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct arrays at = *arrays;
  void *rows = plan->block->memory, *packed = (char *)plan->block->memory + plan->packed_at;
  void *packed_info = (char *)plan->block->memory + plan->info_at;
  void *values[] = {&rows, &packed, &packed_info, &at.u, &at.u_at, &at.v, &at.v_at, &at.s, &at.s_at, &at.info};
  const struct dim3 grid = {(unsigned)plan->count, 1, 1}, group = {GROUP_ITEMS, 1, 1};
  return tac_cuda_check(cudaLaunchKernel(kernels->svd_finish, grid, group, values, 0, stream->stream), "cudaLaunchKernel",
                        error);
}

/* Of a transposed matrix, left and right change places. */
static struct tac_cuda_svd_place single_place(const struct tac_cuda_svd_plan *plan, const struct tac_cuda_svd_single *single,
                                              const struct arrays *arrays) {
  const uint64_t *row = &plan->rows[single->problem * TAC_CUDA_ROW_WORDS];
  const size_t bytes = plan->scalar_bytes;
  void *u = element(arrays->u, arrays->u_at + row[TAC_CUDA_ROW_U], bytes);
  void *v = element(arrays->v, arrays->v_at + row[TAC_CUDA_ROW_V], bytes);
  const int ldu = (int)row[TAC_CUDA_ROW_LDU], ldv = (int)row[TAC_CUDA_ROW_LDV];
  return (struct tac_cuda_svd_place){.a = element((char *)plan->block->memory + plan->packed_at, single->a, bytes),
                                     .s = element(arrays->s, arrays->s_at + row[TAC_CUDA_ROW_S], bytes),
                                     .u = single->is_transposed ? v : u,
                                     .v = single->is_transposed ? u : v,
                                     .lda = single->m,
                                     .ldu = single->is_transposed ? ldv : ldu,
                                     .ldv = single->is_transposed ? ldu : ldv,
                                     .info = arrays->info + single->problem};
}

static enum tac_status call_all(struct tac_cuda *cuda, const struct tac_cuda_handle *handle, struct tac_cuda_svd_plan *plan,
                                const struct arrays *arrays, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t k = 0; status == TAC_STATUS_OK && k < plan->batch_count; k++) {
    const struct tac_cuda_svd_place place = tac_cuda_svd_batch_place(plan, &plan->batches[k]);
    status = tac_cuda_gesvdj_batched(cuda, handle, plan->scalar, &plan->batches[k], &place, plan->work->memory, error);
  }
  for (size_t k = 0; status == TAC_STATUS_OK && k < plan->single_count; k++) {
    const struct tac_cuda_svd_single *single = &plan->singles[k];
    const struct tac_cuda_svd_place place = single_place(plan, single, arrays);
    plan->shifts[k] = 0;
    status = tac_cuda_gesvdp(cuda, handle, plan->scalar, single, &place, plan->work->memory, plan->work_bytes,
                             plan->host_work + single->host_work, &plan->shifts[k], error);
  }
  return status;
}

static enum tac_status largest_value(const struct tac_cuda_svd_plan *plan, const struct tac_cuda_stream *stream,
                                     const struct tac_cuda_svd_place *place, double *out,
                                     const struct tac_backend_watcher *watcher, struct tac_error *error) {
  double as_double = 0;
  float as_float = 0;
  void *to = plan->scalar == TAC_DEVICE_REAL64 ? (void *)&as_double : (void *)&as_float;
  enum tac_status status = tac_cuda_check(
      cudaMemcpyAsync(to, place->s, plan->scalar_bytes, cudaMemcpyDeviceToHost, stream->stream), "cudaMemcpyAsync", error);
  if (status == TAC_STATUS_OK)
    tac_backend_copied(watcher, TAC_COPY_TO_HOST, plan->scalar_bytes);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaStreamSynchronize(stream->stream), "cudaStreamSynchronize", error);
  *out = plan->scalar == TAC_DEVICE_REAL64 ? as_double : (double)as_float;
  return status;
}

/* Waits for gesvdp's reports, and leaves of the shifts those that are too large. A result that is not finite is left for the
 * report. */
static enum tac_status judge_shifts(const struct tac_cuda_stream *stream, struct tac_cuda_svd_plan *plan,
                                    const struct arrays *arrays, const struct tac_backend_watcher *watcher,
                                    struct tac_error *error) {
  const double bound = plan->scalar == TAC_DEVICE_REAL64 ? LARGEST_SHIFT : LARGEST_SHIFT_SINGLE;
  enum tac_status status = tac_cuda_check(cudaStreamSynchronize(stream->stream), "cudaStreamSynchronize", error);
  for (size_t k = 0; status == TAC_STATUS_OK && k < plan->single_count; k++) {
    const struct tac_cuda_svd_place place = single_place(plan, &plan->singles[k], arrays);
    double largest = 0;
    if (plan->shifts[k] == 0)
      continue;
    status = largest_value(plan, stream, &place, &largest, watcher, error);
    if (!isfinite(largest) || fabs(plan->shifts[k]) <= bound * largest)
      plan->shifts[k] = 0;
  }
  return status;
}

/* Decomposes once more where a shift is too large. */
static enum tac_status repeat_shifted(struct tac_cuda *cuda, const struct tac_cuda_stream *stream,
                                      const struct tac_cuda_handle *handle, struct tac_cuda_svd_plan *plan,
                                      const struct arrays *arrays, const struct tac_backend_watcher *watcher,
                                      struct tac_error *error) {
  if (plan->single_count == 0)
    return TAC_STATUS_OK;
  tac_backend_wait_begin(watcher);
  enum tac_status status = judge_shifts(stream, plan, arrays, watcher, error);
  tac_backend_wait_end(watcher);
  for (size_t k = 0; status == TAC_STATUS_OK && k < plan->single_count; k++) {
    const struct tac_cuda_svd_single *single = &plan->singles[k];
    const struct tac_cuda_svd_place place = single_place(plan, single, arrays);
    if (plan->shifts[k] == 0)
      continue;
    status = gather(cuda, stream, plan, arrays, single->problem, 1, error);
    if (status == TAC_STATUS_OK)
      status = tac_cuda_gesvdj(cuda, handle, plan->scalar, single, &place, plan->work->memory, error);
  }
  return status;
}

static enum tac_status submit(struct tac_cuda *cuda, struct tac_cuda_stream *stream, struct tac_cuda_svd_plan *plan,
                              const struct arrays *arrays, const struct tac_backend_watcher *watcher, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  if (plan->count > 0)
    status =
        tac_cuda_check(cudaMemsetAsync(arrays->info, 0, plan->count * sizeof(int), stream->stream), "cudaMemsetAsync", error);
  if (status != TAC_STATUS_OK || plan->batch_count + plan->single_count == 0)
    return status;
  struct tac_cuda_handle *handle;
  status = tac_cuda_solver_take(cuda, stream, &handle, watcher, error);
  if (status != TAC_STATUS_OK)
    return status;
  status = gather(cuda, stream, plan, arrays, 0, plan->count, error);
  if (status == TAC_STATUS_OK)
    status = call_all(cuda, handle, plan, arrays, error);
  if (status == TAC_STATUS_OK)
    status = repeat_shifted(cuda, stream, handle, plan, arrays, watcher, error);
  if (status == TAC_STATUS_OK)
    status = finish(cuda, stream, plan, arrays, error);
  return tac_cuda_solver_give(cuda, stream, handle, status, error);
}

enum tac_status tac_cuda_svd_run(void *context, void *on, void *planned, struct tac_backend_array a, struct tac_backend_array u,
                                 struct tac_backend_array s, struct tac_backend_array v, void *info,
                                 struct tac_backend_event **event, const struct tac_backend_watcher *watcher,
                                 struct tac_error *error) {
  struct tac_cuda *cuda = context;
  struct tac_cuda_stream *stream = on;
  const struct arrays arrays = {a.memory, u.memory, s.memory, v.memory, a.offset, u.offset, s.offset, v.offset, info};
  enum tac_status status = tac_cuda_command_begin(cuda, stream, event, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_command_end(cuda, stream, event, submit(cuda, stream, planned, &arrays, watcher, error), error);
  return status;
}
