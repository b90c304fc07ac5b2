/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_SCHEDULER_BATCH_H
#define TACTUS_SCHEDULER_BATCH_H

#include <stddef.h>

#include <tactus/runtime/executor.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tac_cost_terms;

/* Runs item `index` on `lane`. Distinct indices run at once and must not conflict. A status other than OK fails the item. */
typedef enum tac_status (*tac_item_fn)(void *context, size_t index, struct tac_lane *lane);

/* Estimated cost of item `index` in the caller's own unit, finite and not negative. Called on the caller's thread. */
typedef double (*tac_cost_fn)(const void *context, size_t index);

enum tac_failure_mode {
  TAC_STOP_ON_FAILURE = 0, /* after a failure no item starts */
  TAC_RUN_ALL = 1          /* every item runs; the failure reported is then the same for every executor */
};

/* One batch; plain values, borrowed for the call. Zero-initialise it and set what differs: {.count=…, .item=…, .context=…}. */
struct tac_batch {
  size_t count;     /* items; 0 is a success */
  tac_item_fn item; /* required when count > 0 */
  tac_cost_fn cost; /* NULL: index order. Otherwise largest first, ties by index */
  void *context;    /* handed to item and cost; the batch never looks at it */
  int event;        /* which event of the recorder's set this batch is; unmeasured runs ignore it */
  enum tac_failure_mode failure_mode;
  double inline_below; /* a batch whose summed cost is below this runs on the caller's thread; 0: never */
  /* Positions per claim. 0: 1 with a cost; otherwise chosen from count and lanes, at most 1/16 of a lane's share and at
   * most 32. Unlike items: give a cost, or grain 1. */
  size_t grain;
  /* 1: what items have submitted to the device through the caller's queue may still be in progress there when an unmeasured
   * batch returns OK. What is submitted to that queue next comes after it; a read, a mapping or tac_queue_finish waits for it,
   * and brings a failure of the device. 0: the join waits, as it does for the queues of other lanes, after a failure, where the
   * queue has several streams, and in a measured batch, whose seconds are its own. Host executors: no difference. */
  int leave_queued;
  /* What the costs are made of, for a recorder at detailed that keeps slots: it asks for the terms of every item before the
   * first one starts, outside of the batch's time. Others ask for none; malformed ones no measured batch takes. NULL: nothing
   * is told. */
  const struct tac_cost_terms *terms;
};

#ifdef __cplusplus
}
#endif
#endif
