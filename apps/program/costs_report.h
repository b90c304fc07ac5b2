/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_COSTS_REPORT_H
#define APPS_PROGRAM_COSTS_REPORT_H

#include <stdio.h>

#include <tactus/measure/cost_model.h>
#include <tactus/measure/recorder.h>

#include "apps/program/json.h"
#include "measure/cost_comparison.h"

/* What a model says of an event against what was seen. No items: nothing was seen. */
struct tac_costs_row {
  const struct tac_event_costs *costs;
  struct tac_cost_comparison seen;
};

/* One row an event of the model, in its order; rows has room for all. The recorder's kept batches with terms count, but for
 * those of submissions to a device, whose times are not the items', and those that failed; NULL: nothing was seen. `of`: the
 * events that the model was loaded for. */
enum tac_status tac_costs_compare(struct tac_costs_row *rows, const struct tac_cost_model *model,
                                  const struct tac_recorder *recorder, const struct tac_event_terms *of, size_t count,
                                  struct tac_error *error);

/* Two tables: predicted over seen of each event that was seen; and the lanes' idle shares of those with batches on several
 * lanes. Nothing where nothing was seen. */
void tac_costs_print(FILE *stream, const struct tac_costs_row *rows, size_t count);

/* An array of objects, one a row. */
json_t *tac_costs_json(const struct tac_costs_row *rows, size_t count, int *failed);

/* The same after an empty line and the heading of a run with --costs=path. */
void tac_costs_print_of(FILE *stream, const char *path, const struct tac_costs_row *rows, size_t count);

/* Of a run with --costs=path: the tables under that heading; the member `costs` of its JSON. */
enum tac_status tac_costs_print_run(FILE *stream, const char *path, const struct tac_cost_model *model,
                                    const struct tac_recorder *recorder, const struct tac_event_terms *of, size_t count,
                                    struct tac_error *error);
json_t *tac_costs_json_run(const char *path, const struct tac_cost_model *model, const struct tac_recorder *recorder,
                           const struct tac_event_terms *of, size_t count, int *failed);

#endif
