/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/split.h"

#include <math.h>

static const double pi = 3.14159265358979323846, euler_gamma = 0.57721566490153286061;

/* Squares of the parameter with the sign that leads from Yukawa's series to Helmholtz'. */
static double signed_square(const struct tac_split *split) {
  const double square = split->kernel.parameter * split->kernel.parameter;
  return split->kernel.kind == TAC_FMM_HELMHOLTZ ? -square : square;
}

/* (p r)^(2n)/(2n)! bounds the terms in 3D; in 2D (p r/2)^(2n)/(n!)^2 is smaller than 2^(2n) times that, but for a factor
 * below sqrt(4 n). */
int tac_split_terms(int dim, double parameter) {
  const double square = parameter * parameter * 9 * dim;
  double term = 1;
  int terms = 0;
  do {
    terms++;
    term *= square / (dim == 3 ? (2.0 * terms - 1) * (2.0 * terms) : 4.0 * terms * terms);
  } while (terms < TAC_SPLIT_MAX_TERMS && (term > 1e-17 || 4.0 * terms * terms < square));
  return terms;
}

/* 3D: cosh(p r)/(4 pi r), of which n = 0 is Laplace' kernel. 2D: -ln(r) I0(p r)/(2 pi). */
double tac_split_coefficient(const struct tac_split *split, int n) {
  const double square = signed_square(split);
  double term = split->dim == 3 ? 1 / (4 * pi) : -1 / (2 * pi);
  for (int k = 1; k <= n; k++)
    term *= square / (split->dim == 3 ? (2.0 * k - 1) * (2.0 * k) : 4.0 * k * k);
  return term;
}

/* The terms cancel: they are added with more digits than the sum is used with, smallest first. */
static double power_series(const long double *coefficient, int terms, double square) {
  long double sum = 0;
  for (int k = terms - 1; k >= 0; k--)
    sum = sum * square + coefficient[k];
  return (double)sum;
}

struct series {
  int terms;
  long double coefficient[2 * TAC_SPLIT_MAX_TERMS];
};

static double series_value(const void *context, double square) {
  const struct series *series = context;
  return power_series(series->coefficient, series->terms, square);
}

/* w_order (c_order + c_{order+1} r^2 + …) */
static void set_rough(struct series *series, const struct tac_split *split) {
  const long double square = signed_square(split);
  const int first = split->order;
  long double term = tac_split_coefficient(split, first);
  series->terms = split->terms;
  for (int k = 0; k < series->terms; k++) {
    const int next = first + k + 1;
    series->coefficient[k] = term;
    term *= square / (split->dim == 3 ? (2.0L * next - 1) * (2.0L * next) : 4.0L * next * next);
  }
}

/* 3D: -sinh(p r)/(4 pi r) for Yukawa, sin(k r)/(4 pi r) for Helmholtz' imaginary part; its real part has no even powers. */
static void set_smooth_3d(struct series *series, const struct tac_split *split) {
  const int yukawa = split->kernel.kind == TAC_FMM_YUKAWA;
  series->terms = yukawa || split->part == 1 ? split->terms : 0;
  long double term = split->kernel.parameter / (4 * (long double)pi) * (yukawa ? -1 : 1);
  for (int k = 0; k < series->terms; k++) {
    series->coefficient[k] = term;
    term *= (long double)signed_square(split) / ((2.0L * k + 2) * (2.0L * k + 3));
  }
}

/* 2D, with s_n = (p^2/4)^n/(n!)^2, p^2 < 0 for Helmholtz, and H_n the harmonic numbers: s_n (H_n - ln(p/2) - gamma)/(2 pi), and
 * s_n/4 for the imaginary part. */
static void set_smooth_2d(struct series *series, const struct tac_split *split) {
  series->terms = split->terms;
  const long double shift = logl((long double)split->kernel.parameter / 2) + euler_gamma;
  long double term = 1, harmonic = 0;
  for (int k = 0; k < series->terms; k++) {
    series->coefficient[k] = split->part ? term / 4 : term * (harmonic - shift) / (2 * (long double)pi);
    term *= (long double)signed_square(split) / (4.0L * (k + 1) * (k + 1));
    harmonic += 1.0L / (k + 1);
  }
}

static void make_remainder(const void *context, double limit, struct tac_radial *out) {
  const struct tac_split *split = context;
  struct series series;
  if (split->part == 0) {
    out->power = split->order;
    set_rough(&series, split);
    tac_chebyshev_fit(&out->rough, limit, series_value, &series);
  }
  if (split->dim == 3)
    set_smooth_3d(&series, split);
  else
    set_smooth_2d(&series, split);
  if (series.terms)
    tac_chebyshev_fit(&out->smooth, limit, series_value, &series);
}

enum tac_status tac_split_add_remainder(double *set, const struct tac_near_space *space, const struct tac_split *split,
                                        int smooth_order, int components, struct tac_error *error) {
  const struct tac_near_rule rule = {.nodes = smooth_order, .cut = split->part == 0};
  return tac_near_add_radial(set, space, make_remainder, split, &rule, components, error);
}

/* A channel less its Gaussians of width 1 and less. */
struct channel {
  int dim, n;
  struct tac_gaussians local;
};

static double channel_rest(const void *context, double square) {
  const struct channel *channel = context;
  const double r = sqrt(square), even = pow(square, channel->n);
  return (channel->dim == 3 ? even / r : even * log(r)) - tac_gaussians_value(&channel->local, r);
}

static void make_channel(const void *context, double limit, struct tac_radial *out) {
  tac_chebyshev_fit(&out->smooth, limit, channel_rest, context);
}

enum tac_status tac_split_add_channel(double *set, const struct tac_near_space *space, int n, int components,
                                      struct tac_error *error) {
  struct channel channel = {.dim = space->dim, .n = n};
  tac_gaussians_init_power(&channel.local, space->dim, n, 1);
  const enum tac_status status = tac_near_add_gaussians(set, space, &channel.local, components, error);
  const struct tac_near_rule rule = {.nodes = 10 + n + space->order / 2};
  return status ? status : tac_near_add_radial(set, space, make_channel, &channel, &rule, components, error);
}
