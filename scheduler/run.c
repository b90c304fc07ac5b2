/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "scheduler/run.h"

#include <string.h>

#include "scheduler/order.h"

enum tac_status tac_batch_check(const struct tac_batch *batch, struct tac_error *error) {
  if (!batch)
    return tac_error_set(error, TAC_STATUS_INVALID, "batch", "no batch");
  if (batch->count > 0 && !batch->item)
    return tac_error_set(error, TAC_STATUS_INVALID, "batch", "a batch of %zu items has no item function", batch->count);
  if (batch->failure_mode != TAC_STOP_ON_FAILURE && batch->failure_mode != TAC_RUN_ALL)
    return tac_error_set(error, TAC_STATUS_INVALID, "batch", "unknown failure mode %d", (int)batch->failure_mode);
  return TAC_STATUS_OK;
}

/* A claim of several positions costs less, and the last one costs balance: at most 1/16 of a lane's share, and never so
 * many that a few long neighbours could end up one after the other on one lane. With a cost the order is the balance, so
 * positions go one by one. Never above the count, so that the shared index cannot wrap. */
static size_t choose_grain(const struct tac_batch *batch, int lanes) {
  if (batch->grain)
    return batch->grain < batch->count ? batch->grain : batch->count;
  if (batch->cost)
    return 1;
  enum { MOST = 32 }; /* from here on a claim is small beside even the shortest items */
  const size_t grain = batch->count / (16 * (size_t)lanes);
  if (grain > MOST)
    return MOST;
  return grain ? grain : 1;
}

enum tac_status tac_run_plan(struct tac_run *run, const struct tac_run_place *place, const struct tac_batch *batch,
                             void *order_memory, struct tac_error *error) {
  double cost = (double)batch->count;
  run->order = NULL;
  run->work.lanes = run->ran_inline = 0;
  if (batch->cost && batch->count > 0) {
    const enum tac_status status = tac_order_by_cost(&run->order, &cost, order_memory, batch, error);
    if (status != TAC_STATUS_OK)
      return status;
  }
  int lanes = batch->count < (size_t)place->lanes ? (int)batch->count : place->lanes;
  if (lanes > 1 && cost < batch->inline_below)
    lanes = 1;
  run->item = batch->item;
  run->context = batch->context;
  run->failure = place->failure;
  run->run_all = batch->failure_mode == TAC_RUN_ALL;
  run->ran_inline = lanes == 1;
  run->grain = lanes > 1 ? choose_grain(batch, lanes) : 1;
  run->work.count = batch->count;
  run->work.lanes = lanes;
  run->work.lane = place->lane;
  for (int k = 0; k < lanes; k++)
    place->lane[k].count = lanes;
  atomic_init(&run->stop, 0);
  atomic_init(&run->failed, 0);
  atomic_init(&run->next, 0);
  return TAC_STATUS_OK;
}

void tac_run_note_failure(struct tac_run *run, const struct tac_lane *lane, size_t index, enum tac_status status) {
  struct tac_lane_failure *failure = &run->failure[lane->number];
  if (failure->status == TAC_STATUS_OK || index < failure->index) {
    failure->kept = *lane->error;
    failure->index = index;
    failure->status = status;
  }
  atomic_store_explicit(&run->failed, 1, memory_order_relaxed);
  if (!run->run_all)
    atomic_store_explicit(&run->stop, 1, memory_order_relaxed);
}

static void report_failure(struct tac_error *error, const struct tac_lane_failure *failure) {
  if (!error)
    return;
  *error = failure->kept;
  if (!error->text[0])
    tac_error_set(error, failure->status, error->where[0] ? failure->kept.where : "item", "item %zu: %s", failure->index,
                  tac_status_text(failure->status));
  error->status = failure->status;
  error->native_code = failure->kept.native_code;
  error->item = failure->index;
}

/* An executor may fail without a word, or with a status that is none. */
static enum tac_status report_executor(struct tac_error *error, enum tac_status status) {
  if (status != TAC_STATUS_OK && error && (error->status != status || !error->text[0]))
    tac_error_set(error, status, "executor", "the executor returned %d: %s", (int)status, tac_status_text(status));
  return status;
}

enum tac_status tac_run_collect(struct tac_run *run, enum tac_status executor_status, struct tac_error *error) {
  if (!atomic_load_explicit(&run->failed, memory_order_relaxed))
    return report_executor(error, executor_status);
  const struct tac_lane_failure *lowest = &run->failure[0];
  for (int k = 1; k < run->work.lanes; k++) {
    const struct tac_lane_failure *failure = &run->failure[k];
    if (failure->status != TAC_STATUS_OK && (lowest->status == TAC_STATUS_OK || failure->index < lowest->index))
      lowest = failure;
  }
  const enum tac_status status = lowest->status;
  report_failure(error, lowest);
  for (int k = 0; k < run->work.lanes; k++)
    run->failure[k].status = TAC_STATUS_OK;
  return status;
}
