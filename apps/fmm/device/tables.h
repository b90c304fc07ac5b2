/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The tables that the kernels of the FMM read, in the words of the host's compiler and of the device's: this text stands before
 * the kernels' own. Vectors are found by their offset, in doubles, in the memory of their space; matrices by theirs in the
 * memory of all packed ones, where blocks of TAC_FMM_DEPTH columns follow each other, each in panels of TAC_FMM_PANEL rows
 * stored column after column and filled up with zero rows. */
#ifndef APPS_FMM_DEVICE_TABLES_H
#define APPS_FMM_DEVICE_TABLES_H

#define TAC_FMM_PANEL    8
#define TAC_FMM_DEPTH    256
#define TAC_FMM_FIELDS   8   /* most fields of an answer */
#define TAC_FMM_ITEMS    64  /* work-items of the kernels that go entry by entry, on a GPU */
#define TAC_FMM_BLOCK    64  /* rows and columns of a result that a work-group of the tiled form computes */
#define TAC_FMM_STEP     16  /* inner index of one tile of that form */
#define TAC_FMM_TEAM     256 /* its work-items */
#define TAC_FMM_BATCH    72  /* pairs of a group that the panel form multiplies at once */
#define TAC_FMM_COMBINED 0   /* where the input of a product comes from, and its result goes: see stencil_parts.h */
#define TAC_FMM_VECTORS  1
#define TAC_FMM_FACTORED 2

/* One stretch of a product's input: the signed sum of `terms` neighbours, with `mixed` those at odd places subtracted. */
struct tac_fmm_run {
  tac_i32 terms, mixed, length, offset;
  unsigned char place[8];
};

/* One product. Its input of the kind COMBINED are its runs. */
struct tac_fmm_piece {
  tac_u64 packed;
  tac_i32 rows, inner, accumulate, input, output, input_offset, output_offset;
  tac_u32 first_run, runs;
  tac_u32 first_row; /* of its input's rows, see tac_fmm_row */
};

/* Where row k of a product's input comes from: entry `offset` of the sources, summed as in run `run`. */
struct tac_fmm_row {
  tac_i32 offset;
  tac_u32 run;
};

/* Rows row … row+TAC_FMM_BLOCK-1 of what consecutive pieces give together. */
struct tac_fmm_strip {
  tac_u32 first_piece, pieces;
  tac_i32 row;
};

/* Strips of stage 0 leave what those of stage 1 need. */
struct tac_fmm_stencil {
  tac_u32 first_piece, pieces, neighbours, combined_stride, factored_stride;
  tac_u32 first_strip[2], strips[2];
};

/* Targets that one work-group serves, where the table of their sources begins, and their stencil for each field; -1: none. */
struct tac_fmm_tile {
  tac_u64 sources;
  tac_u32 first, count;
  tac_i32 stencil[TAC_FMM_FIELDS];
};

/* A matrix for pairs, for each field the place of the packed one; -1: none. The classes of rows and columns begin at … */
struct tac_fmm_operator {
  tac_i64 packed[TAC_FMM_FIELDS];
  tac_i32 targets, sources;
  tac_i32 target_begin[9], source_begin[9];
};

struct tac_fmm_pair {
  tac_u64 source, target;
  tac_u32 mask, operator_number;
};

/* Pairs [first, first+count) that share an operator. */
struct tac_fmm_group {
  tac_u32 first, count, operator_number;
};

/* Groups whose targets no other work-group adds to. */
struct tac_fmm_cluster {
  tac_u32 first_group, groups;
};

/* Pairs order[first … first+count-1] of one target. */
struct tac_fmm_sum {
  tac_u64 target;
  tac_u32 first, count;
};

/* The children of a box: their vectors from `children` on, the joined one at `super`; the class of entry i at classes + i. */
struct tac_fmm_family {
  tac_u64 children, super;
  tac_u32 rank, classes;
};

struct tac_fmm_span {
  tac_u64 begin, length;
};

#endif
