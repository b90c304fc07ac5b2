/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_MODES_H
#define APPS_FMM_MODES_H

#include <tactus/fmm/tree.h>
#include <tactus/runtime/error.h>

/* Everything on a box is written in the box's own coordinates: its centre is 0 and its side 1.
 *
 * Mirror classes: the reflection of one axis maps a polynomial of definite parity to itself with a sign. A class is a bit
 * mask, bit `axis` set for odd along that axis; there are 2^dim. Vectors "in class form" hold class after class. */
#define TAC_MAX_CLASSES 8

/* 1 when an odd number of bits is set: a vector of class c mirrored along the axes of a mask changes its sign for odd c & mask.
 */
static inline int tac_odd(unsigned bits) {
  return __builtin_popcount(bits) & 1;
}

/* Products phi_a(x) phi_b(y) [phi_c(z)] of orthonormal Legendre polynomials phi_n(x) = sqrt(2n+1) P_n(2x), sorted by class,
 * then by total degree, then by degree in z, y, x. */
struct tac_modes {
  int dim, order; /* degrees below order */
  enum tac_fmm_basis basis;
  int count;
  int class_begin[TAC_MAX_CLASSES + 1]; /* class c: class_begin[c] … class_begin[c+1]-1 */
  unsigned char (*degree)[3];           /* degree[mode][axis]; 0 along axes that do not exist */
};
enum tac_status tac_modes_create(struct tac_modes *out, int dim, int order, enum tac_fmm_basis basis, struct tac_error *error);
void tac_modes_destroy(struct tac_modes *modes);

/* phi_0 … phi_{order-1} at x, and their derivatives (derivatives may be NULL). */
void tac_legendre(double *values, double *derivatives, int order, double x);

/* Gauss-Legendre rule on [-1/2, 1/2], ascending, exactly symmetric; the weights sum to 1. count 1 … 64. */
void tac_gauss_rule(int count, double *nodes, double *weights);

/* The order^dim Gauss nodes of a box, x fastest, and their class form: along each axis with mirror pairs (i, order-1-i), even
 * (u[order-1-i] + u[i])/2 for i = 0 … (order+1)/2-1 counted from the border, odd (u[order-1-i] - u[i])/2 for i < order/2.
 * Inside a class the axis x is fastest. */
struct tac_node_space {
  int dim, order, count;
  int class_begin[TAC_MAX_CLASSES + 1];
};
void tac_node_space_init(struct tac_node_space *space, int dim, int order);
/* values[node] -> class form, and back. `out` and `in` must not overlap. No allocation. */
void tac_nodes_to_classes(const struct tac_node_space *space, const double *values, double *out);
void tac_classes_to_nodes(const struct tac_node_space *space, const double *in, double *values);

/* Node values to coefficients of `modes` (the L2 projection by Gauss quadrature); separable. scratch: 2*order^dim. */
struct tac_transform {
  double forward[TAC_FMM_MAX_ORDER][TAC_FMM_MAX_ORDER]; /* [degree][node]: weight * phi */
  double forward_by_node[TAC_FMM_MAX_ORDER][TAC_FMM_MAX_ORDER];
};
void tac_transform_init(struct tac_transform *transform, int order);
void tac_nodes_to_modes(const struct tac_transform *transform, const struct tac_modes *modes, const double *values,
                        double *coefficients, double *scratch);

#endif
