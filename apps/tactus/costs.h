/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_COSTS_H
#define APPS_TACTUS_COSTS_H

#include <jansson.h>

#include <tactus/measure/cost_fit.h>
#include <tactus/measure/cost_model.h>

#include "measure/cost_comparison.h"

#define TAC_COSTS_EVENTS_MOST 100 /* of a program, with terms */

struct tac_costs_item {
  double value[TAC_COST_TERMS_MAX]; /* of its terms */
  double cost;
  int64_t duration_ns;
};

struct tac_costs_batch {
  size_t begin, count; /* in the event's items */
  int lanes, ran_inline, has_cost;
  int64_t wall_ns;
};

/* What the batches of one event hold, of all records: their items one after the other; then the fit, and the same as it is made
 * of and compared with. */
struct tac_costs_event {
  char *name, *term_name[TAC_COST_TERMS_MAX];
  size_t terms, items, item_room, batches, batch_room;
  struct tac_costs_item *item;
  struct tac_costs_batch *batch;

  struct tac_cost_fit fit;
  struct tac_term_cost term[TAC_COST_TERMS_MAX];
  struct tac_cost_comparison seen;
};

/* Events of records, and what these agree on: NULL and 0 where they do not. */
struct tac_costs {
  struct tac_costs_event event[TAC_COSTS_EVENTS_MOST];
  size_t events, records;
  char *program, *version, *executor, *blas_name, *blas_kernel;
  int lanes;
  uint64_t dropped;       /* batches beyond the limits of the records, which hold nothing of their items */
  uint64_t limit;         /* of batches that would have kept those of every record */
  uint64_t items_dropped; /* items of batches that are kept, of which records hold nothing */
  uint64_t left_out;      /* batches that failed or were submitted to a device, and items with a term that is no number */
  struct tac_event_costs *costs;
  struct tac_cost_model model; /* made by tac_costs_fit; its texts are those above */
};

/* Adds what a record holds. INVALID: it is no record of a program's run, of another program than those before, or an event has
 * other terms than there, or there are too many; a member is not what it should be. */
enum tac_status tac_costs_add(struct tac_costs *costs, const json_t *record, struct tac_error *error);

/* Fits every event, and makes the model. INVALID: there is nothing to fit. */
enum tac_status tac_costs_fit(struct tac_costs *costs, struct tac_error *error);

void tac_costs_release(struct tac_costs *costs);

#endif
