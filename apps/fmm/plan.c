/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/device/device.h"
#include "apps/fmm/operators.h"

#include <math.h>
#include <stdlib.h>

#include <tactus/runtime/clock.h>

void tac_fmm_plan_options_init(struct tac_fmm_plan_options *options) {
  *options = (struct tac_fmm_plan_options){.size = sizeof *options, .eps = 1e-6};
}

static enum tac_status check_options(const struct tac_fmm_tree *tree, const struct tac_fmm_plan_options *options,
                                     struct tac_error *error) {
  if (!tree || !options || options->size != sizeof *options)
    return tac_error_set(error, TAC_STATUS_INVALID, "plan", "no tree, or options not made by tac_fmm_plan_options_init");
  const struct tac_fmm_kernel *kernel = &options->kernel;
  if ((unsigned)kernel->kind >= TAC_FMM_KERNEL_KINDS)
    return tac_error_set(error, TAC_STATUS_INVALID, "kernel", "unknown kernel %d", (int)kernel->kind);
  if (kernel->kind != TAC_FMM_LAPLACE && !(kernel->parameter > 0 && isfinite(kernel->parameter)))
    return tac_error_set(error, TAC_STATUS_INVALID, "kernel parameter", "%g is not positive and finite", kernel->parameter);
  if (!(options->eps >= 1e-13 && options->eps <= 0.1))
    return tac_error_set(error, TAC_STATUS_INVALID, "eps", "%g is not within 1e-13 … 0.1", options->eps);
  if ((unsigned)options->near > TAC_FMM_NEAR_TABLES || (unsigned)options->path > TAC_FMM_PATH_PLAIN)
    return tac_error_set(error, TAC_STATUS_INVALID, "plan", "unknown near field or path");
  if (options->split_order < 0 || options->split_order > 12)
    return tac_error_set(error, TAC_STATUS_INVALID, "split order", "%d is not within 1 … 12 (0: automatic)",
                         options->split_order);
  if (options->smooth_order < 0 || options->smooth_order > 64)
    return tac_error_set(error, TAC_STATUS_INVALID, "smooth order", "%d is not within 1 … 64 (0: automatic)",
                         options->smooth_order);
  return tac_fmm_costs_check(options->costs, error);
}

/* Expansions begin at level 2. Whether that level bears the wave is asked before the near field asks for smaller leaves. */
static enum tac_status check_wave(const struct tac_fmm_tree *tree, const struct tac_fmm_plan_options *options,
                                  struct tac_error *error) {
  const double side = tac_fmm_tree_side(tree, 0) / 4, k = options->kernel.parameter;
  const double limit = tac_far_wave_limit(tree->dim, options->eps);
  if (options->kernel.kind != TAC_FMM_HELMHOLTZ || tree->levels == 1 || k * side <= limit)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_INVALID, "kernel parameter",
                       "a wave number of %g is too large for this domain: at eps %g up to %.4g is borne (low frequencies)", k,
                       options->eps, limit / side);
}

int64_t tac_plan_clock(void) {
  const struct tac_clock *clock = tac_clock_monotonic();
  return clock->now_ns(clock->context);
}

static double seconds_since(int64_t begin_ns) {
  return 1e-9 * (double)(tac_plan_clock() - begin_ns);
}

static enum tac_status make_near(struct tac_fmm_plan *plan, struct tac_error *error) {
  const struct tac_fmm_plan_options *o = &plan->options;
  struct tac_near_options near = {.dim = plan->dim,
                                  .order = plan->modes.order,
                                  .basis = plan->modes.basis,
                                  .kernel = o->kernel,
                                  .method = o->near,
                                  .split_order = o->split_order,
                                  .smooth_order = o->smooth_order,
                                  .gradient = o->gradient,
                                  .levels = plan->tree->levels,
                                  .cache_folder = o->cache_folder,
                                  .allocator = &plan->store.allocator};
  for (int level = 0; level < plan->tree->levels; level++) {
    near.side[level] = tac_fmm_tree_side(plan->tree, level);
    near.has_leaves[level] = tac_fmm_tree_leaves_at(plan->tree, level) > 0;
  }
  const int64_t begin = tac_plan_clock();
  const enum tac_status status = tac_near_create(&plan->near, &near, error);
  if (status)
    return status;
  plan->info.near_seconds = seconds_since(begin);
  plan->info.near_cached = tac_near_cached(plan->near);
  plan->info.split_order = tac_near_split_order(plan->near);
  plan->info.smooth_order = tac_near_smooth_order(plan->near);
  plan->layers = tac_near_layers(plan->near);
  for (int level = 0; plan->layers == 2 && level < plan->tree->levels; level++)
    if (near.has_leaves[level]) {
      plan->info.channels[level] = tac_near_channels(plan->near, level);
      plan->info.remainder_terms[level] = tac_near_remainder_terms(plan->near, level);
    }
  return TAC_STATUS_OK;
}

static enum tac_status make_far(struct tac_fmm_plan *plan, struct tac_error *error) {
  const struct tac_fmm_plan_options *o = &plan->options;
  struct tac_far_options far = {.dim = plan->dim,
                                .order = plan->modes.order,
                                .basis = plan->modes.basis,
                                .kernel = o->kernel,
                                .eps = o->eps,
                                .levels = plan->tree->levels,
                                .cache_folder = o->cache_folder,
                                .allocator = &plan->store.allocator};
  if (far.levels < 3)
    return TAC_STATUS_OK;
  for (int level = 0; level < far.levels; level++)
    far.side[level] = tac_fmm_tree_side(plan->tree, level);
  const int64_t begin = tac_plan_clock();
  const enum tac_status status = tac_far_create(&plan->far, &far, error);
  if (status)
    return status;
  plan->info.far_seconds = seconds_since(begin);
  plan->info.far_degree = tac_far_degree(plan->far);
  for (int level = 2; level < far.levels; level++)
    plan->info.ranks[level] = plan->rank[level] = tac_far_rank(plan->far, level);
  return TAC_STATUS_OK;
}

static double *take(struct tac_fmm_plan *plan, size_t count, const char *what, struct tac_error *error) {
  return tac_store_take(&plan->store, count, sizeof(double), what, error);
}

/* Numbers the inner boxes of each level and lays out the expansions level by level. */
static enum tac_status lay_out(struct tac_fmm_plan *plan, struct tac_error *error) {
  const struct tac_fmm_tree *tree = plan->tree;
  size_t multipoles = 0, supers = 0;
  plan->inner = tac_store_take(&plan->store, tree->boxes, sizeof *plan->inner, "box numbers", error);
  if (!plan->inner)
    return TAC_STATUS_MEMORY;
  for (int level = 0; level < tree->levels; level++) {
    int32_t inner = 0;
    for (int32_t box = tree->level_begin[level]; box < tree->level_begin[level + 1]; box++)
      plan->inner[box] = tree->leaf[box] == TAC_NO_BOX ? inner++ : 0;
    plan->multipole_base[level] = multipoles;
    plan->super_base[level] = supers;
    multipoles += (size_t)(tree->level_begin[level + 1] - tree->level_begin[level]) * (size_t)plan->rank[level];
    if (level + 1 < tree->levels && plan->options.path != TAC_FMM_PATH_PLAIN)
      supers += (size_t)inner * (size_t)plan->children * (size_t)plan->rank[level + 1];
  }
  plan->multipole_size = multipoles;
  plan->super_size = supers;
  plan->multipoles = take(plan, multipoles, "multipole expansions", error);
  plan->supers = take(plan, supers, "multipole expansions of children", error);
  plan->coefficients = take(plan, tree->leaves * (size_t)plan->modes.count, "coefficients", error);
  if (!plan->multipoles || !plan->supers || !plan->coefficients)
    return TAC_STATUS_MEMORY;
  for (int part = 0; part < plan->parts; part++)
    if (!(plan->locals[part] = take(plan, multipoles, "local expansions", error)))
      return TAC_STATUS_MEMORY;
  for (int field = 0; field < plan->fields; field++)
    if (!(plan->values[field] = take(plan, tree->leaves * (size_t)plan->space.count, "values", error)))
      return TAC_STATUS_MEMORY;
  return TAC_STATUS_OK;
}

static enum tac_status start(struct tac_fmm_plan *plan, const struct tac_fmm_tree *tree,
                             const struct tac_fmm_plan_options *options, struct tac_error *error) {
  plan->tree = tree;
  plan->options = *options;
  plan->dim = tree->dim;
  plan->children = 1 << tree->dim;
  plan->parts = tac_fmm_kernel_parts(options->kernel.kind);
  plan->fields = plan->parts * (options->gradient ? 1 + tree->dim : 1);
  for (int field = plan->parts; field < plan->fields; field++)
    plan->flip[field] = 1U << (field / plan->parts - 1);
  tac_store_init(&plan->store, options->allocator);
  tac_node_space_init(&plan->space, tree->dim, tree->options.order);
  plan->kernel = tac_gemm_best();
  tac_transform_init(&plan->transform, tree->options.order);
  plan->plain = tac_store_take(&plan->store, TAC_PLAIN_KINDS, sizeof *plan->plain, "operators", error);
  if (!plan->plain)
    return TAC_STATUS_MEMORY;
  return tac_modes_create(&plan->modes, tree->dim, tree->options.order, tree->options.basis, error);
}

static size_t stencil_bytes(const struct tac_fmm_plan *plan) {
  size_t bytes = plan->projection ? tac_stencil_bytes(plan->projection) : 0;
  for (int level = 0; level < plan->tree->levels; level++) {
    const struct tac_level_operators *o = &plan->operators[level];
    for (int layer = 0; layer < 2; layer++)
      for (int field = 0; o->owns_near[layer] && field < plan->fields; field++)
        bytes += o->near[layer][field] ? tac_stencil_bytes(o->near[layer][field]) : 0;
    for (int part = 0; o->owns_far && part < plan->parts; part++)
      bytes += (o->m2l[part] ? tac_stencil_bytes(o->m2l[part]) : 0) + (o->p2l[part] ? tac_stencil_bytes(o->p2l[part]) : 0);
    for (int field = 0; o->owns_far && o->m2p[0] && field < plan->fields; field++)
      bytes += tac_stencil_bytes(o->m2p[field]);
    for (int field = 0; o->owns_far && field < plan->fields; field += plan->parts)
      bytes += tac_stencil_bytes(o->l2p[field]);
    if (o->owns_far)
      bytes += tac_stencil_bytes(o->p2m[0]);
    if (o->owns_transfer)
      bytes += tac_stencil_bytes(o->m2m[0]) + tac_stencil_bytes(o->l2l[0]);
  }
  return bytes;
}

/* The far field's functions and matrices and every stencil of low rank. */
static int far_cached(const struct tac_fmm_plan *plan) {
  int cached = plan->far && tac_far_cached(plan->far);
  for (int level = 0; cached && level < plan->tree->levels; level++) {
    const struct tac_level_operators *o = &plan->operators[level];
    for (int part = 0; part < plan->parts; part++)
      cached &= (!o->m2l[part] || tac_stencil_cached(o->m2l[part])) && (!o->p2l[part] || tac_stencil_cached(o->p2l[part]));
    for (int field = 0; field < plan->fields; field++)
      cached &= !o->m2p[field] || tac_stencil_cached(o->m2p[field]);
  }
  return cached;
}

static void finish_info(struct tac_fmm_plan *plan) {
  plan->info.bytes = plan->store.bytes + tac_near_bytes(plan->near) + stencil_bytes(plan);
  if (plan->far)
    plan->info.bytes += tac_far_bytes(plan->far);
  plan->info.far_cached = far_cached(plan);
  plan->info.allocations = plan->store.allocations;
  for (int phase = 0; phase < TAC_FMM_PHASES; phase++)
    plan->info.flops[phase] = plan->step[phase].flops;
}

enum tac_status tac_fmm_plan_create(struct tac_fmm_plan **out, const struct tac_fmm_tree *tree,
                                    const struct tac_fmm_plan_options *options, struct tac_error *error) {
  if (!out)
    return tac_error_set(error, TAC_STATUS_INVALID, "plan", "no place for the result");
  *out = NULL;
  enum tac_status status = check_options(tree, options, error);
  if (!status)
    status = check_wave(tree, options, error);
  if (status)
    return status;
  struct tac_fmm_plan *plan = calloc(1, sizeof *plan);
  if (!plan)
    return tac_error_set(error, TAC_STATUS_MEMORY, "plan", "no memory for a plan");
  status = start(plan, tree, options, error);
  if (!status)
    status = make_near(plan, error);
  if (!status)
    status = make_far(plan, error);
  if (!status)
    status = lay_out(plan, error);
  if (!status && options->path != TAC_FMM_PATH_PLAIN)
    status = tac_plan_make_operators(plan, error);
  if (!status && options->path != TAC_FMM_PATH_PLAIN)
    status = tac_plan_make_projection(&plan->projection, plan, error);
  if (!status)
    status = tac_plan_make_jobs(plan, error);
  tac_plan_forget_children(plan);
  if (status)
    tac_fmm_plan_destroy(&plan);
  else
    finish_info(plan);
  *out = plan;
  return status;
}

void tac_fmm_plan_destroy(struct tac_fmm_plan **place) {
  struct tac_fmm_plan *plan = place ? *place : NULL;
  if (!plan)
    return;
  tac_fmm_device_destroy(&plan->device);
  tac_points_destroy(&plan->points);
  tac_plan_destroy_operators(plan);
  tac_near_destroy(&plan->near);
  tac_far_destroy(&plan->far);
  tac_modes_destroy(&plan->modes);
  tac_store_release(&plan->store);
  free(plan);
  *place = NULL;
}

struct tac_fmm_plan_info tac_fmm_plan_info(const struct tac_fmm_plan *plan) {
  struct tac_fmm_plan_info info = plan->info;
  info.device_bytes = plan->device ? tac_fmm_device_bytes(plan->device) : 0;
  return info;
}

int tac_fmm_plan_fields(const struct tac_fmm_plan *plan) {
  return plan->fields;
}
