/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_DEVICE_QUEUE_H
#define RUNTIME_DEVICE_QUEUE_H

#include <tactus/runtime/device.h>
#include <tactus/runtime/executor.h>

#include "runtime/device/backend.h"

/* Opening a device; what an executor does. NULL observer: nobody is told. */
struct tac_device_options {
  int number, timing, blas_handles, solver_handles;
  const struct tac_device_observer *observer;
  void *observer_context;
  const struct tac_allocator *allocator;
};
enum tac_status tac_device_open(struct tac_device **out, const struct tac_backend *backend,
                                const struct tac_device_options *options, struct tac_error *error);
/* All queues are closed before; memory, programs and kernels that are left go with it. */
void tac_device_close(struct tac_device **device);

/* A lane's queue of `streams` streams. */
enum tac_status tac_queue_open(struct tac_queue **out, struct tac_device *device, int lane, int streams,
                               struct tac_error *error);
void tac_queue_close(struct tac_queue **queue);
int tac_queue_streams(const struct tac_queue *queue);
/* The next command goes to the next stream. */
void tac_queue_rotate(struct tac_queue *queue);

/* Host memory that a write reads: it changes or goes after tac_sent_settle. All zero: nothing is on its way. */
struct tac_sent {
  struct tac_queue *queue;
  int stream;
  uint64_t passes;
};
/* What the queue's current stream was given so far, which may read host memory: as commands of a vendor's library. */
struct tac_sent tac_queue_sent(struct tac_queue *queue);
/* tac_queue_write, noted in `sent`. */
enum tac_status tac_queue_send(struct tac_queue *queue, struct tac_device_memory *to, size_t to_offset, const void *from,
                               size_t bytes, struct tac_sent *sent, struct tac_error *error);
/* Waits for what was noted, unless the host has waited for its stream since: a fence labelled `label`. The queue is open, and
 * in use by no other thread. */
enum tac_status tac_sent_settle(struct tac_sent *sent, const char *label, struct tac_error *error);

/* ---- Times of commands, where the device was opened with timing. */

/* What is submitted from now on belongs to this item of a batch, or to one of the next. */
#define TAC_QUEUE_NO_ITEM TAC_COMMAND_NO_ITEM /* the caller's, between batches, or of a batch that nobody measures */
#define TAC_QUEUE_BATCH   ((size_t)-2)        /* of a measured batch, whichever item */
void tac_queue_set_item(struct tac_queue *queue, size_t item);
size_t tac_queue_item(const struct tac_queue *queue);

int tac_queue_keeps_times(const struct tac_queue *queue);
/* The commands since the last call, in the order of their submission; the queue has finished. The array is the queue's and
 * lasts until its next command. Fails where some are missing, also when a finish has told so before. */
enum tac_status tac_queue_take_intervals(struct tac_queue *queue, const struct tac_device_interval **intervals, size_t *count,
                                         struct tac_error *error);

/* ---- For the dense building blocks. */

const struct tac_backend *tac_device_backend(const struct tac_device *device);
void *tac_device_context(const struct tac_device *device); /* the backend's */
void *tac_memory_handle(const struct tac_device_memory *memory);
void *tac_queue_stream(const struct tac_queue *queue);
/* Around a call of a vendor's library on the queue's current stream: counted and timed as a launch of that label. event is NULL
 * where no time is kept. `status` is the call's outcome, and what _end returns. */
struct tac_queue_call {
  struct tac_backend_event *event;
  uint64_t handle;
};
struct tac_backend_event **tac_queue_call_begin(struct tac_queue *queue, struct tac_queue_call *call, const char *label);
enum tac_status tac_queue_call_end(struct tac_queue *queue, struct tac_queue_call *call, const char *label,
                                   enum tac_status status, struct tac_error *error);

/* What such a call, or one that plans, tells of itself: copies, and fences of that label, also within the launch. NULL where
 * there is no observer; lives as long as `watch`. */
struct tac_queue_watch {
  struct tac_queue *queue;
  const char *label;
  uint64_t fence;
  struct tac_backend_watcher watcher;
};
const struct tac_backend_watcher *tac_queue_watch(struct tac_queue *queue, struct tac_queue_watch *watch, const char *label);

#endif
