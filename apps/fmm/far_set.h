/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_FAR_SET_H
#define APPS_FMM_FAR_SET_H

#include "apps/fmm/far.h"

/* Inside the far field: what a level consists of, shared by its files. */

#define TAC_FAR_MAX_ORDER 64   /* of the polynomials of a level along an axis; also of the rules that integrate them */
#define TAC_FAR_MAX_MODES 2048 /* polynomials of a level before compression */
#define TAC_FAR_KEY_BYTES 256

/* What decides about the accuracy of a level. */
struct tac_far_choice {
  int degree;       /* of the polynomials, in total */
  int nodes;        /* of the correlations, on each half axis */
  double threshold; /* on singular values, relative to the largest one without the constant function … */
  double floor;     /* … but to this where it is larger: a kernel that decays inside a box leaves little to resolve */
  double ceiling;   /* … and to this where it is smaller: a wave is as strong far away, its potential is not larger */
};

/* `kernel` in units of the side of the box. INVALID when it oscillates too much over a box for this accuracy. */
enum tac_status tac_far_choose(struct tac_far_choice *out, int dim, const struct tac_fmm_kernel *kernel, double eps,
                               struct tac_error *error);

/* Expansion functions psi_k = sum over modes of vectors[mode + modes.count*k] phi_mode, zero outside their class; psi_0 is the
 * constant 1. M2L matrices m2l[part][slot*rank^2 + i + rank*j] between them. */
struct tac_far_set {
  struct tac_modes modes;
  int rank, class_begin[TAC_MAX_CLASSES + 1];
  double *vectors, *m2l[2];
  double *block; /* that holds both, `count` numbers with the sizes of the classes before them */
  size_t count;
  char key[TAC_FAR_KEY_BYTES]; /* names the problem */
};

/* Offsets with 0 <= components <= 3, not all <= 1, have a slot in 0 … count-1; -1 for others. */
int tac_far_offset_count(int dim);
int tac_far_offset_slot(int dim, const int offset[3]);

struct tac_far_build {
  int dim;
  struct tac_fmm_kernel kernel; /* in units of the side */
  struct tac_far_choice choice;
  const char *cache_folder;
  const struct tac_allocator *allocator;
};
/* Computes a set, or reads it from the cache (*cached = 1). */
enum tac_status tac_far_set_create(struct tac_far_set *out, const struct tac_far_build *build, int *cached,
                                   struct tac_error *error);
void tac_far_set_destroy(struct tac_far_set *set, const struct tac_allocator *allocator);

/* The block of a set of known rank and class sizes, and the pointers into it; 0 without memory. */
int tac_far_set_allocate(struct tac_far_set *set, const struct tac_far_build *build);

struct tac_far_level {
  const struct tac_far_set *set; /* NULL where there are no expansions */
  struct tac_fmm_kernel kernel;  /* in units of the side */
  double constant;               /* added to it: -ln(side)/(2 pi) for the Laplace kernel in 2D */
  const double *m2l[2];
  double *shifted; /* owned matrices with the constant, where there is one */
  double *m2m;
};

struct tac_far {
  struct tac_far_options options;
  struct tac_allocator allocator;
  struct tac_modes density;
  size_t bytes;
  int cached, sets;
  struct tac_far_set set[TAC_FMM_MAX_LEVELS];
  struct tac_far_level level[TAC_FMM_MAX_LEVELS];
  double *scratch; /* of the functions that fill matrices */
};

/* The level's set; NULL where there are no expansions. */
const struct tac_far_set *tac_far_level_set(const struct tac_far *far, int level);

/* Numbers of scratch that the functions which fill matrices need; the M2M matrix of a level, filled at creation. */
size_t tac_far_scratch_size(const struct tac_far *far);
void tac_far_fill_m2m(double *out, const struct tac_far *far, int level_of_child);

#endif
