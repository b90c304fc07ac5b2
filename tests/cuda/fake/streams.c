/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Streams that put off their commands until somebody waits, and events. The device's clock is not the host's: it began at
 * another time and runs a little fast. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/cuda/fake/runtime.h"

#define CLOCK_AHEAD_S 54321.0
#define CLOCK_RATE    (1 + 2e-5)

struct CUevent_st {
  bool has_time;
  int users;          /* the owner, and commands */
  long recorded, ran; /* how many times */
  double device_s;
  struct CUstream_st *stream; /* of the last record */
};

struct command {
  void (*run)(void *data); /* NULL: about an event */
  struct CUevent_st *event;
  long record; /* which one: to be done, or waited for with is_wait */
  bool is_wait;
  struct command *next;
  _Alignas(16) char data[];
};

struct CUstream_st {
  int device;
  struct command *first, **last;
  struct CUstream_st *next;
};

static struct CUstream_st *streams;

static double device_clock_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec) * CLOCK_RATE + CLOCK_AHEAD_S;
}

bool fake_is_stream(cudaStream_t stream) {
  for (const struct CUstream_st *known = streams; known; known = known->next)
    if (known == stream)
      return known->device == fake_current_device();
  return false;
}

static void leave_event(struct CUevent_st *event) {
  if (--event->users == 0)
    free(event);
}

static void run_first(struct CUstream_st *stream);

static void run_until(struct CUevent_st *event, long record) {
  while (event->ran < record && event->stream->first)
    run_first(event->stream);
}

static void run_first(struct CUstream_st *stream) {
  struct command *command = stream->first;
  if (command->is_wait)
    run_until(command->event, command->record);
  else if (command->event) {
    command->event->ran = command->record;
    command->event->device_s = device_clock_s();
  } else if (fake_loss() == cudaSuccess) /* a lost device runs nothing more */
    command->run(command->data);
  if (command->event)
    leave_event(command->event);
  stream->first = command->next;
  if (!stream->first)
    stream->last = &stream->first;
  free(command);
}

static void run_stream(struct CUstream_st *stream) {
  while (stream->first)
    run_first(stream);
}

void fake_run_all_streams(void) {
  for (struct CUstream_st *stream = streams; stream; stream = stream->next)
    run_stream(stream);
}

static cudaError_t append(struct CUstream_st *stream, const struct command *what, const void *data, size_t bytes) {
  if (!fake_is_stream(stream))
    return cudaErrorInvalidResourceHandle;
  struct command *command = malloc(sizeof(*command) + bytes);
  if (!command)
    return cudaErrorMemoryAllocation;
  memcpy(command, what, sizeof(*command));
  if (bytes)
    memcpy(command->data, data, bytes);
  if (command->event)
    command->event->users++;
  command->next = NULL;
  *stream->last = command;
  stream->last = &command->next;
  return cudaSuccess;
}

cudaError_t fake_enqueue(cudaStream_t stream, void (*run)(void *data), const void *data, size_t bytes) {
  const struct command command = {.run = run};
  return append(stream, &command, data, bytes);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned int flags) {
  fake_lock();
  cudaError_t code = fake_runtime_outcome("cudaStreamCreateWithFlags");
  struct CUstream_st *stream = code == cudaSuccess && flags == cudaStreamNonBlocking ? calloc(1, sizeof(*stream)) : NULL;
  if (stream) {
    stream->device = fake_current_device();
    stream->last = &stream->first;
    stream->next = streams;
    *out = streams = stream;
    fake_count(FAKE_STREAM, 1);
  } else if (code == cudaSuccess) {
    code = cudaErrorInvalidValue;
  }
  fake_unlock();
  return code;
}

/* Also with a lost device: what it held is free then. */
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  fake_lock();
  cudaError_t code = fake_runtime_outcome("cudaStreamDestroy");
  if (fake_is_stream(stream)) {
    run_stream(stream);
    struct CUstream_st **at = &streams;
    while (*at != stream)
      at = &(*at)->next;
    *at = stream->next;
    free(stream);
    fake_count(FAKE_STREAM, -1);
  } else if (code == cudaSuccess) {
    code = cudaErrorInvalidResourceHandle;
  }
  fake_unlock();
  return code;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  fake_lock();
  cudaError_t code = fake_runtime_outcome("cudaStreamSynchronize");
  if (!fake_is_stream(stream))
    code = code ? code : cudaErrorInvalidResourceHandle;
  else if (code == cudaSuccess) {
    run_stream(stream);
    code = fake_loss();
  }
  fake_unlock();
  return code;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  (void)flags;
  fake_lock();
  cudaError_t code = fake_runtime_outcome("cudaStreamWaitEvent");
  if (code == cudaSuccess && event->recorded > 0) {
    const struct command command = {.event = event, .record = event->recorded, .is_wait = true};
    code = append(stream, &command, NULL, 0);
  }
  fake_unlock();
  return code;
}

static cudaError_t create_event(const char *function, cudaEvent_t *out, bool has_time) {
  fake_lock();
  cudaError_t code = fake_runtime_outcome(function);
  struct CUevent_st *event = code == cudaSuccess ? calloc(1, sizeof(*event)) : NULL;
  if (event) {
    event->has_time = has_time;
    event->users = 1;
    *out = event;
    fake_count(FAKE_EVENT, 1);
  }
  fake_unlock();
  return code;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return create_event("cudaEventCreate", event, true);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  return create_event("cudaEventCreateWithFlags", event, !(flags & cudaEventDisableTiming));
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  fake_lock();
  const cudaError_t code = fake_runtime_outcome("cudaEventDestroy");
  leave_event(event);
  fake_count(FAKE_EVENT, -1);
  fake_unlock();
  return code;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  fake_lock();
  cudaError_t code = fake_runtime_outcome("cudaEventRecord");
  if (code == cudaSuccess) {
    const struct command command = {.event = event, .record = event->recorded + 1};
    code = append(stream, &command, NULL, 0);
  }
  if (code == cudaSuccess) {
    if (event->stream && event->stream != stream)
      run_until(event, event->recorded); /* one record at a time */
    event->recorded++;
    event->stream = stream;
  }
  fake_unlock();
  return code;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  fake_lock();
  cudaError_t code = fake_runtime_outcome("cudaEventSynchronize");
  if (code == cudaSuccess)
    run_until(event, event->recorded);
  fake_unlock();
  return code;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  fake_lock();
  cudaError_t code = fake_runtime_outcome("cudaEventElapsedTime");
  if (code == cudaSuccess && (!start->has_time || !end->has_time || !start->recorded || !end->recorded))
    code = cudaErrorInvalidResourceHandle;
  if (code == cudaSuccess && (start->ran < start->recorded || end->ran < end->recorded))
    code = cudaErrorNotReady;
  if (code == cudaSuccess)
    *milliseconds = (float)(1e3 * (end->device_s - start->device_s));
  fake_unlock();
  return code;
}

/* ---- Copies. */

struct copy {
  void *to;
  const void *from;
  size_t bytes;
  enum cudaMemcpyKind kind;
};

static void run_copy(void *data) {
  const struct copy *copy = data;
  const bool to_device = copy->kind != cudaMemcpyDeviceToHost, from_device = copy->kind != cudaMemcpyHostToDevice;
  void *to = to_device ? fake_seen(copy->to, copy->bytes) : copy->to;
  const void *from = from_device ? fake_seen(copy->from, copy->bytes) : copy->from;
  if (to && from)
    memcpy(to, from, copy->bytes);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  fake_lock();
  cudaError_t code = fake_runtime_outcome("cudaMemcpyAsync");
  const struct copy copy = {to, from, bytes, kind};
  if (code == cudaSuccess)
    code = fake_enqueue(stream, run_copy, &copy, sizeof(copy));
  if (code == cudaSuccess)
    fake_count_copy(kind, bytes);
  fake_unlock();
  return code;
}

struct fill {
  char *to;
  size_t pitch, width, height;
  int value;
};

static void run_fill(void *data) {
  const struct fill *fill = data;
  for (size_t row = 0; row < fill->height; row++) {
    void *to = fake_seen(fill->to + row * fill->pitch, fill->width);
    if (to)
      memset(to, fill->value, fill->width);
  }
}

static cudaError_t enqueue_fill(const char *function, const struct fill *fill, cudaStream_t stream) {
  fake_lock();
  cudaError_t code = fake_runtime_outcome(function);
  if (code == cudaSuccess && fill->width > fill->pitch)
    code = cudaErrorInvalidValue;
  if (code == cudaSuccess)
    code = fake_enqueue(stream, run_fill, fill, sizeof(*fill));
  fake_unlock();
  return code;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
  const struct fill fill = {to, bytes, bytes, 1, value};
  return enqueue_fill("cudaMemsetAsync", &fill, stream);
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  const struct fill fill = {to, pitch, width, height, value};
  return enqueue_fill("cudaMemset2DAsync", &fill, stream);
}
