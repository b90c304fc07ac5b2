/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_STENCIL_PARTS_H
#define APPS_FMM_STENCIL_PARTS_H

#include "apps/fmm/gemm.h"
#include "apps/fmm/stencil.h"

/* How the pairing works. Let o be a neighbour's offset, tau the axes along which it is not zero, s the mirror image of o whose
 * components are >= 0. The symmetry makes entry (c, c') of T(o), between target class c and source class c', that of T(s) times
 * -1 for each negative axis of o in D = c ^ c' ^ flip; where o is zero along an axis in D the entry vanishes. So, for each c
 * and tau, all 2^|tau| mirror images of a neighbour act through one matrix: its columns are the classes c' = c ^ flip ^ D for
 * all D inside tau, and its input are the sums of the images' vectors with the signs (-1)^|negative axes & D|. Each sum of the
 * 3^dim vectors is used once over all c and tau: a 2^dim-th part of the products offset by offset. */

/* Rows of a piece's input: the signed sum of `terms` mirror neighbours over a stretch of one source class. */
struct tac_stencil_run {
  int terms, mixed, length, offset;
  unsigned char place[TAC_MAX_CLASSES]; /* numbers of the neighbours; with `mixed` those at odd places are subtracted */
};

enum tac_stencil_end {
  TAC_END_COMBINED, /* input: the piece's runs */
  TAC_END_VECTORS,  /* input: the middle source itself; output: the target */
  TAC_END_FACTORED  /* what stands between the two factors of blocks of low rank */
};

/* One product. Pieces run in order. */
struct tac_stencil_piece {
  int rows, inner, accumulate;
  const double *packed;
  enum tac_stencil_end input, output;
  int input_offset, output_offset;
  size_t first_run, runs;
};

struct tac_stencil {
  struct tac_allocator allocator;
  const struct tac_gemm_kernel *kernel;
  int neighbours, source_count;
  int tile, cached;
  size_t combined_stride, factored_stride; /* doubles of a column in scratch; 0: none needed */
  double flops;
  size_t bytes;
  double *packed; /* of all pieces, in their order */
  double *zeros;  /* source_count: stands for an absent neighbour */
  struct tac_stencil_piece *pieces;
  size_t piece_count, piece_limit;
  struct tac_stencil_run *runs;
  size_t run_count, run_limit;
};

/* The input of a piece with runs for `count` targets: columns combined_stride apart, from table[t*neighbours + n]. */
void tac_stencil_combine(const struct tac_stencil *stencil, const struct tac_stencil_piece *piece, size_t count,
                         const double *const *table, double *combined);

/* Block (c, tau) while a stencil is made: rows x columns, column-major, and its factors where they are cheaper:
 * matrix = left (rows x rank) right (rank x columns); rank -1: dense. */
struct tac_stencil_block {
  int rows, columns, rank;
  double *matrix, *left, *right;
};

/* Replaces blocks by factors where that is cheaper; singular values up to tolerance * (the largest of all blocks) are dropped.
 * matrix is released where factors take its place. */
enum tac_status tac_stencil_factor(struct tac_stencil_block *blocks, size_t count, double tolerance,
                                   const struct tac_allocator *allocator, struct tac_error *error);

/* Blocks whose rows and columns are known, from the cache: all their matrices and factors point into *storage, which the
 * caller releases. 0: there are none that can be trusted. */
int tac_stencil_load(double **storage, struct tac_stencil_block *blocks, size_t count, const struct tac_stencil_shape *shape,
                     const struct tac_allocator *allocator);
/* Keeps them; not an error where that cannot be. */
void tac_stencil_store(const struct tac_stencil_block *blocks, size_t count, const struct tac_stencil_shape *shape,
                       const struct tac_allocator *allocator);

#endif
