/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_DEVICE_CUDA_GEMM_H
#define RUNTIME_DEVICE_CUDA_GEMM_H

#include "runtime/device/cuda/cuda.h"

/* Products of one shape at regular distances, or a single one: a call of its own. Offsets and strides count elements. */
struct tac_cuda_gemm_call {
  struct tac_device_product first;
  long long stride_a, stride_b, stride_c;
  int count;
};

/* All others together: groups of products of one shape, the arrays as cuBLAS wants them. */
struct tac_cuda_gemm_groups {
  int count;
  size_t problems;
  cublasOperation_t *op_a, *op_b;
  int *m, *n, *k, *lda, *ldb, *ldc, *size;
  void *alpha, *beta; /* of the plan's scalar */
  uint64_t *places;   /* bytes from the arrays' starts: of a, of b, of c; read by the device until the plan has arrived */
};

struct tac_cuda_gemm_plan {
  enum tac_device_scalar scalar;
  size_t scalar_bytes;
  size_t call_count, clear_count;
  struct tac_cuda_gemm_call *calls;
  struct tac_device_product *clears; /* nothing to sum: c becomes zero */
  struct tac_cuda_gemm_groups groups;
  struct tac_cuda_block *block; /* on the device: places, then addresses */
  cudaEvent_t used;             /* the end of the last run: another stream's run waits before it writes addresses */
};

enum tac_status tac_cuda_gemm_plan(void *context, void *stream, enum tac_device_scalar scalar,
                                   const struct tac_device_product *products, size_t count, void **plan,
                                   const struct tac_backend_watcher *watcher, struct tac_error *error);
void tac_cuda_gemm_release(void *context, void *plan);

#endif
