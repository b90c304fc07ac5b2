/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/gaussians.h"

#include <math.h>

#include "apps/fmm/modes.h"

static const double pi = 3.14159265358979323846;

/* With t = exp(2s), p the parameter (p^2 < 0 for Helmholtz, by continuation):
 *   1/(4 pi r) exp(-p r) = integral over all s of exp(-r^2 t - p^2/(4t) + s) / (2 pi^(3/2))
 *   K0(p r)/(2 pi)       = integral over all s of exp(-r^2 t - p^2/(4t)) / (2 pi)
 *   -ln(r)/(2 pi)        = integral over all s of (exp(-r^2 t) - exp(-t)) / (2 pi)
 * The trapezoid rule with this step errs by 2.9 exp(-pi^2/(2 step)) relative to the first of them, less for the others, and
 * 2 pi/step times that in the derivative. */
static const double step = 0.135;

/* Terms below `first` are taken together. The part of an integral over a box that is lost above `last` falls as exp(-2s). */
static const double first = -7, last = 19;

struct weight_rule {
  int dim;
  double scale, square; /* square: p^2 */
  double power;         /* of t, beyond the kernel's own */
};

static double weight_at(const struct weight_rule *rule, double s) {
  const double exponent = -0.25 * rule->square * exp(-2 * s) + 2 * rule->power * s + (rule->dim == 3 ? s : 0);
  return rule->scale * step * exp(exponent);
}

static struct weight_rule kernel_rule(const struct tac_fmm_kernel *kernel, int dim) {
  const double square = kernel->parameter * kernel->parameter;
  return (struct weight_rule){
      .dim = dim,
      .scale = dim == 3 ? 1 / (2 * pi * sqrt(pi)) : 1 / (2 * pi),
      .square = kernel->kind == TAC_FMM_LAPLACE     ? 0
                : kernel->kind == TAC_FMM_HELMHOLTZ ? -square
                                                    : square,
  };
}

static void add_terms(struct tac_gaussians *out, const struct weight_rule *rule, double begin, double end) {
  *out = (struct tac_gaussians){0};
  for (int k = (int)ceil(begin / step); k <= (int)floor(end / step) && out->count < TAC_GAUSSIANS_MAX; k++) {
    out->exponent[out->count] = exp(2 * step * k);
    out->weight[out->count++] = weight_at(rule, step * k);
  }
}

/* All terms below the first of the list as a constant and one Gaussian, which give the sums of w, w t and w t^2: what remains
 * is of order (t r^2)^3. exp(s) below -50 and exp(-p^2/(4t)) below `bottom` are nothing. */
static void add_tail(struct tac_gaussians *out, const struct weight_rule *rule, int before, double bottom) {
  double sum = 0, first_moment = 0, second_moment = 0;
  for (int k = (int)ceil(bottom / step); k < before; k++) {
    const double weight = weight_at(rule, step * k), t = exp(2 * step * k);
    sum += weight;
    first_moment += weight * t;
    second_moment += weight * t * t;
  }
  out->constant = sum;
  if (second_moment == 0)
    return;
  out->exponent[0] = second_moment / first_moment;
  out->weight[0] = first_moment / out->exponent[0];
  out->constant -= out->weight[0];
}

/* Yukawa: the range of the kernel narrows as the parameter grows. The place of the Gaussian that stands for the tail is
 * kept free by beginning the list one term early. */
void tac_gaussians_init(struct tac_gaussians *out, const struct tac_fmm_kernel *kernel, int dim) {
  const struct weight_rule rule = kernel_rule(kernel, dim);
  const int yukawa = kernel->kind == TAC_FMM_YUKAWA;
  const double bottom = yukawa ? log(kernel->parameter / 13) : -50;
  const double begin = fmax(first, bottom);
  add_terms(out, &rule, begin, last + (yukawa ? fmax(0, log(kernel->parameter)) : 0));
  if (begin > bottom) /* else there is no tail, and a constant that is rounding would outweigh a narrow kernel */
    add_tail(out, &rule, (int)ceil(begin / step) + 1, dim == 3 ? fmax(bottom, -50) : bottom);
  if (dim == 2 && !yukawa) {
    out->constant = 0;
    for (int k = out->count - 1; k >= 0; k--)
      out->constant -= out->weight[k] * exp(-out->exponent[k]);
  }
}

void tac_gaussians_init_local(struct tac_gaussians *out, const struct tac_fmm_kernel *kernel, int dim, double lowest) {
  const struct weight_rule rule = kernel_rule(kernel, dim);
  add_terms(out, &rule, 0.5 * log(lowest), last);
}

/* Continuation in the power of t: the integral of exp(-r^2 t) t^(-v-1) is Gamma(-v) r^(2v); at integer v its finite part is
 * (-1)^(v+1)/v! r^(2v) ln r^2 but for a polynomial. */
void tac_gaussians_init_power(struct tac_gaussians *out, int dim, int n, double lowest) {
  struct weight_rule rule = {.dim = dim, .power = -n};
  rule.scale = dim == 3 ? 2 / tgamma(0.5 - n) : (n % 2 ? 1 : -1) * tgamma(n + 1);
  add_terms(out, &rule, 0.5 * log(lowest), last);
}

double tac_gaussians_value(const struct tac_gaussians *gaussians, double r) {
  double sum = 0;
  for (int k = gaussians->count - 1; k >= 0; k--)
    sum += gaussians->weight[k] * exp(-gaussians->exponent[k] * r * r);
  return sum + gaussians->constant;
}

/* exp(-u^2) over |u| < 6.5 needs 42 nodes; the polynomial half a node a degree. */
void tac_moment_rule_init(struct tac_moment_rule *rule, int order) {
  *rule = (struct tac_moment_rule){.order = order, .count = 46 + order / 2};
  tac_gauss_rule(rule->count, rule->node, rule->weight);
  for (int n = 0; n < order; n++)
    rule->norm[n] = sqrt(2.0 * n + 1);
}

/* Gaussian times power at the nodes u (times quadrature weights), and its derivative with respect to u. */
static void integrand(double *value, double *slope, const double *u, const struct tac_moment_rule *rule, int power,
                      double exponent, double length) {
  for (int q = 0; q < rule->count; q++) {
    double before = 0, factor = 1; /* u^(power-1) times power, u^power */
    for (int i = 0; i < power; i++) {
      before = factor * power;
      factor *= u[q];
    }
    const double gauss = rule->weight[q] * length * exp(-exponent * u[q] * u[q]);
    value[q] = gauss * factor;
    slope[q] = gauss * (before - 2 * exponent * u[q] * factor);
  }
}

/* The variable is u = x - y, taken from its own interval, where the Gaussian is not negligible. */
void tac_gaussian_moments(double *moments, double *derivatives, const struct tac_moment_rule *rule, int power, double exponent,
                          double x) {
  const double reach = exponent > 0 ? 6.5 / sqrt(exponent) : INFINITY;
  const double from = fmax(x - 0.5, -reach), to = fmin(x + 0.5, reach);
  double u[64], z[64], value[64], slope[64], p[64], p_before[64];
  for (int n = 0; n < rule->order; n++) {
    moments[n] = 0;
    if (derivatives)
      derivatives[n] = 0;
  }
  if (from >= to)
    return;
  for (int q = 0; q < rule->count; q++) {
    u[q] = 0.5 * (from + to) + (to - from) * rule->node[q];
    z[q] = 2 * (x - u[q]);
    p[q] = 1;
    p_before[q] = 0;
  }
  integrand(value, slope, u, rule, power, exponent, to - from);
  for (int n = 0; n < rule->order; n++) {
    double sum = 0, slope_sum = 0;
    const double ahead = (2.0 * n + 1) / (n + 1), behind = (double)n / (n + 1);
    for (int q = 0; q < rule->count; q++) {
      sum += p[q] * value[q];
      slope_sum += p[q] * slope[q];
      const double next = ahead * z[q] * p[q] - behind * p_before[q];
      p_before[q] = p[q];
      p[q] = next;
    }
    moments[n] = rule->norm[n] * sum;
    if (derivatives)
      derivatives[n] = rule->norm[n] * slope_sum;
  }
}
