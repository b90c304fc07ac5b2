/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>

#include "runtime/device/cuda/cuda.h"

static enum tac_status refuse(cudaError_t code, struct tac_error *error) {
  const char *advice = code == cudaErrorInsufficientDriver ? "install an NVIDIA driver, or a newer one"
                       : code == cudaErrorStubLibrary ? "the loader found the toolkit's stub of libcuda.so.1 in place of the "
                                                        "driver's: take the stubs folder from the library path"
                                                      : "this machine has no CUDA device that this process may use";
  tac_error_set(error, TAC_STATUS_UNAVAILABLE, "cuda", "cudaGetDeviceCount: %s (CUDA %d.%d): %s", cudaGetErrorName(code),
                CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10, advice);
  if (error)
    error->native_code = (int)code;
  return TAC_STATUS_UNAVAILABLE;
}

enum tac_status tac_cuda_device_count(int *count, struct tac_error *error) {
  *count = 0; /* left as it is where the call fails */
  const cudaError_t code = cudaGetDeviceCount(count);
  switch (code) {
  case cudaSuccess:
    return *count > 0 ? TAC_STATUS_OK : refuse(cudaErrorNoDevice, error);
  case cudaErrorInsufficientDriver:
  case cudaErrorStubLibrary:
  case cudaErrorNoDevice:
    (void)cudaGetLastError();
    return refuse(code, error);
  default:
    return tac_cuda_check(code, "cudaGetDeviceCount", error);
  }
}

static enum tac_status describe(int number, struct tac_device_info *info, struct tac_error *error) {
  struct cudaDeviceProp properties;
  int runtime = 0, driver = 0;
  enum tac_status status = tac_cuda_check(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties", error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion", error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion", error);
  if (status != TAC_STATUS_OK)
    return status;
  *info = (struct tac_device_info){.executor = "cuda",
                                   .number = number,
                                   .kind = TAC_DEVICE_GPU,
                                   .units = properties.multiProcessorCount,
                                   .memory_bytes = properties.totalGlobalMem,
                                   .block_bytes = properties.totalGlobalMem,
                                   .local_bytes = properties.sharedMemPerBlock,
                                   .fp64 = 1,
                                   .shares_memory = 0,
                                   .has_svd = 1};
  snprintf(info->name, sizeof(info->name), "%.*s", (int)sizeof(info->name) - 1, properties.name);
  snprintf(info->platform, sizeof(info->platform), "CUDA %d.%d, compute capability %d.%d", runtime / 1000, runtime % 1000 / 10,
           properties.major, properties.minor);
  snprintf(info->driver, sizeof(info->driver), "CUDA %d.%d", driver / 1000, driver % 1000 / 10);
  return TAC_STATUS_OK;
}

enum tac_status tac_cuda_list(struct tac_device_info *infos, size_t room, size_t *count, struct tac_error *error) {
  int devices;
  *count = 0;
  enum tac_status status = tac_cuda_device_count(&devices, error);
  for (int number = 0; status == TAC_STATUS_OK && number < devices && (size_t)number < room; number++)
    status = describe(number, &infos[number], error);
  if (status == TAC_STATUS_OK)
    *count = (size_t)devices;
  return status;
}
