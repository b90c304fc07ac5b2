/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/json.h"

#include <stdio.h>
#include <sys/resource.h>

#include <tactus/runtime/version.h>

#include "apps/program/costs_report.h"
#include "apps/program/devices.h"
#include "apps/program/hooks.h"
#include "apps/program/json.h"
#include "apps/program/streams.h"
#include "apps/volume_fmm/print.h"

/* The options under their own names, '-' as '_', in the form in which one types them. */
static void set_options(struct tac_json object, const struct tac_volume_run *run) {
  const struct tac_volume_options *o = run->options;
  tac_json_set_int(object, "dim", run->dim);
  tac_json_set_text(object, "kernel", tac_fmm_kernel_name(run->kernel.kind));
  tac_json_set(object, "param", run->kernel.kind == TAC_FMM_LAPLACE ? json_null() : json_real(run->kernel.parameter));
  tac_json_set(object, "density", tac_json_any_bytes(o->density));
  tac_json_set_int(object, "order", o->order);
  tac_json_set_text(object, "basis", tac_volume_choice_name("--basis", o->basis));
  tac_json_set_real(object, "tol", o->tol);
  tac_json_set(object, "levels", o->levels < 0 ? json_null() : json_integer(o->levels));
  tac_json_set_int(object, "max_leaves", o->max_leaves);
  tac_json_set_real(object, "eps", o->eps);
  tac_json_set_text(object, "near", tac_volume_choice_name("--near", o->near));
  tac_json_set_text(object, "path", tac_volume_choice_name("--path", o->path));
  tac_json_set(object, "costs", o->costs ? tac_json_any_bytes(o->costs) : json_null());
  tac_json_set_bool(object, "grad", o->grad);
  tac_json_set_int(object, "repeat", o->repeat);
}

static json_t *domain_value(const struct tac_volume_run *run, int *failed) {
  struct tac_json object = tac_json_object(failed);
  json_t *lower = json_array();
  for (int axis = 0; axis < run->dim; axis++)
    tac_json_append(lower, json_real(run->density.lower[axis]), failed);
  tac_json_set(object, "lower", lower);
  tac_json_set_real(object, "side", run->density.side);
  return object.value;
}

static json_t *run_value(const struct tac_volume_run *run, int argc, char *const argv[], int *failed) {
  struct tac_json object = tac_json_object(failed);
  tac_json_set_text(object, "program", "volume_fmm");
  tac_json_set_text(object, "version", tac_version());
  tac_json_set(object, "command_line", tac_json_command_line(argc, argv, failed));
  tac_json_set_place(object);
  tac_json_set_text(object, "executor", tac_scheduler_executor(run->scheduler)->name);
  tac_json_set_int(object, "lanes", tac_scheduler_lanes(run->scheduler));
  tac_json_set_text(object, "measurements", tac_level_name((enum tac_level)run->options->level));
  tac_json_set(object, "blas", tac_json_blas(&run->blas, failed));
  if (tac_scheduler_device(run->scheduler)) {
    tac_json_set(object, "device", tac_json_device(tac_device_info(tac_scheduler_device(run->scheduler)), failed));
    tac_json_set_queues(object, &run->options->machine, tac_scheduler_lanes(run->scheduler));
  }
  set_options(object, run);
  tac_json_set(object, "domain", domain_value(run, failed));
  return object.value;
}

static json_t *tree_value(const struct tac_volume_run *run, int *failed) {
  const struct tac_fmm_list_sizes lists = tac_fmm_tree_list_sizes(run->tree);
  struct tac_json object = tac_json_object(failed);
  json_t *levels = json_array();
  for (int level = 0; level < tac_fmm_tree_levels(run->tree); level++)
    tac_json_append(levels, json_integer((json_int_t)tac_fmm_tree_leaves_at(run->tree, level)), failed);
  tac_json_set_count(object, "leaves", tac_fmm_tree_leaves(run->tree));
  tac_json_set_count(object, "boxes", tac_fmm_tree_boxes(run->tree));
  tac_json_set_count(object, "nodes", run->nodes);
  tac_json_set(object, "leaves_by_level", levels);
  tac_json_set_count(object, "list1_same", lists.list1_same);
  tac_json_set_count(object, "list1_finer", lists.list1_finer);
  tac_json_set_count(object, "list1_coarser", lists.list1_coarser);
  tac_json_set_count(object, "list2", lists.list2);
  tac_json_set_count(object, "list3", lists.list3);
  tac_json_set_count(object, "list4", lists.list4);
  tac_json_set_real(object, "resolution", tac_fmm_tree_resolution(run->tree));
  tac_json_set_real(object, "seconds", run->tree_seconds);
  tac_json_set_count(object, "bytes", tac_fmm_tree_bytes(run->tree));
  return object.value;
}

static json_t *plan_value(const struct tac_volume_run *run, int *failed) {
  const struct tac_fmm_plan_info info = tac_fmm_plan_info(run->plan);
  struct tac_json object = tac_json_object(failed);
  json_t *ranks = json_array();
  for (int level = 0; level < tac_fmm_tree_levels(run->tree); level++)
    tac_json_append(ranks, json_integer(info.ranks[level]), failed);
  tac_json_set_real(object, "near_seconds", info.near_seconds);
  tac_json_set_bool(object, "near_cached", info.near_cached);
  tac_json_set_real(object, "far_seconds", info.far_seconds);
  tac_json_set_bool(object, "far_cached", info.far_cached);
  tac_json_set(object, "ranks", ranks);
  tac_json_set_int(object, "far_degree", info.far_degree);
  tac_json_set_int(object, "split_order", info.split_order);
  tac_json_set_int(object, "smooth_order", info.smooth_order);
  tac_json_set_count(object, "bytes", info.bytes);
  return object.value;
}

static json_t *difference_value(const struct tac_volume_difference *difference, double allowed, int *failed) {
  struct tac_json object = tac_json_object(failed);
  tac_json_set_real(object, "relative_l2", difference->relative);
  tac_json_set_real(object, "largest", difference->largest);
  tac_json_set_real(object, "allowed", allowed);
  return object.value;
}

static json_t *error_value(const struct tac_volume_run *run, int *failed) {
  const struct tac_volume_comparison *c = &run->comparison;
  struct tac_json object = tac_json_object(failed);
  tac_json_set_text(object, "reference", tac_volume_reference_name(c->reference));
  tac_json_set_real(object, "outside", c->outside);
  if (c->reference == TAC_VOLUME_NO_REFERENCE)
    return object.value;
  tac_json_set_count(object, "points", c->points);
  tac_json_set(object, "potential", difference_value(&c->potential, c->allowed, failed));
  if (run->options->grad)
    tac_json_set(object, "gradient", difference_value(&c->gradient, c->allowed_gradient, failed));
  if (run->options->check)
    tac_json_set_bool(object, "passed", c->passed);
  return object.value;
}

static json_t *result_value(const struct tac_volume_run *run, int *failed) {
  struct tac_json object = tac_json_object(failed);
  struct rusage usage = {0};
  getrusage(RUSAGE_SELF, &usage);
  tac_json_set_real(object, "off_seconds", run->off_seconds);
  tac_json_set_real(object, "off_cpu_seconds", run->cpu_seconds);
  if (tac_scheduler_device(run->scheduler))
    tac_json_set_real(object, "device_settling_seconds", run->device_seconds);
  tac_json_set_real(object, "points_per_second", tac_volume_rate(run));
  tac_json_set_count(object, "answer_points", run->answer.count);
  tac_json_set_real(object, "answer_seconds", run->answer_seconds);
  tac_json_set(object, "error", error_value(run, failed));
  if (tac_scheduler_device(run->scheduler))
    tac_json_set(object, "device_memory", tac_json_device_memory(tac_scheduler_device(run->scheduler), failed));
  tac_json_set_count(object, "peak_resident_bytes", (uint64_t)usage.ru_maxrss * 1024);
  return object.value;
}

static enum tac_status report_phases(const void *report, tac_sink_fn sink, void *context, struct tac_error *error) {
  return tac_phase_report_json(report, sink, context, error);
}

enum tac_status tac_volume_json(json_t **value, const struct tac_volume_run *run, int argc, char *const argv[],
                                struct tac_error *error) {
  int failed = 0;
  struct tac_json root = tac_json_object(&failed);
  tac_json_set(root, "run", run_value(run, argc, argv, &failed));
  tac_json_set(root, "tree", tree_value(run, &failed));
  tac_json_set(root, "plan", plan_value(run, &failed));
  tac_json_set(root, "result", result_value(run, &failed));
  if (run->hook_figures)
    tac_json_set(root, "hooks", tac_hooks_json(run->hook_figures));
  if (run->counters)
    tac_json_set(root, "device", tac_json_counters(run->counters, tac_scheduler_device(run->scheduler)));
  if (run->costs)
    tac_json_set(
        root, "costs",
        tac_costs_json_run(run->options->costs, run->costs, run->recorder, tac_fmm_cost_terms, TAC_FMM_PHASES, &failed));
  if (run->profile) {
    const struct tac_phase_report report = tac_volume_report(run);
    tac_json_set(root, "profile", tac_json_report(report_phases, &report));
  }
  *value = root.value;
  if (!failed)
    return TAC_STATUS_OK;
  json_decref(root.value);
  *value = NULL;
  return tac_error_set(error, TAC_STATUS_MEMORY, "json", "no memory for the JSON text");
}

enum tac_status tac_volume_csv(void *run, FILE *file, struct tac_error *error) {
  const struct tac_phase_report report = tac_volume_report(run);
  const enum tac_status status = tac_phase_report_csv_header(tac_stream_sink, file, error);
  return status == TAC_STATUS_OK ? tac_phase_report_csv(&report, tac_stream_sink, file, error) : status;
}
