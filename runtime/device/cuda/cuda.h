/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_DEVICE_CUDA_CUDA_H
#define RUNTIME_DEVICE_CUDA_CUDA_H

#include <pthread.h>
#include <stdbool.h>

#include <cuda_runtime_api.h>

#include "runtime/device/backend.h"
#include "runtime/device/cuda/handles.h"
#include "runtime/device/cuda/libraries.h"

/* Of the CUDA module: everything here stays inside it. Every entry of the table makes the device current on its thread first,
 * since lanes are threads of whoever runs the batch. */

struct tac_cuda_base; /* an event whose place on the host's clock is known */

/* Device memory of plans. It is kept for later plans: cudaFree waits for the whole device. */
struct tac_cuda_block {
  void *memory;
  size_t bytes;
  struct tac_cuda_block *next;
};

/* The module's own kernels, compiled when first needed. */
struct tac_cuda_kernels {
  void *program;
  cudaKernel_t pointers, svd_gather, svd_finish;
};

/* A device that is open. */
struct tac_cuda {
  int number, architecture; /* compute capability, major * 10 + minor */
  bool timing;
  struct tac_cuda_libraries libraries;
  struct tac_cuda_handles blas, solver;
  size_t workspace_bytes; /* what cuBLAS wants a stream to have */

  pthread_mutex_t mutex; /* guards what follows */
  struct tac_cuda_block *spare;
  uint64_t blocks_made;
  struct tac_cuda_kernels kernels[2]; /* double and single precision */
  cudaStream_t clock;                 /* where bases are recorded */
  struct tac_cuda_base *base;
  struct tac_backend_event *events; /* free ones */
};

/* A kernel of a caller's program: a launch does not say how many arguments it has, so that they are checked here, where the
 * driver tells of them. */
struct tac_cuda_kernel {
  cudaKernel_t kernel;
  bool is_known; /* what follows */
  size_t arguments, argument_bytes[TAC_LAUNCH_ARGUMENTS_MAX];
};

struct tac_cuda_stream {
  cudaStream_t stream;
  cudaEvent_t order;                /* what this stream waits for in another */
  struct tac_cuda_block *workspace; /* cuBLAS', so that handles may pass from stream to stream and results stay equal */
};

/* ---- error.c: every text names the call and the error. Success is TAC_STATUS_OK. */

enum tac_status tac_cuda_check(cudaError_t code, const char *call, struct tac_error *error);
enum tac_status tac_cuda_check_blas(const struct tac_cuda *cuda, cublasStatus_t code, const char *call,
                                    struct tac_error *error);
enum tac_status tac_cuda_check_solver(cusolverStatus_t code, const char *call, struct tac_error *error);
enum tac_status tac_cuda_check_compiler(const struct tac_cuda *cuda, nvrtcResult code, const char *call,
                                        struct tac_error *error);
static inline enum tac_status tac_cuda_no_memory(struct tac_error *error) {
  tac_error_set(error, TAC_STATUS_MEMORY, "cuda", "no memory on the host");
  return TAC_STATUS_MEMORY;
}
/* Makes the device current on this thread. */
enum tac_status tac_cuda_enter(const struct tac_cuda *cuda, struct tac_error *error);

/* ---- devices.c */

enum tac_status tac_cuda_list(struct tac_device_info *infos, size_t room, size_t *count, struct tac_error *error);
enum tac_status tac_cuda_device_count(int *count, struct tac_error *error);

/* ---- memory.c */

enum tac_status tac_cuda_allocate(void *context, size_t bytes, void **memory, struct tac_error *error);
void tac_cuda_release(void *context, void *memory);
enum tac_status tac_cuda_block_take(struct tac_cuda *cuda, size_t bytes, struct tac_cuda_block **out, struct tac_error *error);
/* Nothing on the device uses it any more. NULL is accepted. */
void tac_cuda_block_give(struct tac_cuda *cuda, struct tac_cuda_block *block);
void tac_cuda_blocks_free(struct tac_cuda *cuda);
uint64_t tac_cuda_blocks_made(void *context); /* since the device was opened */

/* ---- program.c, kernels.c */

enum tac_status tac_cuda_build(void *context, const char *name, const char *source, const char *options, void **program,
                               char **log, struct tac_error *error);
void tac_cuda_release_program(void *context, void *program);
enum tac_status tac_cuda_find_kernel(struct tac_cuda *cuda, void *program, const char *name, cudaKernel_t *kernel,
                                     struct tac_error *error);
enum tac_status tac_cuda_kernel(void *context, void *program, const char *name, void **kernel, struct tac_error *error);
void tac_cuda_release_kernel(void *context, void *kernel);
/* What is given to a program of an architecture: the newest that the compiler knows and the device runs. *is_binary: machine
 * code; otherwise PTX, which the driver translates. False: it knows none that is old enough. */
bool tac_cuda_architecture(int device, const int *known, int count, int *best, bool *is_binary);

enum tac_status tac_cuda_own_kernels(struct tac_cuda *cuda, enum tac_device_scalar scalar, const struct tac_cuda_kernels **out,
                                     struct tac_error *error);
void tac_cuda_own_kernels_release(struct tac_cuda *cuda);

/* ---- stream.c */

enum tac_status tac_cuda_open_stream(void *context, void **stream, struct tac_error *error);
void tac_cuda_close_stream(void *context, void *stream);
void *tac_cuda_native(void *stream);
enum tac_status tac_cuda_launch(void *context, void *stream, void *kernel, const size_t groups[3], const size_t items[3],
                                const struct tac_backend_argument *arguments, size_t count, struct tac_backend_event **event,
                                struct tac_error *error);
enum tac_status tac_cuda_write(void *context, void *stream, void *to, size_t offset, const void *from, size_t bytes,
                               struct tac_backend_event **event, struct tac_error *error);
enum tac_status tac_cuda_read(void *context, void *stream, void *from, size_t offset, void *to, size_t bytes,
                              struct tac_backend_event **event, struct tac_error *error);
enum tac_status tac_cuda_copy(void *context, void *stream, void *to, size_t to_offset, void *from, size_t from_offset,
                              size_t bytes, struct tac_backend_event **event, struct tac_error *error);
enum tac_status tac_cuda_clear(void *context, void *stream, void *memory, size_t offset, size_t bytes,
                               struct tac_backend_event **event, struct tac_error *error);
/* Bytes of a plan of ours, within a call of the dense libraries. */
enum tac_status tac_cuda_send(const struct tac_cuda_stream *stream, void *to, const void *from, size_t bytes,
                              const struct tac_backend_watcher *watcher, struct tac_error *error);
enum tac_status tac_cuda_wait(void *context, void *stream, void *other, struct tac_error *error);
enum tac_status tac_cuda_finish(void *context, void *stream, struct tac_error *error);

/* ---- times.c */

/* The device is opened with timing: the first base. */
enum tac_status tac_cuda_times_open(struct tac_cuda *cuda, struct tac_error *error);
void tac_cuda_times_close(struct tac_cuda *cuda);
/* A newer base where the current one is old: clocks drift, and the time since a base is known in single precision. Where the
 * host waits anyhow. */
enum tac_status tac_cuda_times_renew(struct tac_cuda *cuda, struct tac_error *error);
/* Around the submission of one command. `event` NULL: only makes the device current. `status` is the submission's, and what
 * _end returns, unless the end cannot be recorded. */
enum tac_status tac_cuda_command_begin(struct tac_cuda *cuda, const struct tac_cuda_stream *stream,
                                       struct tac_backend_event **event, struct tac_error *error);
enum tac_status tac_cuda_command_end(struct tac_cuda *cuda, const struct tac_cuda_stream *stream,
                                     struct tac_backend_event **event, enum tac_status status, struct tac_error *error);
enum tac_status tac_cuda_times(void *context, struct tac_backend_event *event, int64_t *start_ns, int64_t *finish_ns,
                               struct tac_error *error);
void tac_cuda_discard(void *context, struct tac_backend_event *event);

/* Before memory that a command may still read is given up after a failure. */
void tac_cuda_settle(const struct tac_cuda_stream *stream);

/* ---- gemm.c, gemm_plan.c, svd.c */

extern const struct tac_backend_dense tac_cuda_dense;

#endif
