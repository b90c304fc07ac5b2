/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_STENCIL_H
#define APPS_FMM_STENCIL_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/runtime/error.h>
#include <tactus/runtime/memory.h>

#include "apps/fmm/modes.h"

/* One linear map from the vectors of the 3^dim neighbours of a box to the box's own, for matrices T(offset) that commute with
 * mirror images: T(R o) = R T(o) R for the reflection R of any axis (with one more sign for the axes in `flip`, as for
 * derivatives of an even kernel: T(R o) = -R T(o) R). Sums and differences of mirror neighbours feed only the even or the odd
 * part of the target, which makes the products 2^dim times cheaper than offset by offset, and equal to them to rounding. */
struct tac_stencil;

enum tac_stencil_reach {
  TAC_REACH_SELF = 1,       /* the box itself only: one block a class */
  TAC_REACH_NEIGHBOURS = 2, /* the 3^dim - 1 others only */
  TAC_REACH_ALL = 3
};

struct tac_stencil_shape {
  int dim;
  enum tac_stencil_reach reach;
  unsigned flip;                         /* bit mask of axes */
  int source_begin[TAC_MAX_CLASSES + 1]; /* class form of the sources */
  int target_begin[TAC_MAX_CLASSES + 1]; /* … and of the targets */
  /* Where blocks made with a tolerance are kept between runs, and what names all that the matrices depend on, the tolerance
   * included; NULL: nowhere. */
  const char *cache_folder, *cache_key;
};

/* Fills out[targets x sources, column-major, both in class form] with T(offset); components 0 or 1. Entries that the symmetry
 * makes zero are not looked at: those between classes c and c' with an axis in c ^ c' ^ flip along which the offset is 0. */
typedef enum tac_status (*tac_stencil_matrix_fn)(void *context, const int offset[3], double *out, struct tac_error *error);

/* The function is not called where the blocks come from the cache. tolerance > 0: blocks are replaced by products of two
 * factors where that is cheaper, truncated at tolerance times the largest singular value over all blocks. NUMERICAL: an entry
 * that is not finite, or LAPACK gave up. */
enum tac_status tac_stencil_create(struct tac_stencil **out, const struct tac_stencil_shape *shape,
                                   tac_stencil_matrix_fn matrix, void *context, double tolerance,
                                   const struct tac_allocator *allocator, struct tac_error *error);
void tac_stencil_destroy(struct tac_stencil **stencil);
size_t tac_stencil_bytes(const struct tac_stencil *stencil);
/* 1: its blocks were read from the cache. */
int tac_stencil_cached(const struct tac_stencil *stencil);
/* Floating-point operations for one target (2 a multiply-add, additions of the pairing included). */
double tac_stencil_flops(const struct tac_stencil *stencil);
/* Targets that should go into one call. */
int tac_stencil_tile(const struct tac_stencil *stencil);

/* target[t] (class form, contiguous, one pointer a target) = sum over neighbours. sources[t*neighbours + n] points to a source
 * vector in class form, NULL where there is none (neighbours = 3^dim, n as in the tree's colleague; 1 for TAC_REACH_SELF).
 * Scratch from the arena, given back with the item's; MEMORY. A target's bits depend on its own sources only, not on the
 * number of targets in the call or its place among them; thread-safe. */
enum tac_status tac_stencil_apply(const struct tac_stencil *stencil, size_t targets, const double *const *sources,
                                  double *const *target, struct tac_arena *arena, struct tac_error *error);

/* C += A B, column-major: A m x k, B k x n; our own kernel for small shapes, chosen by the processor at run time. */
void tac_gemm(int m, int n, int k, const double *a, int lda, const double *b, int ldb, double *c, int ldc);

/* Vectors of all 2^dim children of a box as one vector of definite classes: class sigma (size `size`) holds
 * sum over children s of chi_sigma(s) R_s v_s, where R_s reflects the axes along which s is the lower child (a sign by the
 * entry's class in v, whose classes begin at `begin`) and chi_sigma(s) = -1 for every axis odd in sigma along which s is lower.
 * children[s]: NULL is zero. tac_super_split is the inverse, its factor 2^-dim included (join J: split J^-1 = 2^-dim J^T); it
 * writes into every child that is not NULL. */
void tac_super_join(int dim, const int *begin, const double *const *children, double *out);
void tac_super_split(int dim, const int *begin, const double *in, double *const *children);

#endif
