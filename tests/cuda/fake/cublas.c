/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * cuBLAS by the host's BLAS. */
#include <cblas.h>
#include <cublas_v2.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/fake/fake.h"

#define WORKSPACES_MOST 64

struct cublasContext {
  cudaStream_t stream;
  void *workspace;
  size_t workspace_bytes;
};

/* Which stream a workspace serves. */
static struct {
  const void *workspace;
  cudaStream_t stream;
} owners[WORKSPACES_MOST];

cublasStatus_t cublasCreate_v2(cublasHandle_t *out) {
  fake_lock();
  int code = fake_outcome("cublasCreate");
  struct cublasContext *handle = code == 0 ? calloc(1, sizeof(*handle)) : NULL;
  if (handle) {
    *out = handle;
    fake_count(FAKE_BLAS_HANDLE, 1);
  }
  fake_unlock();
  return (cublasStatus_t)code;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  fake_lock();
  free(handle);
  fake_count(FAKE_BLAS_HANDLE, -1);
  fake_unlock();
  return CUBLAS_STATUS_SUCCESS;
}

/* Takes the handle's workspace away, as the real one does. */
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  fake_lock();
  int code = fake_outcome("cublasSetStream");
  if (code == 0 && !fake_is_stream(stream))
    code = CUBLAS_STATUS_INVALID_VALUE;
  if (code == 0) {
    handle->stream = stream;
    handle->workspace = NULL;
  }
  fake_unlock();
  return (cublasStatus_t)code;
}

/* A workspace that serves two streams would be written to by both. */
static bool belongs_to(const void *workspace, cudaStream_t stream) {
  int free_place = -1;
  for (int k = 0; k < WORKSPACES_MOST; k++) {
    if (owners[k].workspace == workspace && owners[k].stream != stream && fake_is_stream(owners[k].stream))
      return false;
    if (!owners[k].workspace || owners[k].workspace == workspace)
      free_place = k;
  }
  if (free_place >= 0) {
    owners[free_place].workspace = workspace;
    owners[free_place].stream = stream;
  }
  return free_place >= 0;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes) {
  fake_lock();
  int code = fake_outcome("cublasSetWorkspace");
  if (code == 0 && ((uintptr_t)workspace % 256 != 0 || !fake_seen(workspace, bytes) || !belongs_to(workspace, handle->stream)))
    code = CUBLAS_STATUS_INVALID_VALUE;
  if (code == 0) {
    handle->workspace = workspace;
    handle->workspace_bytes = bytes;
  }
  fake_unlock();
  return (cublasStatus_t)code;
}

const char *cublasGetStatusName(cublasStatus_t status) {
  return status == CUBLAS_STATUS_ALLOC_FAILED      ? "CUBLAS_STATUS_ALLOC_FAILED"
         : status == CUBLAS_STATUS_INVALID_VALUE   ? "CUBLAS_STATUS_INVALID_VALUE"
         : status == CUBLAS_STATUS_NOT_INITIALIZED ? "CUBLAS_STATUS_NOT_INITIALIZED"
                                                   : "CUBLAS_STATUS_EXECUTION_FAILED";
}

/* Products of one shape: at strides, or where arrays of addresses on the device say. */
struct batch {
  bool is_double;
  cublasOperation_t op_a, op_b;
  int m, n, k, lda, ldb, ldc, count;
  double alpha, beta;
  const char *a, *b;
  char *c;
  long long stride_a, stride_b, stride_c; /* bytes */
  const void *const *a_addresses, *const *b_addresses;
  void *const *c_addresses; /* NULL: strides */
};

static void *matrix(const void *device, int rows, int columns, int ld, size_t bytes) {
  return fake_seen(device, ((size_t)(columns - 1) * (size_t)ld + (size_t)rows) * bytes);
}

static void multiply(const struct batch *p, const void *device_a, const void *device_b, void *device_c) {
  const size_t bytes = p->is_double ? sizeof(double) : sizeof(float);
  const bool turned_a = p->op_a != CUBLAS_OP_N, turned_b = p->op_b != CUBLAS_OP_N;
  const void *a = matrix(device_a, turned_a ? p->k : p->m, turned_a ? p->m : p->k, p->lda, bytes);
  const void *b = matrix(device_b, turned_b ? p->n : p->k, turned_b ? p->k : p->n, p->ldb, bytes);
  void *c = matrix(device_c, p->m, p->n, p->ldc, bytes);
  const CBLAS_TRANSPOSE op_a = turned_a ? CblasTrans : CblasNoTrans, op_b = turned_b ? CblasTrans : CblasNoTrans;
  if (!a || !b || !c)
    return;
  if (p->is_double)
    cblas_dgemm(CblasColMajor, op_a, op_b, p->m, p->n, p->k, p->alpha, a, p->lda, b, p->ldb, p->beta, c, p->ldc);
  else
    cblas_sgemm(CblasColMajor, op_a, op_b, p->m, p->n, p->k, (float)p->alpha, a, p->lda, b, p->ldb, (float)p->beta, c, p->ldc);
}

static void run_batch(void *data) {
  const struct batch *batch = data;
  const size_t bytes = (size_t)batch->count * sizeof(void *);
  const void *const *a = batch->a_addresses ? fake_seen(batch->a_addresses, bytes) : NULL;
  const void *const *b = batch->a_addresses ? fake_seen(batch->b_addresses, bytes) : NULL;
  void *const *c = batch->a_addresses ? fake_seen(batch->c_addresses, bytes) : NULL;
  for (int k = 0; k < batch->count; k++)
    if (!batch->a_addresses)
      multiply(batch, batch->a + k * batch->stride_a, batch->b + k * batch->stride_b, batch->c + k * batch->stride_c);
    else if (a && b && c)
      multiply(batch, a[k], b[k], c[k]);
}

struct workspace {
  void *memory;
  size_t bytes;
};

/* Every call leaves something in its workspace. */
static void run_scribble(void *data) {
  const struct workspace *workspace = data;
  void *memory = fake_seen(workspace->memory, workspace->bytes);
  if (memory)
    memset(memory, 0x77, 64);
}

static bool is_sound(const struct batch *p) {
  return p->m > 0 && p->n > 0 && p->k > 0 && p->count > 0 && p->lda >= (p->op_a == CUBLAS_OP_N ? p->m : p->k) &&
         p->ldb >= (p->op_b == CUBLAS_OP_N ? p->k : p->n) && p->ldc >= p->m;
}

/* With the lock held. */
static int enqueue(cublasHandle_t handle, const struct batch *batches, int count) {
  const struct workspace workspace = {handle->workspace, handle->workspace_bytes};
  if (!handle->workspace)
    return CUBLAS_STATUS_NOT_INITIALIZED; /* the module gives every stream one */
  for (int k = 0; k < count; k++)
    if (!is_sound(&batches[k]))
      return CUBLAS_STATUS_INVALID_VALUE;
  if (fake_enqueue(handle->stream, run_scribble, &workspace, sizeof(workspace)) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int k = 0; k < count; k++)
    if (fake_enqueue(handle->stream, run_batch, &batches[k], sizeof(batches[k])) != cudaSuccess)
      return CUBLAS_STATUS_EXECUTION_FAILED;
  return CUBLAS_STATUS_SUCCESS;
}

/* Strides are of elements. */
static cublasStatus_t strided(bool is_double, cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                              int n, int k, double alpha, const void *a, int lda, long long stride_a, const void *b, int ldb,
                              long long stride_b, double beta, void *c, int ldc, long long stride_c, int count) {
  const long long bytes = is_double ? sizeof(double) : sizeof(float);
  const struct batch batch = {.is_double = is_double,
                              .op_a = op_a,
                              .op_b = op_b,
                              .m = m,
                              .n = n,
                              .k = k,
                              .lda = lda,
                              .ldb = ldb,
                              .ldc = ldc,
                              .count = count,
                              .alpha = alpha,
                              .beta = beta,
                              .a = a,
                              .b = b,
                              .c = c,
                              .stride_a = bytes * stride_a,
                              .stride_b = bytes * stride_b,
                              .stride_c = bytes * stride_c};
  fake_lock();
  int code = fake_outcome(is_double ? "cublasDgemmStridedBatched" : "cublasSgemmStridedBatched");
  if (code == 0)
    code = enqueue(handle, &batch, 1);
  fake_unlock();
  return (cublasStatus_t)code;
}

cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                                         int k, const double *alpha, const double *a, int lda, long long int stride_a,
                                         const double *b, int ldb, long long int stride_b, const double *beta, double *c,
                                         int ldc, long long int stride_c, int count) {
  return strided(true, handle, op_a, op_b, m, n, k, *alpha, a, lda, stride_a, b, ldb, stride_b, *beta, c, ldc, stride_c, count);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                                         int k, const float *alpha, const float *a, int lda, long long int stride_a,
                                         const float *b, int ldb, long long int stride_b, const float *beta, float *c, int ldc,
                                         long long int stride_c, int count) {
  return strided(false, handle, op_a, op_b, m, n, k, *alpha, a, lda, stride_a, b, ldb, stride_b, *beta, c, ldc, stride_c,
                 count);
}

/* The host's arrays of a grouped call; factors are of its type. */
struct groups {
  const cublasOperation_t *op_a, *op_b;
  const int *m, *n, *k, *lda, *ldb, *ldc, *size;
  const void *alpha, *beta;
  const void *const *a, *const *b;
  void *const *c;
  int count;
};

static double factor(const void *factors, int at, bool is_double) {
  return is_double ? ((const double *)factors)[at] : (double)((const float *)factors)[at];
}

static cublasStatus_t grouped(const char *function, cublasHandle_t handle, const struct groups *g, bool is_double) {
  struct batch *batches = calloc((size_t)g->count + 1, sizeof(*batches));
  if (!batches)
    return CUBLAS_STATUS_ALLOC_FAILED;
  for (int i = 0, problem = 0; i < g->count; problem += g->size[i], i++)
    batches[i] = (struct batch){.is_double = is_double,
                                .op_a = g->op_a[i],
                                .op_b = g->op_b[i],
                                .m = g->m[i],
                                .n = g->n[i],
                                .k = g->k[i],
                                .lda = g->lda[i],
                                .ldb = g->ldb[i],
                                .ldc = g->ldc[i],
                                .count = g->size[i],
                                .alpha = factor(g->alpha, i, is_double),
                                .beta = factor(g->beta, i, is_double),
                                .a_addresses = g->a + problem,
                                .b_addresses = g->b + problem,
                                .c_addresses = g->c + problem};
  fake_lock();
  int code = fake_outcome(function);
  if (code == 0)
    code = g->count > 0 ? enqueue(handle, batches, g->count) : CUBLAS_STATUS_INVALID_VALUE;
  fake_unlock();
  free(batches);
  return (cublasStatus_t)code;
}

cublasStatus_t cublasDgemmGroupedBatched(cublasHandle_t handle, const cublasOperation_t op_a[], const cublasOperation_t op_b[],
                                         const int m[], const int n[], const int k[], const double alpha[],
                                         const double *const a[], const int lda[], const double *const b[], const int ldb[],
                                         const double beta[], double *const c[], const int ldc[], int count, const int size[]) {
  const struct groups groups = {
      op_a, op_b, m, n, k, lda, ldb, ldc, size, alpha, beta, (const void *const *)a, (const void *const *)b, (void *const *)c,
      count};
  return grouped("cublasDgemmGroupedBatched", handle, &groups, true);
}

cublasStatus_t cublasSgemmGroupedBatched(cublasHandle_t handle, const cublasOperation_t op_a[], const cublasOperation_t op_b[],
                                         const int m[], const int n[], const int k[], const float alpha[],
                                         const float *const a[], const int lda[], const float *const b[], const int ldb[],
                                         const float beta[], float *const c[], const int ldc[], int count, const int size[]) {
  const struct groups groups = {
      op_a, op_b, m, n, k, lda, ldb, ldc, size, alpha, beta, (const void *const *)a, (const void *const *)b, (void *const *)c,
      count};
  return grouped("cublasSgemmGroupedBatched", handle, &groups, false);
}
