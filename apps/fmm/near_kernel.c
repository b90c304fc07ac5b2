/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/near_kernel.h"

enum tac_status tac_near_add_kernel(double *set, const struct tac_near_space *space, const struct tac_fmm_kernel *kernel,
                                    int part, int components, struct tac_error *error) {
  if (kernel->kind == TAC_FMM_HELMHOLTZ)
    return tac_error_set(error, TAC_STATUS_INVALID, "near field", "no tables for part %d of Helmholtz' kernel", part);
  struct tac_gaussians gaussians;
  tac_gaussians_init(&gaussians, kernel, space->dim);
  return tac_near_add_gaussians(set, space, &gaussians, components, error);
}
