/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_DEVICE_QUEUE_STATE_H
#define RUNTIME_DEVICE_QUEUE_STATE_H

#include "runtime/device/device.h"

/* A command whose times are not read yet. */
struct tac_timed_command {
  struct tac_backend_event *event;
  struct tac_device_interval interval; /* but for its times */
};

struct tac_queue {
  struct tac_device *device;
  int lane, streams, current;
  void **stream;
  uint64_t *passes; /* of each stream: how often the host has waited for all that was submitted to it */
  /* With timing only: */
  size_t item;
  struct tac_timed_command *command;
  size_t commands, command_room;
  struct tac_device_interval *interval;
  size_t intervals, interval_room;
  enum tac_status missing; /* why times of commands were not kept, since they were last taken */
};

/* Takes the event of a command that was submitted with `status`; NULL events are accepted. Returns that status, or MEMORY where
 * there is no room to keep the event. */
enum tac_status tac_queue_keep_event(struct tac_queue *queue, enum tac_command_kind kind, const char *label,
                                     struct tac_backend_event *event, enum tac_status status, struct tac_error *error);

/* Reads the times of all commands, which have finished. */
enum tac_status tac_queue_resolve_times(struct tac_queue *queue, struct tac_error *error);

/* Drops events that were not read. */
void tac_queue_forget_times(struct tac_queue *queue);

#endif
