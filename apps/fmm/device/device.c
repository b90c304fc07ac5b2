/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/device/build.h"

#include <stdio.h>

#include "runtime/device/own_program.h"

/* Work-groups a unit that go round the tiles: enough to even out their cost. */
enum { GROUPS_A_UNIT = 8 };
#define CHUNK_DOUBLES ((size_t)8 << 20)

extern const char tac_kernel_source_fmm[];

static const char *const kernel_names[TAC_KERNELS] = {
    [TAC_KERNEL_LOAD] = "tac_fmm_load",
    [TAC_KERNEL_STORE] = "tac_fmm_store",
    [TAC_KERNEL_JOIN] = "tac_fmm_join",
    [TAC_KERNEL_SPLIT] = "tac_fmm_split",
    [TAC_KERNEL_CLEAR] = "tac_fmm_clear",
    [TAC_KERNEL_STENCIL_PANELS] = "tac_fmm_stencil_panels",
    [TAC_KERNEL_PAIRS_PANELS] = "tac_fmm_pairs_panels",
    [TAC_KERNEL_STENCIL_TILES] = "tac_fmm_stencil_tiles",
    [TAC_KERNEL_PAIRS_TILES] = "tac_fmm_pairs_tiles",
    [TAC_KERNEL_PAIRS_SUM] = "tac_fmm_pairs_sum",
};

static enum tac_status get_kernels(struct tac_fmm_device *device, struct tac_error *error) {
  struct tac_device_program *program = NULL;
  char options[80];
  snprintf(options, sizeof options, "-DTAC_REAL=double -DTAC_LANES=%d -DTAC_FMM_DIM=%d", TAC_FMM_PANEL, device->plan->dim);
  enum tac_status status = tac_device_own_program(&program, device->device, "fmm", tac_kernel_source_fmm, options, error);
  for (int i = 0; i < TAC_KERNELS && !status; i++)
    status = tac_device_kernel(&device->kernel[i], program, kernel_names[i], error);
  return status;
}

/* Jobs of all phases, in their order, and the batches that run them. */
static enum tac_status make_jobs(struct tac_fmm_device *device, struct tac_error *error) {
  struct tac_fmm_plan *plan = device->plan;
  size_t jobs = 0, next = 0;
  for (int i = 0; i < TAC_FMM_PHASES; i++)
    jobs += (size_t)plan->step[i].count;
  device->jobs = tac_store_take(&device->store, jobs, sizeof *device->jobs, "jobs of a device", error);
  if (!device->jobs)
    return TAC_STATUS_MEMORY;
  const size_t chunks = tac_device_leaf_chunks(plan);
  device->course.load = (struct tac_batch){.count = chunks, .item = tac_device_load_item, .context = device, .grain = 1};
  device->course.store = (struct tac_batch){.count = chunks, .item = tac_device_store_item, .context = device, .grain = 1};
  for (int i = 0; i < TAC_FMM_PHASES; i++) {
    const struct tac_step *step = &plan->step[i];
    struct tac_batch *batch = tac_store_take(&device->store, (size_t)step->count, sizeof *batch, "batches", error);
    if (!batch)
      return TAC_STATUS_MEMORY;
    device->course.step[i] = (struct tac_batches){batch, step->count};
    for (int k = 0; k < step->count; k++) {
      struct tac_device_job *job = &device->jobs[next++];
      *job = (struct tac_device_job){.device = device, .job = &step->jobs[k]};
      batch[k] = (struct tac_batch){.count = step->jobs[k].tile_count > 0,
                                    .item = tac_device_job_item,
                                    .context = job,
                                    .event = TAC_FMM_EVENT_SOLVE + 1 + i};
    }
  }
  return TAC_STATUS_OK;
}

static enum tac_status fill_tables(struct tac_device_build *build, struct tac_error *error) {
  struct tac_fmm_device *device = build->device;
  struct tac_device_job *job = device->jobs;
  enum tac_status status = tac_build_ends(build, error);
  for (int i = 0; i < TAC_FMM_PHASES; i++)
    for (int k = 0; k < build->plan->step[i].count && !status; k++, job++) {
      status = tac_build_stencils(build, job, error);
      if (!status)
        status = tac_build_pairs(build, job, error);
    }
  return status;
}

static enum tac_status take(struct tac_device_memory **out, const struct tac_fmm_device *device, size_t doubles,
                            struct tac_error *error) {
  return tac_device_memory_take(out, device->device, doubles * sizeof(double), error);
}

/* Coefficients and joined multipoles have zeros behind them, for neighbours that have no vector. */
static size_t zeros_behind(const struct tac_fmm_plan *plan, enum tac_space space) {
  size_t rank = 0;
  for (int level = 0; level < plan->tree->levels; level++)
    rank = (size_t)plan->rank[level] > rank ? (size_t)plan->rank[level] : rank;
  return space == TAC_SPACE_COEFFICIENTS ? (size_t)plan->modes.count : (size_t)plan->children * rank;
}

static enum tac_status take_spaces(struct tac_fmm_device *device, struct tac_error *error) {
  const struct tac_fmm_plan *plan = device->plan;
  const size_t leaves = plan->tree->leaves, values = (size_t)plan->fields * leaves * (size_t)plan->space.count;
  const size_t doubles[TAC_SPACES] = {[TAC_SPACE_COEFFICIENTS] =
                                          leaves * (size_t)plan->modes.count + zeros_behind(plan, TAC_SPACE_COEFFICIENTS),
                                      [TAC_SPACE_MULTIPOLES] = plan->multipole_size,
                                      [TAC_SPACE_SUPERS] = plan->super_size + zeros_behind(plan, TAC_SPACE_SUPERS),
                                      [TAC_SPACE_LOCALS] = (size_t)plan->parts * plan->multipole_size,
                                      [TAC_SPACE_VALUES] = values};
  enum tac_status status = TAC_STATUS_OK;
  for (int space = 0; space < TAC_SPACES && !status; space++)
    status = take(&device->space[space], device, doubles[space], error);
  if (!status)
    status = take(&device->nodes, device, values, error);
  if (!status)
    status = take(&device->outputs, device, device->outputs_size, error);
  return status ? status : take(&device->scratch, device, device->scratch_size, error);
}

static enum tac_status add_zeros(struct tac_device_build *build, tac_u32 *first, struct tac_error *error) {
  const struct tac_fmm_plan *plan = build->plan;
  *first = tac_build_count(build, TAC_TABLE_SPANS);
  struct tac_fmm_span *span = tac_build_add(build, TAC_TABLE_SPANS, 2, error);
  if (!span)
    return TAC_STATUS_MEMORY;
  span[0] = (struct tac_fmm_span){plan->tree->leaves * (size_t)plan->modes.count, zeros_behind(plan, TAC_SPACE_COEFFICIENTS)};
  span[1] = (struct tac_fmm_span){plan->super_size, zeros_behind(plan, TAC_SPACE_SUPERS)};
  return TAC_STATUS_OK;
}

static enum tac_status upload(struct tac_device_build *build, struct tac_queue *queue, struct tac_error *error) {
  struct tac_fmm_device *device = build->device;
  enum tac_status status = TAC_STATUS_OK;
  for (int i = 0; i < TAC_TABLES && !status; i++) {
    const size_t bytes = build->table[i].count * tac_table_entry_bytes((enum tac_device_table)i);
    status = tac_device_memory_take(&device->table[i], device->device, bytes, error);
    if (!status && bytes)
      status = tac_queue_write(queue, device->table[i], 0, build->table[i].data, bytes, error);
  }
  return status;
}

static enum tac_status build(struct tac_fmm_device *device, struct tac_queue *queue, struct tac_error *error) {
  struct tac_device_build build = {.device = device, .plan = device->plan};
  tac_u32 zeros = 0;
  enum tac_status status = fill_tables(&build, error);
  if (!status)
    status = add_zeros(&build, &zeros, error);
  if (!status && device->form == TAC_FMM_FORM_PANELS)
    device->scratch_size = device->work_groups * device->work_group_scratch;
  if (!status)
    status = take_spaces(device, error);
  if (!status)
    status = upload(&build, queue, error);
  if (!status)
    status = tac_device_launch_clear(device, TAC_SPACE_COEFFICIENTS, 0, zeros, 1, queue, error);
  if (!status)
    status = tac_device_launch_clear(device, TAC_SPACE_SUPERS, 0, zeros + 1, 1, queue, error);
  /* Also after a failure: the tables are on their way. */
  const enum tac_status finished = tac_queue_finish(queue, "operators", status ? NULL : error);
  tac_build_release(&build);
  return status ? status : finished;
}

static enum tac_fmm_form form_of(enum tac_device_kind kind) {
  return kind == TAC_DEVICE_CPU ? TAC_FMM_FORM_PANELS : TAC_FMM_FORM_TILES;
}

enum tac_status tac_fmm_device_create(struct tac_fmm_device **out, struct tac_fmm_plan *plan, struct tac_device *on,
                                      struct tac_queue *queue, const struct tac_fmm_device_options *options,
                                      struct tac_error *error) {
  const struct tac_device_info *info = tac_device_info(on);
  const struct tac_allocator *allocator = &plan->store.allocator;
  *out = NULL;
  if (!info->fp64)
    return tac_error_set(error, TAC_STATUS_UNAVAILABLE, "device plan", "%s has no double precision, which the FMM needs",
                         info->name);
  struct tac_fmm_device *device = allocator->allocate(allocator->context, sizeof *device);
  if (!device)
    return tac_error_set(error, TAC_STATUS_MEMORY, "device plan", "no memory for a plan on a device");
  *device = (struct tac_fmm_device){.plan = plan,
                                    .device = on,
                                    .queue = queue,
                                    .form = options && options->form ? options->form : form_of(info->kind),
                                    .chunk = options && options->chunk ? options->chunk : CHUNK_DOUBLES,
                                    .work_groups = GROUPS_A_UNIT * (size_t)(info->units > 0 ? info->units : 1)};
  device->items = device->form == TAC_FMM_FORM_PANELS ? 1 : TAC_FMM_ITEMS;
  tac_store_init(&device->store, allocator);
  enum tac_status status = get_kernels(device, error);
  if (!status && !plan->projection)
    status = tac_plan_make_projection(&device->projection, plan, error);
  if (!status)
    status = make_jobs(device, error);
  if (!status)
    status = build(device, queue, error);
  if (status)
    tac_fmm_device_destroy(&device);
  *out = device;
  return status;
}

void tac_fmm_device_destroy(struct tac_fmm_device **place) {
  struct tac_fmm_device *device = place ? *place : NULL;
  if (!device)
    return;
  const struct tac_allocator allocator = device->store.allocator;
  for (int i = 0; i < TAC_TABLES; i++)
    tac_device_memory_give(&device->table[i]);
  for (int i = 0; i < TAC_SPACES; i++)
    tac_device_memory_give(&device->space[i]);
  tac_device_memory_give(&device->nodes);
  tac_device_memory_give(&device->outputs);
  tac_device_memory_give(&device->scratch);
  tac_stencil_destroy(&device->projection);
  tac_store_release(&device->store);
  allocator.release(allocator.context, device);
  *place = NULL;
}

size_t tac_fmm_device_bytes(const struct tac_fmm_device *device) {
  size_t bytes = tac_device_memory_bytes(device->nodes) + tac_device_memory_bytes(device->outputs) +
                 tac_device_memory_bytes(device->scratch);
  for (int i = 0; i < TAC_TABLES; i++)
    bytes += tac_device_memory_bytes(device->table[i]);
  for (int i = 0; i < TAC_SPACES; i++)
    bytes += tac_device_memory_bytes(device->space[i]);
  return bytes;
}

enum tac_status tac_plan_meet_device(struct tac_fmm_plan *plan, struct tac_device *device, struct tac_queue *queue,
                                     struct tac_error *error) {
  if (plan->device && plan->device->device != device)
    tac_fmm_device_destroy(&plan->device);
  if (!plan->device)
    return tac_fmm_device_create(&plan->device, plan, device, queue, NULL, error);
  plan->device->queue = queue;
  return TAC_STATUS_OK;
}

enum tac_status tac_plan_fetch_expansions(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, struct tac_error *error) {
  if (!plan->expansions_on_device)
    return TAC_STATUS_OK;
  struct tac_queue *queue = plan->device->queue;
  if (scheduler && tac_scheduler_device(scheduler) == plan->device->device)
    queue = tac_scheduler_queue(scheduler);
  const enum tac_status status = tac_fmm_device_fetch(plan->device, queue, 0, error);
  if (!status)
    plan->expansions_on_device = 0;
  return status;
}

enum tac_status tac_fmm_plan_leave_device(struct tac_fmm_plan *plan, struct tac_error *error) {
  if (!plan)
    return tac_error_set(error, TAC_STATUS_INVALID, "plan", "no plan");
  const enum tac_status status = plan->evaluated ? tac_plan_fetch_expansions(plan, NULL, error) : TAC_STATUS_OK;
  plan->evaluated = plan->evaluated && !status;
  plan->expansions_on_device = 0;
  tac_fmm_device_destroy(&plan->device);
  return status;
}
