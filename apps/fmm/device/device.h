/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_DEVICE_DEVICE_H
#define APPS_FMM_DEVICE_DEVICE_H

#include <tactus/runtime/device.h>

#include "apps/fmm/plan.h"
#include "apps/fmm/store.h"

/* As in runtime/device/kernels/names.h. */
typedef unsigned int tac_u32;
typedef int tac_i32;
typedef unsigned long long tac_u64;
typedef long long tac_i64;

#include "apps/fmm/device/tables.h"

/* A plan on a device: matrices and lists in its memory, expansions, and the course of batches that runs there. A job is one
 * item, whose few launches serve all tiles. Sums do not depend on how work is dealt to work-groups. */

enum tac_fmm_form {
  TAC_FMM_FORM_AUTO = 0, /* by the kind of the device */
  TAC_FMM_FORM_PANELS,   /* CPUs: register blocks, no barriers */
  TAC_FMM_FORM_TILES     /* GPUs: tiles in local memory */
};

struct tac_fmm_device_options {
  enum tac_fmm_form form;
  size_t chunk; /* doubles that one launch leaves for the next, at most, where targets can be divided; 0: the default */
};

enum tac_device_table {
  TAC_TABLE_PACKED = 0,
  TAC_TABLE_STENCILS,
  TAC_TABLE_PIECES,
  TAC_TABLE_RUNS,
  TAC_TABLE_ROWS,
  TAC_TABLE_STRIPS,
  TAC_TABLE_TILES,
  TAC_TABLE_SOURCES,
  TAC_TABLE_TARGETS,
  TAC_TABLE_OPERATORS,
  TAC_TABLE_PAIRS,
  TAC_TABLE_GROUPS,
  TAC_TABLE_CLUSTERS,
  TAC_TABLE_SUMS,
  TAC_TABLE_ORDER,
  TAC_TABLE_FAMILIES,
  TAC_TABLE_CLASSES,
  TAC_TABLE_SPANS,
  TAC_TABLE_NODE_OF,
  TAC_TABLE_PLACE_OF,
  TAC_TABLE_SIDES,
  TAC_TABLES
};

enum tac_device_kernels {
  TAC_KERNEL_LOAD = 0,
  TAC_KERNEL_STORE,
  TAC_KERNEL_JOIN,
  TAC_KERNEL_SPLIT,
  TAC_KERNEL_CLEAR,
  TAC_KERNEL_STENCIL_PANELS,
  TAC_KERNEL_PAIRS_PANELS,
  TAC_KERNEL_STENCIL_TILES,
  TAC_KERNEL_PAIRS_TILES,
  TAC_KERNEL_PAIRS_SUM,
  TAC_KERNELS
};

#define TAC_SPACES (TAC_SPACE_VALUES + 1)

/* Targets of a job whose stencils run together. With output_stride results go to `outputs` first. */
struct tac_device_stencils {
  tac_u32 first_tile, tiles, first_target, targets;
  tac_u32 strips[2];
  size_t output_stride, scratch_stride;
};

/* Pairs of a job that run together. Panels: clusters. Tiles: groups, whose results are added up afterwards. */
struct tac_device_pairs {
  tac_u32 first_cluster, clusters;
  tac_u32 first_group, groups, first_pair, first_sum, sums;
  tac_u32 rows; /* of the tallest operator */
};

struct tac_device_job {
  struct tac_fmm_device *device;
  const struct tac_job *job;
  tac_u32 first_family, families; /* to be joined */
  tac_u32 first_split;            /* family of the job's first target */
  tac_u32 first_target;
  tac_u32 first_span[TAC_MAX_FIELDS], spans[TAC_MAX_FIELDS]; /* to be cleared */
  struct tac_device_stencils *stencils;
  struct tac_device_pairs *pairs;
  int stencil_chunks, pair_chunks;
};

struct tac_fmm_device {
  struct tac_fmm_plan *plan;
  struct tac_device *device;
  struct tac_queue *queue; /* of the scheduler that evaluated last */
  enum tac_fmm_form form;
  size_t chunk;
  struct tac_store store; /* of the host's memory */
  struct tac_course course;
  struct tac_device_job *jobs;
  struct tac_device_kernel *kernel[TAC_KERNELS];
  struct tac_device_memory *table[TAC_TABLES], *space[TAC_SPACES];
  struct tac_device_memory *nodes;          /* values at the nodes: of the density, of the answer */
  struct tac_device_memory *outputs;        /* what a launch leaves for the next */
  struct tac_device_memory *scratch;        /* of work-groups; what stands between factors */
  struct tac_stencil *projection;           /* where the plan has none */
  struct tac_device_stencils load_stencils; /* the projection's; an item takes some of its tiles */
  tac_u32 sets;                             /* of mirrored nodes in a leaf */
  size_t outputs_size, scratch_size;        /* doubles */
  size_t work_groups, work_group_scratch;   /* panels */
  size_t items;                             /* of the kernels that go entry by entry */
};

/* The plan on the device of a scheduler, made when it is not there yet. UNAVAILABLE: a device without double precision. */
enum tac_status tac_plan_meet_device(struct tac_fmm_plan *plan, struct tac_device *device, struct tac_queue *queue,
                                     struct tac_error *error);
/* The same by one's choice; options may be NULL. */
enum tac_status tac_fmm_device_create(struct tac_fmm_device **out, struct tac_fmm_plan *plan, struct tac_device *device,
                                      struct tac_queue *queue, const struct tac_fmm_device_options *options,
                                      struct tac_error *error);
void tac_fmm_device_destroy(struct tac_fmm_device **device);
size_t tac_fmm_device_bytes(const struct tac_fmm_device *device);
static inline const struct tac_course *tac_fmm_device_course(const struct tac_fmm_device *device) {
  return &device->course;
}

/* Expansions and coefficients of the last evaluation into the host's memory, with `values` those, too. */
enum tac_status tac_fmm_device_fetch(struct tac_fmm_device *device, struct tac_queue *queue, int values,
                                     struct tac_error *error);
/* The first, where it has not been done yet since; through the scheduler's queue if it is the device's, else through that of
 * the scheduler that evaluated. */
enum tac_status tac_plan_fetch_expansions(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, struct tac_error *error);

/* Where a box has its vector in the memory of a space, and how far that of a field stands behind. */
size_t tac_device_offset(const struct tac_fmm_plan *plan, enum tac_space space, int32_t box);
size_t tac_device_shift(const struct tac_fmm_plan *plan, enum tac_space space, int field);

/* Items. */
enum tac_status tac_device_job_item(void *context, size_t index, struct tac_lane *lane);
enum tac_status tac_device_load_item(void *context, size_t index, struct tac_lane *lane);
enum tac_status tac_device_store_item(void *context, size_t index, struct tac_lane *lane);
size_t tac_device_leaf_chunks(const struct tac_fmm_plan *plan);

/* Zeros in spans of a space. */
enum tac_status tac_device_launch_clear(const struct tac_fmm_device *device, enum tac_space space, size_t shift, tac_u32 first,
                                        tac_u32 spans, struct tac_queue *queue, struct tac_error *error);
/* Stencils of some targets, for a field. */
enum tac_status tac_device_launch_stencils(const struct tac_device_job *job, const struct tac_device_stencils *stencils,
                                           int field, struct tac_queue *queue, struct tac_error *error);

#endif
