/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_FMM_DUFFY_H
#define TESTS_FMM_DUFFY_H

#include "apps/fmm/modes.h"

/* Integrals of a radial kernel against the modes over the unit box, by a rule that shares nothing with sums of Gaussians. A
 * target inside: pyramids with their apex at the target (Duffy's transformation) over every face, faces halved towards the
 * target, the radius in geometric panels. A target outside: boxes halved towards it. 11 + order/2 nodes a panel and axis. */
struct duffy_kernel {
  double (*value)(const void *context, double r);
  double (*slope)(const void *context, double r); /* derivative by r */
  const void *context;
  int radial_panels; /* 1 where r^(dim-1) G is a polynomial along a ray */
};

/* out[mode]; component 0: the potential at x, 1 + axis: its derivative along that axis. */
void duffy_integrals(double *out, const struct tac_modes *modes, const struct duffy_kernel *kernel, int component,
                     const double *x);

#endif
