/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_COSTS_H
#define APPS_TACTUS_COSTS_H

#include <jansson.h>

#include <tactus/measure/cost_fit.h>
#include <tactus/measure/cost_model.h>

#include "measure/cost_comparison.h"

#define TAC_COSTS_EVENTS_MOST 100 /* of a program, with terms */

/* What the batches of one event hold, of all records: their items one after the other. Until tac_costs_fit a batch
 * has no arrays, and any cost that is not NULL if it has some. */
struct tac_costs_event {
  char *name, *term_name[TAC_COST_TERMS_MAX];
  size_t terms;
  size_t items, item_room, batches, batch_room;
  double *values;         /* values[item*terms + term] */
  double *seconds, *cost; /* of each item */
  int64_t *duration_ns;
  size_t *begin;                /* of each batch, in items */
  struct tac_seen_batch *batch; /* its arrays are set by tac_costs_fit */
  struct tac_cost_fit fit;
  struct tac_term_cost term[TAC_COST_TERMS_MAX];
};

/* Events of records, and what these agree on: NULL and 0 where they do not. */
struct tac_costs {
  struct tac_costs_event event[TAC_COSTS_EVENTS_MOST];
  size_t events, records;
  char *program, *version, *executor, *blas_name, *blas_kernel;
  int lanes;
  uint64_t left_out; /* batches that failed or were submitted to a device, and items with a term that is no number */
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
