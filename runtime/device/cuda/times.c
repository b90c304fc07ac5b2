/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Times of commands. CUDA tells how long after one event another was recorded, in single precision and by the device's clock.
 * A base is an event whose moment on CLOCK_MONOTONIC was measured between two reads of it; what is submitted until the next
 * base is placed by this one. Both moments of a command are taken from the base, and not one from the other, since rounding is
 * monotone: what follows in a stream never seems to begin before its predecessor has ended. */
#include <stdlib.h>
#include <time.h>

#include "runtime/device/cuda/cuda.h"

#ifndef TAC_CUDA_BASE_AGE_NS /* tests renew at every turn */
#define TAC_CUDA_BASE_AGE_NS 2000000000
#endif
#define BASE_TRIES 5

struct tac_cuda_base {
  cudaEvent_t event;
  int64_t host_ns;
  long users; /* events that refer to it, and one for being the current */
};

struct tac_backend_event {
  cudaEvent_t start, finish;
  int64_t submitted_ns;
  struct tac_cuda_base *base;
  struct tac_backend_event *next;
};

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void destroy_event(cudaEvent_t event) {
  if (event)
    tac_cuda_check(cudaEventDestroy(event), "cudaEventDestroy", NULL);
}

static void free_base(struct tac_cuda_base *base) {
  if (base) {
    destroy_event(base->event);
    free(base);
  }
}

/* With the mutex held. */
static struct tac_cuda_base *drop_base(struct tac_cuda_base *base) {
  return base && --base->users == 0 ? base : NULL;
}

/* Of several tries the one that took the least time, which bounds the error: half of it. */
static enum tac_status measure_base(struct tac_cuda *cuda, struct tac_cuda_base *base, struct tac_error *error) {
  cudaEvent_t tried = NULL;
  int64_t shortest = INT64_MAX;
  enum tac_status status = tac_cuda_check(cudaEventCreate(&base->event), "cudaEventCreate", error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaEventCreate(&tried), "cudaEventCreate", error);
  for (int k = 0; status == TAC_STATUS_OK && k < BASE_TRIES; k++) {
    const int64_t before = now_ns();
    status = tac_cuda_check(cudaEventRecord(tried, cuda->clock), "cudaEventRecord", error);
    if (status == TAC_STATUS_OK)
      status = tac_cuda_check(cudaEventSynchronize(tried), "cudaEventSynchronize", error);
    const int64_t after = now_ns();
    if (status == TAC_STATUS_OK && after - before < shortest) {
      const cudaEvent_t other = base->event;
      base->event = tried;
      tried = other;
      shortest = after - before;
      base->host_ns = before + shortest / 2;
    }
  }
  destroy_event(tried);
  return status;
}

static enum tac_status make_base(struct tac_cuda *cuda, struct tac_error *error) {
  struct tac_cuda_base *base = calloc(1, sizeof(*base));
  if (!base)
    return tac_cuda_no_memory(error);
  const enum tac_status status = measure_base(cuda, base, error);
  if (status == TAC_STATUS_OK) {
    base->users = 1;
    pthread_mutex_lock(&cuda->mutex);
    struct tac_cuda_base *old = cuda->base;
    cuda->base = base;
    base = drop_base(old);
    pthread_mutex_unlock(&cuda->mutex);
  }
  free_base(base);
  return status;
}

enum tac_status tac_cuda_times_open(struct tac_cuda *cuda, struct tac_error *error) {
  enum tac_status status =
      tac_cuda_check(cudaStreamCreateWithFlags(&cuda->clock, cudaStreamNonBlocking), "cudaStreamCreateWithFlags", error);
  if (status == TAC_STATUS_OK)
    status = make_base(cuda, error);
  return status;
}

void tac_cuda_times_close(struct tac_cuda *cuda) {
  for (struct tac_backend_event *event = cuda->events, *next; event; event = next) {
    next = event->next;
    destroy_event(event->start);
    destroy_event(event->finish);
    free(event);
  }
  cuda->events = NULL;
  free_base(cuda->base);
  cuda->base = NULL;
  if (cuda->clock)
    tac_cuda_check(cudaStreamDestroy(cuda->clock), "cudaStreamDestroy", NULL);
  cuda->clock = NULL;
}

enum tac_status tac_cuda_times_renew(struct tac_cuda *cuda, struct tac_error *error) {
  pthread_mutex_lock(&cuda->mutex);
  const bool is_old = now_ns() - cuda->base->host_ns > TAC_CUDA_BASE_AGE_NS;
  pthread_mutex_unlock(&cuda->mutex);
  return is_old ? make_base(cuda, error) : TAC_STATUS_OK;
}

static enum tac_status new_event(struct tac_backend_event **out, struct tac_error *error) {
  struct tac_backend_event *event = calloc(1, sizeof(*event));
  if (!event)
    return tac_cuda_no_memory(error);
  enum tac_status status = tac_cuda_check(cudaEventCreate(&event->start), "cudaEventCreate", error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaEventCreate(&event->finish), "cudaEventCreate", error);
  if (status == TAC_STATUS_OK) {
    *out = event;
    return status;
  }
  destroy_event(event->start);
  free(event);
  return status;
}

static enum tac_status take_event(struct tac_cuda *cuda, struct tac_backend_event **out, struct tac_error *error) {
  pthread_mutex_lock(&cuda->mutex);
  struct tac_backend_event *event = cuda->events;
  if (event)
    cuda->events = event->next;
  pthread_mutex_unlock(&cuda->mutex);
  if (!event) {
    const enum tac_status status = new_event(&event, error);
    if (status != TAC_STATUS_OK)
      return status;
  }
  pthread_mutex_lock(&cuda->mutex);
  event->base = cuda->base;
  event->base->users++;
  pthread_mutex_unlock(&cuda->mutex);
  *out = event;
  return TAC_STATUS_OK;
}

void tac_cuda_discard(void *context, struct tac_backend_event *event) {
  struct tac_cuda *cuda = context;
  if (!event)
    return;
  pthread_mutex_lock(&cuda->mutex);
  struct tac_cuda_base *unused = drop_base(event->base);
  event->base = NULL;
  event->next = cuda->events;
  cuda->events = event;
  pthread_mutex_unlock(&cuda->mutex);
  free_base(unused);
}

enum tac_status tac_cuda_command_begin(struct tac_cuda *cuda, const struct tac_cuda_stream *stream,
                                       struct tac_backend_event **event, struct tac_error *error) {
  enum tac_status status = tac_cuda_enter(cuda, error);
  if (!event)
    return status;
  *event = NULL;
  if (status == TAC_STATUS_OK)
    status = take_event(cuda, event, error);
  if (status != TAC_STATUS_OK)
    return status;
  (*event)->submitted_ns = now_ns();
  status = tac_cuda_check(cudaEventRecord((*event)->start, stream->stream), "cudaEventRecord", error);
  if (status != TAC_STATUS_OK) {
    tac_cuda_discard(cuda, *event);
    *event = NULL;
  }
  return status;
}

enum tac_status tac_cuda_command_end(struct tac_cuda *cuda, const struct tac_cuda_stream *stream,
                                     struct tac_backend_event **event, enum tac_status status, struct tac_error *error) {
  if (!event)
    return status;
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaEventRecord((*event)->finish, stream->stream), "cudaEventRecord", error);
  if (status != TAC_STATUS_OK) {
    tac_cuda_discard(cuda, *event);
    *event = NULL;
  }
  return status;
}

static enum tac_status place(const struct tac_cuda_base *base, cudaEvent_t event, int64_t *at_ns, struct tac_error *error) {
  float milliseconds = 0;
  const enum tac_status status =
      tac_cuda_check(cudaEventElapsedTime(&milliseconds, base->event, event), "cudaEventElapsedTime", error);
  if (status == TAC_STATUS_OK)
    *at_ns = base->host_ns + (int64_t)((double)milliseconds * 1e6);
  return status;
}

static int64_t clamped(int64_t at, int64_t least, int64_t most) {
  return at < least ? least : at > most ? most : at;
}

/* A command runs after its submission and before its times are asked for; the clocks know that less exactly than we do. The
 * interval only shrinks by it, so no two of a stream come to overlap. */
enum tac_status tac_cuda_times(void *context, struct tac_backend_event *event, int64_t *start_ns, int64_t *finish_ns,
                               struct tac_error *error) {
  struct tac_cuda *cuda = context;
  int64_t start = 0, finish = 0;
  enum tac_status status = tac_cuda_enter(cuda, error);
  if (status == TAC_STATUS_OK)
    status = place(event->base, event->start, &start, error);
  if (status == TAC_STATUS_OK)
    status = place(event->base, event->finish, &finish, error);
  if (status == TAC_STATUS_OK) {
    const int64_t now = now_ns();
    *start_ns = clamped(start, event->submitted_ns, now);
    *finish_ns = clamped(finish, *start_ns, now);
  }
  tac_cuda_discard(cuda, event);
  return status;
}
