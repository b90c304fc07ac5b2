/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * The module's one exported name, and the life of a device. */
#include <stdlib.h>

#include "runtime/device/cuda/cuda.h"

/* What cuBLAS' guide recommends. */
#define WORKSPACE_BYTES        ((size_t)4 << 20)
#define WORKSPACE_HOPPER_BYTES ((size_t)32 << 20)
#define HOPPER                 90

static void close_device(void *context) {
  struct tac_cuda *cuda = context;
  tac_cuda_enter(cuda, NULL);
  tac_cuda_handles_close(cuda, &cuda->solver);
  tac_cuda_handles_close(cuda, &cuda->blas);
  tac_cuda_own_kernels_release(cuda);
  tac_cuda_times_close(cuda);
  tac_cuda_blocks_free(cuda);
  tac_cuda_libraries_close(&cuda->libraries);
  pthread_mutex_destroy(&cuda->mutex);
  free(cuda);
}

static enum tac_status prepare(struct tac_cuda *cuda, struct tac_error *error) {
  int major = 0, minor = 0;
  enum tac_status status = tac_cuda_enter(cuda, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, cuda->number),
                            "cudaDeviceGetAttribute", error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, cuda->number),
                            "cudaDeviceGetAttribute", error);
  cuda->architecture = major * 10 + minor;
  cuda->workspace_bytes = cuda->architecture >= HOPPER ? WORKSPACE_HOPPER_BYTES : WORKSPACE_BYTES;
  if (status == TAC_STATUS_OK)
    status = tac_cuda_libraries_open(&cuda->libraries, error);
  if (status == TAC_STATUS_OK && cuda->timing)
    status = tac_cuda_times_open(cuda, error);
  return status;
}

static enum tac_status open_device(void **out, int number, const struct tac_backend_options *options, struct tac_error *error) {
  int devices;
  enum tac_status status = tac_cuda_device_count(&devices, error);
  if (status != TAC_STATUS_OK)
    return status;
  if (number < 0 || number >= devices)
    return tac_error_set(error, TAC_STATUS_INVALID, "cuda", "no device %d: CUDA has %d, from 0", number, devices);
  struct tac_cuda *cuda = calloc(1, sizeof(*cuda));
  if (!cuda)
    return tac_cuda_no_memory(error);
  cuda->number = number;
  cuda->timing = options->timing != 0;
  if (pthread_mutex_init(&cuda->mutex, NULL)) {
    free(cuda);
    return tac_error_set(error, TAC_STATUS_SYSTEM, "cuda", "no mutex for the device");
  }
  status = tac_cuda_handles_open(&cuda->blas, options->blas_handles, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_handles_open(&cuda->solver, options->solver_handles, error);
  if (status == TAC_STATUS_OK)
    status = prepare(cuda, error);
  if (status == TAC_STATUS_OK)
    *out = cuda;
  else
    close_device(cuda);
  return status;
}

extern const struct tac_backend tac_backend_cuda_table;

TAC_API const struct tac_backend tac_backend_cuda_table = {
    .abi = TAC_BACKEND_ABI,
    .name = "cuda",
    .list = tac_cuda_list,
    .open = open_device,
    .close = close_device,
    .allocate = tac_cuda_allocate,
    .release = tac_cuda_release,
    .own_allocations = tac_cuda_blocks_made,
    .build = tac_cuda_build,
    .release_program = tac_cuda_release_program,
    .kernel = tac_cuda_kernel,
    .release_kernel = tac_cuda_release_kernel,
    .open_stream = tac_cuda_open_stream,
    .close_stream = tac_cuda_close_stream,
    .native = tac_cuda_native,
    .launch = tac_cuda_launch,
    .write = tac_cuda_write,
    .read = tac_cuda_read,
    .copy = tac_cuda_copy,
    .clear = tac_cuda_clear,
    .wait = tac_cuda_wait,
    .finish = tac_cuda_finish,
    .times = tac_cuda_times,
    .discard = tac_cuda_discard,
    .dense = &tac_cuda_dense,
};
