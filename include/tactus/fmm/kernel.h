/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_FMM_KERNEL_H
#define TACTUS_FMM_KERNEL_H

#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Free-space Green's functions G(r), r = |x - y|:
 *
 *               2D                3D                    operator
 *   Laplace     -ln(r)/(2 pi)     1/(4 pi r)            -Delta u = f
 *   Yukawa      K0(l r)/(2 pi)    exp(-l r)/(4 pi r)    (l^2 - Delta) u = f
 *   Helmholtz   (i/4) H0(k r)     exp(i k r)/(4 pi r)   (-Delta - k^2) u = f, outgoing; complex */
enum tac_fmm_kernel_kind { TAC_FMM_LAPLACE = 0, TAC_FMM_YUKAWA, TAC_FMM_HELMHOLTZ, TAC_FMM_KERNEL_KINDS };

struct tac_fmm_kernel {
  enum tac_fmm_kernel_kind kind;
  double parameter; /* l or k, inverse length, positive and finite; ignored for Laplace */
};

/* "laplace", "yukawa", "helmholtz"; NULL for an unknown kind. */
TAC_API const char *tac_fmm_kernel_name(enum tac_fmm_kernel_kind kind);

/* Real numbers a value consists of: 2 for Helmholtz (real and imaginary part), 1 otherwise. */
TAC_API int tac_fmm_kernel_parts(enum tac_fmm_kernel_kind kind);

/* G at distance r > 0 in `dim` (2 or 3) dimensions; part 0 is the real part, part 1 the imaginary one (Helmholtz). NaN
 * outside that. Relative accuracy about 1e-14 of |G|. */
TAC_API double tac_fmm_kernel_value(const struct tac_fmm_kernel *kernel, int dim, int part, double r);

#ifdef __cplusplus
}
#endif
#endif
