/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_SCHEDULER_SCHEDULER_H
#define TACTUS_SCHEDULER_SCHEDULER_H

#include <stddef.h>

#include <tactus/measure/level.h>
#include <tactus/runtime/executor.h>
#include <tactus/scheduler/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tac_device_counters;
struct tac_recorder;

/* An executor with its lanes and one measurement level, both fixed at creation. Serves one caller at a time. */
struct tac_scheduler;

struct tac_scheduler_options {
  size_t size;                      /* sizeof(struct tac_scheduler_options) */
  const char *executor;             /* a name of tac_executor_list; default "threads" */
  const struct tac_executor *table; /* not NULL: this executor instead of a named one; outlives the scheduler */
  struct tac_executor_options executor_options;
  enum tac_level level;                  /* default off */
  const struct tac_allocator *allocator; /* NULL: the system's; for orders, lanes and arenas */
};
TAC_API void tac_scheduler_options_init(struct tac_scheduler_options *options);

/* INVALID: unknown name (the nearest is suggested), unknown level, wrong size or ABI, serial with several lanes.
 * UNAVAILABLE: the executor cannot run here; the text says why and what to do. It never falls back to another. */
TAC_API enum tac_status tac_scheduler_create(struct tac_scheduler **out, const struct tac_scheduler_options *options,
                                             struct tac_error *error);
TAC_API void tac_scheduler_destroy(struct tac_scheduler **scheduler);

TAC_API int tac_scheduler_lanes(const struct tac_scheduler *scheduler);
TAC_API const struct tac_executor *tac_scheduler_executor(const struct tac_scheduler *scheduler);
TAC_API enum tac_level tac_scheduler_level(const struct tac_scheduler *scheduler);
/* Of a device executor: its device, and the queue that the scheduler's caller may use between batches (lane 0's). NULL on a
 * host executor. */
TAC_API struct tac_device *tac_scheduler_device(const struct tac_scheduler *scheduler);
TAC_API struct tac_queue *tac_scheduler_queue(const struct tac_scheduler *scheduler);

/* Adds the launches, fences and copies of all lanes since the last call, those between batches included, to `counters`, and
 * forgets them. UNAVAILABLE: the scheduler's level is off, its executor has no device, or the caller has an observer of their
 * own in the executor's options. BUSY as a batch. */
TAC_API enum tac_status tac_scheduler_take_device_counters(struct tac_scheduler *scheduler,
                                                           struct tac_device_counters *counters, struct tac_error *error);

/* Runs a batch and joins: returns only after every item that started has ended. Each index is started at most once.
 * Unmeasured, whatever the scheduler's level.
 *
 * OK also for count 0. INVALID before anything starts: no scheduler or batch, no item function, a cost that is NaN, infinite or
 * negative, an unknown failure mode. MEMORY before anything starts. BUSY: another caller, or an item of this scheduler, is
 * inside. Otherwise the status of the failed item with the lowest index among those that failed; error->item is its index and
 * the text what it wrote to its lane. After a failure under TAC_STOP_ON_FAILURE which items ran depends on timing. */
TAC_API enum tac_status tac_run_batch(struct tac_scheduler *scheduler, const struct tac_batch *batch, struct tac_error *error);

/* The same, recorded under batch->event at the scheduler's level. INVALID: no recorder, event outside its set, cost
 * terms that are malformed. LEVEL: the recorder's level is not the scheduler's (off included); nothing has started then. BUSY
 * also: the recorder is recording a batch already (the one around an item, or of another thread). The batch is recorded also
 * when it fails, not when it is refused before anything starts. A failure to record never hides an item's. CONTRACT
 * (detailed): the executor started an index twice, or left one out. */
TAC_API enum tac_status tac_run_batch_measured(struct tac_scheduler *scheduler, const struct tac_batch *batch,
                                               struct tac_recorder *recorder, struct tac_error *error);

/* At the end of a phase of `recorder` whose work on the device the caller submitted itself: waits for the caller's queue, and
 * adds the device time of what was submitted since the last batch to the open phases. A measured batch needs none: it has
 * drained its queues at its join. OK at once on a host executor. INVALID: no scheduler or no recorder. BUSY as a batch. DEVICE:
 * something failed since the queue finished last. */
TAC_API enum tac_status tac_scheduler_sync(struct tac_scheduler *scheduler, struct tac_recorder *recorder,
                                           struct tac_error *error);

/* A batch inside an item, through the item's lane: runs serially on that lane, unmeasured or with a recorder that the item
 * owns (any level but off). Same contract otherwise; lane->error is not touched. */
TAC_API enum tac_status tac_lane_run_batch(struct tac_lane *lane, const struct tac_batch *batch, struct tac_error *error);
TAC_API enum tac_status tac_lane_run_batch_measured(struct tac_lane *lane, const struct tac_batch *batch,
                                                    struct tac_recorder *recorder, struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
