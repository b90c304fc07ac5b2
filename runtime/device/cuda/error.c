/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/device/cuda/cuda.h"

static enum tac_status fail(struct tac_error *error, enum tac_status status, const char *call, const char *name,
                            const char *text, int code) {
  tac_error_set(error, status, "cuda", "%s: %s%s%s", call, name, *text ? ": " : "", text);
  if (error)
    error->native_code = code;
  return status;
}

enum tac_status tac_cuda_check(cudaError_t code, const char *call, struct tac_error *error) {
  if (code == cudaSuccess)
    return TAC_STATUS_OK;
  (void)cudaGetLastError(); /* an error that lasts comes back with the next call, another must not */
  const enum tac_status status = code == cudaErrorMemoryAllocation                                        ? TAC_STATUS_MEMORY
                                 : code == cudaErrorInvalidValue || code == cudaErrorInvalidConfiguration ? TAC_STATUS_INVALID
                                                                                                          : TAC_STATUS_DEVICE;
  return fail(error, status, call, cudaGetErrorName(code), cudaGetErrorString(code), (int)code);
}

enum tac_status tac_cuda_check_blas(const struct tac_cuda *cuda, cublasStatus_t code, const char *call,
                                    struct tac_error *error) {
  if (code == CUBLAS_STATUS_SUCCESS)
    return TAC_STATUS_OK;
  const enum tac_status status = code == CUBLAS_STATUS_ALLOC_FAILED ? TAC_STATUS_MEMORY : TAC_STATUS_DEVICE;
  return fail(error, status, call, cuda->libraries.cublasGetStatusName(code), "", (int)code);
}

static const char *solver_status_name(cusolverStatus_t code) {
  static const char *const names[] = {
      [CUSOLVER_STATUS_NOT_INITIALIZED] = "CUSOLVER_STATUS_NOT_INITIALIZED",
      [CUSOLVER_STATUS_ALLOC_FAILED] = "CUSOLVER_STATUS_ALLOC_FAILED",
      [CUSOLVER_STATUS_INVALID_VALUE] = "CUSOLVER_STATUS_INVALID_VALUE",
      [CUSOLVER_STATUS_ARCH_MISMATCH] = "CUSOLVER_STATUS_ARCH_MISMATCH",
      [CUSOLVER_STATUS_MAPPING_ERROR] = "CUSOLVER_STATUS_MAPPING_ERROR",
      [CUSOLVER_STATUS_EXECUTION_FAILED] = "CUSOLVER_STATUS_EXECUTION_FAILED",
      [CUSOLVER_STATUS_INTERNAL_ERROR] = "CUSOLVER_STATUS_INTERNAL_ERROR",
      [CUSOLVER_STATUS_NOT_SUPPORTED] = "CUSOLVER_STATUS_NOT_SUPPORTED",
  };
  const char *name = (size_t)code < sizeof(names) / sizeof(names[0]) ? names[code] : NULL;
  return name ? name : "a cuSOLVER status without a name here";
}

enum tac_status tac_cuda_check_solver(cusolverStatus_t code, const char *call, struct tac_error *error) {
  if (code == CUSOLVER_STATUS_SUCCESS)
    return TAC_STATUS_OK;
  const enum tac_status status = code == CUSOLVER_STATUS_ALLOC_FAILED ? TAC_STATUS_MEMORY : TAC_STATUS_DEVICE;
  return fail(error, status, call, solver_status_name(code), "", (int)code);
}

enum tac_status tac_cuda_check_compiler(const struct tac_cuda *cuda, nvrtcResult code, const char *call,
                                        struct tac_error *error) {
  if (code == NVRTC_SUCCESS)
    return TAC_STATUS_OK;
  const enum tac_status status = code == NVRTC_ERROR_OUT_OF_MEMORY ? TAC_STATUS_MEMORY : TAC_STATUS_DEVICE;
  return fail(error, status, call, cuda->libraries.nvrtcGetErrorString(code), "", (int)code);
}

enum tac_status tac_cuda_enter(const struct tac_cuda *cuda, struct tac_error *error) {
  return tac_cuda_check(cudaSetDevice(cuda->number), "cudaSetDevice", error);
}
