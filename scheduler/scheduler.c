/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/scheduler/scheduler.h>

#include <string.h>

#include <tactus/runtime/device.h>

#include "measure/device_observer.h"
#include "runtime/arena.h"
#include "scheduler/entries.h"
#include "scheduler/state.h"

void tac_scheduler_options_init(struct tac_scheduler_options *options) {
  *options = (struct tac_scheduler_options){.size = sizeof *options, .executor = "threads", .level = TAC_OFF};
  tac_executor_options_init(&options->executor_options);
}

static enum tac_status check_table(const struct tac_executor *table, struct tac_error *error) {
  if (table->abi != TAC_EXECUTOR_ABI)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_scheduler_create", "the executor table has ABI %u, this library %d",
                         (unsigned)table->abi, TAC_EXECUTOR_ABI);
  if (!table->device != !table->queue)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_scheduler_create",
                         "the executor table has a device without queues, or queues without one");
  if (!table->name || !table->probe || !table->create || !table->destroy || !table->lanes || !table->run)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_scheduler_create", "the executor table has empty entries");
  return TAC_STATUS_OK;
}

/* The executor to use, found, checked and able to run here. */
static enum tac_status choose_executor(const struct tac_executor **out, const struct tac_scheduler_options *options,
                                       struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  *out = options->table;
  if (!*out)
    status = tac_executor_find(out, options->executor ? options->executor : "threads", error);
  if (status == TAC_STATUS_OK)
    status = check_table(*out, error);
  if (status == TAC_STATUS_OK)
    status = (*out)->probe(error);
  return status;
}

static enum tac_status check_options(const struct tac_scheduler_options *options, struct tac_error *error) {
  if (!options || options->size != sizeof *options)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_scheduler_create", "options not filled by tac_scheduler_options_init");
  if ((unsigned)options->level >= TAC_LEVEL_COUNT)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_scheduler_create", "unknown level %d", (int)options->level);
  return TAC_STATUS_OK;
}

static enum tac_status create_lanes(struct tac_scheduler *scheduler, struct tac_error *error) {
  const struct tac_allocator *allocator = scheduler->allocator;
  struct tac_run_place *place = &scheduler->place;
  const int lanes = scheduler->executor->lanes(scheduler->state);
  if (lanes < 1)
    return tac_error_set(error, TAC_STATUS_CONTRACT, "tac_scheduler_create", "the executor %s has %d lanes",
                         scheduler->executor->name, lanes);
  place->lane = allocator->allocate(allocator->context, (size_t)lanes * sizeof *place->lane);
  place->failure = allocator->allocate(allocator->context, (size_t)lanes * sizeof *place->failure);
  if (!place->lane || !place->failure)
    return tac_error_set(error, TAC_STATUS_MEMORY, "tac_scheduler_create", "no memory for %d lanes", lanes);
  for (; place->lanes < lanes; place->lanes++) {
    struct tac_lane *lane = &place->lane[place->lanes];
    struct tac_lane_failure *failure = &place->failure[place->lanes];
    memset(failure, 0, sizeof *failure);
    *lane = (struct tac_lane){.number = place->lanes, .count = lanes, .error = &failure->error};
    if (scheduler->executor->queue) {
      lane->queue = scheduler->executor->queue(scheduler->state, place->lanes);
      lane->native = tac_queue_native(lane->queue);
    }
    const enum tac_status status = tac_arena_create(&lane->arena, allocator, error);
    if (status != TAC_STATUS_OK)
      return status;
  }
  return TAC_STATUS_OK;
}

/* A measured level sees what the queues of a device executor do, unless the caller has an observer of their own. */
static enum tac_status observe(struct tac_scheduler *scheduler, const struct tac_executor *executor,
                               struct tac_executor_options *options, struct tac_error *error) {
  if (scheduler->level == TAC_OFF || !executor->device)
    return TAC_STATUS_OK;
  options->timing = 1;
  if (options->observer)
    return TAC_STATUS_OK;
  const int lanes = options->lanes > 0 ? options->lanes : tac_processors_allowed();
  const enum tac_status status =
      tac_device_observation_create(&scheduler->observation, lanes, scheduler->allocator, NULL, error);
  if (status == TAC_STATUS_OK) {
    options->observer = tac_device_observation_observer();
    options->observer_context = tac_device_observation_context(scheduler->observation);
  }
  return status;
}

enum tac_status tac_scheduler_create(struct tac_scheduler **out, const struct tac_scheduler_options *options,
                                     struct tac_error *error) {
  if (!out)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no place for the scheduler");
  *out = NULL;
  const struct tac_executor *executor = NULL;
  enum tac_status status = check_options(options, error);
  if (status == TAC_STATUS_OK)
    status = choose_executor(&executor, options, error);
  if (status != TAC_STATUS_OK)
    return status;
  const struct tac_allocator *allocator = options->allocator ? options->allocator : tac_allocator_system();
  struct tac_scheduler *scheduler = allocator->allocate(allocator->context, sizeof *scheduler);
  if (!scheduler)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a scheduler");
  *scheduler = (struct tac_scheduler){.allocator = allocator, .level = options->level};
  scheduler->measured = tac_measured_entries_of(options->level);
  struct tac_executor_options executor_options = options->executor_options;
  if (!executor_options.allocator)
    executor_options.allocator = allocator;
  status = observe(scheduler, executor, &executor_options, error);
  if (status == TAC_STATUS_OK)
    status = executor->create(&scheduler->state, &executor_options, error);
  if (status == TAC_STATUS_OK) {
    scheduler->executor = executor;
    status = create_lanes(scheduler, error);
  }
  if (status != TAC_STATUS_OK)
    tac_scheduler_destroy(&scheduler);
  *out = scheduler;
  return status;
}

void tac_scheduler_destroy(struct tac_scheduler **scheduler) {
  if (!scheduler || !*scheduler)
    return;
  struct tac_scheduler *gone = *scheduler;
  const struct tac_allocator *allocator = gone->allocator;
  for (int k = 0; k < gone->place.lanes; k++)
    tac_arena_destroy(&gone->place.lane[k].arena);
  allocator->release(allocator->context, gone->place.lane);
  allocator->release(allocator->context, gone->place.failure);
  allocator->release(allocator->context, gone->order_memory);
  if (gone->executor)
    gone->executor->destroy(gone->state);
  tac_device_observation_destroy(&gone->observation);
  allocator->release(allocator->context, gone);
  *scheduler = NULL;
}

int tac_scheduler_lanes(const struct tac_scheduler *scheduler) {
  return scheduler->place.lanes;
}

const struct tac_executor *tac_scheduler_executor(const struct tac_scheduler *scheduler) {
  return scheduler->executor;
}

enum tac_level tac_scheduler_level(const struct tac_scheduler *scheduler) {
  return scheduler->level;
}

struct tac_device *tac_scheduler_device(const struct tac_scheduler *scheduler) {
  return scheduler->executor->device ? scheduler->executor->device(scheduler->state) : NULL;
}

struct tac_queue *tac_scheduler_queue(const struct tac_scheduler *scheduler) {
  return scheduler->place.lane[0].queue;
}

enum tac_status tac_scheduler_take_device_counters(struct tac_scheduler *scheduler, struct tac_device_counters *counters,
                                                   struct tac_error *error) {
  if (!scheduler)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no scheduler");
  if (!scheduler->observation)
    return tac_error_set(error, TAC_STATUS_UNAVAILABLE, __func__,
                         "only a measured scheduler on a device executor counts launches, fences and copies");
  if (atomic_exchange_explicit(&scheduler->busy, 1, memory_order_acquire))
    return tac_error_set(error, TAC_STATUS_BUSY, __func__, "%s", tac_status_text(TAC_STATUS_BUSY));
  const enum tac_status status = tac_device_observation_take(scheduler->observation, counters, error);
  atomic_store_explicit(&scheduler->busy, 0, memory_order_release);
  return status;
}
