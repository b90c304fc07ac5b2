/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/costs.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/tactus/member_reader.h"

/* One batch of a record as its members stand there. */
struct batch {
  size_t number; /* in the record, for errors */
  const json_t *value, *items, *duration, *cost, *terms;
  size_t count;
};

static enum tac_status no_memory(struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_MEMORY, "record", "no memory for the items of the records");
}

static enum tac_status refuse(const struct batch *batch, const char *what, struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_INVALID, "record", "batches[%zu]%s", batch->number, what);
}

/* A text that all records so far have in common; NULL once they differ. The first record sets it. */
static enum tac_status agree_text(char **text, int first, const json_t *value, struct tac_error *error) {
  const char *here = json_string_value(value);
  if (first) {
    *text = here ? strdup(here) : NULL;
    return here && !*text ? no_memory(error) : TAC_STATUS_OK;
  }
  if (*text && (!here || strcmp(*text, here) != 0)) {
    free(*text);
    *text = NULL;
  }
  return TAC_STATUS_OK;
}

static enum tac_status agree(struct tac_costs *costs, const json_t *run, struct tac_error *error) {
  const json_t *blas = json_object_get(run, "blas");
  const char *program = json_string_value(json_object_get(run, "program"));
  const json_int_t lanes = json_integer_value(json_object_get(run, "lanes"));
  const int first = costs->records++ == 0;
  if (!program)
    return tac_error_set(error, TAC_STATUS_INVALID, "record", "run.program is not a text: this is no record of a run");
  if (!first && strcmp(costs->program, program) != 0)
    return tac_error_set(error, TAC_STATUS_INVALID, "record", "run.program is '%s', of a record before '%s'", program,
                         costs->program);
  costs->lanes = first && lanes > 0 && lanes <= INT_MAX ? (int)lanes : costs->lanes == lanes ? costs->lanes : 0;
  enum tac_status status = agree_text(&costs->program, first, json_object_get(run, "program"), error);
  if (!status)
    status = agree_text(&costs->version, first, json_object_get(run, "version"), error);
  if (!status)
    status = agree_text(&costs->executor, first, json_object_get(run, "executor"), error);
  if (!status)
    status = agree_text(&costs->blas_name, first, json_object_get(blas, "name"), error);
  return status ? status : agree_text(&costs->blas_kernel, first, json_object_get(blas, "kernel"), error);
}

static struct tac_costs_batch *new_batch(struct tac_costs_event *event) {
  if (event->batches == event->batch_room) {
    const size_t room = 2 * event->batches + 64;
    struct tac_costs_batch *larger = realloc(event->batch, room * sizeof *larger);
    if (!larger)
      return NULL;
    event->batch = larger;
    event->batch_room = room;
  }
  return &event->batch[event->batches];
}

/* Places for `count` more items behind those that are there. */
static struct tac_costs_item *new_items(struct tac_costs_event *event, size_t count) {
  const size_t wanted = event->items + count;
  if (wanted > event->item_room) {
    struct tac_costs_item *larger = realloc(event->item, 2 * wanted * sizeof *larger);
    if (!larger)
      return NULL;
    event->item = larger;
    event->item_room = 2 * wanted;
  }
  return &event->item[event->items];
}

static enum tac_status check_terms(const struct tac_costs_event *event, const struct batch *batch, struct tac_error *error) {
  if (json_object_size(batch->terms) != event->terms)
    return refuse(batch, ".items.terms: an earlier batch of its event has others", error);
  for (size_t t = 0; t < event->terms; t++) {
    const json_t *column = json_object_get(batch->terms, event->term_name[t]);
    if (!column)
      return refuse(batch, ".items.terms: an earlier batch of its event has others", error);
    if (json_array_size(column) != batch->count)
      return refuse(batch, ".items.terms: a list is not as long as duration_ns", error);
  }
  return TAC_STATUS_OK;
}

/* NULL, here and below: *error says why not. */
static struct tac_costs_event *new_event(struct tac_costs *costs, const char *name, const struct batch *batch,
                                         struct tac_error *error) {
  const char *term;
  json_t *column;
  if (json_object_size(batch->terms) < 1 || json_object_size(batch->terms) > TAC_COST_TERMS_MAX) {
    refuse(batch, ".items.terms has none, or too many", error);
    return NULL;
  }
  if (costs->events == TAC_COSTS_EVENTS_MOST) {
    refuse(batch, ".event: there are too many with terms", error);
    return NULL;
  }
  struct tac_costs_event *event = &costs->event[costs->events++];
  *event = (struct tac_costs_event){.name = strdup(name)};
  int failed = !event->name;
  json_object_foreach((json_t *)batch->terms, term, column) {
    event->term_name[event->terms] = strdup(term);
    failed |= !event->term_name[event->terms++];
  }
  if (failed)
    no_memory(error);
  return failed ? NULL : event;
}

static struct tac_costs_event *find_event(struct tac_costs *costs, const struct batch *batch, struct tac_error *error) {
  struct tac_costs_event *event = NULL;
  const char *name = json_string_value(json_object_get(batch->value, "event"));
  if (!name) {
    refuse(batch, ".event is not a text", error);
    return NULL;
  }
  for (size_t e = 0; e < costs->events && !event; e++)
    if (strcmp(costs->event[e].name, name) == 0)
      event = &costs->event[e];
  if (!event)
    event = new_event(costs, name, batch, error);
  return event && check_terms(event, batch, error) == TAC_STATUS_OK ? event : NULL;
}

/* Numbers of item i; 0: a term is none. */
static int take_item(struct tac_costs_item *out, const struct tac_costs_event *event, const struct batch *batch, size_t i) {
  for (size_t t = 0; t < event->terms; t++) {
    const json_t *value = json_array_get(json_object_get(batch->terms, event->term_name[t]), i);
    if (!json_is_number(value) || json_number_value(value) < 0 || json_number_value(value) > 1e100)
      return 0;
    out->value[t] = json_number_value(value);
  }
  out->duration_ns = json_integer_value(json_array_get(batch->duration, i));
  out->cost = json_number_value(json_array_get(batch->cost, i));
  return 1;
}

static enum tac_status take_batch(struct tac_costs *costs, const struct batch *batch, struct tac_error *error) {
  struct tac_costs_event *event = find_event(costs, batch, error);
  if (!event)
    return error->status;
  struct tac_costs_batch *taken = new_batch(event);
  struct tac_costs_item *item = new_items(event, batch->count);
  if (!taken || !item)
    return no_memory(error);
  for (size_t i = 0; i < batch->count; i++) {
    const json_t *duration = json_array_get(batch->duration, i);
    if (!json_is_integer(duration) || json_integer_value(duration) < 0)
      return refuse(batch, ".items.duration_ns: not a whole number from 0", error);
    if (!take_item(&item[i], event, batch, i)) {
      costs->left_out++;
      return TAC_STATUS_OK;
    }
  }
  *taken = (struct tac_costs_batch){.begin = event->items,
                                    .count = batch->count,
                                    .lanes = (int)json_integer_value(json_object_get(batch->value, "lanes")),
                                    .ran_inline = json_is_true(json_object_get(batch->value, "inline")),
                                    .has_cost = batch->cost != NULL,
                                    .wall_ns = json_integer_value(json_object_get(batch->value, "wall_ns"))};
  event->batches++;
  event->items += batch->count;
  return TAC_STATUS_OK;
}

/* Whether its items ran on the host, all of them and without a failure. */
static int is_whole(const struct batch *batch) {
  const char *status = json_string_value(json_object_get(batch->value, "status"));
  return status && strcmp(status, tac_status_name(TAC_STATUS_OK)) == 0 &&
         !json_is_true(json_object_get(batch->value, "submission")) &&
         (size_t)json_integer_value(json_object_get(batch->value, "requested")) == batch->count;
}

static enum tac_status add_batch(struct tac_costs *costs, size_t number, const json_t *value, struct tac_error *error) {
  const json_t *items = json_object_get(value, "items");
  const struct batch batch = {.number = number,
                              .value = value,
                              .items = items,
                              .duration = json_object_get(items, "duration_ns"),
                              .cost = json_object_get(items, "cost"),
                              .terms = json_object_get(items, "terms"),
                              .count = json_array_size(json_object_get(items, "duration_ns"))};
  const json_int_t lanes = json_integer_value(json_object_get(value, "lanes"));
  if (!batch.terms || batch.count == 0)
    return TAC_STATUS_OK;
  if (batch.cost && json_array_size(batch.cost) != batch.count)
    return refuse(&batch, ".items.cost is not as long as duration_ns", error);
  if (lanes < 1 || lanes > INT_MAX)
    return refuse(&batch, ".lanes is not a whole number from 1", error);
  if (is_whole(&batch))
    return take_batch(costs, &batch, error);
  costs->left_out++;
  return TAC_STATUS_OK;
}

/* What the run had and the record does not hold: a fit of the rest is of its beginning. */
static enum tac_status add_dropped(struct tac_costs *costs, const json_t *record, struct tac_error *error) {
  struct tac_member_reader reader = {.error = error};
  const uint64_t dropped = (uint64_t)tac_read_count(&reader, record, "dropped", TAC_MEMBER_OPTIONAL);
  const uint64_t limit = dropped + json_array_size(json_object_get(record, "batches"));
  costs->dropped += dropped;
  costs->items_dropped += (uint64_t)tac_read_count(&reader, record, "slots_dropped", TAC_MEMBER_OPTIONAL);
  if (dropped > 0 && limit > costs->limit)
    costs->limit = limit;
  return reader.status;
}

enum tac_status tac_costs_add(struct tac_costs *costs, const json_t *record, struct tac_error *error) {
  const json_t *batches = json_object_get(record, "batches"), *batch;
  size_t number;
  enum tac_status status = agree(costs, json_object_get(record, "run"), error);
  if (!status && !json_is_array(batches))
    status = tac_error_set(error, TAC_STATUS_INVALID, "record", "batches is not a list");
  if (!status)
    status = add_dropped(costs, record, error);
  json_array_foreach(batches, number, batch) if (!status) status = add_batch(costs, number, batch, error);
  return status;
}
