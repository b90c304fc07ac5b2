/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>

#include <lapacke.h>

#include "apps/fmm/points_near.h"

static const double pi = 3.14159265358979323846;

#define SAMPLES 160
#define FLAT    42 /* Gaussians of the smooth part, at most */

/* The kernel is an integral over Gaussians of exponents exp(2s), see gaussians.c. Those from `lowest` on are taken from the
 * trapezoid rule; what they leave is smooth (for Helmholtz, too, by continuation) and is fitted by few flat ones. */
struct fit {
  const struct tac_point_sum_options *options;
  double eps, step, lowest; /* the lowest exponent of the rule, as s */
  double exponent[FLAT];
  int count;
  double matrix[SAMPLES * FLAT], right[2 * SAMPLES];
  double r[SAMPLES], rest[2][SAMPLES];
  double work[16 * SAMPLES], singular[FLAT];
};

static double square(const struct tac_fmm_kernel *kernel) {
  const double value = kernel->parameter * kernel->parameter;
  return kernel->kind == TAC_FMM_LAPLACE ? 0 : kernel->kind == TAC_FMM_HELMHOLTZ ? -value : value;
}

static double weight_at(const struct fit *fit, double s) {
  const int space = fit->options->dim == 3;
  const double exponent = -0.25 * square(&fit->options->kernel) * exp(-2 * s) + (space ? s : 0);
  return fit->step / (2 * pi * (space ? sqrt(pi) : 1)) * exp(exponent);
}

/* Gaussians above `last` change integrals over boxes by exp(-2s), derivatives where the density jumps by exp(-s). */
static void add_sharp(struct tac_point_sum *sum, const struct fit *fit) {
  const struct tac_fmm_kernel *kernel = &fit->options->kernel;
  double last = fmin(19.5, (fit->options->gradient ? 1 : 0.5) * log(1 / fit->eps) + 1);
  if (kernel->kind == TAC_FMM_YUKAWA)
    last += fmax(0, log(kernel->parameter));
  for (int k = (int)ceil(fit->lowest / fit->step); k * fit->step <= last && sum->count < TAC_POINT_TERMS; k++) {
    sum->exponent[sum->count] = exp(2 * k * fit->step);
    sum->weight[0][sum->count++] = weight_at(fit, k * fit->step);
  }
}

static void sample(struct fit *fit, const struct tac_point_sum *sharp) {
  const struct tac_point_sum_options *o = fit->options;
  const double nearest = 0.1, farthest = o->reach * sqrt(o->dim);
  for (int i = 0; i < SAMPLES; i++) {
    const double r = nearest + (farthest - nearest) * 0.5 * (1 - cos(pi * (i + 0.5) / SAMPLES));
    fit->r[i] = r;
    for (int part = 0; part < tac_fmm_kernel_parts(o->kernel.kind); part++)
      fit->rest[part][i] = tac_fmm_kernel_value(&o->kernel, o->dim, part, r);
    for (int k = 0; k < sharp->count; k++)
      fit->rest[0][i] -= sharp->weight[0][k] * exp(-sharp->exponent[k] * r * r);
  }
}

/* Least squares with `count` Gaussians, the first of them constant. Returns the largest error at the samples, NaN where the
 * solver fails; the weights are left in `right`. */
static double solve(struct fit *fit, int count, int parts) {
  fit->count = count;
  for (int k = 0; k < count; k++) {
    fit->exponent[k] = k ? exp(2 * fit->step * ceil(fit->lowest / fit->step)) * pow(0.05, 1 - (k - 1.0) / (count - 1)) : 0;
    for (int i = 0; i < SAMPLES; i++)
      fit->matrix[i + SAMPLES * k] = exp(-fit->exponent[k] * fit->r[i] * fit->r[i]);
  }
  for (int i = 0; i < SAMPLES * parts; i++)
    fit->right[i] = fit->rest[i / SAMPLES][i % SAMPLES];
  lapack_int rank;
  if (LAPACKE_dgelss_work(LAPACK_COL_MAJOR, SAMPLES, count, parts, fit->matrix, SAMPLES, fit->right, SAMPLES, fit->singular,
                          1e-15, &rank, fit->work, (lapack_int)(sizeof fit->work / sizeof *fit->work)))
    return NAN;
  double worst = 0;
  for (int i = 0; i < SAMPLES * parts; i++) {
    double error = -fit->rest[i / SAMPLES][i % SAMPLES];
    for (int k = 0; k < count; k++)
      error += fit->right[SAMPLES * (i / SAMPLES) + k] * exp(-fit->exponent[k] * fit->r[i % SAMPLES] * fit->r[i % SAMPLES]);
    worst = fmax(worst, fabs(error));
  }
  return worst;
}

/* The shortest fit that reaches the accuracy, or the best one. */
static enum tac_status add_flat(struct tac_point_sum *sum, struct fit *fit, struct tac_error *error) {
  static const int counts[] = {6, 8, 10, 13, 17, 22, 28, 34, FLAT};
  const int parts = tac_fmm_kernel_parts(fit->options->kernel.kind);
  double best = INFINITY;
  for (int i = 0; i < (int)(sizeof counts / sizeof *counts) && best > 1.2 * fit->eps; i++) {
    const double worst = solve(fit, counts[i], parts);
    if (!(worst < best))
      continue;
    best = worst;
    sum->count = counts[i];
    for (int k = 0; k < counts[i]; k++) {
      sum->exponent[k] = fit->exponent[k];
      for (int part = 0; part < parts; part++)
        sum->weight[part][k] = fit->right[SAMPLES * part + k];
    }
  }
  if (best > 1e-2)
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "points", "the kernel is no sum of Gaussians at this parameter");
  return TAC_STATUS_OK;
}

enum tac_status tac_point_sum_init(struct tac_point_sum *out, const struct tac_point_sum_options *options,
                                   const struct tac_allocator *allocator, struct tac_error *error) {
  struct fit *fit = allocator->allocate(allocator->context, sizeof *fit);
  struct tac_point_sum *sharp = allocator->allocate(allocator->context, sizeof *sharp);
  enum tac_status status = TAC_STATUS_OK;
  if (!fit || !sharp) {
    status = tac_error_set(error, TAC_STATUS_MEMORY, "points", "no memory for sums of Gaussians");
    goto done;
  }
  *out = *sharp = (struct tac_point_sum){0};
  *fit = (struct fit){.options = options, .eps = options->eps, .step = pi * pi / (2 * log(3 / options->eps))};
  /* Weights of Helmholtz grow as exp(parameter^2/(4 exponent)). */
  const double oscillating = options->kernel.kind == TAC_FMM_HELMHOLTZ ? -0.2 * square(&options->kernel) : 0;
  fit->lowest = 0.5 * log(fmax(0.5, oscillating));
  add_sharp(sharp, fit);
  sample(fit, sharp);
  status = add_flat(out, fit, error);
  if (status)
    goto done;
  for (int k = 0; k < sharp->count && out->count < TAC_POINT_TERMS; k++) {
    out->exponent[out->count] = sharp->exponent[k];
    out->weight[0][out->count++] = sharp->weight[0][k];
  }
  out->padded = (out->count + TAC_POINT_LANES - 1) / TAC_POINT_LANES * TAC_POINT_LANES;
  for (int k = out->count; k < out->padded; k++)
    out->exponent[k] = out->exponent[out->count - 1];
  for (int k = 0; k < out->padded; k++)
    out->root[k] = sqrt(out->exponent[k]);
done:
  allocator->release(allocator->context, sharp);
  allocator->release(allocator->context, fit);
  return status;
}
