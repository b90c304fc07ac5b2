/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/near_kernel.h"

#include <math.h>

/* A kernel, or one of its parts, less some local Gaussians: entire in r^2. */
struct rest {
  const struct tac_fmm_kernel *kernel;
  int dim, part;
  struct tac_gaussians local;
};

static double rest_value(const void *context, double square) {
  const struct rest *rest = context;
  const double r = sqrt(square);
  return tac_fmm_kernel_value(rest->kernel, rest->dim, rest->part, r) - tac_gaussians_value(&rest->local, r);
}

static void make_rest(const void *context, double limit, struct tac_radial *out) {
  tac_chebyshev_fit(&out->smooth, limit, rest_value, context);
}

/* The real part is singular: its Gaussians of width 1 and less, and the entire rest. The imaginary part is entire. The width
 * keeps the Gaussians' weights below exp(parameter^2/4) and the rest smooth over a box. */
static enum tac_status add_helmholtz(double *set, const struct tac_near_space *space, const struct tac_fmm_kernel *kernel,
                                     int part, int components, struct tac_error *error) {
  struct rest rest = {.kernel = kernel, .dim = space->dim, .part = part};
  enum tac_status status = TAC_STATUS_OK;
  if (part == 0) {
    tac_gaussians_init_local(&rest.local, kernel, space->dim, 1);
    status = tac_near_add_gaussians(set, space, &rest.local, components, error);
  }
  const struct tac_near_rule rule = {.nodes = 10 + space->order / 2};
  return status ? status : tac_near_add_radial(set, space, make_rest, &rest, &rule, components, error);
}

enum tac_status tac_near_add_kernel(double *set, const struct tac_near_space *space, const struct tac_fmm_kernel *kernel,
                                    int part, int components, struct tac_error *error) {
  if (kernel->kind == TAC_FMM_HELMHOLTZ)
    return add_helmholtz(set, space, kernel, part, components, error);
  struct tac_gaussians gaussians;
  tac_gaussians_init(&gaussians, kernel, space->dim);
  return tac_near_add_gaussians(set, space, &gaussians, components, error);
}
