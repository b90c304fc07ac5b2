/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_KERNEL_H
#define APPS_FMM_KERNEL_H

#include <tactus/fmm/kernel.h>

/* The derivative of tac_fmm_kernel_value with respect to r. */
double tac_fmm_kernel_slope(const struct tac_fmm_kernel *kernel, int dim, int part, double r);

#endif
