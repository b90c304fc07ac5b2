/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <jansson.h>

#include <tactus/measure/report.h>
#include <tactus/runtime/version.h>
#include <tactus/scheduler/scheduler.h>

#include "measure/text.h"

/* Every failure of the JSON library is want of memory here; it is looked at once, at the end. */
struct object {
  json_t *value;
  int *failed;
};

static struct object object_in(int *failed) {
  return (struct object){json_object(), failed};
}

static void set(struct object object, const char *key, json_t *value) {
  if (json_object_set_new(object.value, key, value) != 0)
    *object.failed = 1;
}

static void set_real(struct object object, const char *key, double value) {
  set(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void set_count(struct object object, const char *key, uint64_t value) {
  set(object, key, value <= INT64_MAX ? json_integer((json_int_t)value) : json_null());
}

static void set_int(struct object object, const char *key, int value) {
  set(object, key, json_integer(value));
}

static void set_bool(struct object object, const char *key, int value) {
  set(object, key, json_boolean(value));
}

static void set_text(struct object object, const char *key, const char *text) {
  set(object, key, json_string(text));
}

/* A word of the command line may hold any bytes. */
static json_t *any_bytes(const char *text) {
  char *repaired = malloc(3 * strlen(text) + TAC_CHARACTER_BYTES), *end = repaired;
  if (!repaired)
    return NULL;
  while (tac_utf8_next(&text, end) != 0)
    end += strlen(end);
  json_t *value = json_string(repaired);
  free(repaired);
  return value;
}

static json_t *command_line(int argc, char *const argv[], int *failed) {
  json_t *value = json_array();
  for (int i = 0; i < argc; i++)
    if (json_array_append_new(value, any_bytes(argv[i])) != 0)
      *failed = 1;
  return value;
}

static json_t *blas_value(const struct tac_blas_info *blas, int *failed) {
  struct object object = object_in(failed);
  set_text(object, "name", blas->name);
  set_text(object, "kernel", blas->kernel);
  set_int(object, "threads", blas->threads);
  return object.value;
}

/* The options under their own names, '-' as '_', in the form in which one types them. */
static void set_options(struct object object, const struct tac_heisenberg_options *o) {
  set_int(object, "sites", o->sites);
  set_text(object, "spin", tac_heisenberg_choice_name("--spin", o->twice_spin));
  set_int(object, "twice_sz", o->twice_sz);
  set_real(object, "jxy", o->jxy);
  set_real(object, "jz", o->jz);
  set_real(object, "field", o->field);
  set_int(object, "max_states", o->max_states);
  set_real(object, "cutoff", o->cutoff);
  set_text(object, "start", tac_heisenberg_choice_name("--start", o->start));
  set_text(object, "scalar", tac_heisenberg_choice_name("--scalar", o->complex_scalar));
  set_text(object, "precision", tac_heisenberg_choice_name("--precision", o->single_precision));
  set_int(object, "max_sweeps", o->max_sweeps);
  set_int(object, "min_sweeps", o->min_sweeps);
  set_real(object, "energy_tol", o->energy_tol);
  set_int(object, "local_matvecs", o->local_matvecs);
  set_int(object, "steady_sweeps", o->steady_sweeps);
  set_text(object, "trajectory", tac_heisenberg_choice_name("--trajectory", o->trajectory));
}

static json_t *run_value(const struct tac_heisenberg_run *run, int argc, char *const argv[], int *failed) {
  struct object object = object_in(failed);
  char seed[24];
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)run->options->seed);
  set_text(object, "program", "heisenberg_dmrg");
  set_text(object, "version", tac_version());
  set(object, "command_line", command_line(argc, argv, failed));
  set_text(object, "executor", tac_scheduler_executor(run->scheduler)->name);
  set_int(object, "lanes", tac_scheduler_lanes(run->scheduler));
  set_text(object, "measurements", tac_level_name((enum tac_level)run->options->level));
  set(object, "blas", blas_value(&run->blas, failed));
  set_options(object, run->options);
  set_text(object, "seed", seed); /* 64 bits, which readers that know only reals would round */
  return object.value;
}

static json_t *sweep_value(const struct tac_heisenberg_sweep *sweep, int *failed) {
  const struct tac_dmrg_sweep_summary *summary = &sweep->summary;
  struct object object = object_in(failed);
  set_int(object, "direction", summary->direction);
  set_real(object, "energy", summary->energy);
  set_real(object, "energy_ritz", summary->energy_ritz);
  set_int(object, "max_bond", summary->max_bond);
  set_real(object, "max_discarded", summary->max_discarded);
  set_real(object, "discarded_floor", summary->discarded_floor);
  set_real(object, "max_residual", summary->max_residual);
  set_count(object, "products", summary->products);
  set_count(object, "svd_items", summary->svd_items);
  set_count(object, "full_bonds", summary->full_bonds);
  set_count(object, "gram_bonds", summary->gram_bonds);
  set_count(object, "warm_bonds", summary->warm_bonds);
  set_count(object, "warm_rejected", summary->warm_rejected);
  set_count(object, "svd_fallbacks", summary->svd_fallbacks);
  set_bool(object, "state_changed", summary->state_changed);
  set_real(object, "seconds", sweep->seconds);
  set_real(object, "cpu_seconds", sweep->cpu_seconds);
  set_count(object, "allocations", sweep->allocations);
  return object.value;
}

static json_t *sweeps_value(const struct tac_heisenberg_sweeps *sweeps, int *failed) {
  json_t *value = json_array();
  for (size_t i = 0; i < sweeps->count; i++)
    if (json_array_append_new(value, sweep_value(&sweeps->sweep[i], failed)) != 0)
      *failed = 1;
  return value;
}

static json_t *warnings_value(const struct tac_heisenberg_run *run, int *failed) {
  const char *texts[4];
  size_t count = tac_heisenberg_warnings(run, texts, sizeof texts / sizeof *texts);
  json_t *value = json_array();
  for (size_t i = 0; i < count; i++)
    if (json_array_append_new(value, json_string(texts[i])) != 0)
      *failed = 1;
  return value;
}

static json_t *comparison_value(const struct tac_heisenberg_run *run, int *failed) {
  const struct tac_heisenberg_comparison *comparison = &run->comparison;
  struct object object = object_in(failed);
  set_bool(object, "passed", comparison->passed);
  set_real(object, "exact", comparison->exact);
  set_text(object, "source", tac_reference_name(comparison->source));
  set_real(object, "difference", run->result.energy - comparison->exact);
  set_real(object, "allowed_above", comparison->allowed.above);
  set_real(object, "allowed_below", comparison->allowed.below);
  return object.value;
}

static json_t *result_value(const struct tac_heisenberg_run *run, int *failed) {
  const struct tac_heisenberg_result *result = &run->result;
  struct object object = object_in(failed);
  struct rusage usage = {0};
  getrusage(RUSAGE_SELF, &usage);
  set_bool(object, "converged", result->converged);
  set_int(object, "sweeps", (int)run->sweeps.count);
  set_real(object, "energy", result->energy);
  set_real(object, "energy_a_site", result->energy / run->options->sites);
  set_real(object, "energy_ritz", result->energy_ritz);
  set_real(object, "energy_state", result->energy_state);
  set_real(object, "variance", result->variance);
  set_count(object, "full_bonds", result->full);
  set_count(object, "gram_bonds", result->gram);
  set_count(object, "warm_bonds", result->warm);
  set_count(object, "warm_rejected", result->rejected);
  set_count(object, "svd_fallbacks", result->fallbacks);
  set(object, "warnings", warnings_value(run, failed));
  if (run->comparison.source != TAC_REFERENCE_NONE)
    set(object, "check", comparison_value(run, failed));
  if (run->steady.count >= 2)
    set_real(object, "steady_there_and_back_seconds", tac_heisenberg_there_and_back_seconds(&run->steady));
  set_count(object, "state_bytes", tac_dmrg_state_bytes(run->state));
  set_count(object, "environment_bytes", tac_dmrg_environments_bytes(run->environments));
  set_count(object, "peak_resident_bytes", (uint64_t)usage.ru_maxrss * 1024);
  return object.value;
}

static int append_piece(void *stream, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, stream) != bytes;
}

/* The recorder's own object is the root: its schema, level, events and batches stand beside the rest. */
static json_t *root_value(const struct tac_heisenberg_run *run, int *failed) {
  char *text = NULL;
  size_t bytes = 0;
  if (!run->recorder)
    return json_pack("{s:i, s:s, s:[], s:[]}", "schema", TAC_JSON_SCHEMA, "level", "off", "events", "batches");
  FILE *stream = open_memstream(&text, &bytes);
  if (!stream)
    return NULL;
  if (tac_report_json(run->recorder, append_piece, stream, NULL) != TAC_STATUS_OK)
    *failed = 1;
  if (fclose(stream) != 0)
    *failed = 1;
  json_t *root = text ? json_loadb(text, bytes, 0, NULL) : NULL;
  free(text);
  return root;
}

/* The text ends with the newline that a text file ends with. */
static char *dump_line(const json_t *value) {
  char *text = json_dumps(value, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
  if (!text)
    return NULL;
  const size_t bytes = strlen(text);
  char *line = realloc(text, bytes + 2);
  if (!line) {
    free(text);
    return NULL;
  }
  memcpy(line + bytes, "\n", 2);
  return line;
}

enum tac_status tac_heisenberg_json(char **text, const struct tac_heisenberg_run *run, int argc, char *const argv[],
                                    struct tac_error *error) {
  int failed = 0;
  struct object root = {root_value(run, &failed), &failed};
  set(root, "run", run_value(run, argc, argv, &failed));
  set(root, "result", result_value(run, &failed));
  set(root, "sweeps", sweeps_value(&run->sweeps, &failed));
  set(root, "steady", sweeps_value(&run->steady, &failed));
  *text = failed ? NULL : dump_line(root.value);
  json_decref(root.value);
  return *text ? TAC_STATUS_OK : tac_error_set(error, TAC_STATUS_MEMORY, "json", "no memory for the JSON text");
}
