/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef SCHEDULER_RUN_H
#define SCHEDULER_RUN_H

#include <stdalign.h>
#include <stdatomic.h>

#include <tactus/runtime/executor.h>
#include <tactus/scheduler/batch.h>

/* The failures of one lane: what the items fill, and the failure with the lowest index so far. Kept from batch to batch
 * and empty between them, so that a batch without a failure writes none of it. */
struct tac_lane_failure {
  alignas(TAC_ALIGNMENT) struct tac_error error; /* lane->error points here */
  struct tac_error kept;
  size_t index;
  enum tac_status status;
};

/* One batch while it runs. The executor sees `work`. */
struct tac_run {
  struct tac_work work; /* first: an executor hands back a pointer to it */
  tac_item_fn item;
  void *context;
  const size_t *order; /* index at each position; NULL: the position itself */
  size_t grain;        /* positions per claim */
  struct tac_lane_failure *failure;
  int run_all;
  int ran_inline;
  atomic_int stop, failed;
  alignas(TAC_ALIGNMENT) atomic_size_t next; /* first position not yet claimed */
};

/* What a run is planned from: the lanes of a scheduler, or the one lane of a nested batch. */
struct tac_run_place {
  struct tac_lane *lane;
  struct tac_lane_failure *failure;
  int lanes;
};

/* INVALID for a batch that cannot run whatever its costs are. */
enum tac_status tac_batch_check(const struct tac_batch *batch, struct tac_error *error);

/* Fills a run: order, lanes, grain, inline or not. `order_memory` holds tac_order_bytes(count) bytes when the batch has a
 * cost. INVALID for a cost that is not finite or negative. */
enum tac_status tac_run_plan(struct tac_run *run, const struct tac_run_place *place, const struct tac_batch *batch,
                             void *order_memory, struct tac_error *error);

/* Called on the lane when an item returned anything but OK. */
void tac_run_note_failure(struct tac_run *run, const struct tac_lane *lane, size_t index, enum tac_status status);

/* On device executors, where the only lane has several streams: the items, each on the next one. 0: nothing was done, as there
 * is one stream or one item. */
int tac_run_on_streams(struct tac_run *run);

/* On device executors, after the items have returned: waits for what the lanes that took part submitted, and empties their
 * queues also after a failure. With `leave` lane 0's keeps what it has where all went well, and its order is that of one
 * stream. Returns `status`, or the first failure of the device where that was OK. */
enum tac_status tac_run_finish_queues(struct tac_run *run, int leave, enum tac_status status, struct tac_error *error);

/* After the join: the failure of the lowest index, else what the executor returned, with a text in any case. Empties the lanes'
 * failures. */
enum tac_status tac_run_collect(struct tac_run *run, enum tac_status executor_status, struct tac_error *error);

/* An item that fails without a word must not inherit the words of an item before it. */
static inline void tac_lane_clear_error(const struct tac_lane *lane) {
  lane->error->native_code = 0;
  lane->error->where[0] = '\0';
  lane->error->text[0] = '\0';
}

#endif
