/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <string.h>

#include "apps/program/json.h"
#include "apps/tactus/comparison.h"

/* Everything that was asked of a run and what it ran on, by its place: {"level":…, "run.executor":…, "run.blas.name":…}. */
static void flatten(struct tac_json out, const char *place, json_t *object) {
  /* They differ from run to run; programs of libtactus tell what their command lines ask for in members of their own. */
  static const char *const passing[] = {"run.date", "run.wall_ns", "run.kernels_ns", "run.outside_kernels_ns"};
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    char path[256];
    int passes = 0;
    snprintf(path, sizeof path, "%s.%s", place, key);
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
      passes |= strcmp(path, passing[i]) == 0;
    if (passes)
      continue;
    if (json_is_object(value))
      flatten(out, path, value);
    else
      tac_json_set(out, path, json_is_null(value) ? json_string("none") : json_incref(value)); /* null: not told */
  }
}

static json_t *conditions_of(const struct tac_record *record, int *failed) {
  struct tac_json out = tac_json_object(failed);
  const char *const of_root[] = {"kind", "level"};
  for (size_t i = 0; i < sizeof of_root / sizeof *of_root; i++)
    if (json_object_get(record->root, of_root[i]))
      tac_json_set(out, of_root[i], json_incref(json_object_get(record->root, of_root[i])));
  json_t *clock = json_object_get(json_object_get(record->root, "clock"), "name");
  if (clock)
    tac_json_set(out, "clock.name", json_incref(clock));
  flatten(out, "run", json_object_get(record->root, "run"));
  if (record->kind == TAC_RECORD_RUN)
    json_object_del(out.value, "run.command_line");
  return out.value;
}

static int has_value(const json_t *list, const json_t *value) {
  for (size_t i = 0; i < json_array_size(list); i++)
    if (json_equal(json_array_get(list, i), value))
      return 1;
  return 0;
}

/* The different values of a member over the conditions of a side's runs, in their order. */
static json_t *values_of(const json_t *conditions, const char *member, int *failed) {
  json_t *values = json_array();
  for (size_t i = 0; i < json_array_size(conditions); i++) {
    json_t *value = json_object_get(json_array_get(conditions, i), member);
    json_t *told = value ? json_incref(value) : json_null();
    if (has_value(values, told))
      json_decref(told);
    else
      tac_json_append(values, told, failed);
  }
  return values;
}

static void add_difference(json_t *out, json_t *const conditions[TAC_SIDES], const char *member, int *failed) {
  json_t *base = values_of(conditions[TAC_SIDE_BASE], member, failed);
  json_t *with = values_of(conditions[TAC_SIDE_NEW], member, failed);
  if (json_array_size(base) == 1 && json_equal(base, with)) {
    json_decref(base);
    json_decref(with);
    return;
  }
  struct tac_json difference = tac_json_object(failed);
  tac_json_set_text(difference, "member", member);
  tac_json_set(difference, "base", base);
  tac_json_set(difference, "new", with);
  tac_json_append(out, difference.value, failed);
}

json_t *tac_comparison_differences(const struct tac_runs sides[TAC_SIDES]) {
  int failed = 0;
  json_t *out = json_array(), *conditions[TAC_SIDES], *value;
  struct tac_json members = tac_json_object(&failed); /* a set of their names, in their order */
  const char *member;
  for (int side = 0; side < TAC_SIDES; side++) {
    conditions[side] = json_array();
    for (size_t i = 0; i < sides[side].count; i++) {
      json_t *of_run = conditions_of(&sides[side].records[i], &failed);
      json_object_foreach(of_run, member, value) tac_json_set(members, member, json_null());
      tac_json_append(conditions[side], of_run, &failed);
    }
  }
  json_object_foreach(members.value, member, value) add_difference(out, conditions, member, &failed);
  for (int side = 0; side < TAC_SIDES; side++)
    json_decref(conditions[side]);
  json_decref(members.value);
  if (!failed)
    return out;
  json_decref(out);
  return NULL;
}

/* The first or the last of the dates of a side; NULL when one tells none. They are all UTC in one form, so that their order is
 * that of the texts. */
static const char *date_of(const struct tac_runs *runs, int last) {
  const char *date = NULL;
  for (size_t i = 0; i < runs->count; i++) {
    const char *next = tac_record_run_text(&runs->records[i], "date");
    if (!next)
      return NULL;
    if (!date || (strcmp(next, date) > 0) == (last != 0))
      date = next;
  }
  return date;
}

int tac_comparison_in_blocks(const struct tac_runs sides[TAC_SIDES]) {
  for (int side = 0; side < TAC_SIDES; side++) {
    const char *end = date_of(&sides[side], 1), *begin = date_of(&sides[TAC_SIDES - 1 - side], 0);
    if (end && begin && strcmp(end, begin) < 0)
      return 1;
  }
  return 0;
}
