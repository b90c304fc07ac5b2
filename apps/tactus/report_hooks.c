/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/report_hooks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/tactus/member_reader.h"

/* A share of the time is all that a record tells of the times themselves. */
#define WHOLE_NS ((int64_t)1 << 52)

static void copy_text(char *out, size_t bytes, struct tac_member_reader *reader, const json_t *object, const char *key,
                      enum tac_presence presence) {
  const char *text = tac_read_text(reader, object, key, presence);
  snprintf(out, bytes, "%s", text ? text : "");
}

static void read_counters(struct tac_hook_figures *figures, struct tac_member_reader *reader, const json_t *hooks) {
  const json_t *counters = tac_read_array(reader, hooks, "counters", TAC_MEMBER_REQUIRED);
  const size_t count = json_array_size(counters);
  if (count > TAC_HOOK_COUNTERS_MOST)
    tac_reader_fail(reader, "counters", "has %zu elements, more than the %d that hooks have", count, TAC_HOOK_COUNTERS_MOST);
  for (size_t c = 0; c < count && reader->status == TAC_STATUS_OK; c++) {
    const json_t *value = tac_read_element(reader, counters, "hooks.counters", c);
    struct tac_hook_counter *counter = &figures->counter[c];
    copy_text(counter->name, sizeof counter->name, reader, value, "name", TAC_MEMBER_REQUIRED);
    copy_text(counter->unit, sizeof counter->unit, reader, value, "unit", TAC_MEMBER_REQUIRED);
    figures->counters = c + 1;
  }
}

static const json_t *read_column(struct tac_member_reader *reader, const json_t *event, const char *key, size_t count,
                                 enum tac_presence presence) {
  const json_t *column = tac_read_array(reader, event, key, presence);
  if (column && json_array_size(column) != count)
    tac_reader_fail(reader, key, "has %zu elements where %zu are expected", json_array_size(column), count);
  return column;
}

/* keys: of the count, the values, and the shares where some are scaled. */
static void read_sum(struct tac_hook_sum *sum, struct tac_member_reader *reader, const json_t *event, const char *const keys[3],
                     size_t counters) {
  sum->count = tac_read_number(reader, event, keys[0]);
  const json_t *values = read_column(reader, event, keys[1], counters, TAC_MEMBER_REQUIRED);
  const json_t *shares = read_column(reader, event, keys[2], counters, TAC_MEMBER_OPTIONAL);
  for (size_t c = 0; c < counters && reader->status == TAC_STATUS_OK; c++) {
    const json_t *value = json_array_get(values, c), *told = json_array_get(shares, c);
    const double share = shares ? json_number_value(told) : 1;
    if (!json_is_integer(value) || llabs(json_integer_value(value)) > TAC_RECORD_TIME_MOST)
      tac_reader_fail(reader, keys[1], "its element %zu is no whole number, or too large", c);
    else if (!(share >= 0 && share <= 1) || (shares && !json_is_number(told)))
      tac_reader_fail(reader, keys[2], "its element %zu is no share", c);
    else
      sum->value[c] = (struct tac_hook_value){json_integer_value(value), WHOLE_NS, llround(share * (double)WHOLE_NS)};
  }
}

/* The first event of that name from `from` on; names need not be unique, and both lists have one order. */
static size_t find_event(const struct tac_event_set *events, const char *name, size_t from) {
  while (name && from < events->count && strcmp(events->events[from].name, name) != 0)
    from++;
  return from;
}

static void read_events(struct tac_hook_figures *figures, struct tac_member_reader *reader, const json_t *hooks) {
  static const char *const of_phases[3] = {"count", "values", "counted_share"};
  static const char *const of_items[3] = {"items", "item_values", "item_counted_share"};
  tac_reader_at(reader, "hooks");
  const json_t *events = tac_read_array(reader, hooks, "events", TAC_MEMBER_REQUIRED);
  size_t next = 0;
  for (size_t i = 0; i < json_array_size(events) && reader->status == TAC_STATUS_OK; i++) {
    const json_t *value = tac_read_element(reader, events, "hooks.events", i);
    const char *name = tac_read_text(reader, value, "name", TAC_MEMBER_REQUIRED);
    const size_t event = find_event(figures->events, name, next);
    if (name && event == figures->events->count)
      tac_reader_fail(reader, "name", "'%s' is none of the events behind the one before", name);
    if (reader->status != TAC_STATUS_OK)
      return;
    read_sum(&figures->phase[event], reader, value, of_phases, figures->counters);
    read_sum(&figures->item[event], reader, value, of_items, figures->counters);
    next = event + 1;
  }
}

enum tac_status tac_record_hooks_restore(struct tac_hook_figures **out, const struct tac_record *record,
                                         struct tac_error *error) {
  struct tac_member_reader reader = {.error = error};
  *out = NULL;
  const json_t *hooks = tac_read_object(&reader, record->root, "hooks", TAC_MEMBER_OPTIONAL);
  if (!hooks)
    return reader.status;
  tac_reader_at(&reader, "hooks");
  const char *name = tac_read_text(&reader, hooks, "name", TAC_MEMBER_REQUIRED);
  if (!name)
    return reader.status;
  reader.status = tac_hook_figures_create(out, name, &record->set, NULL, error);
  if (reader.status != TAC_STATUS_OK)
    return reader.status;
  struct tac_hook_figures *figures = *out;
  figures->failures = tac_read_number(&reader, hooks, "failures");
  copy_text(figures->failure, sizeof figures->failure, &reader, hooks, "failure", TAC_MEMBER_OPTIONAL);
  copy_text(figures->note, sizeof figures->note, &reader, hooks, "note", TAC_MEMBER_OPTIONAL);
  read_counters(figures, &reader, hooks);
  read_events(figures, &reader, hooks);
  if (reader.status != TAC_STATUS_OK)
    tac_hook_figures_destroy(out);
  return reader.status;
}
