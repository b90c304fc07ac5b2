/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_BESSEL_H
#define VOLUME_FMM_BESSEL_H

/* exp(-x) I_n(x), the mean of exp(x (cos - 1)) cos(n angle) over the circle, and exp(x) K_n(x), the integral of
 * exp(-x (cosh s - 1)) cosh(n s) over s > 0. */
double tac_scaled_bessel_i(int n, double x);
double tac_scaled_bessel_k(int n, double x);

#endif
