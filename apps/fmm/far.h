/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_FAR_H
#define APPS_FMM_FAR_H

#include <stddef.h>

#include <tactus/fmm/plan.h>

#include "apps/fmm/modes.h"
#include "apps/fmm/tree.h"

/* Far-field operators. The expansion functions of a level are `rank` orthonormal combinations psi_k of Legendre polynomials
 * up to a degree, each of definite class, chosen by the singular values of the kernel between well-separated boxes.
 *   multipole  m_k = integral psi_k f~ over the box (box coordinates), f~ = h^2 f, exact for a polynomial density
 *   local      u(x) = sum_k l_k psi_k(x)
 * Both in class form. With the working coefficients c~ = h^2 c of near.h no operator carries a scale of its own, but for
 * the logarithm in 2D, which is inside the operators of each level. Matrices are column-major, dense, zero between classes
 * where a symmetry says so. `part`: real or imaginary part of the kernel. Levels 2 … levels-1 have expansions; functions asked
 * for another level leave `out` as it is. Those that fill matrices share scratch: one caller at a time; tac_far_functions and
 * what returns a number or a pointer may be called from any thread. */
struct tac_far;

struct tac_far_options {
  int dim, order; /* of the density */
  enum tac_fmm_basis basis;
  struct tac_fmm_kernel kernel;
  double eps;
  int levels; /* of the tree */
  double side[TAC_FMM_MAX_LEVELS];
  const char *cache_folder;
  const struct tac_allocator *allocator;
};
/* INVALID: an option out of range, or a wave that turns too often over a box with expansions (the text says how much eps
 * allows). */
/* Largest wave number times side of a box that a Helmholtz expansion bears at an accuracy. */
double tac_far_wave_limit(int dim, double eps);
enum tac_status tac_far_create(struct tac_far **out, const struct tac_far_options *options, struct tac_error *error);
void tac_far_destroy(struct tac_far **far);
size_t tac_far_bytes(const struct tac_far *far);
int tac_far_cached(const struct tac_far *far);
int tac_far_degree(const struct tac_far *far);
int tac_far_rank(const struct tac_far *far, int level);
const int *tac_far_class_begin(const struct tac_far *far, int level); /* 2^dim + 1 entries */
/* Tolerance for the low-rank factors of the paired M2L operators that goes with eps: relative to their largest singular value.
 */
double tac_far_block_tolerance(const struct tac_far *far);
/* 1 when both levels have the very same operators (3D Laplace). */
int tac_far_same_operators(const struct tac_far *far, int level_a, int level_b);
/* A text that names what the matrices between expansions of a level depend on, for keys of what is made from them: also the
 * very functions chosen, whose signs and turns are arbitrary. Cut at `size` bytes. */
void tac_far_key(char *key, size_t size, const struct tac_far *far, int level);

/* rank x modes: m = P2M c~. */
void tac_far_p2m(double *out, const struct tac_far *far, int level);
/* nodes x rank, nodes in node order; component 0 the potential, 1 + axis the derivative per unit of the box's side. */
void tac_far_l2p(double *out, const struct tac_far *far, int level, int component);
/* rank(level-1) x rank(level): of the child that is upper along every axis, m~_parent += M2M m~_child. Its mirror images:
 * R M2M R with R the signs of the classes. */
void tac_far_m2m(double *out, const struct tac_far *far, int level_of_child);
/* rank(level) x rank(level-1): l_child += L2L l_parent for the same child. */
void tac_far_l2l(double *out, const struct tac_far *far, int level_of_child);
/* rank x rank, l_target += M2L m_source; offset = source - target, not all of |offset| <= 1. The pointer is to a stored matrix
 * of the offset with all components >= 0: the mirror image R M2L R of the one asked for, R the signs of the classes. */
const double *tac_far_m2l_stored(const struct tac_far *far, int level, int part, const int offset[3]);
/* nodes * rank(level) numbers for tac_far_m2p: the functions (component as above) of a level at the nodes of a leaf one level
 * above, each seen from the child of the leaf that it lies in; per unit of the leaf's side. */
void tac_far_child_functions(double *out, const struct tac_far *far, int level, int component);
/* nodes x rank(level_of_source): what the chosen child functions see at the nodes of a leaf one level above the source; offset
 * as in TAC_LIST3. */
void tac_far_m2p(double *out, const struct tac_far *far, int level_of_source, int part, const double *child_functions,
                 const int offset[3]);
/* rank(level) x modes, for tac_far_p2l: from c~ of a leaf one level above, the multipole of its child that is upper along every
 * axis. */
void tac_far_child_moments(double *out, const struct tac_far *far, int level);
/* rank(level_of_target) x modes: from c~ of a leaf one level above the target; offset as in TAC_LIST4. */
void tac_far_p2l(double *out, const struct tac_far *far, int level_of_target, int part, const double *child_moments,
                 const int offset[3]);
/* psi_0 … psi_{rank-1}, or their derivative, at x in [-1/2, 1/2]^dim. */
void tac_far_functions(double *out, const struct tac_far *far, int level, int component, const double *x);

#endif
