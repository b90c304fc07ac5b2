/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/device/launch.h"

void tac_call_memory(struct tac_call *call, const struct tac_device_memory *memory) {
  call->argument[call->count++] = tac_argument_memory(memory);
}

void tac_call_u32(struct tac_call *call, tac_u32 value) {
  call->argument[call->count++] = TAC_ARGUMENT_VALUE(value);
}

void tac_call_u64(struct tac_call *call, size_t value) {
  const tac_u64 wide = value;
  call->argument[call->count++] = TAC_ARGUMENT_VALUE(wide);
}

enum tac_status tac_call_launch(const struct tac_call *call, const struct tac_fmm_device *device,
                                enum tac_device_kernels kernel, size_t groups, size_t columns, size_t items,
                                struct tac_queue *queue, struct tac_error *error) {
  const struct tac_launch launch = {.kernel = device->kernel[kernel],
                                    .groups = {groups, columns, 1},
                                    .items = {items, 1, 1},
                                    .arguments = call->argument,
                                    .argument_count = call->count};
  return tac_queue_launch(queue, &launch, error);
}

static void add_tables(struct tac_call *call, const struct tac_fmm_device *device, const enum tac_device_table *table,
                       int count) {
  for (int i = 0; i < count; i++)
    tac_call_memory(call, device->table[table[i]]);
}

/* What both forms of a stencil's launch end with: from the sources on. */
static void add_stencil_ends(struct tac_call *call, const struct tac_device_job *job,
                             const struct tac_device_stencils *stencils, int field) {
  const struct tac_fmm_device *device = job->device;
  const struct tac_job *from = job->job;
  tac_call_memory(call, device->table[TAC_TABLE_SOURCES]);
  tac_call_memory(call, device->space[from->source_space]);
  tac_call_u64(call, tac_device_shift(device->plan, from->source_space, field));
  tac_call_memory(call, device->table[TAC_TABLE_TARGETS]);
  tac_call_memory(call, stencils->output_stride ? device->outputs : device->space[from->target_space]);
  tac_call_u64(call, tac_device_shift(device->plan, from->target_space, field));
  tac_call_u64(call, stencils->output_stride);
  tac_call_u32(call, stencils->first_target);
  tac_call_u32(call, (tac_u32)(from->add && !stencils->output_stride));
  tac_call_memory(call, device->scratch);
  tac_call_u64(call, device->form == TAC_FMM_FORM_PANELS ? device->work_group_scratch : stencils->scratch_stride);
}

static enum tac_status launch_panels(const struct tac_device_job *job, const struct tac_device_stencils *stencils, int field,
                                     struct tac_queue *queue, struct tac_error *error) {
  static const enum tac_device_table tables[] = {TAC_TABLE_STENCILS, TAC_TABLE_PIECES, TAC_TABLE_RUNS, TAC_TABLE_PACKED};
  const struct tac_fmm_device *device = job->device;
  struct tac_call call = {.count = 0};
  tac_call_memory(&call, device->table[TAC_TABLE_TILES]);
  tac_call_u32(&call, stencils->first_tile);
  tac_call_u32(&call, stencils->tiles);
  tac_call_u32(&call, (tac_u32)field);
  add_tables(&call, device, tables, sizeof tables / sizeof *tables);
  add_stencil_ends(&call, job, stencils, field);
  const size_t groups = stencils->tiles < device->work_groups ? stencils->tiles : device->work_groups;
  return tac_call_launch(&call, device, TAC_KERNEL_STENCIL_PANELS, groups, 1, 1, queue, error);
}

static enum tac_status launch_tiles(const struct tac_device_job *job, const struct tac_device_stencils *stencils, int stage,
                                    int field, struct tac_queue *queue, struct tac_error *error) {
  static const enum tac_device_table tables[] = {TAC_TABLE_STENCILS, TAC_TABLE_STRIPS, TAC_TABLE_PIECES,
                                                 TAC_TABLE_ROWS,     TAC_TABLE_RUNS,   TAC_TABLE_PACKED};
  const struct tac_fmm_device *device = job->device;
  struct tac_call call = {.count = 0};
  tac_call_memory(&call, device->table[TAC_TABLE_TILES]);
  tac_call_u32(&call, stencils->first_tile);
  tac_call_u32(&call, (tac_u32)stage);
  tac_call_u32(&call, (tac_u32)field);
  add_tables(&call, device, tables, sizeof tables / sizeof *tables);
  add_stencil_ends(&call, job, stencils, field);
  return tac_call_launch(&call, device, TAC_KERNEL_STENCIL_TILES, stencils->tiles, stencils->strips[stage], TAC_FMM_TEAM, queue,
                         error);
}

/* The children's vectors out of the joined ones that a launch has left. */
static enum tac_status launch_split(const struct tac_device_job *job, const struct tac_device_stencils *stencils, int field,
                                    struct tac_queue *queue, struct tac_error *error) {
  const struct tac_fmm_device *device = job->device;
  struct tac_call call = {.count = 0};
  tac_call_memory(&call, device->table[TAC_TABLE_FAMILIES]);
  tac_call_u32(&call, job->first_split + (stencils->first_target - job->first_target));
  tac_call_memory(&call, device->table[TAC_TABLE_CLASSES]);
  tac_call_memory(&call, device->outputs);
  tac_call_u64(&call, stencils->output_stride);
  tac_call_memory(&call, device->space[job->job->target_space]);
  tac_call_u64(&call, tac_device_shift(device->plan, job->job->target_space, field));
  tac_call_u32(&call, (tac_u32)job->job->add);
  return tac_call_launch(&call, device, TAC_KERNEL_SPLIT, stencils->targets, 1, device->items, queue, error);
}

enum tac_status tac_device_launch_stencils(const struct tac_device_job *job, const struct tac_device_stencils *stencils,
                                           int field, struct tac_queue *queue, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  if (job->device->form == TAC_FMM_FORM_PANELS)
    status = launch_panels(job, stencils, field, queue, error);
  for (int stage = 0; job->device->form == TAC_FMM_FORM_TILES && stage < 2 && !status; stage++)
    status = launch_tiles(job, stencils, stage, field, queue, error);
  return status || !stencils->output_stride ? status : launch_split(job, stencils, field, queue, error);
}

static enum tac_status launch_join(const struct tac_device_job *job, struct tac_queue *queue, struct tac_error *error) {
  const struct tac_fmm_device *device = job->device;
  struct tac_call call = {.count = 0};
  tac_call_memory(&call, device->table[TAC_TABLE_FAMILIES]);
  tac_call_u32(&call, job->first_family);
  tac_call_memory(&call, device->table[TAC_TABLE_CLASSES]);
  tac_call_memory(&call, device->space[TAC_SPACE_MULTIPOLES]);
  tac_call_memory(&call, device->space[TAC_SPACE_SUPERS]);
  return tac_call_launch(&call, device, TAC_KERNEL_JOIN, job->families, 1, device->items, queue, error);
}

enum tac_status tac_device_launch_clear(const struct tac_fmm_device *device, enum tac_space space, size_t shift, tac_u32 first,
                                        tac_u32 spans, struct tac_queue *queue, struct tac_error *error) {
  struct tac_call call = {.count = 0};
  tac_call_memory(&call, device->table[TAC_TABLE_SPANS]);
  tac_call_u32(&call, first);
  tac_call_memory(&call, device->space[space]);
  tac_call_u64(&call, shift);
  return tac_call_launch(&call, device, TAC_KERNEL_CLEAR, spans, 1, device->items, queue, error);
}

static enum tac_status launch_clear(const struct tac_device_job *job, int field, struct tac_queue *queue,
                                    struct tac_error *error) {
  const enum tac_space target = job->job->target_space;
  return tac_device_launch_clear(job->device, target, tac_device_shift(job->device->plan, target, field),
                                 job->first_span[field], job->spans[field], queue, error);
}

static enum tac_space pairs_source(const struct tac_job *job) {
  return job->groups->source_space;
}

static enum tac_status launch_clusters(const struct tac_device_job *job, const struct tac_device_pairs *pairs, int field,
                                       struct tac_queue *queue, struct tac_error *error) {
  const struct tac_fmm_device *device = job->device;
  const enum tac_space source = pairs_source(job->job), target = job->job->target_space;
  struct tac_call call = {.count = 0};
  tac_call_memory(&call, device->table[TAC_TABLE_CLUSTERS]);
  tac_call_u32(&call, pairs->first_cluster);
  tac_call_u32(&call, pairs->clusters);
  tac_call_memory(&call, device->table[TAC_TABLE_GROUPS]);
  tac_call_memory(&call, device->table[TAC_TABLE_PAIRS]);
  tac_call_memory(&call, device->table[TAC_TABLE_OPERATORS]);
  tac_call_u32(&call, (tac_u32)field);
  tac_call_memory(&call, device->table[TAC_TABLE_PACKED]);
  tac_call_memory(&call, device->space[source]);
  tac_call_u64(&call, tac_device_shift(device->plan, source, field));
  tac_call_memory(&call, device->space[target]);
  tac_call_u64(&call, tac_device_shift(device->plan, target, field));
  tac_call_u32(&call, job->job->flip[field]);
  tac_call_memory(&call, device->scratch);
  tac_call_u64(&call, device->work_group_scratch);
  const size_t groups = pairs->clusters < device->work_groups ? pairs->clusters : device->work_groups;
  return tac_call_launch(&call, device, TAC_KERNEL_PAIRS_PANELS, groups, 1, 1, queue, error);
}

static enum tac_status launch_groups(const struct tac_device_job *job, const struct tac_device_pairs *pairs, int field,
                                     struct tac_queue *queue, struct tac_error *error) {
  const struct tac_fmm_device *device = job->device;
  const enum tac_space source = pairs_source(job->job);
  struct tac_call call = {.count = 0};
  tac_call_memory(&call, device->table[TAC_TABLE_GROUPS]);
  tac_call_u32(&call, pairs->first_group);
  tac_call_memory(&call, device->table[TAC_TABLE_PAIRS]);
  tac_call_u32(&call, pairs->first_pair);
  tac_call_memory(&call, device->table[TAC_TABLE_OPERATORS]);
  tac_call_u32(&call, (tac_u32)field);
  tac_call_memory(&call, device->table[TAC_TABLE_PACKED]);
  tac_call_memory(&call, device->space[source]);
  tac_call_u64(&call, tac_device_shift(device->plan, source, field));
  tac_call_memory(&call, device->outputs);
  tac_call_u64(&call, pairs->rows);
  return tac_call_launch(&call, device, TAC_KERNEL_PAIRS_TILES, pairs->groups,
                         (pairs->rows + TAC_FMM_BLOCK - 1) / TAC_FMM_BLOCK, TAC_FMM_TEAM, queue, error);
}

static enum tac_status launch_sums(const struct tac_device_job *job, const struct tac_device_pairs *pairs, int field,
                                   struct tac_queue *queue, struct tac_error *error) {
  const struct tac_fmm_device *device = job->device;
  const enum tac_space target = job->job->target_space;
  struct tac_call call = {.count = 0};
  tac_call_memory(&call, device->table[TAC_TABLE_SUMS]);
  tac_call_u32(&call, pairs->first_sum);
  tac_call_memory(&call, device->table[TAC_TABLE_ORDER]);
  tac_call_memory(&call, device->table[TAC_TABLE_PAIRS]);
  tac_call_u32(&call, pairs->first_pair);
  tac_call_memory(&call, device->table[TAC_TABLE_OPERATORS]);
  tac_call_u32(&call, (tac_u32)field);
  tac_call_memory(&call, device->outputs);
  tac_call_u64(&call, pairs->rows);
  tac_call_memory(&call, device->space[target]);
  tac_call_u64(&call, tac_device_shift(device->plan, target, field));
  tac_call_u32(&call, job->job->flip[field]);
  return tac_call_launch(&call, device, TAC_KERNEL_PAIRS_SUM, pairs->sums, 1, device->items, queue, error);
}

static enum tac_status launch_pairs(const struct tac_device_job *job, const struct tac_device_pairs *pairs, int field,
                                    struct tac_queue *queue, struct tac_error *error) {
  if (job->device->form == TAC_FMM_FORM_PANELS)
    return launch_clusters(job, pairs, field, queue, error);
  const enum tac_status status = launch_groups(job, pairs, field, queue, error);
  return status ? status : launch_sums(job, pairs, field, queue, error);
}

enum tac_status tac_device_job_item(void *context, size_t index, struct tac_lane *lane) {
  const struct tac_device_job *job = context;
  (void)index;
  enum tac_status status = job->families ? launch_join(job, lane->queue, lane->error) : TAC_STATUS_OK;
  for (int field = 0; field < job->job->fields && !status; field++) {
    if (job->spans[field])
      status = launch_clear(job, field, lane->queue, lane->error);
    for (int i = 0; i < job->stencil_chunks && !status; i++)
      status = tac_device_launch_stencils(job, &job->stencils[i], field, lane->queue, lane->error);
    for (int i = 0; i < job->pair_chunks && !status; i++)
      status = launch_pairs(job, &job->pairs[i], field, lane->queue, lane->error);
  }
  return status;
}
