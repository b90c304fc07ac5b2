/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdlib.h>

#include "runtime/device/cuda/svd.h"

#define ALIGNMENT ((size_t)256) /* of what cudaMalloc gives */

static size_t aligned(size_t bytes) {
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

static bool is_small(const struct tac_device_svd_problem *problem) {
  return problem->m <= TAC_CUDA_SVD_BATCHED_MOST && problem->n <= TAC_CUDA_SVD_BATCHED_MOST;
}

/* A small problem's shape and number as one key. */
static size_t small_key(const struct tac_device_svd_problem *problem, size_t number, size_t count) {
  return ((size_t)problem->m * (TAC_CUDA_SVD_BATCHED_MOST + 1) + (size_t)problem->n) * count + number;
}

static int compare_keys(const void *a, const void *b) {
  const size_t p = *(const size_t *)a, q = *(const size_t *)b;
  return (p > q) - (p < q);
}

static void fill_row(uint64_t *row, const struct tac_device_svd_problem *problem) {
  row[TAC_CUDA_ROW_M] = (uint64_t)problem->m;
  row[TAC_CUDA_ROW_N] = (uint64_t)problem->n;
  row[TAC_CUDA_ROW_A] = problem->a;
  row[TAC_CUDA_ROW_LDA] = (uint64_t)problem->lda;
  row[TAC_CUDA_ROW_U] = problem->u;
  row[TAC_CUDA_ROW_LDU] = (uint64_t)problem->ldu;
  row[TAC_CUDA_ROW_V] = problem->v;
  row[TAC_CUDA_ROW_LDV] = (uint64_t)problem->ldv;
  row[TAC_CUDA_ROW_S] = problem->s;
}

/* Room for elements of `packed`. */
static size_t reserve(struct tac_cuda_svd_plan *plan, size_t elements) {
  const size_t at = plan->packed_count;
  plan->packed_count += aligned(elements * plan->scalar_bytes) / plan->scalar_bytes;
  return at;
}

/* The problems of the keys, all of one shape. */
static void add_batch(struct tac_cuda_svd_plan *plan, const struct tac_device_svd_problem *problems, const size_t *keys,
                      size_t members) {
  const struct tac_device_svd_problem *shape = &problems[keys[0] % plan->count];
  const size_t m = (size_t)shape->m, n = (size_t)shape->n, r = m < n ? m : n;
  struct tac_cuda_svd_batch *batch = &plan->batches[plan->batch_count++];
  *batch = (struct tac_cuda_svd_batch){.m = shape->m, .n = shape->n, .count = (int)members, .info = plan->info_count};
  batch->a = reserve(plan, members * m * n);
  batch->s = reserve(plan, members * r);
  batch->u = reserve(plan, members * m * m);
  batch->v = reserve(plan, members * n * n);
  plan->info_count += members;
  for (size_t k = 0; k < members; k++) {
    uint64_t *row = &plan->rows[keys[k] % plan->count * TAC_CUDA_ROW_WORDS];
    row[TAC_CUDA_ROW_BATCHED] = 1;
    row[TAC_CUDA_ROW_PACKED_A] = batch->a + k * m * n;
    row[TAC_CUDA_ROW_PACKED_S] = batch->s + k * r;
    row[TAC_CUDA_ROW_PACKED_U] = batch->u + k * m * m;
    row[TAC_CUDA_ROW_PACKED_V] = batch->v + k * n * n;
    row[TAC_CUDA_ROW_PACKED_INFO] = batch->info + k;
  }
}

static void add_single(struct tac_cuda_svd_plan *plan, const struct tac_device_svd_problem *problem, size_t number) {
  uint64_t *row = &plan->rows[number * TAC_CUDA_ROW_WORDS];
  struct tac_cuda_svd_single *single = &plan->singles[plan->single_count++];
  const bool is_wide = problem->m < problem->n;
  *single = (struct tac_cuda_svd_single){.problem = number,
                                         .m = is_wide ? problem->n : problem->m,
                                         .n = is_wide ? problem->m : problem->n,
                                         .is_transposed = is_wide};
  single->a = reserve(plan, (size_t)single->m * (size_t)single->n);
  row[TAC_CUDA_ROW_TRANSPOSED] = is_wide;
  row[TAC_CUDA_ROW_PACKED_A] = single->a;
}

/* `keys` has room for one a problem. */
static void sort_problems(struct tac_cuda_svd_plan *plan, const struct tac_device_svd_problem *problems, size_t *keys) {
  size_t small = 0;
  for (size_t k = 0; k < plan->count; k++) {
    fill_row(&plan->rows[k * TAC_CUDA_ROW_WORDS], &problems[k]);
    if (problems[k].m == 0 || problems[k].n == 0)
      continue;
    plan->most_columns = problems[k].n > plan->most_columns ? problems[k].n : plan->most_columns;
    if (is_small(&problems[k]))
      keys[small++] = small_key(&problems[k], k, plan->count);
    else
      add_single(plan, &problems[k], k);
  }
  qsort(keys, small, sizeof(*keys), compare_keys);
  for (size_t begin = 0, end; begin < small; begin = end) {
    for (end = begin + 1; end < small && keys[end] / plan->count == keys[begin] / plan->count; end++)
      ;
    add_batch(plan, problems, &keys[begin], end - begin);
  }
}

struct tac_cuda_svd_place tac_cuda_svd_batch_place(const struct tac_cuda_svd_plan *plan,
                                                   const struct tac_cuda_svd_batch *batch) {
  char *packed = (char *)plan->block->memory + plan->packed_at;
  return (struct tac_cuda_svd_place){.a = packed + batch->a * plan->scalar_bytes,
                                     .s = packed + batch->s * plan->scalar_bytes,
                                     .u = packed + batch->u * plan->scalar_bytes,
                                     .v = packed + batch->v * plan->scalar_bytes,
                                     .lda = batch->m,
                                     .ldu = batch->m,
                                     .ldv = batch->n,
                                     .info = (int *)((char *)plan->block->memory + plan->info_at) + batch->info};
}

/* What every call needs to work in; they run one after another, so the largest serves all on the device. */
static enum tac_status measure_work(const struct tac_cuda *cuda, const struct tac_cuda_handle *handle,
                                    struct tac_cuda_svd_plan *plan, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t k = 0; status == TAC_STATUS_OK && k < plan->batch_count; k++) {
    struct tac_cuda_svd_batch *batch = &plan->batches[k];
    const struct tac_cuda_svd_place place = tac_cuda_svd_batch_place(plan, batch);
    status = tac_cuda_gesvdj_batched_size(cuda, handle, plan->scalar, batch, &place, error);
    plan->work_bytes = larger(plan->work_bytes, (size_t)batch->work_count * plan->scalar_bytes);
  }
  for (size_t k = 0; status == TAC_STATUS_OK && k < plan->single_count; k++) {
    struct tac_cuda_svd_single *single = &plan->singles[k];
    void *some = (char *)plan->block->memory + plan->packed_at; /* the results' arrays are known only when the plan runs */
    const struct tac_cuda_svd_place place = {some, some, some, some, single->m, single->m, single->n, NULL};
    size_t device_bytes = 0;
    status = tac_cuda_gesvdp_size(cuda, handle, plan->scalar, single, &place, &device_bytes, &single->host_bytes, error);
    if (status == TAC_STATUS_OK)
      status = tac_cuda_gesvdj_size(cuda, handle, plan->scalar, single, &place, error);
    plan->work_bytes = larger(plan->work_bytes, larger(device_bytes, (size_t)single->jacobi_work_count * plan->scalar_bytes));
    single->host_work = plan->host_bytes;
    plan->host_bytes += aligned(single->host_bytes);
  }
  return status;
}

static enum tac_status provide_work(struct tac_cuda *cuda, struct tac_cuda_stream *stream, struct tac_cuda_svd_plan *plan,
                                    const struct tac_backend_watcher *watcher, struct tac_error *error) {
  struct tac_cuda_handle *handle;
  enum tac_status status = tac_cuda_solver_take(cuda, stream, &handle, watcher, error);
  if (status != TAC_STATUS_OK)
    return status;
  status = tac_cuda_solver_give(cuda, stream, handle, measure_work(cuda, handle, plan, error), error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_block_take(cuda, plan->work_bytes, &plan->work, error);
  if (status != TAC_STATUS_OK)
    return status;
  plan->host_work = malloc(plan->host_bytes ? plan->host_bytes : 1);
  return plan->host_work ? TAC_STATUS_OK : tac_cuda_no_memory(error);
}

static enum tac_status send_rows(struct tac_cuda *cuda, const struct tac_cuda_stream *stream, struct tac_cuda_svd_plan *plan,
                                 const struct tac_backend_watcher *watcher, struct tac_error *error) {
  const size_t bytes = plan->count * TAC_CUDA_ROW_WORDS * sizeof(uint64_t);
  plan->packed_at = aligned(bytes);
  plan->info_at = plan->packed_at + aligned(plan->packed_count * plan->scalar_bytes);
  const struct tac_cuda_kernels *kernels; /* compiled here, and not by the first run */
  enum tac_status status = tac_cuda_own_kernels(cuda, plan->scalar, &kernels, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_block_take(cuda, plan->info_at + plan->info_count * sizeof(int), &plan->block, error);
  if (status == TAC_STATUS_OK && bytes > 0)
    status = tac_cuda_send(stream, plan->block->memory, plan->rows, bytes, watcher, error);
  return status;
}

static bool allocate(struct tac_cuda_svd_plan *plan) {
  const size_t room = plan->count ? plan->count : 1;
  plan->rows = calloc(room, TAC_CUDA_ROW_WORDS * sizeof(*plan->rows));
  plan->batches = calloc(room, sizeof(*plan->batches));
  plan->singles = calloc(room, sizeof(*plan->singles));
  plan->shifts = calloc(room, sizeof(*plan->shifts));
  return plan->rows && plan->batches && plan->singles && plan->shifts;
}

void tac_cuda_svd_release(void *context, void *released) {
  struct tac_cuda *cuda = context;
  struct tac_cuda_svd_plan *plan = released;
  tac_cuda_block_give(cuda, plan->block);
  tac_cuda_block_give(cuda, plan->work);
  free(plan->rows);
  free(plan->batches);
  free(plan->singles);
  free(plan->shifts);
  free(plan->host_work);
  free(plan);
}

enum tac_status tac_cuda_svd_plan(void *context, void *stream, enum tac_device_scalar scalar,
                                  const struct tac_device_svd_problem *problems, size_t count, void **out,
                                  const struct tac_backend_watcher *watcher, struct tac_error *error) {
  struct tac_cuda *cuda = context;
  enum tac_status status = tac_cuda_enter(cuda, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_cuda_svd_plan *plan = calloc(1, sizeof(*plan));
  size_t *keys = calloc(count ? count : 1, sizeof(*keys));
  if (!plan || !keys) {
    free(plan);
    free(keys);
    return tac_cuda_no_memory(error);
  }
  plan->scalar = scalar;
  plan->scalar_bytes = scalar == TAC_DEVICE_REAL64 ? sizeof(double) : sizeof(float);
  plan->count = count;
  if (allocate(plan)) {
    sort_problems(plan, problems, keys);
    status = send_rows(cuda, stream, plan, watcher, error);
    if (status == TAC_STATUS_OK && plan->batch_count + plan->single_count > 0)
      status = provide_work(cuda, stream, plan, watcher, error);
  } else {
    status = tac_cuda_no_memory(error);
  }
  free(keys);
  if (status == TAC_STATUS_OK) {
    *out = plan;
  } else {
    tac_cuda_settle(stream);
    tac_cuda_svd_release(cuda, plan);
  }
  return status;
}
