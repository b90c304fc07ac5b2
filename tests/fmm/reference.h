/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_FMM_REFERENCE_H
#define TESTS_FMM_REFERENCE_H

#include <tactus/fmm/kernel.h>

/* One part of a kernel and its derivative by r, as duffy.h wants them; context is a struct reference. */
struct reference {
  struct tac_fmm_kernel kernel;
  int dim, part;
};
double reference_value(const void *context, double r);
double reference_slope(const void *context, double r);

#endif
