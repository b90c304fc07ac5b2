/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/device/queue_state.h"

#include <string.h>

enum tac_status tac_queue_open(struct tac_queue **out, struct tac_device *device, int lane, int streams,
                               struct tac_error *error) {
  *out = NULL;
  struct tac_queue *queue = tac_device_allocate(device, sizeof *queue);
  if (!queue)
    return tac_error_set(error, TAC_STATUS_MEMORY, device->backend->name, "no memory for a queue");
  *queue = (struct tac_queue){.device = device, .lane = lane, .item = TAC_QUEUE_NO_ITEM};
  queue->stream = tac_device_allocate(device, (size_t)streams * sizeof *queue->stream);
  queue->passes = tac_device_allocate(device, (size_t)streams * sizeof *queue->passes);
  enum tac_status status = TAC_STATUS_OK;
  if (!queue->stream || !queue->passes)
    status = tac_error_set(error, TAC_STATUS_MEMORY, device->backend->name, "no memory for a queue");
  else
    memset(queue->passes, 0, (size_t)streams * sizeof *queue->passes);
  for (; !status && queue->streams < streams; queue->streams += !status)
    status = device->backend->open_stream(device->context, &queue->stream[queue->streams], error);
  if (status)
    tac_queue_close(&queue);
  *out = queue;
  return status;
}

void tac_queue_close(struct tac_queue **queue) {
  if (!queue || !*queue)
    return;
  struct tac_queue *gone = *queue;
  struct tac_device *device = gone->device;
  for (int k = 0; gone->stream && k < gone->streams; k++) {
    device->backend->finish(device->context, gone->stream[k], NULL);
    device->backend->close_stream(device->context, gone->stream[k]);
  }
  tac_queue_forget_times(gone);
  tac_device_free(device, gone->command);
  tac_device_free(device, gone->interval);
  tac_device_free(device, gone->passes);
  tac_device_free(device, gone->stream);
  tac_device_free(device, gone);
  *queue = NULL;
}

int tac_queue_streams(const struct tac_queue *queue) {
  return queue->streams;
}

void tac_queue_rotate(struct tac_queue *queue) {
  queue->current = (queue->current + 1) % queue->streams;
}

struct tac_device *tac_queue_device(const struct tac_queue *queue) {
  return queue->device;
}

void *tac_queue_stream(const struct tac_queue *queue) {
  return queue->stream[queue->current];
}

void *tac_queue_native(const struct tac_queue *queue) {
  return queue->device->backend->native(tac_queue_stream(queue));
}

struct tac_argument tac_argument_value(const void *value, size_t bytes) {
  struct tac_argument argument = {NULL, {0}, bytes};
  memcpy(argument.value, value, bytes < sizeof argument.value ? bytes : sizeof argument.value);
  return argument;
}

/* ---- Who is told. */

static void begin_fence(const struct tac_queue *queue, const char *label, uint64_t *handle) {
  const struct tac_device_options *options = &queue->device->options;
  if (options->observer)
    options->observer->fence_begin(options->observer_context, queue->lane, label, handle);
}

static void end_fence(const struct tac_queue *queue, uint64_t handle) {
  const struct tac_device_options *options = &queue->device->options;
  if (options->observer)
    options->observer->fence_end(options->observer_context, queue->lane, handle);
}

static void tell_copy(const struct tac_queue *queue, enum tac_copy_direction direction, size_t bytes) {
  const struct tac_device_options *options = &queue->device->options;
  if (options->observer)
    options->observer->copy(options->observer_context, queue->lane, direction, bytes);
}

struct tac_backend_event **tac_queue_call_begin(struct tac_queue *queue, struct tac_queue_call *call, const char *label) {
  const struct tac_device_options *options = &queue->device->options;
  *call = (struct tac_queue_call){NULL, 0};
  if (options->observer)
    options->observer->launch_begin(options->observer_context, queue->lane, label, &call->handle);
  return options->timing ? &call->event : NULL;
}

enum tac_status tac_queue_call_end(struct tac_queue *queue, struct tac_queue_call *call, const char *label,
                                   enum tac_status status, struct tac_error *error) {
  const struct tac_device_options *options = &queue->device->options;
  if (options->observer)
    options->observer->launch_end(options->observer_context, queue->lane, call->handle);
  return tac_queue_keep_event(queue, TAC_COMMAND_LAUNCH, label, call->event, status, error);
}

static void watched_copy(void *context, enum tac_copy_direction direction, size_t bytes) {
  const struct tac_queue_watch *watch = context;
  tell_copy(watch->queue, direction, bytes);
}

static void watched_wait_begin(void *context) {
  struct tac_queue_watch *watch = context;
  begin_fence(watch->queue, watch->label, &watch->fence);
}

static void watched_wait_end(void *context) {
  const struct tac_queue_watch *watch = context;
  end_fence(watch->queue, watch->fence);
}

const struct tac_backend_watcher *tac_queue_watch(struct tac_queue *queue, struct tac_queue_watch *watch, const char *label) {
  if (!queue->device->options.observer)
    return NULL;
  *watch = (struct tac_queue_watch){queue, label, 0, {watch, watched_copy, watched_wait_begin, watched_wait_end}};
  return &watch->watcher;
}

/* ---- Commands. */

static enum tac_status convert_arguments(struct tac_backend_argument *out, const struct tac_launch *launch,
                                         struct tac_error *error) {
  if (launch->argument_count > TAC_LAUNCH_ARGUMENTS_MAX)
    return tac_error_set(error, TAC_STATUS_INVALID, launch->kernel->name, "%zu arguments, more than %d", launch->argument_count,
                         TAC_LAUNCH_ARGUMENTS_MAX);
  for (size_t i = 0; i < launch->argument_count; i++) {
    const struct tac_argument *argument = &launch->arguments[i];
    if (!argument->memory && (argument->bytes == 0 || argument->bytes > sizeof argument->value))
      return tac_error_set(error, TAC_STATUS_INVALID, launch->kernel->name, "argument %zu has %zu bytes", i, argument->bytes);
    out[i] =
        (struct tac_backend_argument){argument->memory ? argument->memory->handle : NULL, argument->value, argument->bytes};
  }
  return TAC_STATUS_OK;
}

enum tac_status tac_queue_launch(struct tac_queue *queue, const struct tac_launch *launch, struct tac_error *error) {
  struct tac_backend_argument arguments[TAC_LAUNCH_ARGUMENTS_MAX];
  size_t items[3];
  if (!launch->kernel || (launch->argument_count > 0 && !launch->arguments))
    return tac_error_set(error, TAC_STATUS_INVALID, "launch", "no %s", launch->kernel ? "arguments" : "kernel");
  for (int d = 0; d < 3; d++) {
    if (launch->groups[d] == 0)
      return TAC_STATUS_OK;
    items[d] = launch->items[d] ? launch->items[d] : 1;
  }
  enum tac_status status = convert_arguments(arguments, launch, error);
  if (status)
    return status;
  struct tac_queue_call call;
  struct tac_backend_event **event = tac_queue_call_begin(queue, &call, launch->kernel->name);
  status = queue->device->backend->launch(queue->device->context, tac_queue_stream(queue), launch->kernel->handle,
                                          launch->groups, items, arguments, launch->argument_count, event, error);
  return tac_queue_call_end(queue, &call, launch->kernel->name, status, error);
}

static enum tac_status check_host(const void *bytes, const char *what, struct tac_error *error) {
  return bytes ? TAC_STATUS_OK : tac_error_set(error, TAC_STATUS_INVALID, what, "no memory on the host");
}

static enum tac_status check_range(const struct tac_device_memory *memory, size_t offset, size_t bytes, const char *what,
                                   struct tac_error *error) {
  if (!memory)
    return tac_error_set(error, TAC_STATUS_INVALID, what, "no memory block");
  if (offset > memory->capacity || bytes > memory->capacity - offset)
    return tac_error_set(error, TAC_STATUS_INVALID, what, "bytes %zu to %zu of a block of %zu", offset, offset + bytes,
                         memory->capacity);
  return TAC_STATUS_OK;
}

enum tac_status tac_queue_write(struct tac_queue *queue, struct tac_device_memory *to, size_t to_offset, const void *from,
                                size_t bytes, struct tac_error *error) {
  enum tac_status status = check_range(to, to_offset, bytes, "write", error);
  if (!status && bytes > 0)
    status = check_host(from, "write", error);
  if (status || bytes == 0)
    return status;
  struct tac_backend_event *event = NULL;
  status = queue->device->backend->write(queue->device->context, tac_queue_stream(queue), to->handle, to_offset, from, bytes,
                                         queue->device->options.timing ? &event : NULL, error);
  if (!status)
    tell_copy(queue, TAC_COPY_TO_DEVICE, bytes);
  return tac_queue_keep_event(queue, TAC_COMMAND_COPY, "write", event, status, error);
}

enum tac_status tac_queue_read(struct tac_queue *queue, const struct tac_device_memory *from, size_t from_offset, void *to,
                               size_t bytes, struct tac_error *error) {
  enum tac_status status = check_range(from, from_offset, bytes, "read", error);
  if (!status && bytes > 0)
    status = check_host(to, "read", error);
  if (status || bytes == 0)
    return status;
  struct tac_backend_event *event = NULL;
  uint64_t handle = 0;
  begin_fence(queue, "read", &handle);
  status = queue->device->backend->read(queue->device->context, tac_queue_stream(queue), from->handle, from_offset, to, bytes,
                                        queue->device->options.timing ? &event : NULL, error);
  end_fence(queue, handle);
  if (!status) {
    queue->passes[queue->current]++;
    tell_copy(queue, TAC_COPY_TO_HOST, bytes);
  }
  return tac_queue_keep_event(queue, TAC_COMMAND_COPY, "read", event, status, error);
}

enum tac_status tac_queue_copy(struct tac_queue *queue, struct tac_device_memory *to, size_t to_offset,
                               const struct tac_device_memory *from, size_t from_offset, size_t bytes,
                               struct tac_error *error) {
  enum tac_status status = check_range(to, to_offset, bytes, "copy", error);
  if (!status)
    status = check_range(from, from_offset, bytes, "copy", error);
  if (status || bytes == 0)
    return status;
  struct tac_backend_event *event = NULL;
  status = queue->device->backend->copy(queue->device->context, tac_queue_stream(queue), to->handle, to_offset, from->handle,
                                        from_offset, bytes, queue->device->options.timing ? &event : NULL, error);
  if (!status)
    tell_copy(queue, TAC_COPY_ON_DEVICE, bytes);
  return tac_queue_keep_event(queue, TAC_COMMAND_COPY, "copy", event, status, error);
}

enum tac_status tac_queue_clear(struct tac_queue *queue, struct tac_device_memory *memory, size_t offset, size_t bytes,
                                struct tac_error *error) {
  enum tac_status status = check_range(memory, offset, bytes, "clear", error);
  if (status || bytes == 0)
    return status;
  struct tac_queue_call call;
  struct tac_backend_event **event = tac_queue_call_begin(queue, &call, "clear");
  status = queue->device->backend->clear(queue->device->context, tac_queue_stream(queue), memory->handle, offset, bytes, event,
                                         error);
  return tac_queue_call_end(queue, &call, "clear", status, error);
}

/* ---- What was sent and may not have arrived. */

struct tac_sent tac_queue_sent(struct tac_queue *queue) {
  return (struct tac_sent){queue, queue->current, queue->passes[queue->current]};
}

enum tac_status tac_queue_send(struct tac_queue *queue, struct tac_device_memory *to, size_t to_offset, const void *from,
                               size_t bytes, struct tac_sent *sent, struct tac_error *error) {
  *sent = tac_queue_sent(queue);
  return tac_queue_write(queue, to, to_offset, from, bytes, error);
}

enum tac_status tac_sent_settle(struct tac_sent *sent, const char *label, struct tac_error *error) {
  struct tac_queue *queue = sent->queue;
  if (!queue || queue->passes[sent->stream] != sent->passes)
    return TAC_STATUS_OK;
  const enum tac_status status = tac_queue_finish(queue, label, error);
  *sent = (struct tac_sent){NULL, 0, 0};
  return status;
}

/* ---- Mapping. */

static enum tac_status make_staging(struct tac_device_memory *memory, size_t bytes, struct tac_error *error) {
  if (bytes <= memory->staging_bytes)
    return TAC_STATUS_OK;
  const struct tac_device *device = memory->device;
  void *larger = tac_device_allocate(device, bytes);
  if (!larger)
    return tac_error_set(error, TAC_STATUS_MEMORY, "map", "no memory on the host for %zu bytes", bytes);
  tac_device_free(device, memory->staging);
  memory->staging = larger;
  memory->staging_bytes = bytes;
  return TAC_STATUS_OK;
}

/* Where memory is not shared: what was submitted is done after the read, or after a finish where nothing is read. */
static enum tac_status map_by_copy(struct tac_queue *queue, struct tac_device_memory *memory, size_t offset, size_t bytes,
                                   enum tac_map_mode mode, int wait, struct tac_error *error) {
  const struct tac_device *device = queue->device;
  enum tac_status status = tac_sent_settle(&memory->staging_sent, "map", error);
  if (!status)
    status = make_staging(memory, bytes > 0 ? bytes : 1, error);
  if (!status && mode & TAC_MAP_READ && bytes > 0)
    return tac_queue_read(queue, memory, offset, memory->staging, bytes, error);
  if (status || !wait)
    return status;
  uint64_t handle = 0;
  begin_fence(queue, "map", &handle);
  status = device->backend->finish(device->context, tac_queue_stream(queue), error);
  end_fence(queue, handle);
  if (!status)
    queue->passes[queue->current]++;
  return status;
}

/* Where it is. */
static enum tac_status map_shared(struct tac_queue *queue, struct tac_device_memory *memory, size_t offset, size_t bytes,
                                  enum tac_map_mode mode, int wait, struct tac_error *error) {
  const struct tac_device *device = queue->device;
  uint64_t handle = 0;
  if (wait)
    begin_fence(queue, "map", &handle);
  const enum tac_status status = device->backend->map(device->context, tac_queue_stream(queue), memory->handle, offset, bytes,
                                                      mode, wait, &memory->mapped, error);
  if (wait)
    end_fence(queue, handle);
  if (wait && !status)
    queue->passes[queue->current]++;
  if (!status)
    tell_copy(queue, TAC_COPY_MAPPED, bytes);
  return status;
}

static enum tac_status map(struct tac_queue *queue, struct tac_device_memory *memory, size_t offset, size_t bytes,
                           enum tac_map_mode mode, int wait, void **out, struct tac_error *error) {
  *out = NULL;
  const struct tac_device *device = queue->device;
  enum tac_status status = check_range(memory, offset, bytes, "map", error);
  if (status)
    return status;
  if (mode < TAC_MAP_READ || mode > TAC_MAP_READ_WRITE)
    return tac_error_set(error, TAC_STATUS_INVALID, "map", "there is no mode %d", (int)mode);
  if (memory->mapped)
    return tac_error_set(error, TAC_STATUS_INVALID, "map", "the block is mapped already");
  if (device->backend->map && device->info.shares_memory && bytes > 0) {
    status = map_shared(queue, memory, offset, bytes, mode, wait, error);
  } else {
    status = map_by_copy(queue, memory, offset, bytes, mode, wait, error);
    memory->mapped = status ? NULL : memory->staging;
  }
  memory->mapped_offset = offset;
  memory->mapped_bytes = bytes;
  memory->mapped_mode = mode;
  *out = memory->mapped;
  return status;
}

enum tac_status tac_queue_map(struct tac_queue *queue, struct tac_device_memory *memory, size_t offset, size_t bytes,
                              enum tac_map_mode mode, void **out, struct tac_error *error) {
  return map(queue, memory, offset, bytes, mode, 1, out, error);
}

enum tac_status tac_queue_map_begin(struct tac_queue *queue, struct tac_device_memory *memory, size_t offset, size_t bytes,
                                    enum tac_map_mode mode, void **out, struct tac_error *error) {
  return map(queue, memory, offset, bytes, mode, 0, out, error);
}

enum tac_status tac_queue_unmap(struct tac_queue *queue, struct tac_device_memory *memory, struct tac_error *error) {
  const struct tac_device *device = queue->device;
  void *mapped = memory ? memory->mapped : NULL;
  if (!mapped)
    return tac_error_set(error, TAC_STATUS_INVALID, "unmap", "the block is not mapped");
  memory->mapped = NULL;
  if (mapped != memory->staging)
    return device->backend->unmap(device->context, tac_queue_stream(queue), memory->handle, mapped, error);
  if (memory->mapped_mode & TAC_MAP_WRITE)
    return tac_queue_send(queue, memory, memory->mapped_offset, mapped, memory->mapped_bytes, &memory->staging_sent, error);
  return TAC_STATUS_OK;
}

/* ---- Waiting. */

enum tac_status tac_queue_wait(struct tac_queue *queue, struct tac_queue *other, struct tac_error *error) {
  const struct tac_device *device = queue->device;
  enum tac_status status = TAC_STATUS_OK;
  for (int k = 0; k < other->streams && !status; k++)
    if (other->stream[k] != tac_queue_stream(queue))
      status = device->backend->wait(device->context, tac_queue_stream(queue), other->stream[k], error);
  return status;
}

enum tac_status tac_queue_finish(struct tac_queue *queue, const char *label, struct tac_error *error) {
  const struct tac_device *device = queue->device;
  enum tac_status status = TAC_STATUS_OK;
  uint64_t handle = 0;
  begin_fence(queue, label ? label : "finish", &handle);
  for (int k = 0; k < queue->streams; k++) { /* all of them, also after a failure */
    const enum tac_status finished = device->backend->finish(device->context, queue->stream[k], status ? NULL : error);
    status = status ? status : finished;
    queue->passes[k]++;
  }
  end_fence(queue, handle);
  const enum tac_status timed = tac_queue_resolve_times(queue, status ? NULL : error);
  return status ? status : timed;
}
