/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_COST_TERMS_H
#define TACTUS_MEASURE_COST_TERMS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TAC_COST_TERMS_MAX 8

/* What the time of an item may be made of: numbers that are known before it runs, such as the multiplications of its product or
 * the launches it makes. Seconds for one of each are found by a fit (tactus/measure/cost_fit.h). Constant, outlives every
 * recorder that has seen it. */
struct tac_cost_terms {
  size_t count;             /* 1 to TAC_COST_TERMS_MAX */
  const char *const *names; /* "m*n*k", all different */
  /* Writes the `count` values of item `index`, each finite and not negative. `context` is that of the batch. Called on the
   * caller's thread: for a recorder that keeps slots before a batch's items start, and where somebody wants to know a cost. */
  void (*values)(const void *context, size_t index, double *values);
};

/* The terms of an event. */
struct tac_event_terms {
  const char *event; /* its name in the event set */
  const struct tac_cost_terms *terms;
};

/* Fitted seconds for a unit of each, in their order; tac_cost_model_bind fills them. */
struct tac_bound_costs {
  int known; /* 0: none were fitted */
  size_t terms;
  double seconds[TAC_COST_TERMS_MAX];
};

/* Predicted seconds of an item with these values of its terms: by seconds for a unit of each, fitted or bound. */
static inline double tac_cost_seconds(const double *seconds, const double *values, size_t terms) {
  double sum = 0;
  for (size_t t = 0; t < terms; t++)
    sum += seconds[t] * values[t];
  return sum;
}

#ifdef __cplusplus
}
#endif
#endif
