/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/stencil.h"

#include <stddef.h>

/* With the mask l of the axes along which a child is lower, the sign of entry e of class c in sum sigma is
 * (-1)^|l & (sigma ^ c)|: the sums are the Walsh transform of the children over l, entry by entry, in another order. */

#define SEGMENT 64

/* In-place Walsh transform of 2^dim rows. */
static void walsh(int dim, double rows[TAC_MAX_CLASSES][SEGMENT], int length) {
  for (int axis = 0; axis < dim; axis++)
    for (int upper = 0; upper < 1 << dim; upper++) {
      if (upper >> axis & 1)
        continue;
      double *restrict a = rows[upper], *restrict b = rows[upper | 1 << axis];
      for (int i = 0; i < length; i++) {
        const double sum = a[i] + b[i], difference = a[i] - b[i];
        a[i] = sum;
        b[i] = difference;
      }
    }
}

static void join_segment(int dim, int class, int size, int first, int length, const double *const *children, double *out) {
  const int all = (1 << dim) - 1;
  double rows[TAC_MAX_CLASSES][SEGMENT];
  for (int lower = 0; lower <= all; lower++) {
    const double *child = children[all ^ lower];
    for (int i = 0; i < length; i++)
      rows[lower][i] = child ? child[first + i] : 0;
  }
  walsh(dim, rows, length);
  for (int sigma = 0; sigma <= all; sigma++)
    for (int i = 0; i < length; i++)
      out[(size_t)sigma * (size_t)size + (size_t)(first + i)] = rows[sigma ^ class][i];
}

static void split_segment(int dim, int class, int size, int first, int length, const double *in, double *const *children) {
  const int all = (1 << dim) - 1;
  const double scale = 1.0 / (1 << dim);
  double rows[TAC_MAX_CLASSES][SEGMENT];
  for (int sigma = 0; sigma <= all; sigma++)
    for (int i = 0; i < length; i++)
      rows[sigma ^ class][i] = scale * in[(size_t)sigma * (size_t)size + (size_t)(first + i)];
  walsh(dim, rows, length);
  for (int lower = 0; lower <= all; lower++) {
    double *child = children[all ^ lower];
    for (int i = 0; child && i < length; i++)
      child[first + i] = rows[lower][i];
  }
}

static int shorter(int a, int b) {
  return a < b ? a : b;
}

void tac_super_join(int dim, const int *begin, const double *const *children, double *out) {
  for (int class = 0; class < 1 << dim; class ++)
    for (int first = begin[class]; first < begin[class + 1]; first += SEGMENT)
      join_segment(dim, class, begin[1 << dim], first, shorter(SEGMENT, begin[class + 1] - first), children, out);
}

void tac_super_split(int dim, const int *begin, const double *in, double *const *children) {
  for (int class = 0; class < 1 << dim; class ++)
    for (int first = begin[class]; first < begin[class + 1]; first += SEGMENT)
      split_segment(dim, class, begin[1 << dim], first, shorter(SEGMENT, begin[class + 1] - first), in, children);
}
