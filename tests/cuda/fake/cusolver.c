/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * cuSOLVER's decompositions by the host's LAPACK. */
#include <cusolverDn.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/fake/fake.h"

#define BATCHED_MOST 32

struct cusolverDnContext {
  cudaStream_t stream;
};

struct gesvdjInfo {
  int unused;
};

static cusolverStatus_t made(const char *function, void **out, size_t bytes, enum fake_thing thing) {
  fake_lock();
  const int code = fake_outcome(function);
  if (code == 0) {
    *out = calloc(1, bytes);
    fake_count(thing, 1);
  }
  fake_unlock();
  return (cusolverStatus_t)code;
}

static cusolverStatus_t unmade(void *object, enum fake_thing thing) {
  fake_lock();
  free(object);
  fake_count(thing, -1);
  fake_unlock();
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
  return made("cusolverDnCreate", (void **)handle, sizeof(struct cusolverDnContext), FAKE_SOLVER_HANDLE);
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  return unmade(handle, FAKE_SOLVER_HANDLE);
}

cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info) {
  return made("cusolverDnCreateGesvdjInfo", (void **)info, sizeof(struct gesvdjInfo), FAKE_JACOBI);
}

cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info) {
  return unmade(info, FAKE_JACOBI);
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  fake_lock();
  int code = fake_outcome("cusolverDnSetStream");
  if (code == 0 && !fake_is_stream(stream))
    code = CUSOLVER_STATUS_INVALID_VALUE;
  if (code == 0)
    handle->stream = stream;
  fake_unlock();
  return (cusolverStatus_t)code;
}

/* One decomposition, or several of matrices without gaps between them. */
struct call {
  bool is_double;
  int m, n, lda, ldu, ldv, count;
  int u_columns, v_columns;
  char *a, *s, *u, *v;
  char *work;
  size_t work_bytes;
  char *host_work;
  size_t host_bytes;
  int *info;
  double share; /* the shift's; told to the host at `shift` */
  double *shift;
};

static double load(const char *from, size_t at, bool is_double) {
  return is_double ? ((const double *)from)[at] : (double)((const float *)from)[at];
}

static void store(char *to, size_t at, double value, bool is_double) {
  if (is_double)
    ((double *)to)[at] = value;
  else
    ((float *)to)[at] = (float)value;
}

static void store_matrix(const struct call *call, char *to, int ld, const double *from, int rows, int columns, bool is_turned) {
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++)
      store(to, (size_t)i + (size_t)j * (size_t)ld, is_turned ? from[j + i * rows] : from[i + j * rows], call->is_double);
}

struct host {
  double *a, *s, *u, *vt, *rest;
};

/* The arrays are where the host sees them. In: the matrix; out: the factors, and NaN where the matrix is not finite. */
static int decompose(const struct call *call, const struct host *host, char *a, char *s, char *u, char *v) {
  const int m = call->m, n = call->n, r = m < n ? m : n;
  bool is_finite = true;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      host->a[i + j * m] = load(a, (size_t)i + (size_t)j * (size_t)call->lda, call->is_double);
      is_finite = is_finite && isfinite(host->a[i + j * m]);
      store(a, (size_t)i + (size_t)j * (size_t)call->lda, NAN, call->is_double); /* destroyed */
    }
  int info = 0;
  if (is_finite)
    info = LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'A', m, n, host->a, m, host->s, host->u, m, host->vt, n, host->rest);
  for (int i = 0; i < r; i++)
    store(s, (size_t)i, is_finite ? host->s[i] + call->share * host->s[0] : NAN, call->is_double);
  store_matrix(call, u, call->ldu, host->u, m, call->u_columns, false);
  store_matrix(call, v, call->ldv, host->vt, n, call->v_columns, true);
  return info;
}

static bool host_arrays(struct host *host, size_t m, size_t n) {
  *host = (struct host){calloc(m * n, sizeof(double)), calloc(m + n, sizeof(double)), calloc(m * m, sizeof(double)),
                        calloc(n * n, sizeof(double)), calloc(m + n, sizeof(double))};
  return host->a && host->s && host->u && host->vt && host->rest;
}

static void run_call(void *data) {
  const struct call *call = data;
  const size_t bytes = call->is_double ? sizeof(double) : sizeof(float), count = (size_t)call->count;
  const size_t m = (size_t)call->m, n = (size_t)call->n, r = m < n ? m : n;
  const size_t a_step = (size_t)call->lda * n, u_step = (size_t)call->ldu * (size_t)call->u_columns;
  const size_t v_step = (size_t)call->ldv * (size_t)call->v_columns;
  char *a = fake_seen(call->a, (count * a_step - (size_t)call->lda + m) * bytes);
  char *s = fake_seen(call->s, count * r * bytes);
  char *u = fake_seen(call->u, (count * u_step - (size_t)call->ldu + m) * bytes);
  char *v = fake_seen(call->v, (count * v_step - (size_t)call->ldv + n) * bytes);
  int *info = fake_seen(call->info, count * sizeof(int));
  char *work = fake_seen(call->work, call->work_bytes);
  struct host host;
  if (host_arrays(&host, m, n) && a && s && u && v && info && work) {
    memset(work, 0x77, call->work_bytes);
    if (call->host_bytes)
      memset(call->host_work, 0x77, call->host_bytes);
    for (size_t k = 0; k < count; k++)
      info[k] =
          decompose(call, &host, a + k * a_step * bytes, s + k * r * bytes, u + k * u_step * bytes, v + k * v_step * bytes);
    if (call->shift)
      *call->shift = call->share * host.s[0];
  }
  free(host.a);
  free(host.s);
  free(host.u);
  free(host.vt);
  free(host.rest);
}

static cusolverStatus_t enqueue(const char *function, cusolverDnHandle_t handle, const struct call *call, bool is_sound) {
  fake_lock();
  int code = fake_outcome(function);
  if (code == 0 &&
      (!is_sound || call->m < 1 || call->n < 1 || call->lda < call->m || call->ldu < call->m || call->ldv < call->n))
    code = CUSOLVER_STATUS_INVALID_VALUE;
  if (code == 0 && fake_enqueue(handle->stream, run_call, call, sizeof(*call)) != cudaSuccess)
    code = CUSOLVER_STATUS_EXECUTION_FAILED;
  fake_unlock();
  return (cusolverStatus_t)code;
}

static cusolverStatus_t size(const char *function, int *out, int elements) {
  fake_lock();
  const int code = fake_outcome(function);
  fake_unlock();
  *out = elements;
  return (cusolverStatus_t)code;
}

static int elements(int m, int n) {
  return m * n + 3 * (m + n);
}

/* ---- gesvdjBatched: whole factors, packed. */

#define BATCHED(letter, type, as_double)                                                                                       \
  cusolverStatus_t cusolverDn##letter##gesvdjBatched_bufferSize(                                                               \
      cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n, const type *a, int lda, const type *s, const type *u,   \
      int ldu, const type *v, int ldv, int *out, gesvdjInfo_t info, int count) {                                               \
    (void)handle, (void)mode, (void)a, (void)lda, (void)s, (void)u, (void)ldu, (void)v, (void)ldv, (void)info;                 \
    return size("cusolverDn" #letter "gesvdjBatched_bufferSize", out, count * elements(m, n));                                 \
  }                                                                                                                            \
  cusolverStatus_t cusolverDn##letter##gesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n, type *a, \
                                                     int lda, type *s, type *u, int ldu, type *v, int ldv, type *work,         \
                                                     int work_count, int *info, gesvdjInfo_t jacobi, int count) {              \
    const struct call call = {.is_double = (as_double),                                                                        \
                              .m = m,                                                                                          \
                              .n = n,                                                                                          \
                              .lda = lda,                                                                                      \
                              .ldu = ldu,                                                                                      \
                              .ldv = ldv,                                                                                      \
                              .count = count,                                                                                  \
                              .u_columns = m,                                                                                  \
                              .v_columns = n,                                                                                  \
                              .a = (char *)a,                                                                                  \
                              .s = (char *)s,                                                                                  \
                              .u = (char *)u,                                                                                  \
                              .v = (char *)v,                                                                                  \
                              .work = (char *)work,                                                                            \
                              .work_bytes = (size_t)work_count * sizeof(type),                                                 \
                              .info = info};                                                                                   \
    return enqueue("cusolverDn" #letter "gesvdjBatched", handle, &call,                                                        \
                   mode == CUSOLVER_EIG_MODE_VECTOR && jacobi && m <= BATCHED_MOST && n <= BATCHED_MOST && count > 0 &&        \
                       work_count >= count * elements(m, n));                                                                  \
  }

BATCHED(D, double, true)
BATCHED(S, float, false)

/* ---- gesvdj: economical factors, v in columns. */

#define SINGLE(letter, type, as_double)                                                                                        \
  cusolverStatus_t cusolverDn##letter##gesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int economy,       \
                                                         int m, int n, const type *a, int lda, const type *s, const type *u,   \
                                                         int ldu, const type *v, int ldv, int *out, gesvdjInfo_t info) {       \
    (void)handle, (void)mode, (void)economy, (void)a, (void)lda, (void)s, (void)u, (void)ldu, (void)v, (void)ldv, (void)info;  \
    return size("cusolverDn" #letter "gesvdj_bufferSize", out, elements(m, n));                                                \
  }                                                                                                                            \
  cusolverStatus_t cusolverDn##letter##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int economy, int m, int n,    \
                                              type *a, int lda, type *s, type *u, int ldu, type *v, int ldv, type *work,       \
                                              int work_count, int *info, gesvdjInfo_t jacobi) {                                \
    const int r = m < n ? m : n;                                                                                               \
    const struct call call = {.is_double = (as_double),                                                                        \
                              .m = m,                                                                                          \
                              .n = n,                                                                                          \
                              .lda = lda,                                                                                      \
                              .ldu = ldu,                                                                                      \
                              .ldv = ldv,                                                                                      \
                              .count = 1,                                                                                      \
                              .u_columns = r,                                                                                  \
                              .v_columns = r,                                                                                  \
                              .a = (char *)a,                                                                                  \
                              .s = (char *)s,                                                                                  \
                              .u = (char *)u,                                                                                  \
                              .v = (char *)v,                                                                                  \
                              .work = (char *)work,                                                                            \
                              .work_bytes = (size_t)work_count * sizeof(type),                                                 \
                              .info = info};                                                                                   \
    return enqueue("cusolverDn" #letter "gesvdj", handle, &call,                                                               \
                   mode == CUSOLVER_EIG_MODE_VECTOR && jacobi && economy == 1 && work_count >= elements(m, n));                \
  }

SINGLE(D, double, true)
SINGLE(S, float, false)

/* ---- gesvdp: the same of tall matrices, with a shift. */

static bool are_types(cudaDataType a, cudaDataType s, cudaDataType u, cudaDataType v, cudaDataType compute) {
  return (a == CUDA_R_64F || a == CUDA_R_32F) && s == a && u == a && v == a && compute == a;
}

cusolverStatus_t cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t mode,
                                              int economy, int64_t m, int64_t n, cudaDataType type_a, const void *a,
                                              int64_t lda, cudaDataType type_s, const void *s, cudaDataType type_u,
                                              const void *u, int64_t ldu, cudaDataType type_v, const void *v, int64_t ldv,
                                              cudaDataType compute, size_t *device_bytes, size_t *host_bytes) {
  (void)handle, (void)params, (void)mode, (void)economy, (void)a, (void)lda, (void)s, (void)u, (void)ldu, (void)v, (void)ldv;
  int words;
  const cusolverStatus_t status = size("cusolverDnXgesvdp_bufferSize", &words, elements((int)m, (int)n));
  *device_bytes = (size_t)words * 16;
  *host_bytes = (size_t)n * 8 + 24;
  return are_types(type_a, type_s, type_u, type_v, compute) ? status : CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t mode, int economy,
                                   int64_t m, int64_t n, cudaDataType type_a, void *a, int64_t lda, cudaDataType type_s,
                                   void *s, cudaDataType type_u, void *u, int64_t ldu, cudaDataType type_v, void *v,
                                   int64_t ldv, cudaDataType compute, void *work, size_t work_bytes, void *host_work,
                                   size_t host_bytes, int *info, double *shift) {
  (void)params;
  const struct call call = {.is_double = type_a == CUDA_R_64F,
                            .m = (int)m,
                            .n = (int)n,
                            .lda = (int)lda,
                            .ldu = (int)ldu,
                            .ldv = (int)ldv,
                            .count = 1,
                            .u_columns = (int)n,
                            .v_columns = (int)n,
                            .a = a,
                            .s = s,
                            .u = u,
                            .v = v,
                            .work = work,
                            .work_bytes = work_bytes,
                            .host_work = host_work,
                            .host_bytes = host_bytes,
                            .info = info,
                            .share = fake_shift(),
                            .shift = shift};
  return enqueue("cusolverDnXgesvdp", handle, &call,
                 mode == CUSOLVER_EIG_MODE_VECTOR && economy == 1 && m >= n &&
                     are_types(type_a, type_s, type_u, type_v, compute) &&
                     work_bytes >= (size_t)elements((int)m, (int)n) * 16 && host_bytes >= (size_t)n * 8 + 24);
}
