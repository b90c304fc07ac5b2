/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/json.h"

#include <stdio.h>
#include <sys/resource.h>

#include <tactus/runtime/version.h>
#include <tactus/scheduler/scheduler.h>

#include "apps/heisenberg_dmrg/perturbation.h"
#include "apps/program/costs_report.h"
#include "apps/program/devices.h"
#include "apps/program/hooks.h"
#include "apps/program/json.h"

/* The options under their own names, '-' as '_', in the form in which one types them. */
static void set_options(struct tac_json object, const struct tac_heisenberg_options *o) {
  tac_json_set_int(object, "sites", o->sites);
  tac_json_set_text(object, "spin", tac_heisenberg_choice_name("--spin", o->twice_spin));
  tac_json_set_int(object, "twice_sz", o->twice_sz);
  tac_json_set_real(object, "jxy", o->jxy);
  tac_json_set_real(object, "jz", o->jz);
  tac_json_set_real(object, "field", o->field);
  tac_json_set_int(object, "max_states", o->max_states);
  tac_json_set_real(object, "cutoff", o->cutoff);
  tac_json_set_text(object, "start", tac_heisenberg_choice_name("--start", o->start));
  tac_json_set_text(object, "scalar", tac_heisenberg_choice_name("--scalar", o->complex_scalar));
  tac_json_set_text(object, "precision", tac_heisenberg_choice_name("--precision", o->single_precision));
  tac_json_set_int(object, "max_sweeps", o->max_sweeps);
  tac_json_set_int(object, "min_sweeps", o->min_sweeps);
  tac_json_set_real(object, "energy_tol", o->energy_tol);
  tac_json_set_int(object, "local_matvecs", o->local_matvecs);
  tac_json_set_int(object, "steady_sweeps", o->steady_sweeps);
  tac_json_set(object, "costs", o->costs ? tac_json_any_bytes(o->costs) : json_null());
  tac_json_set_text(object, "split", tac_heisenberg_choice_name("--split", o->split));
  tac_json_set_text(object, "trajectory", tac_heisenberg_choice_name("--trajectory", o->trajectory));
}

static json_t *run_value(const struct tac_heisenberg_run *run, int argc, char *const argv[], int *failed) {
  struct tac_json object = tac_json_object(failed);
  char seed[24];
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)run->options->seed);
  tac_json_set_text(object, "program", "heisenberg_dmrg");
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
  set_options(object, run->options);
  tac_json_set_text(object, "seed", seed); /* 64 bits, which readers that know only reals would round */
  return object.value;
}

static json_t *sweep_value(const struct tac_heisenberg_sweep *sweep, int *failed) {
  const struct tac_dmrg_sweep_summary *summary = &sweep->summary;
  struct tac_json object = tac_json_object(failed);
  tac_json_set_int(object, "direction", summary->direction);
  tac_json_set_real(object, "energy", summary->energy);
  tac_json_set_real(object, "energy_ritz", summary->energy_ritz);
  tac_json_set_int(object, "max_bond", summary->max_bond);
  tac_json_set_real(object, "max_discarded", summary->max_discarded);
  tac_json_set_real(object, "discarded_floor", summary->discarded_floor);
  tac_json_set_real(object, "max_residual", summary->max_residual);
  tac_json_set_count(object, "products", summary->products);
  tac_json_set_count(object, "svd_items", summary->svd_items);
  tac_json_set_count(object, "svd_device_items", summary->svd_device_items);
  tac_json_set_count(object, "full_bonds", summary->full_bonds);
  tac_json_set_count(object, "gram_bonds", summary->gram_bonds);
  tac_json_set_count(object, "warm_bonds", summary->warm_bonds);
  tac_json_set_count(object, "warm_rejected", summary->warm_rejected);
  tac_json_set_count(object, "svd_fallbacks", summary->svd_fallbacks);
  tac_json_set_bool(object, "state_changed", summary->state_changed);
  tac_json_set_real(object, "seconds", sweep->seconds);
  tac_json_set_real(object, "cpu_seconds", sweep->cpu_seconds);
  tac_json_set_count(object, "allocations", sweep->allocations);
  tac_json_set_count(object, "device_allocations", sweep->device_allocations);
  return object.value;
}

static json_t *sweeps_value(const struct tac_heisenberg_sweeps *sweeps, int *failed) {
  json_t *value = json_array();
  for (size_t i = 0; i < sweeps->count; i++)
    tac_json_append(value, sweep_value(&sweeps->sweep[i], failed), failed);
  return value;
}

static json_t *warnings_value(const struct tac_heisenberg_run *run, int *failed) {
  const char *texts[4];
  size_t count = tac_heisenberg_warnings(run, texts, sizeof texts / sizeof *texts);
  json_t *value = json_array();
  for (size_t i = 0; i < count; i++)
    tac_json_append(value, json_string(texts[i]), failed);
  return value;
}

static json_t *comparison_value(const struct tac_heisenberg_run *run, int *failed) {
  const struct tac_heisenberg_comparison *comparison = &run->comparison;
  struct tac_json object = tac_json_object(failed);
  tac_json_set_bool(object, "passed", comparison->passed);
  tac_json_set_real(object, "exact", comparison->exact);
  tac_json_set_text(object, "source", tac_reference_name(comparison->source));
  tac_json_set_real(object, "difference", run->result.energy - comparison->exact);
  tac_json_set_real(object, "allowed_above", comparison->allowed.above);
  tac_json_set_real(object, "allowed_below", comparison->allowed.below);
  return object.value;
}

static json_t *result_value(const struct tac_heisenberg_run *run, int *failed) {
  const struct tac_heisenberg_result *result = &run->result;
  struct tac_json object = tac_json_object(failed);
  struct rusage usage = {0};
  getrusage(RUSAGE_SELF, &usage);
  tac_json_set_bool(object, "converged", result->converged);
  tac_json_set_int(object, "sweeps", (int)run->sweeps.count);
  tac_json_set_real(object, "energy", result->energy);
  tac_json_set_real(object, "energy_a_site", result->energy / run->options->sites);
  tac_json_set_real(object, "energy_ritz", result->energy_ritz);
  tac_json_set_real(object, "energy_state", result->energy_state);
  tac_json_set_real(object, "variance", result->variance);
  tac_json_set_count(object, "full_bonds", result->full);
  tac_json_set_count(object, "gram_bonds", result->gram);
  tac_json_set_count(object, "warm_bonds", result->warm);
  tac_json_set_count(object, "warm_rejected", result->rejected);
  tac_json_set_count(object, "svd_fallbacks", result->fallbacks);
  tac_json_set(object, "warnings", warnings_value(run, failed));
  if (run->comparison.source != TAC_REFERENCE_NONE)
    tac_json_set(object, "check", comparison_value(run, failed));
  if (run->steady.count >= 2)
    tac_json_set_real(object, "steady_there_and_back_seconds", tac_heisenberg_there_and_back_seconds(&run->steady));
  tac_json_set_count(object, "state_bytes", tac_dmrg_state_bytes(run->state));
  tac_json_set_count(object, "environment_bytes", tac_dmrg_environments_bytes(run->environments));
  if (tac_scheduler_device(run->scheduler))
    tac_json_set(object, "device_memory", tac_json_device_memory(tac_scheduler_device(run->scheduler), failed));
  tac_json_set_count(object, "peak_resident_bytes", (uint64_t)usage.ru_maxrss * 1024);
  return object.value;
}

static enum tac_status no_memory(struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_MEMORY, "json", "no memory for the JSON text");
}

enum tac_status tac_heisenberg_json(json_t **value, const struct tac_heisenberg_run *run, int argc, char *const argv[],
                                    struct tac_error *error) {
  int failed = 0;
  struct tac_json root = tac_json_object(&failed);
  tac_json_set(root, "run", run_value(run, argc, argv, &failed));
  if (run->hook_figures)
    tac_json_set(root, "hooks", tac_hooks_json(run->hook_figures));
  if (run->counters)
    tac_json_set(root, "device", tac_json_counters(run->counters, tac_scheduler_device(run->scheduler)));
  if (run->costs)
    tac_json_set(root, "costs",
                 tac_costs_json_run(run->options->costs, run->costs, run->recorder, tac_dmrg_cost_terms, TAC_DMRG_COSTED_EVENTS,
                                    &failed));
  tac_json_set(root, "result", result_value(run, &failed));
  tac_json_set(root, "sweeps", sweeps_value(&run->sweeps, &failed));
  tac_json_set(root, "steady", sweeps_value(&run->steady, &failed));
  *value = root.value;
  if (!failed)
    return TAC_STATUS_OK;
  json_decref(root.value);
  *value = NULL;
  return no_memory(error);
}

enum tac_status tac_heisenberg_json_perturbation(json_t *value, const struct tac_heisenberg_run *run, struct tac_error *error) {
  const struct tac_heisenberg_perturbation *perturbation = &run->perturbation;
  int failed = 0;
  struct tac_json object = tac_json_object(&failed);
  tac_json_set_real(object, "measured_there_and_back_seconds", perturbation->measured_seconds);
  tac_json_set_real(object, "off_there_and_back_seconds", perturbation->off_seconds);
  tac_json_set_text(object, "measured_pair", tac_heisenberg_pair_name(perturbation->pair));
  tac_json_set_bool(object, "same_work", perturbation->same_work);
  tac_json_set((struct tac_json){value, &failed}, "perturbation", object.value);
  return failed ? no_memory(error) : TAC_STATUS_OK;
}
