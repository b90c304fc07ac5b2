/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/cost_model.h>

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

/* A model and all that it points to, in one piece: events, terms, texts. */
struct owned {
  struct tac_cost_model model; /* first */
  const struct tac_allocator *allocator;
};

struct room {
  size_t events, terms, bytes;
};

/* Where the reader is: text and arrays are filled from the front. */
struct reader {
  struct owned *owned;
  struct tac_event_costs *event;
  struct tac_term_cost *term;
  char *text;
};

static enum tac_status refuse(struct tac_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
static enum tac_status refuse(struct tac_error *error, const char *format, ...) {
  char text[sizeof error->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return tac_error_set(error, TAC_STATUS_INVALID, "costs", "%s", text);
}

static size_t text_bytes(const json_t *text) {
  return json_is_string(text) ? json_string_length(text) + 1 : 0;
}

static enum tac_status check_term(const json_t *term, const json_t *terms, size_t e, size_t t, struct tac_error *error) {
  const char *name = json_string_value(json_object_get(term, "name"));
  const json_t *seconds = json_object_get(term, "seconds");
  if (!name)
    return refuse(error, "events[%zu].terms[%zu].name is not a text", e, t);
  if (!json_is_number(seconds))
    return refuse(error, "events[%zu].terms[%zu].seconds is not a number", e, t);
  if (!(json_number_value(seconds) >= 0))
    return refuse(error, "events[%zu].terms[%zu].seconds is %g: it cannot be negative", e, t, json_number_value(seconds));
  if (json_number_value(seconds) > TAC_TERM_SECONDS_MOST)
    return refuse(error, "events[%zu].terms[%zu].seconds is %g: no item takes that long", e, t, json_number_value(seconds));
  for (size_t before = 0; before < t; before++)
    if (strcmp(name, json_string_value(json_object_get(json_array_get(terms, before), "name"))) == 0)
      return refuse(error, "events[%zu].terms[%zu].name: '%s' is named twice", e, t, name);
  return TAC_STATUS_OK;
}

static enum tac_status check_event(struct room *room, const json_t *events, size_t e, struct tac_error *error) {
  const json_t *event = json_array_get(events, e), *terms = json_object_get(event, "terms"), *term;
  const json_t *items = json_object_get(event, "items"), *median = json_object_get(event, "median_relative_error");
  const char *name = json_string_value(json_object_get(event, "name"));
  size_t t;
  if (!name)
    return refuse(error, "events[%zu].name is not a text", e);
  for (size_t before = 0; before < e; before++)
    if (strcmp(name, json_string_value(json_object_get(json_array_get(events, before), "name"))) == 0)
      return refuse(error, "events[%zu].name: '%s' is named twice", e, name);
  if (json_array_size(terms) < 1 || json_array_size(terms) > TAC_COST_TERMS_MAX)
    return refuse(error, "events[%zu].terms is not a list of 1 to %d terms", e, TAC_COST_TERMS_MAX);
  if (!json_is_integer(items) || json_integer_value(items) < 0)
    return refuse(error, "events[%zu].items is not a whole number from 0", e);
  if (!json_is_number(median))
    return refuse(error, "events[%zu].median_relative_error is not a number", e);
  room->bytes += strlen(name) + 1;
  room->terms += json_array_size(terms);
  json_array_foreach(terms, t, term) {
    const enum tac_status status = check_term(term, terms, e, t, error);
    if (status != TAC_STATUS_OK)
      return status;
    room->bytes += text_bytes(json_object_get(term, "name"));
  }
  return TAC_STATUS_OK;
}

/* What may be null where it is not known. */
static enum tac_status check_origin(struct room *room, const json_t *root, struct tac_error *error) {
  const json_t *lanes = json_object_get(root, "lanes"), *blas = json_object_get(root, "blas");
  const struct {
    const char *path;
    const json_t *value;
  } texts[] = {{"version", json_object_get(root, "version")},
               {"executor", json_object_get(root, "executor")},
               {"blas.name", json_object_get(blas, "name")},
               {"blas.kernel", json_object_get(blas, "kernel")}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (!json_is_string(texts[i].value) && !json_is_null(texts[i].value))
      return refuse(error, "%s is neither a text nor null", texts[i].path);
    room->bytes += text_bytes(texts[i].value);
  }
  if (!json_is_null(lanes) && !(json_integer_value(lanes) > 0 && json_integer_value(lanes) <= INT_MAX))
    return refuse(error, "lanes is neither a whole number from 1 nor null");
  return TAC_STATUS_OK;
}

static enum tac_status check_root(struct room *room, const json_t *root, struct tac_error *error) {
  const json_t *events = json_object_get(root, "events"), *program = json_object_get(root, "program");
  const char *kind = json_string_value(json_object_get(root, "kind"));
  if (!kind || strcmp(kind, "costs") != 0)
    return refuse(error, "kind is not \"costs\"");
  if (json_integer_value(json_object_get(root, "schema")) != TAC_COSTS_SCHEMA)
    return refuse(error, "schema is not %d", TAC_COSTS_SCHEMA);
  if (!json_is_string(program))
    return refuse(error, "program is not a text");
  if (!json_is_array(events))
    return refuse(error, "events is not a list");
  *room = (struct room){.events = json_array_size(events), .bytes = text_bytes(program)};
  enum tac_status status = check_origin(room, root, error);
  for (size_t e = 0; e < room->events && status == TAC_STATUS_OK; e++)
    status = check_event(room, events, e, error);
  return status;
}

static const char *take_text(struct reader *reader, const json_t *value) {
  if (!json_is_string(value))
    return NULL;
  char *text = memcpy(reader->text, json_string_value(value), text_bytes(value));
  reader->text += text_bytes(value);
  return text;
}

static void take_event(struct reader *reader, const json_t *from) {
  struct tac_event_costs *event = reader->event++;
  const json_t *terms = json_object_get(from, "terms"), *term;
  size_t t;
  *event = (struct tac_event_costs){.event = take_text(reader, json_object_get(from, "name")),
                                    .terms = json_array_size(terms),
                                    .term = reader->term,
                                    .items = (uint64_t)json_integer_value(json_object_get(from, "items")),
                                    .median_relative_error = json_number_value(json_object_get(from, "median_relative_error"))};
  json_array_foreach(terms, t, term) *reader->term++ = (struct tac_term_cost){
      .name = take_text(reader, json_object_get(term, "name")), .seconds = json_number_value(json_object_get(term, "seconds"))};
}

static void take_root(struct reader *reader, const json_t *root) {
  const json_t *blas = json_object_get(root, "blas"), *events = json_object_get(root, "events"), *event;
  size_t e;
  reader->owned->model = (struct tac_cost_model){.program = take_text(reader, json_object_get(root, "program")),
                                                 .version = take_text(reader, json_object_get(root, "version")),
                                                 .executor = take_text(reader, json_object_get(root, "executor")),
                                                 .lanes = (int)json_integer_value(json_object_get(root, "lanes")),
                                                 .blas_name = take_text(reader, json_object_get(blas, "name")),
                                                 .blas_kernel = take_text(reader, json_object_get(blas, "kernel")),
                                                 .events = json_array_size(events),
                                                 .event = reader->event};
  json_array_foreach(events, e, event) take_event(reader, event);
}

static enum tac_status own(struct tac_cost_model **out, const json_t *root, const struct room *room,
                           const struct tac_allocator *allocator, struct tac_error *error) {
  const size_t events = room->events * sizeof(struct tac_event_costs), terms = room->terms * sizeof(struct tac_term_cost);
  char *memory = allocator->allocate(allocator->context, sizeof(struct owned) + events + terms + room->bytes);
  if (!memory)
    return tac_error_set(error, TAC_STATUS_MEMORY, "costs", "no memory for a model of %zu events", room->events);
  struct reader reader = {.owned = (struct owned *)memory};
  reader.owned->allocator = allocator;
  reader.event = (struct tac_event_costs *)(reader.owned + 1);
  reader.term = (struct tac_term_cost *)(reader.event + room->events);
  reader.text = (char *)(reader.term + room->terms);
  take_root(&reader, root);
  *out = &reader.owned->model;
  return TAC_STATUS_OK;
}

enum tac_status tac_cost_model_read(struct tac_cost_model **out, const char *text, size_t bytes,
                                    const struct tac_allocator *allocator, struct tac_error *error) {
  json_error_t wrong;
  struct room room = {0};
  if (!out || !text)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no text, or no place for the model");
  *out = NULL;
  json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &wrong);
  if (!root && json_error_code(&wrong) == json_error_out_of_memory)
    return tac_error_set(error, TAC_STATUS_MEMORY, "costs", "no memory to read it");
  if (!root)
    return refuse(error, "line %d, column %d: %s", wrong.line, wrong.column, wrong.text);
  enum tac_status status = check_root(&room, root, error);
  if (status == TAC_STATUS_OK)
    status = own(out, root, &room, allocator ? allocator : tac_allocator_system(), error);
  json_decref(root);
  return status;
}

void tac_cost_model_destroy(struct tac_cost_model **model) {
  if (!model || !*model)
    return;
  struct owned *gone = (struct owned *)*model;
  const struct tac_allocator *allocator = gone->allocator;
  allocator->release(allocator->context, gone);
  *model = NULL;
}
