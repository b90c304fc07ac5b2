/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_PLAN_H
#define APPS_FMM_PLAN_H

#include <tactus/fmm/plan.h>

#include "apps/fmm/far.h"
#include "apps/fmm/gemm.h"
#include "apps/fmm/modes.h"
#include "apps/fmm/near.h"
#include "apps/fmm/points.h"
#include "apps/fmm/stencil.h"
#include "apps/fmm/store.h"
#include "apps/fmm/tree.h"

struct tac_fmm_device;

#define TAC_MAX_PARTS      2
#define TAC_MAX_FIELDS     8 /* parts * (1 + dim) */
#define TAC_MAX_NEIGHBOURS 27

/* Where the vectors of boxes live, each found by its box. All are in class form. */
enum tac_space {
  TAC_SPACE_COEFFICIENTS = 0, /* of a leaf: c~ */
  TAC_SPACE_MULTIPOLES,       /* of a box */
  TAC_SPACE_SUPERS,           /* multipoles of all children of a box as one vector of definite classes */
  TAC_SPACE_LOCALS,           /* of a box, for every part */
  TAC_SPACE_VALUES            /* of a leaf, for every field: node values in class form */
};

/* Matrices of one offset, up to mirror images, for all fields. Its mirror image by the axes in `mask` is R T R, with one more
 * sign for the axes in mask & flip. */
struct tac_plain_operator {
  int targets, sources;
  const int *target_begin, *source_begin; /* of the classes */
  double *matrix[TAC_MAX_FIELDS];         /* packed for tac_gemm_packed; NULL where the field gets nothing */
};

/* One (target, source) pair of a tile. */
struct tac_tile_pair {
  int32_t source; /* box */
  uint16_t slot;  /* target within the tile; of a tile of parents: parent * children + child */
  uint8_t mask;   /* axes along which the offset is the mirror image of the operator's */
};

/* The pairs of a tile that share an operator. */
struct tac_tile_group {
  const struct tac_plain_operator *op;
  enum tac_space source_space;
  uint32_t begin, end; /* in the job's pairs */
};

/* Targets of one level that one item serves. */
struct tac_tile {
  int32_t first, count; /* in the job's targets */
  int level;
  struct tac_stencil *const *stencil; /* one a field, NULL for one that gets nothing; all NULL: groups only */
  uint32_t group_begin, group_end;
  int cleared; /* 1: without a stencil the targets are zeroed first */
  double flops;
  double cost; /* flops, or predicted seconds */
};

/* One batch of a phase. */
struct tac_job {
  struct tac_fmm_plan *plan;
  int fields;                  /* real fields an item computes */
  const unsigned *flip;        /* one a field */
  enum tac_space source_space; /* of the stencils */
  enum tac_space target_space;
  int target_is_parent; /* 1: results are vectors of all children of the target box */
  int add;              /* 1: add to what is there */
  int join;             /* 1: the super vectors of the targets are made first */
  int32_t *targets;     /* boxes */
  struct tac_tile *tiles;
  size_t tile_count;
  struct tac_tile_group *groups;
  struct tac_tile_pair *pairs;
};

/* One of the nine phases: its jobs, in order. */
struct tac_step {
  struct tac_job *jobs;
  int count;
  int entered; /* 0: a phase that this plan does not have */
  double flops;
};

/* The batches of one evaluation, in the order in which they run: on host lanes, or on a device. */
struct tac_batches {
  struct tac_batch *batch;
  int count;
};
struct tac_course {
  struct tac_batch load, store;
  struct tac_batches step[TAC_FMM_PHASES];
};

/* Operators by level; levels that share them point to the same. */
struct tac_level_operators {
  struct tac_stencil *p2m[1], *m2m[1], *l2l[TAC_MAX_PARTS];
  struct tac_stencil *l2p[TAC_MAX_FIELDS]; /* by component */
  struct tac_stencil *m2l[TAC_MAX_PARTS];
  struct tac_stencil *m2p[TAC_MAX_FIELDS], *p2l[TAC_MAX_PARTS]; /* where lists 3 and 4 are not empty */
  struct tac_stencil *near[2][TAC_MAX_FIELDS];                  /* by layer and field */
  int owns_far, owns_near[2], owns_transfer;                    /* this level is the one that made them */
};

/* Kept while a plan is made. */
struct tac_child_matrices {
  int level; /* 0: none */
  double *functions[4], *moments;
};

struct tac_fmm_plan {
  const struct tac_fmm_tree *tree;
  struct tac_fmm_plan_options options;
  struct tac_store store;
  struct tac_near *near;
  struct tac_far *far; /* NULL: fewer than three levels */
  struct tac_modes modes;
  struct tac_node_space space;
  const struct tac_gemm_kernel *kernel; /* of the plain operators */
  struct tac_transform transform;
  struct tac_stencil *projection; /* node values in class form to coefficients; NULL on the plain path, which transforms */
  int dim, children, parts, fields, layers;
  unsigned flip[TAC_MAX_FIELDS];
  struct tac_level_operators operators[TAC_FMM_MAX_LEVELS];
  struct tac_child_matrices child;
  /* Plain operators, made when a tile first wants one: [kind][level of the source or target][canonical offset]. */
  struct tac_plain_operator *(*plain)[TAC_FMM_MAX_LEVELS][64];
  int rank[TAC_FMM_MAX_LEVELS];
  size_t multipole_base[TAC_FMM_MAX_LEVELS], super_base[TAC_FMM_MAX_LEVELS];
  size_t multipole_size; /* doubles of all multipoles, and of the locals of one part */
  size_t super_size;
  int32_t *inner; /* number of an inner box among those of its level */
  double *coefficients, *multipoles, *supers, *locals[TAC_MAX_PARTS], *values[TAC_MAX_FIELDS];
  struct tac_step step[TAC_FMM_PHASES];
  struct tac_course host;
  struct tac_fmm_device *device; /* the plan on the device of the last evaluation on one; NULL: none */
  struct tac_fmm_plan_info info;
  int evaluated;
  int expansions_on_device;  /* 1: those of the last evaluation are not in the host's memory yet */
  struct tac_points *points; /* for the evaluation at points; NULL until the first */
  /* Of the evaluation in progress. */
  const struct tac_course *course;
  const double *density;
  double *const *answer;
};

static inline double *tac_plan_coefficients(const struct tac_fmm_plan *plan, int32_t leaf) {
  return plan->coefficients + (size_t)leaf * (size_t)plan->modes.count;
}

static inline size_t tac_plan_box_offset(const struct tac_fmm_plan *plan, int32_t box) {
  const int level = plan->tree->level[box];
  return plan->multipole_base[level] + (size_t)(box - plan->tree->level_begin[level]) * (size_t)plan->rank[level];
}

static inline double *tac_plan_super(const struct tac_fmm_plan *plan, int32_t box) {
  const int level = plan->tree->level[box];
  return plan->supers + plan->super_base[level] +
         (size_t)plan->inner[box] * (size_t)plan->children * (size_t)plan->rank[level + 1];
}

static inline double *tac_plan_values(const struct tac_fmm_plan *plan, int field, int32_t leaf) {
  return plan->values[field] + (size_t)leaf * (size_t)plan->space.count;
}

/* The vector of a box in a space, for a field. */
double *tac_plan_vector(const struct tac_fmm_plan *plan, enum tac_space space, int32_t box, int field);

/* Kinds of plain operators. */
enum tac_plain_kind {
  TAC_PLAIN_SAME = 0, /* List 1, layer 0; the second layer follows after all of layer 0 */
  TAC_PLAIN_FINER,
  TAC_PLAIN_COARSER,
  TAC_PLAIN_SAME_SPLIT,
  TAC_PLAIN_FINER_SPLIT,
  TAC_PLAIN_COARSER_SPLIT,
  TAC_PLAIN_M2L,
  TAC_PLAIN_M2P,
  TAC_PLAIN_P2L,
  TAC_PLAIN_P2M,
  TAC_PLAIN_M2M,
  TAC_PLAIN_L2L,
  TAC_PLAIN_L2P,
  TAC_PLAIN_KINDS
};

/* Number of an offset up to mirror images, and the mirrored axes. */
int tac_canonical_offset(enum tac_plain_kind kind, int dim, const signed char offset[3], unsigned *mask);

/* Nanoseconds of a steady clock, for seconds of set-up. */
int64_t tac_plan_clock(void);

/* Stencils of every level that needs them. */
enum tac_status tac_plan_make_operators(struct tac_fmm_plan *plan, struct tac_error *error);
/* 1 where a layer of the near field has something for a field: the base table of the split has no imaginary part. */
int tac_plan_near_has(const struct tac_fmm_plan *plan, int layer, int level, int field);
/* Node values in class form to coefficients. */
enum tac_status tac_plan_make_projection(struct tac_stencil **out, struct tac_fmm_plan *plan, struct tac_error *error);
void tac_plan_destroy_operators(struct tac_fmm_plan *plan);

/* The plain operator of an offset, made when it is first asked for. level: of the source for lists 1 and 3, of the target for
 * lists 2 and 4, of the child for M2M and L2L. */
enum tac_status tac_plan_plain(const struct tac_plain_operator **out, struct tac_fmm_plan *plan, enum tac_plain_kind kind,
                               int level, const signed char offset[3], unsigned *mask, struct tac_error *error);

/* Tiles and groups of all phases, and the batches that run them on host lanes. */
enum tac_status tac_plan_make_jobs(struct tac_fmm_plan *plan, struct tac_error *error);

/* Items: every phase runs the same one on its tiles; the first and last steps of an evaluation have theirs. */
enum tac_status tac_tile_item(void *context, size_t index, struct tac_lane *lane);
double tac_tile_cost(const void *context, size_t index);
extern const struct tac_cost_terms tac_tile_terms;
/* Floating-point operations of a tile, by its terms. */
double tac_tile_flops(const struct tac_job *job, size_t index);
/* Before anything is built. */
enum tac_status tac_fmm_costs_check(const struct tac_cost_model *model, struct tac_error *error);
/* Costs of all tiles, by the options' model where that knows their phase. */
enum tac_status tac_plan_set_costs(struct tac_fmm_plan *plan, struct tac_error *error);
enum tac_status tac_plan_load_item(void *context, size_t index, struct tac_lane *lane);
enum tac_status tac_plan_store_item(void *context, size_t index, struct tac_lane *lane);
size_t tac_plan_leaf_chunks(const struct tac_fmm_plan *plan);

/* The neighbours that the stencils of a job look at: 1 for the box itself. */
int tac_job_reach(const struct tac_job *job);
/* Doubles of one target's result: of all children's together where targets are parents. */
int tac_job_target_size(const struct tac_job *job, int level);

/* Refuses a leaf with a value that is not finite, by its place. */
enum tac_status tac_plan_refuse_leaf(const struct tac_fmm_plan *plan, struct tac_error *error, enum tac_status status,
                                     const char *where, size_t leaf);
int tac_all_finite(const double *values, int count);

/* Names the phase whose result is not finite, for an answer that is not. */
enum tac_status tac_plan_blame(const struct tac_fmm_plan *plan, struct tac_error *error);

#endif
