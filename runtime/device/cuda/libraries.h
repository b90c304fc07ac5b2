/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_DEVICE_CUDA_LIBRARIES_H
#define RUNTIME_DEVICE_CUDA_LIBRARIES_H

#include <cublas_v2.h>
#include <cusolverDn.h>
#include <nvrtc.h>

#include <tactus/runtime/error.h>

/* cuBLAS, cuSOLVER and NVRTC, which take a tenth of a second to load: so only when a device is opened. The names say what is
 * used of each; the field of that name is its address. */
#define TAC_CUDA_BLAS_FUNCTIONS(X)                                                                                             \
  X(cublasCreate_v2)                                                                                                           \
  X(cublasDestroy_v2)                                                                                                          \
  X(cublasSetStream_v2)                                                                                                        \
  X(cublasSetWorkspace_v2)                                                                                                     \
  X(cublasGetStatusName)                                                                                                       \
  X(cublasDgemmGroupedBatched)                                                                                                 \
  X(cublasSgemmGroupedBatched)                                                                                                 \
  X(cublasDgemmStridedBatched)                                                                                                 \
  X(cublasSgemmStridedBatched)

#define TAC_CUDA_SOLVER_FUNCTIONS(X)                                                                                           \
  X(cusolverDnCreate)                                                                                                          \
  X(cusolverDnDestroy)                                                                                                         \
  X(cusolverDnSetStream)                                                                                                       \
  X(cusolverDnCreateGesvdjInfo)                                                                                                \
  X(cusolverDnDestroyGesvdjInfo)                                                                                               \
  X(cusolverDnDgesvdj)                                                                                                         \
  X(cusolverDnDgesvdj_bufferSize)                                                                                              \
  X(cusolverDnSgesvdj)                                                                                                         \
  X(cusolverDnSgesvdj_bufferSize)                                                                                              \
  X(cusolverDnDgesvdjBatched)                                                                                                  \
  X(cusolverDnDgesvdjBatched_bufferSize)                                                                                       \
  X(cusolverDnSgesvdjBatched)                                                                                                  \
  X(cusolverDnSgesvdjBatched_bufferSize)                                                                                       \
  X(cusolverDnXgesvdp)                                                                                                         \
  X(cusolverDnXgesvdp_bufferSize)

#define TAC_CUDA_COMPILER_FUNCTIONS(X)                                                                                         \
  X(nvrtcCreateProgram)                                                                                                        \
  X(nvrtcDestroyProgram)                                                                                                       \
  X(nvrtcCompileProgram)                                                                                                       \
  X(nvrtcGetProgramLogSize)                                                                                                    \
  X(nvrtcGetProgramLog)                                                                                                        \
  X(nvrtcGetCUBINSize)                                                                                                         \
  X(nvrtcGetCUBIN)                                                                                                             \
  X(nvrtcGetPTXSize)                                                                                                           \
  X(nvrtcGetPTX)                                                                                                               \
  X(nvrtcGetNumSupportedArchs)                                                                                                 \
  X(nvrtcGetSupportedArchs)                                                                                                    \
  X(nvrtcGetErrorString)

struct tac_cuda_libraries {
  void *blas, *solver, *compiler; /* of dlopen */
#define TAC_CUDA_FIELD(name) __typeof__(&(name)) name;
  TAC_CUDA_BLAS_FUNCTIONS(TAC_CUDA_FIELD)
  TAC_CUDA_SOLVER_FUNCTIONS(TAC_CUDA_FIELD)
  TAC_CUDA_COMPILER_FUNCTIONS(TAC_CUDA_FIELD)
#undef TAC_CUDA_FIELD
};

/* UNAVAILABLE where one is missing or too old, with its name; nothing stays open then. */
enum tac_status tac_cuda_libraries_open(struct tac_cuda_libraries *libraries, struct tac_error *error);
/* Accepts a table of zeros. */
void tac_cuda_libraries_close(struct tac_cuda_libraries *libraries);

#endif
