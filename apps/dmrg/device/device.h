/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_DEVICE_DEVICE_H
#define APPS_DMRG_DEVICE_DEVICE_H

#include <tactus/runtime/device_dense.h>

#include "apps/dmrg/engine.h"

/* The engine of device executors. Site tensors, parts, enlarged Hamiltonians, vectors and factors live on the device; a step is
 * one item that submits a few calls for all blocks at once, from descriptors that its plan has sent there. What crosses to the
 * host are the numbers that reductions give, singular values, and what the split has the host decompose. */

/* Descriptors of products and of sums of blocks, as they are being written. */
struct tac_device_products {
  struct tac_device_product *item;
  size_t count;
  struct tac_buffer memory;
};

struct tac_device_sums {
  struct tac_device_block *block;
  struct tac_device_term *term;
  size_t blocks, terms;
  int target; /* of the blocks that are added from now on */
  struct tac_buffer block_memory, term_memory;
};

/* Seconds of decomposing a block, by which --split=auto chooses: `host` for each m n min(m,n) of a method, and on the device
 * `column` for each of min(m,n) columns and `element` for each m n min(m,n); complex numbers count four times in both. */
struct tac_split_costs {
  double host[3]; /* by enum tac_split_method */
  double column, element;
};
struct tac_split_costs tac_device_split_costs(const struct tac_device_info *info);

/* The three tensors to which kept columns go; targets of one gathering. */
enum tac_device_kept { TAC_KEPT_ISOMETRY, TAC_KEPT_CENTER, TAC_KEPT_HINTS, TAC_KEPT_COUNT };

struct tac_device_bond {
  struct tac_device *device;
  struct tac_queue *queue; /* the caller's, between batches */
  enum tac_device_scalar scalar;
  struct tac_device_tables *tables; /* of all plans of a bond, made anew with each */
  struct tac_device_vectors *vectors;
  struct tac_device_gemm *center;                    /* theta from two tensors */
  struct tac_device_gemm *apply;                     /* A x + x B */
  struct tac_device_gemm *enlarged, *grown, *edge;   /* H U; U^H (H U); products of U's local states */
  struct tac_device_blocks *enlarge, *couple, *sums; /* enlarged Hamiltonians, site coupling, edge operators */
  struct tac_device_blocks *lend, *given;            /* blocks for the host's decomposition, and for the device's */
  struct tac_device_blocks *kept;                    /* columns of all three tensors */
  struct tac_device_svd *svd;
  struct tac_device_products products;
  struct tac_device_sums terms;
  struct tac_buffer product, edges;      /* of the environment update: H U, and what the edge operators are summed from */
  struct tac_buffer lent;                /* blocks that the host decomposes */
  struct tac_buffer work, left, right;   /* blocks that the device decomposes (destroyed), and their factors */
  struct tac_buffer values, read_values; /* their singular values, on the device and as they arrive */
  int *svd_block;                        /* numbers of the blocks that the device decomposes */
  size_t svd_count, svd_values;          /* how many, and how many singular values */
  struct tac_buffer svd_block_memory, svd_problems;
  struct tac_split_costs costs;
  enum tac_status (*svd_check)(struct tac_device_svd *svd, struct tac_queue *queue, struct tac_error *error);
  int (*svd_failed)(const struct tac_device_svd *svd, size_t problem); /* both the library's */
};

enum tac_status tac_device_products_begin(struct tac_device_products *products, struct tac_pool *pool, size_t most,
                                          struct tac_error *error);
/* Products without a result are left out. */
void tac_device_products_add(struct tac_device_products *products, struct tac_device_product product);

enum tac_status tac_device_sums_begin(struct tac_device_sums *sums, struct tac_pool *pool, size_t most_blocks,
                                      size_t most_terms, struct tac_error *error);
/* A block whose terms follow; one without elements is left out, its terms may not be added. 1: it was added, to sums->target.
 */
int tac_device_sums_add(struct tac_device_sums *sums, int m, int n, int ld, int accumulate, size_t to);
void tac_device_sums_term(struct tac_device_sums *sums, double factor, size_t from, int ld, char op, int source);

static inline struct tac_device_array tac_device_at(const struct tac_buffer *buffer, size_t offset) {
  return (struct tac_device_array){buffer->memory, offset};
}

static inline struct tac_device_array tac_device_of(struct tac_vector vector) {
  return (struct tac_device_array){vector.buffer->memory, vector.offset};
}

/* The one item of a step. */
enum tac_status tac_device_one_task(struct tac_bond *bond, struct tac_tasks *tasks, struct tac_error *error);

enum tac_status tac_device_plan_center(struct tac_bond *bond, struct tac_error *error);
enum tac_status tac_device_center_item(void *bond, size_t index, struct tac_lane *lane);
enum tac_status tac_device_build_center(struct tac_bond *bond, struct tac_error *error);
enum tac_status tac_device_enlarge_right(struct tac_bond *bond, struct tac_error *error);

enum tac_status tac_device_plan_apply(struct tac_bond *bond, struct tac_error *error);
enum tac_status tac_device_apply_item(void *bond, size_t index, struct tac_lane *lane);

enum tac_status tac_device_krylov_start(struct tac_krylov *krylov, const struct tac_bond *bond, struct tac_error *error);
enum tac_status tac_device_krylov_normalize(const struct tac_krylov *krylov, int j, const struct tac_bond *bond,
                                            struct tac_error *error);
enum tac_status tac_device_krylov_project(struct tac_krylov *krylov, int j, const struct tac_bond *bond,
                                          struct tac_error *error);
enum tac_status tac_device_krylov_subtract(struct tac_krylov *krylov, int j, const struct tac_bond *bond,
                                           struct tac_error *error);
enum tac_status tac_device_krylov_fetch(struct tac_krylov *krylov, int steps, const struct tac_bond *bond,
                                        struct tac_error *error);

enum tac_status tac_device_plan_split(struct tac_bond *bond, enum tac_split_method method, enum tac_dmrg_split_place place,
                                      struct tac_error *error);
enum tac_status tac_device_split_item(void *bond, size_t index, struct tac_lane *lane);
enum tac_status tac_device_end_split(struct tac_bond *bond, struct tac_scheduler *scheduler, struct tac_error *error);

enum tac_status tac_device_plan_factor(struct tac_bond *bond, struct tac_error *error);
enum tac_status tac_device_factor_item(void *bond, size_t index, struct tac_lane *lane);

enum tac_status tac_device_plan_part(struct tac_bond *bond, struct tac_tensor *isometry, struct tac_part *updated,
                                     struct tac_error *error);
enum tac_status tac_device_part_item(void *bond, size_t index, struct tac_lane *lane);

#endif
