/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Times of commands: events are kept as commands are submitted and read when the queue has finished. */
#include <string.h>

#include "runtime/device/queue_state.h"

/* Intervals that nobody takes are those of unmeasured work; they are dropped when there are this many of all. */
enum { INTERVALS_MOST = 1 << 16 };

int tac_queue_keeps_times(const struct tac_queue *queue) {
  return queue->device->options.timing;
}

void tac_queue_set_item(struct tac_queue *queue, size_t item) {
  queue->item = item;
}

size_t tac_queue_item(const struct tac_queue *queue) {
  return queue->item;
}

static void *grow(const struct tac_device *device, void *old, size_t count, size_t *room, size_t size) {
  const size_t larger = *room ? 2 * *room : 64;
  void *memory = tac_device_allocate(device, larger * size);
  if (!memory)
    return NULL;
  if (count > 0)
    memcpy(memory, old, count * size);
  tac_device_free(device, old);
  *room = larger;
  return memory;
}

enum tac_status tac_queue_keep_event(struct tac_queue *queue, enum tac_command_kind kind, const char *label,
                                     struct tac_backend_event *event, enum tac_status status, struct tac_error *error) {
  if (!event)
    return status;
  const struct tac_device *device = queue->device;
  if (!status && queue->commands == queue->command_room) {
    void *larger = grow(device, queue->command, queue->commands, &queue->command_room, sizeof *queue->command);
    if (larger)
      queue->command = larger;
    else
      status = tac_error_set(error, TAC_STATUS_MEMORY, label, "no memory to keep the times of %zu commands", queue->commands);
  }
  if (status) {
    device->backend->discard(device->context, event);
    queue->missing = status;
    return status;
  }
  queue->command[queue->commands++] = (struct tac_timed_command){
      event, {.label = label, .kind = kind, .lane = queue->lane, .stream = queue->current, .item = queue->item}};
  return TAC_STATUS_OK;
}

void tac_queue_forget_times(struct tac_queue *queue) {
  const struct tac_device *device = queue->device;
  for (size_t i = 0; i < queue->commands; i++)
    device->backend->discard(device->context, queue->command[i].event);
  queue->commands = 0;
}

static void drop_unmeasured(struct tac_queue *queue) {
  size_t kept = 0;
  for (size_t i = 0; i < queue->intervals; i++)
    if (queue->interval[i].item != TAC_QUEUE_NO_ITEM)
      queue->interval[kept++] = queue->interval[i];
  queue->intervals = kept;
}

static enum tac_status make_room(struct tac_queue *queue, struct tac_error *error) {
  if (queue->intervals > INTERVALS_MOST)
    drop_unmeasured(queue);
  while (queue->intervals + queue->commands > queue->interval_room) {
    void *larger = grow(queue->device, queue->interval, queue->intervals, &queue->interval_room, sizeof *queue->interval);
    if (!larger)
      return tac_error_set(error, TAC_STATUS_MEMORY, "finish", "no memory for the times of %zu commands", queue->commands);
    queue->interval = larger;
  }
  return TAC_STATUS_OK;
}

enum tac_status tac_queue_resolve_times(struct tac_queue *queue, struct tac_error *error) {
  const struct tac_device *device = queue->device;
  if (queue->commands == 0)
    return TAC_STATUS_OK;
  enum tac_status status = make_room(queue, error);
  if (status) {
    tac_queue_forget_times(queue);
    queue->missing = status;
    return status;
  }
  for (size_t i = 0; i < queue->commands; i++) {
    struct tac_device_interval interval = queue->command[i].interval;
    const enum tac_status read = device->backend->times(device->context, queue->command[i].event, &interval.start_ns,
                                                        &interval.finish_ns, status ? NULL : error);
    if (!read)
      queue->interval[queue->intervals++] = interval;
    status = status ? status : read;
  }
  queue->commands = 0;
  queue->missing = status ? status : queue->missing;
  return status;
}

enum tac_status tac_queue_take_intervals(struct tac_queue *queue, const struct tac_device_interval **intervals, size_t *count,
                                         struct tac_error *error) {
  enum tac_status status = tac_queue_resolve_times(queue, error);
  *intervals = queue->interval;
  *count = queue->intervals;
  if (!status && queue->missing)
    status = tac_error_set(error, queue->missing, "times", "a time was lost before");
  queue->intervals = 0;
  queue->missing = TAC_STATUS_OK;
  return status;
}
