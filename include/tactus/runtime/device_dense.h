/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_RUNTIME_DEVICE_DENSE_H
#define TACTUS_RUNTIME_DEVICE_DENSE_H

#include <tactus/runtime/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Dense building blocks on a device, many small problems a call: the vendor's library where it has one call for them, kernels
 * of ours elsewhere. Matrices are column-major; offsets and leading dimensions count elements. What is planned once may run
 * many times; plans keep and reuse their memory. The results' bits depend on the shapes and the data alone: not on which queue
 * runs them, nor on how many compute units there are.
 *
 * A plan belongs to one device and is used by one thread at a time. plan writes descriptors through the queue and returns
 * before they have arrived, run submits: both leave the queue to be finished by whoever needs the result. A run on another
 * queue, or on another stream of the queue, is put behind the plan by the caller, and one of decompositions, which work in the
 * plan's own memory, behind the run before, too. What the host still has to send when a plan is made anew or destroyed is
 * waited for (a fence labelled "descriptors"). Calls of the vendor's library are launches labelled "gemm" and "svd"; where one
 * waits before it returns, for a handle or for what the device found, that is a fence of the same label. */

enum tac_device_scalar {
  TAC_DEVICE_REAL64 = 0,
  TAC_DEVICE_REAL32,
  TAC_DEVICE_COMPLEX64, /* pairs: real, imaginary */
  TAC_DEVICE_COMPLEX32
};
TAC_API size_t tac_device_scalar_bytes(enum tac_device_scalar scalar);
/* UNAVAILABLE with a clear line where the device has no double precision and the scalar needs it. */
TAC_API enum tac_status tac_device_scalar_check(const struct tac_device *device, enum tac_device_scalar scalar,
                                                struct tac_error *error);

/* A place in device memory. */
struct tac_device_array {
  struct tac_device_memory *memory;
  size_t offset; /* elements */
};

/* ---- Tables that plans share. A plan's descriptors are a write of its own to the device, unless plans share tables: then
 * those made since the last write go with the first of them that runs. Its run and those of the others stand in the order of
 * one queue, or in one that the caller makes. */
struct tac_device_tables;
TAC_API enum tac_status tac_device_tables_create(struct tac_device_tables **out, struct tac_device *device,
                                                 struct tac_error *error);
/* After the plans that share them, or whose share ends before. */
TAC_API void tac_device_tables_destroy(struct tac_device_tables **tables);
/* The plans made so far are no more (running one is INVALID). Those made since the last begin may still be in progress on their
 * queue: the place of those before that is for what follows, and is waited for (a fence labelled "descriptors") where nothing
 * has waited since. */
TAC_API enum tac_status tac_device_tables_begin(struct tac_device_tables *tables, struct tac_error *error);

/* ---- Products. */

/* c = op(a) op(b), or += with accumulate; c is m x n, k the inner extent; op is 'N' (as it is) or 'C' (adjoint). An extent of 0
 * is allowed; k = 0 without accumulate clears c. a, b, c: offsets from the arrays that run is given. */
struct tac_device_product {
  int m, n, k;
  char op_a, op_b;
  int accumulate;
  int lda, ldb, ldc;
  size_t a, b, c;
  /* 1: adds to the result of the product before it (which continues none; of the same m, n, c and ldc) a product of factors in
   * the second pair of arrays. */
  int continues;
};

/* Many products whose results do not overlap, but for those that continue another. */
struct tac_device_gemm;
TAC_API enum tac_status tac_device_gemm_create(struct tac_device_gemm **out, struct tac_device *device,
                                               enum tac_device_scalar scalar, struct tac_error *error);
TAC_API void tac_device_gemm_destroy(struct tac_device_gemm **gemm);
/* `products` is copied. The plan before is forgotten; nothing that runs it may be in progress. */
TAC_API enum tac_status tac_device_gemm_plan(struct tac_device_gemm *gemm, struct tac_queue *queue,
                                             const struct tac_device_product *products, size_t count, struct tac_error *error);
/* The plan before is forgotten; those that follow go to `tables`, or with NULL again to the plan's own. */
TAC_API void tac_device_gemm_share(struct tac_device_gemm *gemm, struct tac_device_tables *tables);
TAC_API enum tac_status tac_device_gemm_run(struct tac_device_gemm *gemm, struct tac_queue *queue, struct tac_device_array a,
                                            struct tac_device_array b, struct tac_device_array c, struct tac_error *error);
/* Those that continue take their factors from the second pair of arrays, a and b (tac_device_gemm_run: the first, too). */
TAC_API enum tac_status tac_device_gemm_run_continued(struct tac_device_gemm *gemm, struct tac_queue *queue,
                                                      const struct tac_device_array first[2],
                                                      const struct tac_device_array second[2], struct tac_device_array c,
                                                      struct tac_error *error);
/* 2 m n k over all products (8 for complex). */
TAC_API double tac_device_gemm_flops(const struct tac_device_gemm *gemm);

/* ---- Sums of blocks: gather, scatter, scale, transpose. */

/* The m x n block at `to` becomes the sum of its terms (added to what is there with accumulate); no terms: it is cleared. */
struct tac_device_block {
  int m, n, ld;
  int accumulate;
  size_t to;
  unsigned first_term, terms;
  int target; /* which of the arrays of results */
};
#define TAC_DEVICE_BLOCKS_TARGETS 3
#define TAC_DEVICE_BLOCKS_SOURCES 4
struct tac_device_term {
  double factor;
  size_t from;
  int ld;
  char op;     /* 'N': the m x n block there; 'C': the adjoint of the n x m block there */
  char source; /* which of the source arrays */
};

/* Many such blocks that do not overlap. */
struct tac_device_blocks;
TAC_API enum tac_status tac_device_blocks_create(struct tac_device_blocks **out, struct tac_device *device,
                                                 enum tac_device_scalar scalar, struct tac_error *error);
TAC_API void tac_device_blocks_destroy(struct tac_device_blocks **blocks);
TAC_API enum tac_status tac_device_blocks_plan(struct tac_device_blocks *blocks, struct tac_queue *queue,
                                               const struct tac_device_block *block, size_t count,
                                               const struct tac_device_term *term, size_t terms, struct tac_error *error);
/* As tac_device_gemm_share. */
TAC_API void tac_device_blocks_share(struct tac_device_blocks *blocks, struct tac_device_tables *tables);
/* With one array of results and the first two of sources. `to` may be a source, too, where no block reads what another writes.
 */
TAC_API enum tac_status tac_device_blocks_run(struct tac_device_blocks *blocks, struct tac_queue *queue,
                                              struct tac_device_array to, struct tac_device_array source0,
                                              struct tac_device_array source1, struct tac_error *error);
TAC_API enum tac_status tac_device_blocks_run_many(struct tac_device_blocks *blocks, struct tac_queue *queue,
                                                   const struct tac_device_array to[TAC_DEVICE_BLOCKS_TARGETS],
                                                   const struct tac_device_array source[TAC_DEVICE_BLOCKS_SOURCES],
                                                   struct tac_error *error);

/* ---- Vectors. Factors are real, and so are the inner products that are asked for (the real part of x^H y), summed in double
 * precision where the device has it, in a fixed order. */
struct tac_device_vectors;
TAC_API enum tac_status tac_device_vectors_create(struct tac_device_vectors **out, struct tac_device *device,
                                                  enum tac_device_scalar scalar, struct tac_error *error);
TAC_API void tac_device_vectors_destroy(struct tac_device_vectors **vectors);
TAC_API enum tac_status tac_device_axpy(struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n, double alpha,
                                        struct tac_device_array x, struct tac_device_array y, struct tac_error *error);
TAC_API enum tac_status tac_device_scale(struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n, double alpha,
                                         struct tac_device_array x, struct tac_error *error);
/* y = sum over j < terms of factor[j] x[j]; any number of terms. */
TAC_API enum tac_status tac_device_combine(struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n, int terms,
                                           const double *factor, const struct tac_device_array *x, struct tac_device_array y,
                                           struct tac_error *error);
/* Wait for the result (a read). */
TAC_API enum tac_status tac_device_dot(double *out, struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                       struct tac_device_array x, struct tac_device_array y, struct tac_error *error);
/* sqrt of x^H x; scaled where the square would overflow or vanish. */
TAC_API enum tac_status tac_device_norm(double *out, struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                        struct tac_device_array x, struct tac_error *error);
/* Two of these in one pass, with their bits: y += alpha x, then the inner product of y and z (z may be y), or y's norm. */
TAC_API enum tac_status tac_device_axpy_dot(double *out, struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                            double alpha, struct tac_device_array x, struct tac_device_array y,
                                            struct tac_device_array z, struct tac_error *error);
TAC_API enum tac_status tac_device_axpy_norm(double *out, struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                             double alpha, struct tac_device_array x, struct tac_device_array y,
                                             struct tac_error *error);
/* Sums that stay on the device, so that nothing waits between a reduction and the update that takes its factor from it: a
 * reduction leaves the inner product in a slot of `vectors`, and an update divides the sums of two slots. Slots are of use
 * among vectors of one length n; a longer or shorter one's reductions spoil those of another. INVALID for a slot that is not
 * reserved. */
struct tac_device_ratio {
  int slot, over; /* sum of the one over that of the other */
};
/* Room for slots 0 … count-1, whose sums are lost where there were fewer; then it waits for the queue. */
TAC_API enum tac_status tac_device_slots_reserve(struct tac_device_vectors *vectors, struct tac_queue *queue, int count,
                                                 struct tac_error *error);
/* The slot's sum: x^H y, its real part. */
TAC_API enum tac_status tac_device_slot_dot(struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                            struct tac_device_array x, struct tac_device_array y, int slot,
                                            struct tac_error *error);
/* y -= ratio x, then the slot's sum: y^H z (z may be y), with the bits of tac_device_axpy_dot; neither of the ratio's slots. */
TAC_API enum tac_status tac_device_slot_axpy_dot(struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                                 struct tac_device_ratio ratio, struct tac_device_array x,
                                                 struct tac_device_array y, struct tac_device_array z, int slot,
                                                 struct tac_error *error);
/* The sums of slots first … first+count-1, all at once: a read, which waits. */
TAC_API enum tac_status tac_device_slots_read(double *out, struct tac_device_vectors *vectors, struct tac_queue *queue,
                                              size_t n, int first, int count, struct tac_error *error);
/* 1: a vector of length n with this sum of squares has its root as norm. 0: squares overflowed, are no numbers, or so small
 * that some may have lost digits; tac_device_norm scales the vector then. */
TAC_API int tac_device_squares_exact(const struct tac_device_vectors *vectors, size_t n, double squares);
/* Squared norms of columns, as doubles (floats without fp64) at `out`, an array of real elements: column j of matrix i at
 * out + matrix[i].to + j. Does not wait. */
struct tac_device_columns {
  int m, n, ld;
  size_t from, to;
};
TAC_API enum tac_status tac_device_column_squares(struct tac_device_vectors *vectors, struct tac_queue *queue,
                                                  const struct tac_device_columns *matrix, size_t count,
                                                  struct tac_device_array x, struct tac_device_array out,
                                                  struct tac_error *error);

/* ---- Singular value decompositions, a = u diag(s) v^H with r = min(m,n) columns of u (m x r) and v (n x r) and s falling,
 * never negative. Accurate to 1e-13 (1e-5 in single precision) times the largest singular value; columns of u and v that
 * belong to singular values of 0 are orthonormal, too. */
struct tac_device_svd_problem {
  int m, n, lda, ldu, ldv;
  size_t a, u, v; /* a is destroyed */
  size_t s;       /* in an array of real elements of the scalar's precision */
};
struct tac_device_svd;
TAC_API enum tac_status tac_device_svd_create(struct tac_device_svd **out, struct tac_device *device,
                                              enum tac_device_scalar scalar, struct tac_error *error);
TAC_API void tac_device_svd_destroy(struct tac_device_svd **svd);
TAC_API enum tac_status tac_device_svd_plan(struct tac_device_svd *svd, struct tac_queue *queue,
                                            const struct tac_device_svd_problem *problems, size_t count,
                                            struct tac_error *error);
TAC_API enum tac_status tac_device_svd_run(struct tac_device_svd *svd, struct tac_queue *queue, struct tac_device_array a,
                                           struct tac_device_array u, struct tac_device_array s, struct tac_device_array v,
                                           struct tac_error *error);
/* After the queue has finished: NUMERICAL, with the number of the problem as the error's item, where one did not converge or
 * was not finite. */
TAC_API enum tac_status tac_device_svd_check(struct tac_device_svd *svd, struct tac_queue *queue, struct tac_error *error);
/* After a check that gave NUMERICAL: 1 for every problem that failed, so that each can be done elsewhere. */
TAC_API int tac_device_svd_failed(const struct tac_device_svd *svd, size_t problem);

#ifdef __cplusplus
}
#endif
#endif
