/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_BOND_H
#define APPS_DMRG_BOND_H

#include <tactus/dmrg/sweep.h>

#include <tactus/runtime/device_dense.h>

#include "apps/dmrg/kernels.h"
#include "apps/dmrg/space.h"
#include "apps/dmrg/state.h"

/* Operators of one part of the chain in the states of its bond, as blocks by the part's own charge c.
 *   hamiltonian, sz: c x c; sz is of the site at the bond's edge
 *   raise: S+ of that site, rows of charge c+2, columns of charge c
 * Left parts hold the operators themselves, right parts their mirror images: the transpose of the Hamiltonian and of Sz and,
 * as `raise`, the transpose of S-. With right states stored as V (see struct tac_dmrg_state) every formula is then the same
 * on both sides, and the right part acts on a centre from the right. */
struct tac_part {
  struct tac_space space;
  size_t *hamiltonian, *sz, *raise; /* offsets in elements, one a charge */
  struct tac_buffer offsets, data;
};

/* Summed cost, in flops, below which a batch is not worth sharing: some microseconds of arithmetic. */
#define TAC_BOND_INLINE_BELOW 1e5

/* One charge block of a centre: rows are left enlarged states of left charge `charge`, columns right enlarged states of right
 * charge twice_sz - charge; column-major with leading dimension `rows`. */
struct tac_center_block {
  int charge, right_charge, rows, columns;
  size_t offset;                                  /* in every vector of the centre's space */
  size_t left_hamiltonian, right_hamiltonian;     /* in bond.side[].hamiltonian */
  const struct tac_enlarged_sector *left, *right; /* where the local states stand in rows and columns */
};

/* One side of the bond at work, joined with its site. */
struct tac_bond_side {
  const struct tac_part *part;
  struct tac_enlarged rows;
  struct tac_buffer hamiltonian; /* enlarged: one square block a centre block */
};

enum tac_task_kind {
  TAC_TASK_CENTER,
  TAC_TASK_ENLARGE_LEFT,
  TAC_TASK_ENLARGE_RIGHT,
  TAC_TASK_OPERATORS,
  TAC_TASK_EDGE,
  TAC_TASK_BLOCK,
  TAC_TASK_DEVICE /* everything that the device does of this step */
};

/* One item of a batch. */
struct tac_task {
  int kind; /* enum tac_task_kind where a batch has several */
  int block;
  int column, columns; /* of an effective-H output group */
  double cost;         /* multiplications, or seconds */
};

struct tac_tasks {
  struct tac_task *task;
  size_t count;
  double inline_below; /* in the unit of the costs */
  struct tac_buffer memory;
};

/* Result of decomposing one centre block: theta = left right^H over the candidates. The factor of the side that the sweep
 * leaves behind has orthonormal columns, the other's columns carry the weights. */
struct tac_split_block {
  int candidates;     /* states offered */
  int keep;           /* states kept, set by the selection: the leading ones in split.order */
  int on_device;      /* decomposed there */
  int fallback;       /* GESDD failed, GESVD was used; or the device failed, and the host was used */
  double missed;      /* sum of squares that no candidate has */
  size_t weight;      /* where its weights stand in split.weight, falling, and their columns' numbers in split.order */
  size_t theta;       /* where it stands in split.theta */
  size_t left, right; /* where its factors stand in split.left (rows of the block) and split.right (its columns) */
};

enum tac_split_method {
  TAC_SPLIT_FULL, /* an SVD of every block */
  TAC_SPLIT_GRAM, /* eigenvectors of its Gram matrix */
  TAC_SPLIT_WARM  /* within the span that the opposite sweep left at this bond */
};

/* The batched events of a bond, as they stand in tac_dmrg_cost_terms. */
enum tac_costed { TAC_COSTED_CENTER, TAC_COSTED_APPLICATION, TAC_COSTED_SPLIT, TAC_COSTED_FACTOR, TAC_COSTED_PART };

/* Numbers at a place in a buffer, wherever that lives. */
struct tac_vector {
  struct tac_buffer *buffer;
  size_t offset; /* elements */
};

struct tac_split {
  struct tac_split_block *block;
  enum tac_split_method method;
  double total, discarded; /* sum of all squares, share of it that was discarded */
  struct tac_vector theta; /* the blocks that the host decomposes */
  struct tac_buffer blocks, weight, order, left, right;
};

/* The bond at work: sites `site` and `site`+1. Everything is kept from bond to bond, so steady state allocates nothing. */
struct tac_bond {
  struct tac_pool *pool;
  const struct tac_engine *engine;
  struct tac_device_bond *device; /* of the device's engine */
  const struct tac_kernels *kernels;
  const struct tac_dmrg_hamiltonian *hamiltonian;
  struct tac_dmrg_state *state;
  int site, direction;
  struct tac_bond_side side[2]; /* left, right */
  struct tac_center_block *block;
  int blocks;
  size_t elements, length; /* charge-legal elements; with padding */
  struct tac_buffer block_memory, theta_memory, krylov_memory, ritz_memory;
  struct tac_vector theta; /* the centre, in theta_memory or, once improved, in krylov_memory */
  struct tac_vector x, y;  /* operand and result of the effective Hamiltonian */
  void *operands;          /* room for the engine's description of each Krylov vector: an address, or a device's array */
  struct tac_bound_costs costs[TAC_DMRG_COSTED_EVENTS]; /* of this sweep, by enum tac_costed */
  struct tac_tasks center_tasks, apply_tasks, split_tasks, factor_tasks, part_tasks;
  struct tac_split split;
  struct tac_tensor isometry, next_center; /* made here, then exchanged with the state's */
  struct tac_space kept, mirrored;         /* columns of the isometry, and of the next centre */
  struct tac_space offered;                /* columns of `hints` */
  struct tac_tensor *hints;                /* of this bond: the first discarded columns that its last visit saw */
  uint64_t seed;                           /* of the random columns of warm decompositions */
  int (*svd_divide)(int, int, void *, int, double *, void *, int, void *, int, struct tac_arena *); /* the kernels' */
  int (*svd_qr)(int, int, void *, int, double *, void *, int, void *, int, struct tac_arena *);
  struct tac_part *updated;  /* the part that grows by a site, */
  struct tac_tensor *passed; /* and that site's isometry */
};

/* An element of a vector that the host can reach. */
static inline void *tac_vector_at(const struct tac_bond *bond, struct tac_vector vector, size_t index) {
  return tac_element(bond->kernels, vector.buffer->data, vector.offset + index);
}

static inline double tac_task_cost(const struct tac_tasks *tasks, size_t index) {
  return tasks->task[index].cost;
}

enum tac_status tac_tasks_reserve(struct tac_tasks *tasks, struct tac_pool *pool, size_t count, struct tac_error *error);
void tac_tasks_add(struct tac_tasks *tasks, struct tac_task task);
/* At the end of a plan on the host: costs become predicted seconds where the sweep has some for this event. Which batches run
 * inline stays what it was. */
void tac_tasks_predict(struct tac_tasks *tasks, const struct tac_bond *bond, enum tac_costed event);
extern const struct tac_cost_terms tac_center_terms, tac_apply_terms, tac_split_terms, tac_factor_terms, tac_part_terms;
/* A model, or none, for the sweeps from here on. */
enum tac_status tac_bond_set_costs(struct tac_bond *bond, const struct tac_cost_model *model, struct tac_error *error);

/* Lays out the centre of a bond between two parts. */
enum tac_status tac_bond_layout(struct tac_bond *bond, int site, int direction, const struct tac_part *left,
                                const struct tac_part *right, struct tac_error *error);
/* Lays out what the engine needs to grow a right part by a site that is an isometry already. */
enum tac_status tac_bond_layout_part(struct tac_bond *bond, int site, const struct tac_part *right, struct tac_error *error);
/* Vectors of the centre's space are handled whole: what lies between blocks is zero. */
void tac_bond_zero_padding(const struct tac_bond *bond, struct tac_vector vector);
void tac_bond_release(struct tac_bond *bond);

/* Items: blocks of the centre from the two site tensors, and the enlarged Hamiltonians of both sides. */
enum tac_status tac_center_plan(struct tac_bond *bond, struct tac_error *error);
/* The products that give a block, at most TAC_LOCAL_MAX of them: a stands in the left site's tensor, b in the right one's, c in
 * the block. The results are the whole block; where there is nothing to multiply k is 0. */
int tac_center_products(const struct tac_bond *bond, const struct tac_center_block *block, struct tac_device_product *out);
void tac_center_block_build(const struct tac_bond *bond, const struct tac_center_block *block);
enum tac_status tac_center_item(void *bond, size_t index, struct tac_lane *lane);
double tac_center_cost(const void *bond, size_t index);

/* The coupling of the two sites adds to the sub-block of these local states in a block, at most TAC_COUPLINGS_MAX times, the
 * sub-block of local states left and right in the block `from`, times a factor. */
#define TAC_COUPLINGS_MAX 3
struct tac_coupling {
  const struct tac_center_block *from;
  int left, right;
  double factor;
};
int tac_apply_couplings(const struct tac_bond *bond, int block, int left, int right, struct tac_coupling *out);

/* Items: output groups of y = H x, each some columns of one block. */
enum tac_status tac_apply_plan(struct tac_bond *bond, struct tac_error *error);
enum tac_status tac_apply_item(void *bond, size_t index, struct tac_lane *lane);
double tac_apply_cost(const void *bond, size_t index);

/* Items: the charge blocks of theta, decomposed. A block that a method cannot do is decomposed in full. */
enum tac_status tac_split_plan(struct tac_bond *bond, enum tac_split_method method, struct tac_error *error);
/* Blocks, their candidates and room for weights; the rest of the plan is the caller's. */
enum tac_status tac_split_begin(struct tac_bond *bond, enum tac_split_method method, struct tac_error *error);
enum tac_status tac_split_item(void *bond, size_t index, struct tac_lane *lane);
double tac_split_cost(const void *bond, size_t index);
double tac_split_block_cost(const struct tac_center_block *block);
enum tac_status tac_split_block_full(struct tac_bond *bond, size_t number, struct tac_lane *lane);
/* Columns that a warm decomposition of a block works with: the opposite sweep's, discarded ones and perhaps a random one. */
struct tac_warm_columns {
  int known, extra, random;
  const struct tac_dmrg_block *guess, *hints; /* where known and extra are; NULL without */
};
/* 0: the block is decomposed in full. */
int tac_warm_columns_of(struct tac_warm_columns *out, const struct tac_bond *bond, size_t number);
/* Up to these ranks a block is decomposed in full by any method: that is as fast. */
enum { TAC_GRAM_SMALL_BLOCK = 24, TAC_WARM_SMALL_BLOCK = 4 };
/* An SVD of theta, as large as the block and left as it is: s falling, u with the block's rows, vt with as many rows as there
 * are candidates. LAPACK's info, or TAC_KERNELS_MEMORY. */
int tac_split_svd(const struct tac_bond *bond, size_t number, const void *theta, double *s, void *u, void *vt,
                  struct tac_arena *arena);
enum tac_status tac_split_block_gram(struct tac_bond *bond, size_t number, struct tac_lane *lane);
enum tac_status tac_split_block_warm(struct tac_bond *bond, size_t number, struct tac_lane *lane);

/* Chooses the states to keep over all blocks; fills keep, total and discarded. */
enum tac_status tac_split_select(struct tac_bond *bond, const struct tac_dmrg_options *options, struct tac_error *error);

/* Items: columns of the isometry and of the next centre, from the decomposed blocks. */
enum tac_status tac_factor_plan(struct tac_bond *bond, struct tac_error *error);
enum tac_status tac_factor_layout(struct tac_bond *bond, struct tac_error *error); /* without the tasks */
enum tac_status tac_factor_item(void *bond, size_t index, struct tac_lane *lane);
double tac_factor_cost(const void *bond, size_t index);
/* Exchanges the site tensors for the new ones and moves the centre. */
void tac_factor_install(struct tac_bond *bond);

/* Items: operators of the part that grows by the site just passed, whose isometry is given. */
enum tac_status tac_part_plan(struct tac_bond *bond, struct tac_tensor *isometry, struct tac_part *updated,
                              struct tac_error *error);
enum tac_status tac_part_layout(struct tac_bond *bond, struct tac_tensor *isometry, struct tac_part *updated,
                                struct tac_error *error); /* without the tasks */
/* The side that grows by the site just passed, and the block of the centre that a block of its isometry comes from. */
const struct tac_bond_side *tac_part_passed_side(const struct tac_bond *bond);
const struct tac_center_block *tac_part_center_block(const struct tac_bond *bond, int charge);
enum tac_status tac_part_item(void *bond, size_t index, struct tac_lane *lane);
double tac_part_cost(const void *bond, size_t index);

/* The part beyond an end of the chain: one state, no operators. */
enum tac_status tac_part_empty(struct tac_part *part, struct tac_pool *pool, const struct tac_kernels *kernels,
                               struct tac_error *error);
void tac_part_release(struct tac_part *part, struct tac_pool *pool);

/* Writes the enlarged Hamiltonian of a part for one enlarged charge: part and site, n x n, n the sector's rows. */
void tac_part_enlarge(const struct tac_kernels *kernels, const struct tac_dmrg_hamiltonian *hamiltonian,
                      const struct tac_part *part, const struct tac_enlarged_sector *sector, int charge, void *out);

#endif
