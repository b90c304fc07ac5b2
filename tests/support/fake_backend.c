/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/support/fake_backend.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/executor_device.h"

struct fake_state fake_state;

struct block {
  size_t bytes;
  unsigned char data[];
};

void fake_reset(void) {
  memset((void *)&fake_state, 0, sizeof fake_state);
  fake_state.failing = FAKE_CALLS;
  fake_state.memory_bytes = 1 << 20;
  fake_state.block_bytes = 1 << 19;
}

void fake_fail(enum fake_call call, int from, int count, enum tac_status status) {
  fake_state.failing = call;
  fake_state.fail_from = from;
  fake_state.fail_count = count;
  fake_state.status = status;
}

void fake_replay(int64_t start_ns, int64_t finish_ns) {
  fake_state.replays = 1;
  fake_state.replayed = (struct fake_times){start_ns, finish_ns};
}

/* Counts a call; OK, or what it shall fail with. */
static enum tac_status enter(enum fake_call call, struct tac_error *error) {
  const int number = atomic_fetch_add(&fake_state.calls[call], 1) + 1;
  if (call != fake_state.failing || number < fake_state.fail_from || number >= fake_state.fail_from + fake_state.fail_count)
    return TAC_STATUS_OK;
  return tac_error_set(error, fake_state.status, "fake", "call %d of kind %d fails", number, (int)call);
}

static void *make(size_t bytes) {
  void *made = calloc(1, bytes);
  if (made)
    atomic_fetch_add(&fake_state.live, 1);
  return made;
}

static void drop(void *made) {
  free(made);
  atomic_fetch_sub(&fake_state.live, 1);
}

/* A command's end. The backend's event is its times. */
static enum tac_status stamp(struct tac_backend_event **event) {
  const int64_t start = atomic_fetch_add(&fake_state.clock_ns, 10);
  if (!event)
    return TAC_STATUS_OK;
  struct fake_times *made = make(sizeof *made);
  if (!made)
    return TAC_STATUS_MEMORY;
  *made = fake_state.replays ? fake_state.replayed : (struct fake_times){start, start + 10};
  atomic_fetch_add(&fake_state.events, 1);
  *event = (struct tac_backend_event *)(void *)made;
  return TAC_STATUS_OK;
}

static enum tac_status list(struct tac_device_info *infos, size_t room, size_t *count, struct tac_error *error) {
  (void)error;
  *count = 1;
  if (room > 0)
    infos[0] = (struct tac_device_info){.executor = "fake",
                                        .kind = TAC_DEVICE_OTHER,
                                        .name = "fake device",
                                        .units = 1,
                                        .memory_bytes = fake_state.memory_bytes,
                                        .block_bytes = fake_state.block_bytes,
                                        .fp64 = 1,
                                        .shares_memory = fake_state.shares_memory};
  return TAC_STATUS_OK;
}

static enum tac_status make_handle(enum fake_call call, void **out, struct tac_error *error) {
  enum tac_status status = enter(call, error);
  if (!status) {
    *out = make(1);
    status = *out ? TAC_STATUS_OK : TAC_STATUS_MEMORY;
  }
  return status;
}

static enum tac_status open_device(void **out, int number, const struct tac_backend_options *options, struct tac_error *error) {
  (void)number;
  fake_state.timing = options->timing;
  return make_handle(FAKE_OPEN, out, error);
}

static void release(void *context, void *made) {
  (void)context;
  drop(made);
}

static enum tac_status allocate(void *context, size_t bytes, void **memory, struct tac_error *error) {
  (void)context;
  const enum tac_status status = enter(FAKE_ALLOCATE, error);
  if (status)
    return status;
  struct block *block = make(sizeof *block + bytes);
  if (!block)
    return TAC_STATUS_MEMORY;
  block->bytes = bytes;
  *memory = block;
  return TAC_STATUS_OK;
}

static enum tac_status build(void *context, const char *name, const char *source, const char *options, void **program,
                             char **log, struct tac_error *error) {
  (void)context, (void)options;
  *log = strdup(strstr(source, "say nothing") ? "" : "note: built\nthe second line has an error: here\n");
  const enum tac_status status = make_handle(FAKE_BUILD, program, error);
  return status == TAC_STATUS_INVALID ? tac_error_set(error, status, "fake", "%s does not build", name) : status;
}

static enum tac_status make_kernel(void *context, void *program, const char *name, void **kernel, struct tac_error *error) {
  (void)context, (void)program, (void)name;
  return make_handle(FAKE_KERNEL, kernel, error);
}

static enum tac_status open_stream(void *context, void **stream, struct tac_error *error) {
  (void)context;
  return make_handle(FAKE_OPEN_STREAM, stream, error);
}

static void *native(void *stream) {
  return stream;
}

static enum tac_status launch(void *context, void *stream, void *kernel, const size_t groups[3], const size_t items[3],
                              const struct tac_backend_argument *arguments, size_t count, struct tac_backend_event **event,
                              struct tac_error *error) {
  (void)context, (void)stream, (void)kernel, (void)groups, (void)items;
  const enum tac_status status = enter(FAKE_LAUNCH, error);
  if (status)
    return status;
  struct block *block = count > 0 ? arguments[0].memory : NULL;
  for (size_t i = 0; block && i < block->bytes; i++)
    block->data[i]++;
  return stamp(event);
}

/* Writes that wait, the first one last. */
struct late_write {
  struct late_write *before;
  void *to;
  const void *from;
  size_t bytes;
};
static struct late_write *late;

static enum tac_status postpone(void *to, const void *from, size_t bytes) {
  struct late_write *made = make(sizeof *made);
  if (!made)
    return TAC_STATUS_MEMORY;
  *made = (struct late_write){late, to, from, bytes};
  late = made;
  return TAC_STATUS_OK;
}

static void arrive(struct late_write *last) {
  if (!last)
    return;
  arrive(last->before);
  memcpy(last->to, last->from, last->bytes);
  drop(last);
}

static void wait_for_writes(void) {
  arrive(late);
  late = NULL;
}

static enum tac_status write_bytes(void *context, void *stream, void *to, size_t offset, const void *from, size_t bytes,
                                   struct tac_backend_event **event, struct tac_error *error) {
  (void)context, (void)stream;
  enum tac_status status = enter(FAKE_WRITE, error);
  if (!status && fake_state.writes_late)
    status = postpone(((struct block *)to)->data + offset, from, bytes);
  else if (!status)
    memcpy(((struct block *)to)->data + offset, from, bytes);
  return status ? status : stamp(event);
}

static enum tac_status read_bytes(void *context, void *stream, void *from, size_t offset, void *to, size_t bytes,
                                  struct tac_backend_event **event, struct tac_error *error) {
  (void)context, (void)stream;
  const enum tac_status status = enter(FAKE_READ, error);
  if (status)
    return status;
  wait_for_writes();
  memcpy(to, ((struct block *)from)->data + offset, bytes);
  return stamp(event);
}

static enum tac_status copy(void *context, void *stream, void *to, size_t to_offset, void *from, size_t from_offset,
                            size_t bytes, struct tac_backend_event **event, struct tac_error *error) {
  (void)context, (void)stream;
  const enum tac_status status = enter(FAKE_COPY, error);
  if (status)
    return status;
  memcpy(((struct block *)to)->data + to_offset, ((struct block *)from)->data + from_offset, bytes);
  return stamp(event);
}

static enum tac_status clear(void *context, void *stream, void *memory, size_t offset, size_t bytes,
                             struct tac_backend_event **event, struct tac_error *error) {
  (void)context, (void)stream;
  const enum tac_status status = enter(FAKE_CLEAR, error);
  if (status)
    return status;
  memset(((struct block *)memory)->data + offset, 0, bytes);
  return stamp(event);
}

static enum tac_status map(void *context, void *stream, void *memory, size_t offset, size_t bytes, enum tac_map_mode mode,
                           int wait, void **pointer, struct tac_error *error) {
  (void)context, (void)stream, (void)bytes, (void)mode;
  const enum tac_status status = enter(FAKE_MAP, error);
  if (wait)
    wait_for_writes();
  if (!status)
    *pointer = ((struct block *)memory)->data + offset;
  return status;
}

static enum tac_status unmap(void *context, void *stream, void *memory, void *pointer, struct tac_error *error) {
  (void)context, (void)stream, (void)memory, (void)pointer;
  return enter(FAKE_UNMAP, error);
}

static enum tac_status wait_for(void *context, void *stream, void *other, struct tac_error *error) {
  (void)context, (void)stream, (void)other;
  return enter(FAKE_WAIT, error);
}

static enum tac_status finish(void *context, void *stream, struct tac_error *error) {
  (void)context, (void)stream;
  wait_for_writes();
  return enter(FAKE_FINISH, error);
}

static enum tac_status times(void *context, struct tac_backend_event *event, int64_t *start_ns, int64_t *finish_ns,
                             struct tac_error *error) {
  (void)context;
  const struct fake_times *made = (const struct fake_times *)(const void *)event;
  *start_ns = made->start_ns;
  *finish_ns = made->finish_ns;
  drop(event);
  return enter(FAKE_TIMES, error);
}

static void discard(void *context, struct tac_backend_event *event) {
  (void)context;
  drop(event);
}

const struct tac_backend fake_backend = {.abi = TAC_BACKEND_ABI,
                                         .name = "fake",
                                         .list = list,
                                         .open = open_device,
                                         .close = drop,
                                         .allocate = allocate,
                                         .release = release,
                                         .build = build,
                                         .release_program = release,
                                         .kernel = make_kernel,
                                         .release_kernel = release,
                                         .open_stream = open_stream,
                                         .close_stream = release,
                                         .native = native,
                                         .launch = launch,
                                         .write = write_bytes,
                                         .read = read_bytes,
                                         .copy = copy,
                                         .clear = clear,
                                         .map = map,
                                         .unmap = unmap,
                                         .wait = wait_for,
                                         .finish = finish,
                                         .times = times,
                                         .discard = discard};

static enum tac_status probe(struct tac_error *error) {
  (void)error;
  return TAC_STATUS_OK;
}

static enum tac_status create(void **out, const struct tac_executor_options *options, struct tac_error *error) {
  return tac_submitters_create(out, &fake_backend, options, error);
}

static enum tac_status run_on_one_thread(void *state, struct tac_work *work, struct tac_error *error) {
  (void)state, (void)error;
  for (size_t position = 0; position < work->count; position++)
    work->one(work, position, &work->lane[position % (size_t)work->lanes]);
  return TAC_STATUS_OK;
}

#define EXECUTOR(id, run_function)                                                                                             \
  const struct tac_executor id = {.abi = TAC_EXECUTOR_ABI,                                                                     \
                                  .name = "fake",                                                                              \
                                  .summary = "a device of the tests' own",                                                     \
                                  .probe = probe,                                                                              \
                                  .create = create,                                                                            \
                                  .destroy = tac_submitters_destroy,                                                           \
                                  .lanes = tac_submitters_lanes,                                                               \
                                  .run = run_function,                                                                         \
                                  .device = tac_submitters_device,                                                             \
                                  .queue = tac_submitters_queue}

EXECUTOR(fake_executor, tac_submitters_run);
EXECUTOR(fake_executor_one_thread, run_on_one_thread);
