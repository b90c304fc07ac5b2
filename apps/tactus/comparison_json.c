/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>

#include <tactus/runtime/version.h>

#include "apps/program/json.h"
#include "apps/tactus/comparison.h"

/* The version of the JSON form; it changes when a key changes its meaning or goes away. */
#define COMPARISON_SCHEMA 1

static const char *const side_names[TAC_SIDES] = {"base", "new"};
static const char *const figures[] = {"total", "mean", "min"};

static void set_spread(struct tac_json out, const char *key, const struct tac_spread *spread, const char *unit) {
  struct tac_json object = tac_json_object(out.failed);
  char name[32];
  snprintf(name, sizeof name, "median%s", unit);
  tac_json_set_real(object, name, spread->median);
  snprintf(name, sizeof name, "least%s", unit);
  tac_json_set_real(object, name, spread->least);
  snprintf(name, sizeof name, "most%s", unit);
  tac_json_set_real(object, name, spread->most);
  tac_json_set(out, key, object.value);
}

/* {"base":{…},"new":{…},"ratio":…}; null when a run does not tell it. */
static void set_pair(struct tac_json out, const char *key, const struct tac_compared_pair *pair, const char *unit) {
  if (!pair->known) {
    tac_json_set(out, key, json_null());
    return;
  }
  struct tac_json object = tac_json_object(out.failed);
  for (int side = 0; side < TAC_SIDES; side++)
    set_spread(object, side_names[side], &pair->side[side], unit);
  tac_json_set_real(object, "ratio", pair->ratio.median);
  tac_json_set_real(object, "ratio_least", pair->ratio.least);
  tac_json_set_real(object, "ratio_most", pair->ratio.most);
  tac_json_set(out, key, object.value);
}

static void set_sides(struct tac_json out, const char *key, double base, double with) {
  struct tac_json object = tac_json_object(out.failed);
  tac_json_set_real(object, side_names[TAC_SIDE_BASE], base);
  tac_json_set_real(object, side_names[TAC_SIDE_NEW], with);
  tac_json_set(out, key, object.value);
}

static void set_batches(struct tac_json out, const struct tac_compared_event *event) {
  struct tac_json object = tac_json_object(out.failed);
  set_pair(object, "idle_share", &event->idle, "");
  set_pair(object, "imbalance", &event->imbalance, "");
  set_pair(object, "item_p50", &event->p50, "_ns");
  set_pair(object, "item_p90", &event->p90, "_ns");
  set_pair(object, "item_p99", &event->p99, "_ns");
  set_pair(object, "item_max", &event->longest, "_ns");
  tac_json_set(out, "batches", object.value);
}

static json_t *event_value(const struct tac_comparison *comparison, const struct tac_compared_event *event, int *failed) {
  struct tac_json out = tac_json_object(failed);
  tac_json_set_text(out, "name", event->name);
  tac_json_set(out, "parent",
               event->parent == TAC_NO_EVENT ? json_null() : json_string(comparison->events[event->parent].name));
  set_sides(out, "calls", event->count[TAC_SIDE_BASE].median, event->count[TAC_SIDE_NEW].median);
  set_sides(out, "share", event->share[TAC_SIDE_BASE], event->share[TAC_SIDE_NEW]);
  set_pair(out, "time", &event->time, "_ns");
  set_pair(out, "fastest_call", &event->fastest, "_ns");
  if (event->device.side[TAC_SIDE_BASE].most > 0 || event->device.side[TAC_SIDE_NEW].most > 0)
    set_pair(out, "device_busy", &event->device, "_ns");
  if (event->bytes.side[TAC_SIDE_BASE].most > 0 || event->bytes.side[TAC_SIDE_NEW].most > 0)
    set_pair(out, "bytes", &event->bytes, "");
  if (event->batches)
    set_batches(out, event);
  tac_json_set_text(out, "verdict", tac_verdict_name(event->verdict));
  tac_json_set_bool(out, "failed", event->failed);
  return out.value;
}

static json_t *files_of(const struct tac_runs *runs, int *failed) {
  json_t *files = json_array();
  for (size_t i = 0; i < runs->count; i++)
    tac_json_append(files, tac_json_any_bytes(runs->records[i].path), failed);
  return files;
}

json_t *tac_comparison_json(const struct tac_comparison *comparison, const json_t *differences) {
  int failed = 0;
  struct tac_json out = tac_json_object(&failed);
  json_t *events = json_array();
  const size_t base = comparison->sides[TAC_SIDE_BASE].count, with = comparison->sides[TAC_SIDE_NEW].count;
  tac_json_set_int(out, "schema", COMPARISON_SCHEMA);
  tac_json_set_text(out, "kind", "comparison");
  tac_json_set_text(out, "version", tac_version());
  for (int side = 0; side < TAC_SIDES; side++)
    tac_json_set(out, side_names[side], files_of(&comparison->sides[side], &failed));
  tac_json_set_text(out, "by", figures[comparison->options->figure]);
  tac_json_set_real(out, "min_share", comparison->options->min_share);
  tac_json_set_real(out, "fail_above", comparison->options->fail_above > 0 ? comparison->options->fail_above : NAN);
  tac_json_set_bool(out, "noise_known", base >= TAC_VERDICT_RUNS && with >= TAC_VERDICT_RUNS);
  tac_json_set_real(out, "apart_by_chance_one_in", tac_chance_of_apart(base, with));
  set_sides(out, "left_aside_at_either_end", (double)tac_runs_left_aside(base), (double)tac_runs_left_aside(with));
  tac_json_set_bool(out, "in_blocks", tac_comparison_in_blocks(comparison->sides));
  tac_json_set(out, "differences", json_deep_copy(differences));
  for (size_t i = 0; i < comparison->shown; i++)
    tac_json_append(events, event_value(comparison, &comparison->events[comparison->order[i]], &failed), &failed);
  tac_json_set(out, "events", events);
  tac_json_set_count(out, "left_out", comparison->small);
  tac_json_set_count(out, "failed", comparison->failed);
  if (!failed)
    return out.value;
  json_decref(out.value);
  return NULL;
}
