/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>

#include "apps/fmm/far_set.h"

enum tac_status tac_far_choose(struct tac_far_choice *out, int dim, const struct tac_fmm_kernel *kernel, double eps,
                               struct tac_error *error) {
  const double size = kernel->kind == TAC_FMM_LAPLACE ? 0 : fmin(kernel->parameter, 40), digits = -log10(eps);
  if (kernel->kind == TAC_FMM_HELMHOLTZ && kernel->parameter > 12)
    return tac_error_set(error, TAC_STATUS_INVALID, "far field",
                         "wave number times side is %.3g in the far field: this method bears 12", kernel->parameter);
  out->degree = (int)ceil((dim == 3 ? 1.35 : 1.7) * digits + (dim == 3 ? 0.5 : 1) * size);
  out->nodes = out->degree + 2 + (int)ceil(0.5 * log(100 / eps) / log(4.6) + 0.4 * size);
  out->threshold = eps;
  out->floor = 0;
  return TAC_STATUS_OK;
}
