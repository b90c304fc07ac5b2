/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_NEAR_KERNEL_H
#define APPS_FMM_NEAR_KERNEL_H

#include "apps/fmm/near_block.h"

/* Adds the matrices of one part of a kernel, with its parameter in units of the source's side, to a set. */
enum tac_status tac_near_add_kernel(double *set, const struct tac_near_space *space, const struct tac_fmm_kernel *kernel,
                                    int part, int components, struct tac_error *error);

#endif
