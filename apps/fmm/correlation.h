/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_CORRELATION_H
#define APPS_FMM_CORRELATION_H

#include <tactus/fmm/kernel.h>
#include <tactus/runtime/error.h>
#include <tactus/runtime/memory.h>

#include "apps/fmm/modes.h"

/* Galerkin matrices of a kernel between two separated boxes of side 1,
 *   K_ij(d) = integral over both boxes of phi_i(x) G(|x - y - d|) phi_j(y),
 * where box y is displaced by d. With z = x - y the integrand depends on x and y through G(|z - d|) and, axis by axis,
 * through the correlation C_ab(z) = integral of phi_a(x) phi_b(x - z) over the x where both stand in their boxes. C is a
 * polynomial of degree a + b + 1 on z > 0, and C_ab(-z) = C_ba(z) = (-1)^(a+b) C_ab(z). So K is a tensor Gauss sum over one
 * orthant of z of the kernel's mirror sums times products of three correlations, contracted axis by axis; a pair of
 * degrees counts once for both orders. */
struct tac_correlation;

/* `modes` (total degree) must outlive it. nodes: on each half axis, at most 64; the sum is exact in the correlations and in
 * polynomials of degree 2 * (nodes - modes->order) of the kernel. */
enum tac_status tac_correlation_create(struct tac_correlation **out, const struct tac_modes *modes, int nodes,
                                       const struct tac_allocator *allocator, struct tac_error *error);
void tac_correlation_destroy(struct tac_correlation **correlation);

/* out[i + count*j] = K_ij(offset). The boxes must not touch, else the sum is not accurate. */
void tac_correlation_matrix(double *out, struct tac_correlation *correlation, const struct tac_fmm_kernel *kernel, int part,
                            const int offset[3]);

#endif
