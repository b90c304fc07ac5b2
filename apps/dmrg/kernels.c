/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/kernels.h"

#include <string.h>

/* OpenBLAS' kernels that have a fast path for small real matrices. */
static int has_small_products(const char *blas_kernel) {
  static const char *const names[] = {"SkylakeX", "Cooperlake", "SapphireRapids"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(blas_kernel, names[i]) == 0)
      return 1;
  return 0;
}

const struct tac_kernels *tac_kernels_of(enum tac_dmrg_scalar scalar, const char *blas_kernel) {
  const int tiled = has_small_products(blas_kernel);
  switch (scalar) {
  case TAC_DMRG_REAL32:
    return tiled ? &tac_kernels_real32_tiled : &tac_kernels_real32;
  case TAC_DMRG_COMPLEX64:
    return &tac_kernels_complex64;
  case TAC_DMRG_COMPLEX32:
    return &tac_kernels_complex32;
  case TAC_DMRG_REAL64:
  default:
    return tiled ? &tac_kernels_real64_tiled : &tac_kernels_real64;
  }
}
