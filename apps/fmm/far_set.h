/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_FAR_SET_H
#define APPS_FMM_FAR_SET_H

#include "apps/fmm/correlation.h"
#include "apps/fmm/far.h"

/* Inside the far field. */

#define TAC_FAR_REACH       3    /* largest component of an offset in List 2 */
#define TAC_FAR_MAX_MODES   2048 /* polynomials of a basis before compression */
#define TAC_FAR_MAX_OFFSETS 56   /* with all components >= 0: 4^3 - 2^3, in 2D 4^2 - 2^2 */

/* What decides about the accuracy of the operators of a level. */
struct tac_far_choice {
  int degree;       /* of the polynomials, in total */
  int nodes;        /* of the correlations, on each half axis */
  double threshold; /* on singular values, relative to the largest one without the constant mode */
  double floor;     /* … and at least this large a reference: where a decaying kernel leaves nothing to resolve */
};
/* `kernel` in units of the side of the box. INVALID when the kernel oscillates too much over a box. */
enum tac_status tac_far_choose(struct tac_far_choice *out, int dim, const struct tac_fmm_kernel *kernel, double eps,
                               struct tac_error *error);

/* psi_k = sum over modes of vectors[mode + modes.count*k] phi_mode. psi_0 is the constant 1. */
struct tac_far_basis {
  struct tac_modes modes;
  int rank, class_begin[TAC_MAX_CLASSES + 1];
  double *vectors;
};

/* Offsets with 0 <= components <= 3, not all <= 1, have a slot; -1 for others. */
int tac_far_offset_slot(int dim, const int offset[3]);
int tac_far_offset_count(int dim);

/* Compressed functions, and the M2L matrices between them: m2l[part][slot*rank^2 + i + rank*j]. basis->modes and the
 * correlations are ready; vectors and m2l are allocated here. */
struct tac_far_build {
  const struct tac_allocator *allocator;
  struct tac_correlation *correlation;
  struct tac_fmm_kernel kernel; /* in units of the side */
  struct tac_far_choice choice;
};
enum tac_status tac_far_build_basis(struct tac_far_basis *basis, const struct tac_far_build *build, struct tac_error *error);
enum tac_status tac_far_build_m2l(double *m2l[2], const struct tac_far_basis *basis, const struct tac_far_build *build,
                                  struct tac_error *error);

struct tac_far_level {
  int basis, operators; /* indices into the sets below; -1 where there are no expansions */
  struct tac_fmm_kernel kernel;
  double constant; /* added to the kernel: -ln(side)/(2 pi) for the Laplace kernel in 2D */
  double *m2m;
};

struct tac_far {
  struct tac_far_options options;
  struct tac_allocator allocator;
  struct tac_modes density;
  size_t bytes;
  int cached, bases, operators;
  struct tac_far_level level[TAC_FMM_MAX_LEVELS];
  struct tac_far_basis basis[TAC_FMM_MAX_LEVELS];
  double *m2l[TAC_FMM_MAX_LEVELS][2];
  double *scratch; /* of the set-up functions */
};

/* The level's basis; NULL where there are no expansions. */
const struct tac_far_basis *tac_far_level_basis(const struct tac_far *far, int level);

/* Numbers of scratch that the set-up functions need, and the M2M matrix of a level, filled at creation. */
size_t tac_far_scratch_size(const struct tac_far *far);
void tac_far_fill_m2m(double *out, const struct tac_far *far, int level_of_child);

#endif
