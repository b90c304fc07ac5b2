/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/support/replayed_device.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/device/queue.h"

enum { LANES_MAX = 8 };

struct tac_backend_event {
  int64_t start_ns, finish_ns;
};

static struct {
  struct tac_backend_event next;
  struct replayed happened;
  int timing, refuses_times, refuses_finishes;
} device;

void replay(int64_t start_ns, int64_t finish_ns) {
  device.next = (struct tac_backend_event){start_ns, finish_ns};
}

struct replayed replayed_take(void) {
  const struct replayed happened = device.happened;
  device.happened = (struct replayed){.events_left = happened.events_left};
  return happened;
}

void replay_refuse(int times, int finishes) {
  device.refuses_times = times;
  device.refuses_finishes = finishes;
}

static enum tac_status list(struct tac_device_info *infos, size_t room, size_t *count, struct tac_error *error) {
  (void)error;
  *count = 1;
  if (room > 0)
    infos[0] = (struct tac_device_info){.executor = "replayed",
                                        .kind = TAC_DEVICE_OTHER,
                                        .name = "replay",
                                        .units = 1,
                                        .memory_bytes = 1 << 30,
                                        .block_bytes = 1 << 30,
                                        .fp64 = 1};
  return TAC_STATUS_OK;
}

static enum tac_status open_device(void **out, int number, const struct tac_backend_options *options, struct tac_error *error) {
  (void)number, (void)error;
  *out = &device;
  device.timing = options->timing;
  return TAC_STATUS_OK;
}

static void close_device(void *context) {
  (void)context;
}

static enum tac_status allocate(void *context, size_t bytes, void **memory, struct tac_error *error) {
  (void)context;
  *memory = calloc(1, bytes);
  return *memory ? TAC_STATUS_OK : tac_error_set(error, TAC_STATUS_MEMORY, "allocate", "no memory");
}

static void release(void *context, void *memory) {
  (void)context;
  free(memory);
}

static enum tac_status build(void *context, const char *name, const char *source, const char *options, void **program,
                             char **log, struct tac_error *error) {
  (void)context, (void)name, (void)source, (void)options, (void)error;
  *program = &device;
  *log = NULL;
  return TAC_STATUS_OK;
}

static void release_nothing(void *context, void *what) {
  (void)context, (void)what;
}

static enum tac_status find_kernel(void *context, void *program, const char *name, void **kernel, struct tac_error *error) {
  (void)context, (void)program, (void)name, (void)error;
  *kernel = &device;
  return TAC_STATUS_OK;
}

static enum tac_status open_stream(void *context, void **stream, struct tac_error *error) {
  (void)context, (void)error;
  *stream = &device;
  device.happened.timed_streams += device.timing;
  device.happened.untimed_streams += !device.timing;
  return TAC_STATUS_OK;
}

static void *native(void *stream) {
  return stream;
}

static enum tac_status end_command(struct tac_backend_event **event, struct tac_error *error) {
  if (!event)
    return TAC_STATUS_OK;
  *event = malloc(sizeof **event);
  if (!*event)
    return tac_error_set(error, TAC_STATUS_MEMORY, "command", "no memory");
  **event = device.next;
  device.happened.events++;
  device.happened.events_left++;
  return TAC_STATUS_OK;
}

static enum tac_status launch(void *context, void *stream, void *kernel, const size_t groups[3], const size_t items[3],
                              const struct tac_backend_argument *arguments, size_t count, struct tac_backend_event **event,
                              struct tac_error *error) {
  (void)context, (void)stream, (void)kernel, (void)groups, (void)items, (void)arguments, (void)count;
  return end_command(event, error);
}

static enum tac_status write_bytes(void *context, void *stream, void *to, size_t offset, const void *from, size_t bytes,
                                   struct tac_backend_event **event, struct tac_error *error) {
  (void)context, (void)stream;
  memcpy((char *)to + offset, from, bytes);
  return end_command(event, error);
}

static enum tac_status read_bytes(void *context, void *stream, void *from, size_t offset, void *to, size_t bytes,
                                  struct tac_backend_event **event, struct tac_error *error) {
  (void)context, (void)stream;
  memcpy(to, (const char *)from + offset, bytes);
  return end_command(event, error);
}

static enum tac_status copy_bytes(void *context, void *stream, void *to, size_t to_offset, void *from, size_t from_offset,
                                  size_t bytes, struct tac_backend_event **event, struct tac_error *error) {
  (void)context, (void)stream;
  memcpy((char *)to + to_offset, (const char *)from + from_offset, bytes);
  return end_command(event, error);
}

static enum tac_status clear_bytes(void *context, void *stream, void *memory, size_t offset, size_t bytes,
                                   struct tac_backend_event **event, struct tac_error *error) {
  (void)context, (void)stream;
  memset((char *)memory + offset, 0, bytes);
  return end_command(event, error);
}

static enum tac_status wait_for(void *context, void *stream, void *other, struct tac_error *error) {
  (void)context, (void)stream, (void)other, (void)error;
  return TAC_STATUS_OK;
}

static enum tac_status finish(void *context, void *stream, struct tac_error *error) {
  (void)context, (void)stream;
  return device.refuses_finishes ? tac_error_set(error, TAC_STATUS_DEVICE, "finish", "the replay was torn") : TAC_STATUS_OK;
}

static void discard(void *context, struct tac_backend_event *event) {
  (void)context;
  device.happened.events_left--;
  free(event);
}

static enum tac_status times(void *context, struct tac_backend_event *event, int64_t *start_ns, int64_t *finish_ns,
                             struct tac_error *error) {
  *start_ns = event->start_ns;
  *finish_ns = event->finish_ns;
  discard(context, event);
  return device.refuses_times ? tac_error_set(error, TAC_STATUS_DEVICE, "times", "the replay has none") : TAC_STATUS_OK;
}

static const struct tac_backend backend = {
    .abi = TAC_BACKEND_ABI,
    .name = "replayed",
    .list = list,
    .open = open_device,
    .close = close_device,
    .allocate = allocate,
    .release = release,
    .build = build,
    .release_program = release_nothing,
    .kernel = find_kernel,
    .release_kernel = release_nothing,
    .open_stream = open_stream,
    .close_stream = release_nothing,
    .native = native,
    .launch = launch,
    .write = write_bytes,
    .read = read_bytes,
    .copy = copy_bytes,
    .clear = clear_bytes,
    .wait = wait_for,
    .finish = finish,
    .times = times,
    .discard = discard,
};

struct tac_device_kernel *replayed_kernel(struct tac_device *subject, const char *name) {
  struct tac_device_program *program;
  struct tac_device_kernel *kernel = NULL;
  if (tac_device_program(&program, subject, "replayed", "", "", NULL) == TAC_STATUS_OK)
    tac_device_kernel(&kernel, program, name, NULL);
  return kernel;
}

struct executor {
  struct tac_device *device;
  struct tac_queue *queue[LANES_MAX];
  int lanes;
};

static enum tac_status probe(struct tac_error *error) {
  (void)error;
  return TAC_STATUS_OK;
}

static void destroy(void *state) {
  struct executor *executor = state;
  for (int k = 0; k < executor->lanes; k++)
    tac_queue_close(&executor->queue[k]);
  tac_device_close(&executor->device);
  free(executor);
}

static enum tac_status create(void **out, const struct tac_executor_options *options, struct tac_error *error) {
  const struct tac_device_options device_options = {.timing = options->timing,
                                                    .observer = options->observer,
                                                    .observer_context = options->observer_context,
                                                    .allocator = options->allocator};
  struct executor *executor = calloc(1, sizeof *executor);
  if (!executor)
    return tac_error_set(error, TAC_STATUS_MEMORY, "create", "no memory");
  const int lanes = options->lanes > 0 ? options->lanes : 2;
  enum tac_status status = tac_device_open(&executor->device, &backend, &device_options, error);
  for (; executor->lanes < lanes && status == TAC_STATUS_OK; executor->lanes += status == TAC_STATUS_OK)
    status = tac_queue_open(&executor->queue[executor->lanes], executor->device, executor->lanes, 1, error);
  if (status == TAC_STATUS_OK)
    *out = executor;
  else
    destroy(executor);
  return status;
}

static int lanes(const void *state) {
  return ((const struct executor *)state)->lanes;
}

static struct tac_device *executor_device(void *state) {
  return ((struct executor *)state)->device;
}

static struct tac_queue *executor_queue(void *state, int lane) {
  return ((struct executor *)state)->queue[lane];
}

static enum tac_status run(void *state, struct tac_work *work, struct tac_error *error) {
  (void)state, (void)error;
  for (size_t position = 0; position < work->count; position++)
    work->one(work, position, &work->lane[position % (size_t)work->lanes]);
  return TAC_STATUS_OK;
}

const struct tac_executor test_executor_replayed = {.abi = TAC_EXECUTOR_ABI,
                                                    .name = "replayed",
                                                    .summary = "of the tests",
                                                    .probe = probe,
                                                    .create = create,
                                                    .destroy = destroy,
                                                    .lanes = lanes,
                                                    .run = run,
                                                    .device = executor_device,
                                                    .queue = executor_queue};
