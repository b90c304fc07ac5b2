/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Executors whose lanes submit to a device: the lanes are those of the threads executor, each with a queue. */
#include "runtime/executor_device.h"

#include <stdatomic.h>

#include "runtime/executor_options.h"
#include "runtime/executor_rows.h"

struct submitters {
  const struct tac_allocator *allocator;
  void *threads; /* the threads executor's state */
  struct tac_device *device;
  struct tac_queue **queue; /* one a lane */
  int lanes, several;       /* several: lanes have more than one stream */
};

static enum tac_status refuse(const char *name, struct tac_error *error, const char *what, int value, int least) {
  return tac_error_set(error, TAC_STATUS_INVALID, name, "%d %s: choose at least %d, or 0 for one a lane", value, what, least);
}

static enum tac_status check_handles(const char *name, const char *what, int handles, struct tac_error *error) {
  if (handles < 0)
    return refuse(name, error, what, handles, 1);
  if (handles > TAC_EXECUTOR_LANES_MAX)
    return tac_error_set(error, TAC_STATUS_INVALID, name, "%d %s: choose at most %d", handles, what, TAC_EXECUTOR_LANES_MAX);
  return TAC_STATUS_OK;
}

static enum tac_status check(const char *name, const struct tac_executor_options *options, struct tac_error *error) {
  if (options->streams < 0 || (options->streams > 0 && options->streams < options->lanes))
    return refuse(name, error, "streams", options->streams, options->lanes);
  if (options->streams > TAC_EXECUTOR_LANES_MAX)
    return tac_error_set(error, TAC_STATUS_INVALID, name, "%d streams: choose at most %d", options->streams,
                         TAC_EXECUTOR_LANES_MAX);
  const enum tac_status status = check_handles(name, "BLAS handles", options->blas_handles, error);
  return status ? status : check_handles(name, "solver handles", options->solver_handles, error);
}

void tac_submitters_destroy(void *state) {
  struct submitters *own = state;
  if (!own)
    return;
  for (int k = 0; own->queue && k < own->lanes; k++)
    tac_queue_close(&own->queue[k]);
  tac_device_close(&own->device);
  if (own->threads)
    tac_executor_threads.destroy(own->threads);
  own->allocator->release(own->allocator->context, own->queue);
  own->allocator->release(own->allocator->context, own);
}

/* Streams are dealt out evenly, the first lanes taking what is left over. */
static enum tac_status open_queues(struct submitters *own, int streams, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int k = 0; k < own->lanes && !status; k++) {
    const int share = streams / own->lanes + (k < streams % own->lanes);
    own->several |= share > 1;
    status = tac_queue_open(&own->queue[k], own->device, k, share, error);
  }
  return status;
}

enum tac_status tac_submitters_create(void **out, const struct tac_backend *backend, const struct tac_executor_options *given,
                                      struct tac_error *error) {
  struct tac_executor_options options;
  enum tac_status status = tac_executor_options_resolve(&options, given, backend->name, error);
  if (!status)
    status = check(backend->name, &options, error);
  if (status)
    return status;
  const struct tac_allocator *allocator = options.allocator;
  const size_t lanes = (size_t)options.lanes;
  struct submitters *own = allocator->allocate(allocator->context, sizeof *own);
  if (!own)
    return tac_error_set(error, TAC_STATUS_MEMORY, backend->name, "no memory for an executor");
  *own = (struct submitters){.allocator = allocator, .lanes = options.lanes};
  own->queue = allocator->allocate(allocator->context, lanes * sizeof(struct tac_queue *));
  if (!own->queue)
    status = tac_error_set(error, TAC_STATUS_MEMORY, backend->name, "no memory for %zu queues", lanes);
  for (size_t k = 0; own->queue && k < lanes; k++)
    own->queue[k] = NULL;
  const struct tac_device_options device_options = {.number = options.device,
                                                    .timing = options.timing,
                                                    .blas_handles = options.blas_handles ? options.blas_handles : options.lanes,
                                                    .solver_handles =
                                                        options.solver_handles ? options.solver_handles : options.lanes,
                                                    .observer = options.observer,
                                                    .observer_context = options.observer_context,
                                                    .allocator = allocator};
  if (!status)
    status = tac_device_open(&own->device, backend, &device_options, error);
  if (!status)
    status = open_queues(own, options.streams ? options.streams : options.lanes, error);
  if (options.spin_ns < 0)
    options.spin_ns = 0; /* the processors may be the device */
  if (!status)
    status = tac_executor_threads.create(&own->threads, &options, error);
  if (status)
    tac_submitters_destroy(own);
  else
    *out = own;
  return status;
}

int tac_submitters_lanes(const void *state) {
  return ((const struct submitters *)state)->lanes;
}

struct tac_device *tac_submitters_device(void *state) {
  return ((struct submitters *)state)->device;
}

struct tac_queue *tac_submitters_queue(void *state, int lane) {
  return ((struct submitters *)state)->queue[lane];
}

/* With several streams a lane positions are dealt out here, so that a lane can change to its next stream before each. */
struct dealt_work {
  struct tac_work work; /* first: the threads executor hands back a pointer to it */
  struct tac_work *whole;
  atomic_size_t next;
};

static void deal(struct tac_work *work, struct tac_lane *lane) {
  struct dealt_work *dealt = (struct dealt_work *)work;
  struct tac_work *whole = dealt->whole;
  for (;;) {
    const size_t position = atomic_fetch_add_explicit(&dealt->next, 1, memory_order_relaxed);
    if (position >= whole->count)
      return;
    tac_queue_rotate(lane->queue);
    lane->native = tac_queue_native(lane->queue);
    whole->one(whole, position, lane);
  }
}

enum tac_status tac_submitters_run(void *state, struct tac_work *work, struct tac_error *error) {
  const struct submitters *own = state;
  if (!own->several)
    return tac_executor_threads.run(own->threads, work, error);
  struct dealt_work dealt = {.work = *work, .whole = work};
  dealt.work.loop = deal;
  atomic_init(&dealt.next, 0);
  return tac_executor_threads.run(own->threads, &dealt.work, error);
}

static enum tac_status probe_opencl(struct tac_error *error) {
  size_t count;
  return tac_backend_opencl.list(NULL, 0, &count, error);
}

static enum tac_status create_opencl(void **out, const struct tac_executor_options *options, struct tac_error *error) {
  return tac_submitters_create(out, &tac_backend_opencl, options, error);
}

static enum tac_status probe_cuda(struct tac_error *error) {
  const struct tac_backend *backend = NULL;
  size_t count;
  const enum tac_status status = tac_backend_cuda(&backend, error);
  return status ? status : backend->list(NULL, 0, &count, error);
}

static enum tac_status create_cuda(void **out, const struct tac_executor_options *options, struct tac_error *error) {
  const struct tac_backend *backend = NULL;
  const enum tac_status status = tac_backend_cuda(&backend, error);
  return status ? status : tac_submitters_create(out, backend, options, error);
}

#define TABLE(suffix, text)                                                                                                    \
  const struct tac_executor tac_executor_##suffix = {.abi = TAC_EXECUTOR_ABI,                                                  \
                                                     .name = #suffix,                                                          \
                                                     .summary = (text),                                                        \
                                                     .probe = probe_##suffix,                                                  \
                                                     .create = create_##suffix,                                                \
                                                     .destroy = tac_submitters_destroy,                                        \
                                                     .lanes = tac_submitters_lanes,                                            \
                                                     .run = tac_submitters_run,                                                \
                                                     .device = tac_submitters_device,                                          \
                                                     .queue = tac_submitters_queue}

TABLE(opencl, "threads that submit to an OpenCL device, a queue each");
TABLE(cuda, "threads that submit to a CUDA device, a stream each");
