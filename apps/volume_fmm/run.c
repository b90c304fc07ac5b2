/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program/costs.h"
#include "apps/program/machine.h"
#include "apps/program/program.h"
#include "apps/volume_fmm/formats/targets.h"

/* A stage that is told whatever was shown just before. */
static void show_stage(struct tac_volume_run *run, const char *text) {
  if (!run->progress)
    return;
  run->progress->next_ns = 0;
  tac_progress_show(run->progress, "%s", text);
}

/* Where tables and operators are kept: --cache, or tactus in the user's cache folder as the XDG base directories say. */
static void choose_cache(struct tac_volume_run *run) {
  const char *given = run->options->cache, *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length = 0;
  if (given)
    length = snprintf(run->cache, sizeof run->cache, "%s", strcmp(given, "none") == 0 ? "" : given);
  else if (base && base[0] == '/')
    length = snprintf(run->cache, sizeof run->cache, "%s/tactus", base);
  else if (home && home[0] == '/')
    length = snprintf(run->cache, sizeof run->cache, "%s/.cache/tactus", home);
  if (length >= (int)sizeof run->cache)
    run->cache[0] = '\0';
}

static enum tac_status read_problem(struct tac_volume_run *run, struct tac_error *error) {
  const struct tac_volume_options *o = run->options;
  const struct tac_density_request request = {.text = o->density,
                                              .dim = o->dim,
                                              .kernel = run->kernel,
                                              .lower = o->box[0],
                                              .upper = o->box[1],
                                              .units = (enum tac_cube_units)o->units};
  enum tac_status status = tac_density_create(&run->density, &request, error);
  if (status == TAC_STATUS_OK && o->targets)
    status = tac_program_name_option(tac_targets_read(&run->given_points, &run->given_count, o->targets, o->dim, error),
                                     "--targets", error);
  return status;
}

static enum tac_status prepare_recorders(struct tac_volume_run *run, enum tac_level level, struct tac_error *error) {
  enum tac_status status = tac_hooks_create(&run->hooks, run->options->hooks, &tac_fmm_events, level, error);
  const struct tac_hooks *table = tac_hooks_table(run->hooks);
  const struct tac_record_options *record = &run->options->record;
  struct tac_trace *trace = tac_trace_file_trace(run->trace);
  if (status == TAC_STATUS_OK)
    status = tac_hooks_create_figures(&run->hook_figures, run->hooks, error);
  if (status == TAC_STATUS_OK)
    status = tac_hooks_create_figures(&run->spare_figures, run->hooks, error);
  if (status == TAC_STATUS_OK)
    status = tac_machine_recorder(&run->recorder, &tac_fmm_events, level, record, trace, table, error);
  return status == TAC_STATUS_OK ? tac_machine_recorder(&run->spare, &tac_fmm_events, level, record, trace, table, error)
                                 : status;
}

enum tac_status tac_volume_prepare(struct tac_volume_run *run, const struct tac_volume_options *options,
                                   struct tac_error *error) {
  const enum tac_level level = (enum tac_level)options->level;
  run->options = options;
  run->kernel = (struct tac_fmm_kernel){(enum tac_fmm_kernel_kind)options->kernel, options->param};
  run->dim = options->dim;
  run->parts = tac_fmm_kernel_parts(run->kernel.kind);
  run->fields = run->parts * (options->grad ? 1 + options->dim : 1);
  choose_cache(run);
  enum tac_status status = TAC_STATUS_OK;
  if (options->costs)
    status = tac_costs_load(&run->costs, options->costs, "volume_fmm", tac_fmm_cost_terms, TAC_FMM_PHASES, error);
  if (status == TAC_STATUS_OK)
    status = tac_machine_prepare(&run->scheduler, &run->blas, &options->machine, level, error);
  if (status == TAC_STATUS_OK)
    status = tac_machine_trace(&run->trace, &run->facts, "volume_fmm", run->argv, run->scheduler, &run->blas, &options->record,
                               error);
  if (status == TAC_STATUS_OK)
    status = prepare_recorders(run, level, error);
  if (status == TAC_STATUS_OK)
    status = tac_machine_counters(&run->counters, run->scheduler, error);
  if (status == TAC_STATUS_OK)
    status = tac_machine_counters(&run->spare_counters, run->scheduler, error);
  return status == TAC_STATUS_OK ? read_problem(run, error) : status;
}

/* The density on its way into the tree, with a word on how far it is. */
struct watched_density {
  struct tac_volume_run *run;
  uint64_t points;
};

static enum tac_status watch_density(void *context, size_t count, const double *points, double *values,
                                     struct tac_error *error) {
  struct watched_density *watched = context;
  watched->points += count;
  if (watched->run->progress)
    tac_progress_show(watched->run->progress, "tree: %llu values of the density", (unsigned long long)watched->points);
  return tac_density_values(&watched->run->density, count, points, values, error);
}

/* What is narrower than the smallest boxes can fall between all nodes. */
static enum tac_status check_seeds(const struct tac_density *density, struct tac_error *error) {
  const double narrowest = ldexp(density->side, 1 - TAC_FMM_MAX_LEVELS);
  for (size_t i = 0; i < density->seed_count; i++)
    if (density->seeds[i].width < narrowest)
      return tac_error_set(
          error, TAC_STATUS_NUMERICAL, "tree",
          "the tolerance is out of reach: peak %zu of the density has a width of %.3g, the smallest boxes have %.3g", i + 1,
          density->seeds[i].width, narrowest);
  return TAC_STATUS_OK;
}

/* Leaves whose box, values and answer fit into that much memory: a tree of more need not be begun. */
static size_t leaves_that_fit(const struct tac_volume_run *run, double bytes) {
  const double nodes = pow(run->options->order, run->dim), box = 128;
  return (size_t)fmax(1, fmin((double)run->options->max_leaves, bytes / (box + sizeof(double) * nodes * (1 + run->fields))));
}

static enum tac_status grow_tree(struct tac_volume_run *run, size_t max_leaves, struct tac_error *error) {
  const struct tac_volume_options *o = run->options;
  struct tac_fmm_tree_options options;
  struct watched_density watched = {.run = run};
  tac_fmm_tree_options_init(&options);
  options.dim = run->dim;
  memcpy(options.lower, run->density.lower, sizeof options.lower);
  options.side = run->density.side;
  options.order = o->order;
  options.basis = (enum tac_fmm_basis)o->basis;
  options.tolerance = o->tol;
  options.max_leaves = max_leaves;
  if (o->levels < 0 && run->density.depth > 0) {
    options.levels = 0;
    return tac_fmm_tree_create_refined(&run->tree, &options, tac_density_refine, &run->density, error);
  }
  options.levels = o->levels;
  if (o->levels < 0) {
    enum tac_status status = check_seeds(&run->density, error);
    if (status != TAC_STATUS_OK)
      return status;
    options.seeds = run->density.seeds;
    options.seed_count = run->density.seed_count;
  }
  return tac_fmm_tree_create(&run->tree, &options, watch_density, &watched, error);
}

static enum tac_status create_tree(struct tac_volume_run *run, struct tac_error *error) {
  const double left = tac_volume_memory_left();
  const size_t fitting = leaves_that_fit(run, left);
  const enum tac_status status = grow_tree(run, fitting, error);
  if (status == TAC_STATUS_INVALID) /* the domain */
    return tac_program_name_option(status, run->density.cube.values ? "--density" : "--box", error);
  if (status != TAC_STATUS_MEMORY || fitting >= (size_t)run->options->max_leaves)
    return status;
  return tac_error_set(error, status, "memory",
                       "the tree needs more than the %zu leaves that fit into the %.3g GB left on this machine", fitting,
                       1e-9 * left);
}

static struct tac_fmm_plan_options plan_options(const struct tac_volume_run *run) {
  const struct tac_volume_options *o = run->options;
  struct tac_fmm_plan_options options;
  tac_fmm_plan_options_init(&options);
  options.kernel = run->kernel;
  options.eps = o->eps;
  options.near = (enum tac_fmm_near)o->near;
  options.split_order = o->split_order;
  options.smooth_order = o->smooth_order;
  options.gradient = o->grad;
  options.path = (enum tac_fmm_path)o->path;
  options.costs = run->costs;
  options.cache_folder = run->cache[0] ? run->cache : NULL;
  return options;
}

/* Everything that the rest of the run will hold, before any of it is taken. */
static enum tac_status check_memory(const struct tac_volume_run *run, struct tac_error *error) {
  const struct tac_fmm_plan_options options = plan_options(run);
  const double left = tac_volume_memory_left(), numbers = sizeof(double);
  const double plan = (double)tac_fmm_plan_predict_bytes(run->tree, &options);
  const double needed = plan + numbers * (double)run->nodes * (1 + run->fields);
  if (needed <= left)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_MEMORY, "memory", "%zu leaves need %.3g GB, and %.3g GB are left on this machine",
                       tac_fmm_tree_leaves(run->tree), 1e-9 * needed, 1e-9 * left);
}

static enum tac_status check_finite(const struct tac_volume_run *run, size_t count, const double *points, const double *values,
                                    struct tac_error *error) {
  for (size_t i = 0; i < count; i++) {
    const double *x = points + (size_t)run->dim * i;
    char third[32] = "";
    if (isfinite(values[i]))
      continue;
    if (run->dim == 3)
      snprintf(third, sizeof third, ", %.6g", x[2]);
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "density", "is not finite at (%.6g, %.6g%s)", x[0], x[1], third);
  }
  return TAC_STATUS_OK;
}

static enum tac_status fill_values(struct tac_volume_run *run, struct tac_error *error) {
  const size_t leaves = tac_fmm_tree_leaves(run->tree), each = run->nodes / leaves;
  double *points = malloc((size_t)run->dim * each * sizeof *points);
  run->values = malloc(run->nodes * sizeof *run->values);
  enum tac_status status = TAC_STATUS_OK;
  if (!points || !run->values)
    status = tac_error_set(error, TAC_STATUS_MEMORY, "density", "no memory for %zu values", run->nodes);
  for (size_t leaf = 0; leaf < leaves && status == TAC_STATUS_OK; leaf++) {
    tac_fmm_tree_nodes(run->tree, leaf, points);
    status = tac_density_values(&run->density, each, points, run->values + leaf * each, error);
    if (status == TAC_STATUS_OK)
      status = check_finite(run, each, points, run->values + leaf * each, error);
  }
  free(points);
  return status;
}

enum tac_status tac_volume_make_tree(struct tac_volume_run *run, struct tac_error *error) {
  const double begin = tac_machine_seconds(CLOCK_MONOTONIC);
  show_stage(run, "tree");
  enum tac_status status = create_tree(run, error);
  if (status != TAC_STATUS_OK)
    return status;
  run->tree_seconds = tac_machine_seconds(CLOCK_MONOTONIC) - begin;
  run->nodes = tac_fmm_tree_leaves(run->tree);
  for (int axis = 0; axis < run->dim; axis++)
    run->nodes *= (size_t)run->options->order;
  status = check_memory(run, error);
  if (status == TAC_STATUS_OK)
    status = fill_values(run, error);
  for (int f = 0; f < run->fields && status == TAC_STATUS_OK; f++) {
    run->potential[f] = malloc(run->nodes * sizeof *run->potential[f]);
    if (!run->potential[f])
      status = tac_error_set(error, TAC_STATUS_MEMORY, "potential", "no memory for %zu values", run->nodes);
  }
  return status;
}

enum tac_status tac_volume_make_plan(struct tac_volume_run *run, struct tac_error *error) {
  const struct tac_fmm_plan_options options = plan_options(run);
  show_stage(run, "tables and operators");
  return tac_fmm_plan_create(&run->plan, run->tree, &options, error);
}

/* The first evaluation on a device also brings operators and lists there: it counts apart. */
static enum tac_status settle_on_device(double *seconds, struct tac_volume_run *run, struct tac_scheduler *scheduler,
                                        struct tac_error *error) {
  if (!tac_scheduler_device(scheduler))
    return TAC_STATUS_OK;
  const double begin = tac_machine_seconds(CLOCK_MONOTONIC);
  const enum tac_status status = tac_fmm_evaluate(run->plan, scheduler, run->values, run->potential, error);
  *seconds = tac_machine_seconds(CLOCK_MONOTONIC) - begin;
  return status;
}

static enum tac_status evaluate_off(struct tac_volume_run *run, struct tac_scheduler *scheduler, struct tac_error *error) {
  const int warm_up = run->recorder || run->options->repeat > 1;
  enum tac_status status = settle_on_device(&run->device_seconds, run, scheduler, error);
  for (int i = -warm_up; i < run->options->repeat && status == TAC_STATUS_OK; i++) {
    const double wall = tac_machine_seconds(CLOCK_MONOTONIC), cpu = tac_machine_seconds(CLOCK_PROCESS_CPUTIME_ID);
    status = tac_fmm_evaluate(run->plan, scheduler, run->values, run->potential, error);
    const double seconds = tac_machine_seconds(CLOCK_MONOTONIC) - wall;
    if (i < 0 || (i > 0 && seconds >= run->off_seconds))
      continue;
    run->off_seconds = seconds;
    run->cpu_seconds = tac_machine_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  }
  run->evaluations = run->options->repeat;
  return status;
}

/* The queues of a measured scheduler keep times and tell of all they do whoever asks them: the device gets others for this,
 * and then meets the plan anew. On the host an ordinary evaluation is the same code on either scheduler. */
static enum tac_status evaluate_off_before_measured(struct tac_volume_run *run, struct tac_error *error) {
  struct tac_scheduler *off = NULL;
  enum tac_status status = tac_machine_scheduler(&off, &run->options->machine, TAC_OFF, error);
  if (status != TAC_STATUS_OK)
    return status;
  status = evaluate_off(run, off, error);
  const enum tac_status left = tac_fmm_plan_leave_device(run->plan, status == TAC_STATUS_OK ? error : NULL);
  tac_scheduler_destroy(&off);
  double seconds;
  if (status == TAC_STATUS_OK)
    status = left;
  return status == TAC_STATUS_OK ? settle_on_device(&seconds, run, run->scheduler, error) : status;
}

/* What the queues did before counts nowhere. */
static enum tac_status forget_counts(struct tac_volume_run *run, struct tac_error *error) {
  if (!run->spare_counters)
    return TAC_STATUS_OK;
  const enum tac_status status = tac_scheduler_take_device_counters(run->scheduler, run->spare_counters, error);
  tac_device_counters_reset(run->spare_counters);
  return status;
}

/* What the hooks gathered in one evaluation; nothing but at hooked. */
static enum tac_status gather_hooks(struct tac_volume_run *run, struct tac_error *error) {
  if (run->spare_figures)
    tac_hook_figures_reset(run->spare_figures);
  return tac_hooks_take(run->hooks, run->spare_figures, error);
}

/* The recorder of the fastest evaluation is kept, so that its phases belong together. */
static enum tac_status evaluate_profiled(struct tac_volume_run *run, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int i = 0; i < run->options->repeat && status == TAC_STATUS_OK; i++) {
    tac_recorder_reset(run->spare);
    status = forget_counts(run, error);
    if (status == TAC_STATUS_OK)
      status = tac_fmm_evaluate_measured(run->plan, run->scheduler, run->values, run->potential, run->spare, error);
    if (status == TAC_STATUS_OK && run->spare_counters)
      status = tac_scheduler_take_device_counters(run->scheduler, run->spare_counters, error);
    if (status == TAC_STATUS_OK)
      status = gather_hooks(run, error);
    const int64_t total_ns = tac_recorder_stats(run->spare, TAC_FMM_EVENT_SOLVE).total_ns;
    if (i > 0 && total_ns >= run->profiled_ns)
      continue;
    struct tac_recorder *fastest = run->spare;
    run->spare = run->recorder;
    run->recorder = fastest;
    struct tac_device_counters *of_fastest = run->spare_counters;
    run->spare_counters = run->counters;
    run->counters = of_fastest;
    struct tac_hook_figures *figures = run->spare_figures;
    run->spare_figures = run->hook_figures;
    run->hook_figures = figures;
    run->profiled_ns = total_ns;
  }
  if (status == TAC_STATUS_OK)
    status = tac_phase_profile_create(&run->profile, NULL, error);
  return status == TAC_STATUS_OK ? tac_fmm_profile(run->profile, run->recorder, error) : status;
}

static enum tac_status count_operations(struct tac_volume_run *run, struct tac_error *error) {
  const struct tac_fmm_plan_info info = tac_fmm_plan_info(run->plan);
  struct tac_fmm_count_input input;
  tac_fmm_count_input_init(&input, run->tree);
  input.multipoles = info.ranks;
  input.locals = info.ranks;
  input.split_order = info.split_order;
  input.smooth_order = info.smooth_order;
  input.channels = info.channels;
  input.remainder_terms = info.remainder_terms;
  enum tac_status status = tac_fmm_count_operations(&run->counts, run->phase_counts, &input, error);
  for (int phase = 0; phase < TAC_FMM_PHASES; phase++) {
    run->phase_counts[phase].flops = info.flops[phase];
    run->phase_counts[phase].flops_known = 1;
  }
  return status;
}

enum tac_status tac_volume_evaluate(struct tac_volume_run *run, struct tac_error *error) {
  show_stage(run, "evaluation");
  const int apart = run->recorder && tac_scheduler_device(run->scheduler);
  enum tac_status status = apart ? evaluate_off_before_measured(run, error) : evaluate_off(run, run->scheduler, error);
  if (status == TAC_STATUS_OK && run->recorder)
    status = evaluate_profiled(run, error);
  return status == TAC_STATUS_OK && run->recorder ? count_operations(run, error) : status;
}

struct tac_phase_report tac_volume_report(const struct tac_volume_run *run) {
  struct tac_phase_report report;
  tac_phase_report_init(&report);
  report.phases = tac_fmm_phases;
  report.phase_count = TAC_FMM_PHASES;
  report.profile = run->profile;
  report.counts = &run->counts;
  report.profiled_ns = run->profiled_ns;
  report.off_ns = (int64_t)(1e9 * run->off_seconds);
  report.kernel = tac_fmm_kernel_name(run->kernel.kind);
  report.near = run->kernel.kind == TAC_FMM_LAPLACE ? "tables" : tac_volume_choice_name("--near", run->options->near);
  report.scope = "solve";
  return report;
}

void tac_volume_destroy(struct tac_volume_run *run) {
  tac_phase_profile_destroy(&run->profile);
  tac_fmm_plan_destroy(&run->plan);
  tac_fmm_tree_destroy(&run->tree);
  tac_recorder_destroy(&run->recorder);
  tac_recorder_destroy(&run->spare);
  tac_trace_file_destroy(&run->trace);
  tac_run_facts_release(&run->facts);
  tac_device_counters_destroy(&run->counters);
  tac_device_counters_destroy(&run->spare_counters);
  tac_scheduler_destroy(&run->scheduler);
  tac_hook_figures_destroy(&run->hook_figures);
  tac_hook_figures_destroy(&run->spare_figures);
  tac_hook_tool_destroy(&run->hooks);
  tac_cost_model_destroy(&run->costs);
  tac_density_destroy(&run->density);
  free(run->values);
  free(run->given_points);
  for (int f = 0; f < TAC_VOLUME_FIELDS; f++) {
    free(run->potential[f]);
    free(run->answer.fields[f]);
  }
  free(run->answer.points);
}
