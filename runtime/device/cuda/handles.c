/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/device/cuda/handles.h"

#include <stdlib.h>

#include "runtime/device/cuda/cuda.h"

enum tac_status tac_cuda_handles_open(struct tac_cuda_handles *handles, int limit, struct tac_error *error) {
  *handles = (struct tac_cuda_handles){0};
  if (pthread_mutex_init(&handles->mutex, NULL))
    return tac_error_set(error, TAC_STATUS_SYSTEM, "cuda", "no mutex for library handles");
  if (pthread_cond_init(&handles->given, NULL)) {
    pthread_mutex_destroy(&handles->mutex);
    return tac_error_set(error, TAC_STATUS_SYSTEM, "cuda", "no condition for library handles");
  }
  handles->limit = limit > 1 ? limit : 1;
  return TAC_STATUS_OK;
}

static void destroy_handle(struct tac_cuda *cuda, struct tac_cuda_handle *handle) {
  if (handle->jacobi)
    cuda->libraries.cusolverDnDestroyGesvdjInfo(handle->jacobi);
  if (handle->solver)
    cuda->libraries.cusolverDnDestroy(handle->solver);
  if (handle->blas)
    cuda->libraries.cublasDestroy_v2(handle->blas);
  if (handle->used)
    tac_cuda_check(cudaEventDestroy(handle->used), "cudaEventDestroy", NULL);
  free(handle);
}

void tac_cuda_handles_close(struct tac_cuda *cuda, struct tac_cuda_handles *handles) {
  if (handles->limit == 0)
    return;
  for (struct tac_cuda_handle *handle = handles->spare, *next; handle; handle = next) {
    next = handle->next;
    destroy_handle(cuda, handle);
  }
  pthread_cond_destroy(&handles->given);
  pthread_mutex_destroy(&handles->mutex);
}

static bool are_all_taken(const struct tac_cuda_handles *handles) {
  return !handles->spare && handles->made == handles->limit;
}

/* With the mutex held, which is given up meanwhile. */
static void wait_for_given(struct tac_cuda_handles *handles, const struct tac_backend_watcher *watcher) {
  pthread_mutex_unlock(&handles->mutex);
  tac_backend_wait_begin(watcher);
  pthread_mutex_lock(&handles->mutex);
  while (are_all_taken(handles))
    pthread_cond_wait(&handles->given, &handles->mutex);
}

/* NULL: one more may be made, and counts already. */
static struct tac_cuda_handle *wait_for_spare(struct tac_cuda_handles *handles, const struct tac_backend_watcher *watcher) {
  pthread_mutex_lock(&handles->mutex);
  const bool waits = are_all_taken(handles);
  if (waits)
    wait_for_given(handles, watcher);
  struct tac_cuda_handle *handle = handles->spare;
  if (handle)
    handles->spare = handle->next;
  else
    handles->made++;
  pthread_mutex_unlock(&handles->mutex);
  if (waits)
    tac_backend_wait_end(watcher);
  return handle;
}

static void give(struct tac_cuda_handles *handles, struct tac_cuda_handle *handle) {
  pthread_mutex_lock(&handles->mutex);
  if (handle) {
    handle->next = handles->spare;
    handles->spare = handle;
  } else {
    handles->made--;
  }
  pthread_cond_signal(&handles->given);
  pthread_mutex_unlock(&handles->mutex);
}

static enum tac_status make_blas(struct tac_cuda *cuda, struct tac_cuda_handle *handle, struct tac_error *error) {
  return tac_cuda_check_blas(cuda, cuda->libraries.cublasCreate_v2(&handle->blas), "cublasCreate", error);
}

static enum tac_status make_solver(struct tac_cuda *cuda, struct tac_cuda_handle *handle, struct tac_error *error) {
  enum tac_status status = tac_cuda_check_solver(cuda->libraries.cusolverDnCreate(&handle->solver), "cusolverDnCreate", error);
  if (status == TAC_STATUS_OK)
    status =
        tac_cuda_check_solver(cuda->libraries.cusolverDnCreateGesvdjInfo(&handle->jacobi), "cusolverDnCreateGesvdjInfo", error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaEventCreateWithFlags(&handle->used, cudaEventDisableTiming), "cudaEventCreateWithFlags", error);
  return status;
}

static enum tac_status take(struct tac_cuda *cuda, struct tac_cuda_handles *handles,
                            enum tac_status (*make)(struct tac_cuda *, struct tac_cuda_handle *, struct tac_error *),
                            struct tac_cuda_handle **out, const struct tac_backend_watcher *watcher, struct tac_error *error) {
  struct tac_cuda_handle *handle = wait_for_spare(handles, watcher);
  enum tac_status status = TAC_STATUS_OK;
  if (!handle) {
    handle = calloc(1, sizeof(*handle));
    status = handle ? make(cuda, handle, error) : tac_cuda_no_memory(error);
    if (status != TAC_STATUS_OK && handle) {
      destroy_handle(cuda, handle);
      handle = NULL;
    }
    if (!handle)
      give(handles, NULL);
  }
  *out = handle;
  return status;
}

/* A stream's own workspace in place of the handle's: otherwise cuBLAS chooses among its workspaces, and among algorithms, by
 * what other streams do, and a handle that passes on would take its workspace along while it is still in use. */
static enum tac_status bind_blas(struct tac_cuda *cuda, struct tac_cuda_stream *stream, struct tac_cuda_handle *handle,
                                 struct tac_error *error) {
  enum tac_status status =
      tac_cuda_check_blas(cuda, cuda->libraries.cublasSetStream_v2(handle->blas, stream->stream), "cublasSetStream", error);
  if (status == TAC_STATUS_OK && !stream->workspace)
    status = tac_cuda_block_take(cuda, cuda->workspace_bytes, &stream->workspace, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check_blas(
        cuda, cuda->libraries.cublasSetWorkspace_v2(handle->blas, stream->workspace->memory, cuda->workspace_bytes),
        "cublasSetWorkspace", error);
  return status;
}

enum tac_status tac_cuda_blas_take(struct tac_cuda *cuda, struct tac_cuda_stream *stream, struct tac_cuda_handle **out,
                                   const struct tac_backend_watcher *watcher, struct tac_error *error) {
  enum tac_status status = take(cuda, &cuda->blas, make_blas, out, watcher, error);
  if (status != TAC_STATUS_OK)
    return status;
  status = bind_blas(cuda, stream, *out, error);
  if (status != TAC_STATUS_OK) {
    tac_cuda_blas_give(cuda, *out);
    *out = NULL;
  }
  return status;
}

void tac_cuda_blas_give(struct tac_cuda *cuda, struct tac_cuda_handle *handle) {
  give(&cuda->blas, handle);
}

/* A solver's handle has memory of its own: its calls on one stream wait for those before on another. */
enum tac_status tac_cuda_solver_take(struct tac_cuda *cuda, struct tac_cuda_stream *stream, struct tac_cuda_handle **out,
                                     const struct tac_backend_watcher *watcher, struct tac_error *error) {
  enum tac_status status = take(cuda, &cuda->solver, make_solver, out, watcher, error);
  if (status != TAC_STATUS_OK)
    return status;
  status = tac_cuda_check(cudaStreamWaitEvent(stream->stream, (*out)->used, 0), "cudaStreamWaitEvent", error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check_solver(cuda->libraries.cusolverDnSetStream((*out)->solver, stream->stream), "cusolverDnSetStream",
                                   error);
  if (status != TAC_STATUS_OK) {
    give(&cuda->solver, *out);
    *out = NULL;
  }
  return status;
}

enum tac_status tac_cuda_solver_give(struct tac_cuda *cuda, const struct tac_cuda_stream *stream,
                                     struct tac_cuda_handle *handle, enum tac_status status, struct tac_error *error) {
  const enum tac_status marked =
      tac_cuda_check(cudaEventRecord(handle->used, stream->stream), "cudaEventRecord", status == TAC_STATUS_OK ? error : NULL);
  give(&cuda->solver, handle);
  return status == TAC_STATUS_OK ? marked : status;
}
