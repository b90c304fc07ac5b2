/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_COST_FIT_H
#define TACTUS_MEASURE_COST_FIT_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/measure/cost_terms.h>
#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>
#include <tactus/runtime/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Items of one event that have been seen. */
struct tac_cost_samples {
  size_t items, terms;
  const double *values;  /* values[item*terms + term], finite and not negative */
  const double *seconds; /* of each item, finite and not negative */
};

/* Why a term has the seconds that it has. */
enum tac_cost_term_state {
  TAC_COST_TERM_FITTED = 0, /* more than 0 */
  TAC_COST_TERM_ABSENT,     /* 0: the term is 0 in every item */
  TAC_COST_TERM_COLLINEAR,  /* 0: in every item the same sum of fitted terms */
  TAC_COST_TERM_UNUSED      /* 0: any seconds above make the fit worse */
};

struct tac_cost_fit {
  size_t terms;
  double seconds[TAC_COST_TERMS_MAX]; /* for one unit of each term */
  enum tac_cost_term_state state[TAC_COST_TERMS_MAX];
  uint64_t items, distinct;     /* samples, and how many different sets of values they have */
  double residual_seconds;      /* root mean square of predicted less seen, over all items */
  double r_squared;             /* share of the variance of y, below, that is explained; 0 where it does not vary */
  double median_relative_error; /* median of |predicted - seen| / seen over all items */
};

/* Seen durations below this count as this: what the clock's own reads take is most of them. */
#define TAC_COST_SHORTEST_SECONDS 1e-7

/* Seconds for a unit of each term, none negative, that predict the items. With y the median of the seconds of the items that
 * have equal values, n their number and p = sum over terms of seconds times value they minimise
 *
 *   sum over different values of  n y h((p - y) / y),   h Huber's function
 *
 * so an item counts as much as its time does, by the relative error of its prediction: in squares up to twice the spread of
 * these errors (1.4826 times their median), linearly beyond, so that the few items during which the lane was taken away do not
 * matter. Solved by active sets (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23), weights renewed until
 * they settle.
 *
 * INVALID: no items, 0 or more than TAC_COST_TERMS_MAX terms, a value or seconds that are negative, not finite or beyond 1e100.
 * MEMORY. Thread-safe. */
TAC_API enum tac_status tac_cost_fit_items(struct tac_cost_fit *out, const struct tac_cost_samples *samples,
                                           const struct tac_allocator *allocator, struct tac_error *error);

/* "fitted", "always 0", "collinear", "unused". */
TAC_API const char *tac_cost_term_state_name(enum tac_cost_term_state state);

#ifdef __cplusplus
}
#endif
#endif
