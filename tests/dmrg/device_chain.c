/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/dmrg/device_chain.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/executor_device.h"
#include "tests/device/subject.h"
#include "tests/support/host_backend.h"

static struct {
  enum device_call call;
  int from, until; /* calls of that kind that fail, counted from the next one */
  enum tac_status status;
} failing = {.call = DEVICE_CALLS};
static atomic_int calls, live;
static atomic_ullong bytes_read, bytes_mapped;
static int has_fp64 = 1;

void device_calls_fail(enum device_call call, int from, int count, enum tac_status status) {
  failing.call = call;
  failing.from = from;
  failing.until = from + count;
  failing.status = status;
  atomic_store(&calls, 0);
}

void device_calls_succeed(void) {
  failing.call = DEVICE_CALLS;
}

int device_blocks_live(void) {
  return atomic_load(&live);
}

struct device_traffic device_traffic(void) {
  return (struct device_traffic){atomic_exchange(&bytes_read, 0), atomic_exchange(&bytes_mapped, 0)};
}

void device_has(int fp64) {
  has_fp64 = fp64;
}

static enum tac_status list(struct tac_device_info *infos, size_t room, size_t *count, struct tac_error *error) {
  const enum tac_status status = host_backend.list(infos, room, count, error);
  if (!status && room)
    infos[0].fp64 = has_fp64;
  return status;
}

static enum tac_status may_fail(enum device_call call, struct tac_error *error) {
  if (call != failing.call)
    return TAC_STATUS_OK;
  const int number = atomic_fetch_add(&calls, 1);
  if (number < failing.from || number >= failing.until)
    return TAC_STATUS_OK;
  return tac_error_set(error, failing.status, "host", "call %d of kind %d fails", number, (int)call);
}

static enum tac_status allocate(void *context, size_t bytes, void **memory, struct tac_error *error) {
  enum tac_status status = may_fail(DEVICE_ALLOCATE, error);
  if (!status)
    status = host_backend.allocate(context, bytes, memory, error);
  if (status)
    return status;
  memset(*memory, 0xff, bytes); /* NaN, as nobody may rely on what it was */
  atomic_fetch_add(&live, 1);
  return TAC_STATUS_OK;
}

static void release(void *context, void *memory) {
  atomic_fetch_sub(&live, 1);
  host_backend.release(context, memory);
}

static enum tac_status launch(void *context, void *stream, void *kernel, const size_t groups[3], const size_t items[3],
                              const struct tac_backend_argument *arguments, size_t count, struct tac_backend_event **event,
                              struct tac_error *error) {
  const enum tac_status status = may_fail(DEVICE_LAUNCH, error);
  return status ? status : host_backend.launch(context, stream, kernel, groups, items, arguments, count, event, error);
}

static enum tac_status write_bytes(void *context, void *stream, void *to, size_t offset, const void *from, size_t bytes,
                                   struct tac_backend_event **event, struct tac_error *error) {
  const enum tac_status status = may_fail(DEVICE_WRITE, error);
  return status ? status : host_backend.write(context, stream, to, offset, from, bytes, event, error);
}

static enum tac_status read_bytes(void *context, void *stream, void *from, size_t offset, void *to, size_t bytes,
                                  struct tac_backend_event **event, struct tac_error *error) {
  const enum tac_status status = may_fail(DEVICE_READ, error);
  atomic_fetch_add(&bytes_read, bytes);
  return status ? status : host_backend.read(context, stream, from, offset, to, bytes, event, error);
}

static enum tac_status map(void *context, void *stream, void *memory, size_t offset, size_t bytes, enum tac_map_mode mode,
                           int wait, void **pointer, struct tac_error *error) {
  const enum tac_status status = may_fail(DEVICE_MAP, error);
  atomic_fetch_add(&bytes_mapped, mode & TAC_MAP_READ ? bytes : 0);
  return status ? status : host_backend.map(context, stream, memory, offset, bytes, mode, wait, pointer, error);
}

static enum tac_status unmap(void *context, void *stream, void *memory, void *pointer, struct tac_error *error) {
  const enum tac_status status = may_fail(DEVICE_UNMAP, error);
  return status ? status : host_backend.unmap(context, stream, memory, pointer, error);
}

static enum tac_status finish(void *context, void *stream, struct tac_error *error) {
  const enum tac_status status = may_fail(DEVICE_FINISH, error);
  return status ? status : host_backend.finish(context, stream, error);
}

static struct tac_backend backend;

static enum tac_status create_executor(void **out, const struct tac_executor_options *options, struct tac_error *error) {
  backend = host_backend;
  backend.list = list;
  backend.allocate = allocate;
  backend.release = release;
  backend.launch = launch;
  backend.write = write_bytes;
  backend.read = read_bytes;
  backend.map = map;
  backend.unmap = unmap;
  backend.finish = finish;
  return tac_submitters_create(out, &backend, options, error);
}

static enum tac_status probe(struct tac_error *error) {
  (void)error;
  return TAC_STATUS_OK;
}

static const struct tac_executor host_executor = {.abi = TAC_EXECUTOR_ABI,
                                                  .name = "host",
                                                  .summary = "threads that submit to the host as a device",
                                                  .probe = probe,
                                                  .create = create_executor,
                                                  .destroy = tac_submitters_destroy,
                                                  .lanes = tac_submitters_lanes,
                                                  .run = tac_submitters_run,
                                                  .device = tac_submitters_device,
                                                  .queue = tac_submitters_queue};

void device_chain_init(struct chain *chain, int sites) {
  chain_init(chain, sites);
  chain->scheduling.executor = device_executor();
  if (strcmp(device_executor(), "host") == 0)
    chain->scheduling.table = &host_executor;
  chain->scheduling.executor_options.lanes = 2;
}
