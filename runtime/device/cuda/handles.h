/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_DEVICE_CUDA_HANDLES_H
#define RUNTIME_DEVICE_CUDA_HANDLES_H

#include <pthread.h>

#include <cublas_v2.h>
#include <cusolverDn.h>

#include <tactus/runtime/error.h>

struct tac_cuda;
struct tac_cuda_stream;
struct tac_backend_watcher;

/* A handle of cuBLAS or cuSOLVER. */
struct tac_cuda_handle {
  cublasHandle_t blas;
  cusolverDnHandle_t solver;
  gesvdjInfo_t jacobi;
  cudaEvent_t used; /* the end of the handle's last call */
  struct tac_cuda_handle *next;
};

/* At most `limit` handles of one library, shared by the streams: made when needed, and waited for when all are taken. Zeros are
 * closed. */
struct tac_cuda_handles {
  pthread_mutex_t mutex;
  pthread_cond_t given;
  int limit, made;
  struct tac_cuda_handle *spare;
};

enum tac_status tac_cuda_handles_open(struct tac_cuda_handles *handles, int limit, struct tac_error *error);
/* All handles are back. Works without the device, too. */
void tac_cuda_handles_close(struct tac_cuda *cuda, struct tac_cuda_handles *handles);

/* A handle whose calls go to the stream, until it is given back. The watcher is told where it has to be waited for. */
enum tac_status tac_cuda_blas_take(struct tac_cuda *cuda, struct tac_cuda_stream *stream, struct tac_cuda_handle **out,
                                   const struct tac_backend_watcher *watcher, struct tac_error *error);
enum tac_status tac_cuda_solver_take(struct tac_cuda *cuda, struct tac_cuda_stream *stream, struct tac_cuda_handle **out,
                                     const struct tac_backend_watcher *watcher, struct tac_error *error);
void tac_cuda_blas_give(struct tac_cuda *cuda, struct tac_cuda_handle *handle);
/* `status` is the outcome of the calls, and what it returns unless their end cannot be marked. */
enum tac_status tac_cuda_solver_give(struct tac_cuda *cuda, const struct tac_cuda_stream *stream,
                                     struct tac_cuda_handle *handle, enum tac_status status, struct tac_error *error);

#endif
