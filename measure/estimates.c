/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/estimates.h"

#include <stdint.h>
#include <string.h>

enum tac_status tac_estimates_check(const struct tac_cost_terms *terms, struct tac_error *error) {
  if (!terms)
    return TAC_STATUS_OK;
  if (terms->count < 1 || terms->count > TAC_COST_TERMS_MAX || !terms->names || !terms->values)
    return tac_error_set(error, TAC_STATUS_INVALID, "batch",
                         "cost terms want 1 to %d names and a function for their values, and there are %zu", TAC_COST_TERMS_MAX,
                         terms->count);
  for (size_t t = 0; t < terms->count; t++) {
    if (!terms->names[t])
      return tac_error_set(error, TAC_STATUS_INVALID, "batch", "cost term %zu has no name", t);
    for (size_t other = 0; other < t; other++)
      if (strcmp(terms->names[other], terms->names[t]) == 0)
        return tac_error_set(error, TAC_STATUS_INVALID, "batch", "two cost terms are named %s", terms->names[t]);
  }
  return TAC_STATUS_OK;
}

/* Room for `columns` numbers of each of `count` items. */
static int reserve(double **value, size_t *capacity, const struct tac_recorder *recorder, size_t columns, size_t count) {
  if (count <= *capacity / columns)
    return 1;
  double *larger = NULL;
  if (count <= SIZE_MAX / sizeof *larger / columns)
    larger = tac_recorder_allocate(recorder, columns * count * sizeof *larger);
  if (!larger)
    return 0;
  tac_recorder_release(recorder, *value);
  *value = larger;
  *capacity = columns * count;
  return 1;
}

static void take_terms(double *value, const struct tac_measured_batch *batch) {
  double values[TAC_COST_TERMS_MAX];
  for (size_t i = 0; i < batch->count; i++) {
    batch->terms->values(batch->context, i, values);
    for (size_t t = 0; t < batch->terms->count; t++)
      value[t * batch->count + i] = values[t];
  }
}

/* Before the first item, which may change what they are computed from. */
int tac_estimates_take(struct tac_kept_batch *kept, const struct tac_recorder *recorder,
                       const struct tac_measured_batch *batch) {
  struct tac_slots *slots = &kept->slots;
  if (batch->count == 0)
    return 1;
  if ((batch->cost && !reserve(&slots->cost, &slots->cost_capacity, recorder, 1, batch->count)) ||
      (batch->terms && !reserve(&slots->term, &slots->term_capacity, recorder, batch->terms->count, batch->count)))
    return 0;
  for (size_t i = 0; batch->cost && i < batch->count; i++)
    slots->cost[i] = batch->cost(batch->context, i);
  if (batch->terms)
    take_terms(slots->term, batch);
  kept->has_costs = batch->cost != NULL;
  kept->terms = batch->terms;
  return 1;
}
