/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/near_radial.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

static const double pi = 3.14159265358979323846;

void tac_chebyshev_fit(struct tac_chebyshev *out, double limit, tac_square_fn function, const void *context) {
  const int points = TAC_CHEBYSHEV_MAX;
  double value[TAC_CHEBYSHEV_MAX], largest = 0;
  for (int i = 0; i < points; i++)
    value[i] = function(context, 0.5 * limit * (1 + cos(pi * (i + 0.5) / points)));
  *out = (struct tac_chebyshev){.limit = limit};
  for (int k = 0; k < points; k++) {
    double sum = 0;
    for (int i = 0; i < points; i++)
      sum += value[i] * cos(pi * (k * (2 * i + 1) % (4 * points)) / (2 * points)); /* the angle kept small, for its rounding */
    out->coefficient[k] = sum * (k ? 2.0 : 1.0) / points;
    largest = fmax(largest, fabs(out->coefficient[k]));
  }
  for (int k = 0; k < points; k++)
    if (fabs(out->coefficient[k]) > 2 * DBL_EPSILON * largest)
      out->count = k + 1;
}

/* d_{k-1} = d_{k+1} + 2 k c_k, halved for k = 1. */
void tac_chebyshev_differentiate(struct tac_chebyshev *out, const struct tac_chebyshev *in) {
  *out = (struct tac_chebyshev){.limit = in->limit, .count = in->count > 0 ? in->count - 1 : 0};
  double ahead[2] = {0, 0}; /* d_k and d_{k+1} */
  for (int k = in->count - 1; k >= 1; k--) {
    const double next = ahead[1] + 2 * k * in->coefficient[k];
    out->coefficient[k - 1] = next * (k == 1 ? 0.5 : 1) * 2 / in->limit;
    ahead[1] = ahead[0];
    ahead[0] = next;
  }
}

void tac_radial_finish(struct tac_radial *radial) {
  tac_chebyshev_differentiate(&radial->rough_slope, &radial->rough);
  tac_chebyshev_differentiate(&radial->smooth_slope, &radial->smooth);
}

/* Vectors of the compiler's extension: in registers, which arrays of a tile would not stay in. */
typedef double vector __attribute__((vector_size(32)));
typedef double in_memory __attribute__((vector_size(32), aligned(8), may_alias));
enum { LANES = 4, VECTORS = TAC_RADIAL_TILE / LANES };

/* Clenshaw's recurrence for a tile. */
static inline __attribute__((always_inline)) void sum_points(const struct tac_chebyshev *series, const double *square,
                                                             double *out) {
  vector twice[VECTORS], b[VECTORS], before[VECTORS];
  const double scale = series->count ? 4 / series->limit : 0;
  for (int v = 0; v < VECTORS; v++) {
    twice[v] = *(const in_memory *)(square + LANES * v) * scale - 2;
    b[v] = before[v] = (vector){0};
  }
  for (int k = series->count - 1; k >= 1; k--) {
    const double coefficient = series->coefficient[k];
    for (int v = 0; v < VECTORS; v++) {
      const vector next = twice[v] * b[v] + (coefficient - before[v]);
      before[v] = b[v];
      b[v] = next;
    }
  }
  for (int v = 0; v < VECTORS; v++)
    *(in_memory *)(out + LANES * v) = 0.5 * twice[v] * b[v] + (series->coefficient[0] - before[v]);
}

/* The same, with the processor's wide vectors where it has them. */
#if defined(__x86_64__)
static __attribute__((target("avx2,fma"))) void sum_wide(const struct tac_chebyshev *series, const double *square,
                                                         double *out) {
  sum_points(series, square, out);
}

static void sum_tile(const struct tac_chebyshev *series, const double *square, double *out) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    sum_wide(series, square, out);
  else
    sum_points(series, square, out);
}
#else
static void sum_tile(const struct tac_chebyshev *series, const double *square, double *out) {
  sum_points(series, square, out);
}
#endif

/* w and dw/d(r^2). */
static void weight_tile(const struct tac_radial *radial, const double *square, double *weight, double *slope) {
  for (int i = 0; i < TAC_RADIAL_TILE; i++) {
    double power = 1; /* r^(2 power - 2) */
    for (int n = 1; n < radial->power; n++)
      power *= square[i];
    if (radial->dim == 3) {
      const double r = sqrt(square[i]);
      weight[i] = power * r;
      slope[i] = (radial->power - 0.5) * power / r;
    } else {
      const double half = 0.5 * log(square[i]);
      weight[i] = power * square[i] * half;
      slope[i] = power * (radial->power * half + 0.5);
    }
  }
}

static void evaluate_tile(const struct tac_radial *radial, const double *square, double *value, double *slope) {
  double part[TAC_RADIAL_TILE], weight[TAC_RADIAL_TILE], weight_slope[TAC_RADIAL_TILE], rough[TAC_RADIAL_TILE];
  sum_tile(&radial->smooth, square, value);
  if (slope)
    sum_tile(&radial->smooth_slope, square, slope);
  if (radial->rough.count) {
    weight_tile(radial, square, weight, weight_slope);
    sum_tile(&radial->rough, square, rough);
    for (int i = 0; i < TAC_RADIAL_TILE; i++)
      value[i] += weight[i] * rough[i];
    if (slope) {
      sum_tile(&radial->rough_slope, square, part);
      for (int i = 0; i < TAC_RADIAL_TILE; i++)
        slope[i] += weight[i] * part[i] + weight_slope[i] * rough[i];
    }
  }
  for (int i = 0; slope && i < TAC_RADIAL_TILE; i++)
    slope[i] *= 2;
}

void tac_radial_evaluate(const struct tac_radial *radial, int count, const double *square, double *value, double *slope) {
  for (int tile = 0; tile < count; tile += TAC_RADIAL_TILE)
    evaluate_tile(radial, square + tile, value + tile, slope ? slope + tile : NULL);
}
