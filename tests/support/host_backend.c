/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/support/host_backend.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/host_kernel.h"

#define MEMORY_BYTES ((uint64_t)1 << 32)

static int the_context;

static enum tac_status list(struct tac_device_info *infos, size_t room, size_t *count, struct tac_error *error) {
  (void)error;
  *count = 1;
  if (room == 0)
    return TAC_STATUS_OK;
  infos[0] = (struct tac_device_info){.executor = "host",
                                      .kind = TAC_DEVICE_CPU,
                                      .name = "host",
                                      .platform = "host",
                                      .units = 1,
                                      .memory_bytes = MEMORY_BYTES,
                                      .block_bytes = MEMORY_BYTES,
                                      .local_bytes = 32768,
                                      .fp64 = 1,
                                      .shares_memory = 1};
  return TAC_STATUS_OK;
}

static enum tac_status open_context(void **out, int number, const struct tac_backend_options *options,
                                    struct tac_error *error) {
  (void)number;
  (void)options;
  (void)error;
  *out = &the_context;
  return TAC_STATUS_OK;
}

static void close_context(void *context) {
  (void)context;
}

static enum tac_status allocate(void *context, size_t bytes, void **memory, struct tac_error *error) {
  (void)context;
  *memory = malloc(bytes);
  return *memory ? TAC_STATUS_OK : tac_error_set(error, TAC_STATUS_MEMORY, "host", "no memory");
}

static void release(void *context, void *memory) {
  (void)context;
  free(memory);
}

static enum tac_status build(void *context, const char *name, const char *source, const char *options, void **program,
                             char **log, struct tac_error *error) {
  (void)context;
  (void)source;
  *log = NULL;
  const struct host_program *found = host_program_find(name, options);
  *program = (void *)found;
  return found ? TAC_STATUS_OK : tac_error_set(error, TAC_STATUS_INVALID, "host", "%s was not compiled with %s", name, options);
}

static void release_nothing(void *context, void *what) {
  (void)context;
  (void)what;
}

static enum tac_status find_kernel(void *context, void *program, const char *name, void **kernel, struct tac_error *error) {
  (void)context;
  *kernel = (void *)host_kernel_find(program, name);
  return *kernel ? TAC_STATUS_OK : tac_error_set(error, TAC_STATUS_INVALID, "host", "there is no kernel %s", name);
}

static enum tac_status open_stream(void *context, void **stream, struct tac_error *error) {
  (void)error;
  *stream = context;
  return TAC_STATUS_OK;
}

static void close_stream(void *context, void *stream) {
  (void)context;
  (void)stream;
}

static void *native(void *stream) {
  return stream;
}

static enum tac_status launch(void *context, void *stream, void *kernel, const size_t groups[3], const size_t items[3],
                              const struct tac_backend_argument *arguments, size_t count, struct tac_backend_event **event,
                              struct tac_error *error) {
  const struct host_kernel *run = kernel;
  void *blocks[TAC_LAUNCH_ARGUMENTS_MAX], *pointers[TAC_LAUNCH_ARGUMENTS_MAX];
  (void)context;
  (void)stream;
  (void)event;
  if (count != run->arguments)
    return tac_error_set(error, TAC_STATUS_DEVICE, "host", "%s takes %zu arguments, not %zu", run->name, run->arguments, count);
  for (size_t i = 0; i < count; i++) {
    blocks[i] = arguments[i].memory;
    pointers[i] = arguments[i].memory ? (void *)&blocks[i] : (void *)arguments[i].value;
  }
  const int result = host_kernel_run(run, groups, items, pointers);
  return result ? tac_error_set(error, TAC_STATUS_DEVICE, "host", "%s: a barrier that not all work-items reach", run->name)
                : TAC_STATUS_OK;
}

static enum tac_status write_bytes(void *context, void *stream, void *to, size_t offset, const void *from, size_t bytes,
                                   struct tac_backend_event **event, struct tac_error *error) {
  (void)context;
  (void)stream;
  (void)event;
  (void)error;
  memcpy((char *)to + offset, from, bytes);
  return TAC_STATUS_OK;
}

static enum tac_status read_bytes(void *context, void *stream, void *from, size_t offset, void *to, size_t bytes,
                                  struct tac_backend_event **event, struct tac_error *error) {
  return write_bytes(context, stream, to, 0, (char *)from + offset, bytes, event, error);
}

static enum tac_status copy_bytes(void *context, void *stream, void *to, size_t to_offset, void *from, size_t from_offset,
                                  size_t bytes, struct tac_backend_event **event, struct tac_error *error) {
  return write_bytes(context, stream, to, to_offset, (char *)from + from_offset, bytes, event, error);
}

static enum tac_status clear_bytes(void *context, void *stream, void *memory, size_t offset, size_t bytes,
                                   struct tac_backend_event **event, struct tac_error *error) {
  (void)context;
  (void)stream;
  (void)event;
  (void)error;
  memset((char *)memory + offset, 0, bytes);
  return TAC_STATUS_OK;
}

static enum tac_status map(void *context, void *stream, void *memory, size_t offset, size_t bytes, enum tac_map_mode mode,
                           int wait, void **pointer, struct tac_error *error) {
  (void)context;
  (void)stream;
  (void)bytes;
  (void)mode;
  (void)wait;
  (void)error;
  *pointer = (char *)memory + offset;
  return TAC_STATUS_OK;
}

static enum tac_status unmap(void *context, void *stream, void *memory, void *pointer, struct tac_error *error) {
  (void)context;
  (void)stream;
  (void)memory;
  (void)pointer;
  (void)error;
  return TAC_STATUS_OK;
}

/* Everything before is done already. */
static enum tac_status wait_for(void *context, void *stream, void *other, struct tac_error *error) {
  (void)context;
  (void)stream;
  (void)other;
  (void)error;
  return TAC_STATUS_OK;
}

static enum tac_status finish(void *context, void *stream, struct tac_error *error) {
  return wait_for(context, stream, NULL, error);
}

const struct tac_backend host_backend = {
    .abi = TAC_BACKEND_ABI,
    .name = "host",
    .list = list,
    .open = open_context,
    .close = close_context,
    .allocate = allocate,
    .release = release,
    .build = build,
    .release_program = release_nothing,
    .kernel = find_kernel,
    .release_kernel = release_nothing,
    .open_stream = open_stream,
    .close_stream = close_stream,
    .native = native,
    .launch = launch,
    .write = write_bytes,
    .read = read_bytes,
    .copy = copy_bytes,
    .clear = clear_bytes,
    .map = map,
    .unmap = unmap,
    .wait = wait_for,
    .finish = finish,
};
