/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_COST_MODEL_H
#define TACTUS_MEASURE_COST_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/measure/cost_terms.h>
#include <tactus/measure/report.h>
#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>
#include <tactus/runtime/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the file form; it changes when a key changes its meaning or goes away. */
#define TAC_COSTS_SCHEMA 1

/* So that no sum over the items of a batch overflows. */
#define TAC_TERM_SECONDS_MOST 1e15

struct tac_term_cost {
  const char *name;
  double seconds; /* for one unit, 0 to TAC_TERM_SECONDS_MOST */
};

struct tac_event_costs {
  const char *event;
  size_t terms; /* 1 to TAC_COST_TERMS_MAX */
  const struct tac_term_cost *term;
  uint64_t items; /* that these were fitted from */
  double median_relative_error;
};

/* What a unit of each term of each event of a program takes, by a fit on some machine. Plain values, a caller's own or read
 * from a file; texts may be NULL and lanes 0 where they are not known, as after a fit from runs that differ in them. */
struct tac_cost_model {
  const char *program; /* whose events these are */
  const char *version, *executor;
  int lanes;
  const char *blas_name, *blas_kernel;
  size_t events;
  const struct tac_event_costs *event;
};

/* Reads {"schema":1,"kind":"costs","program":…,"version":…,"executor":…,"lanes":…,"blas":{"name":…,"kernel":…},
 * "events":[{"name":…,"terms":[{"name":…,"seconds":…}],"items":…,"median_relative_error":…}]}; further members are ignored.
 * INVALID, with the member in the text: not JSON, of another kind or schema, a member missing or of the wrong type, seconds
 * that are negative or too many, an event or a term of it named twice, no term or more than TAC_COST_TERMS_MAX. MEMORY. */
TAC_API enum tac_status tac_cost_model_read(struct tac_cost_model **out, const char *text, size_t bytes,
                                            const struct tac_allocator *allocator, struct tac_error *error);
/* One that was read. */
TAC_API void tac_cost_model_destroy(struct tac_cost_model **model);

/* Writes it in that form. INVALID: no model or no sink, or seconds that are negative or too many. IO. MEMORY. */
TAC_API enum tac_status tac_cost_model_write(const struct tac_cost_model *model, const struct tac_allocator *allocator,
                                             tac_sink_fn sink, void *context, struct tac_error *error);

/* Finds each of the `count` events in the model; out[i] belongs to of[i], a term that the model lacks takes 0. INVALID, with
 * the member in the text: the model has an event or a term that the algorithm has not, or seconds that are negative or too
 * many. Allocates nothing. */
TAC_API enum tac_status tac_cost_model_bind(struct tac_bound_costs *out, const struct tac_cost_model *model,
                                            const struct tac_event_terms *of, size_t count, struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
