/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/cuda/cuda.h"

extern const char tac_kernel_source_cuda_dense[];
extern const char tac_kernel_source_cuda_names[];

/* With the mutex held. */
static enum tac_status build(struct tac_cuda *cuda, struct tac_cuda_kernels *kernels, const char *options,
                             struct tac_error *error) {
  const size_t room = strlen(tac_kernel_source_cuda_names) + strlen(tac_kernel_source_cuda_dense) + 1;
  char *source = malloc(room);
  if (!source)
    return tac_cuda_no_memory(error);
  snprintf(source, room, "%s%s", tac_kernel_source_cuda_names, tac_kernel_source_cuda_dense);
  enum tac_status status = tac_cuda_build(cuda, "cuda_dense", source, options, &kernels->program, NULL, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_find_kernel(cuda, kernels->program, "tac_cuda_pointers", &kernels->pointers, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_find_kernel(cuda, kernels->program, "tac_cuda_svd_gather", &kernels->svd_gather, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_find_kernel(cuda, kernels->program, "tac_cuda_svd_finish", &kernels->svd_finish, error);
  free(source);
  return status;
}

static void release(struct tac_cuda *cuda, struct tac_cuda_kernels *kernels) {
  if (kernels->program)
    tac_cuda_release_program(cuda, kernels->program);
  *kernels = (struct tac_cuda_kernels){0};
}

enum tac_status tac_cuda_own_kernels(struct tac_cuda *cuda, enum tac_device_scalar scalar, const struct tac_cuda_kernels **out,
                                     struct tac_error *error) {
  const bool is_single = scalar == TAC_DEVICE_REAL32;
  struct tac_cuda_kernels *kernels = &cuda->kernels[is_single];
  enum tac_status status = TAC_STATUS_OK;
  pthread_mutex_lock(&cuda->mutex);
  if (!kernels->program)
    status = build(cuda, kernels, is_single ? "-DTAC_REAL=float" : "-DTAC_REAL=double", error);
  if (status != TAC_STATUS_OK)
    release(cuda, kernels);
  pthread_mutex_unlock(&cuda->mutex);
  *out = kernels;
  return status;
}

void tac_cuda_own_kernels_release(struct tac_cuda *cuda) {
  release(cuda, &cuda->kernels[0]);
  release(cuda, &cuda->kernels[1]);
}
