/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/device/device.h"

#include <string.h>

static enum tac_status backend_of(const struct tac_backend **out, const char *executor, struct tac_error *error) {
  if (executor && strcmp(executor, "opencl") == 0) {
    *out = &tac_backend_opencl;
    return TAC_STATUS_OK;
  }
  if (executor && strcmp(executor, "cuda") == 0)
    return tac_backend_cuda(out, error);
  return tac_error_set(error, TAC_STATUS_INVALID, "tac_device_list", "the executor %.40s has no devices",
                       executor ? executor : "(none)");
}

enum tac_status tac_device_list(const char *executor, struct tac_device_info *infos, size_t room, size_t *count,
                                struct tac_error *error) {
  const struct tac_backend *backend = NULL;
  size_t found = 0;
  if (room > 0 && !infos)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no place for %zu devices", room);
  enum tac_status status = backend_of(&backend, executor, error);
  if (!status && backend)
    status = backend->list(infos, room, &found, error);
  if (!status && count)
    *count = found;
  return status;
}

/* The backend lists all; ours is at its number. */
static enum tac_status find_info(struct tac_device_info *out, const struct tac_backend *backend, int number,
                                 const struct tac_allocator *allocator, struct tac_error *error) {
  size_t count = 0;
  enum tac_status status = backend->list(NULL, 0, &count, error);
  if (status)
    return status;
  if (number < 0 || (size_t)number >= count)
    return tac_error_set(error, TAC_STATUS_INVALID, backend->name,
                         "there is no device %d: this machine has %zu, counted from 0", number, count);
  struct tac_device_info *infos = allocator->allocate(allocator->context, count * sizeof *infos);
  if (!infos)
    return tac_error_set(error, TAC_STATUS_MEMORY, backend->name, "no memory to list %zu devices", count);
  const size_t room = count;
  status = backend->list(infos, room, &count, error);
  if (!status && count <= (size_t)number)
    status = tac_error_set(error, TAC_STATUS_DEVICE, backend->name, "device %d has gone", number);
  if (!status)
    *out = infos[number];
  allocator->release(allocator->context, infos);
  return status;
}

enum tac_status tac_device_open(struct tac_device **out, const struct tac_backend *backend,
                                const struct tac_device_options *options, struct tac_error *error) {
  *out = NULL;
  const struct tac_allocator *allocator = options->allocator ? options->allocator : tac_allocator_system();
  struct tac_device *device = allocator->allocate(allocator->context, sizeof *device);
  if (!device)
    return tac_error_set(error, TAC_STATUS_MEMORY, backend->name, "no memory for a device");
  memset(device, 0, sizeof *device);
  device->backend = backend;
  device->options = *options;
  device->options.allocator = allocator;
  enum tac_status status = find_info(&device->info, backend, options->number, allocator, error);
  if (!status) {
    const struct tac_backend_options backend_options = {
        .timing = options->timing, .blas_handles = options->blas_handles, .solver_handles = options->solver_handles};
    status = backend->open(&device->context, options->number, &backend_options, error);
  }
  if (status) {
    tac_device_free(device, device);
    return status;
  }
  pthread_mutex_init(&device->pool.lock, NULL);
  pthread_mutex_init(&device->program_lock, NULL);
  *out = device;
  return TAC_STATUS_OK;
}

void tac_device_close(struct tac_device **device) {
  if (!device || !*device)
    return;
  struct tac_device *gone = *device;
  tac_device_release_programs(gone);
  tac_device_memory_trim(gone);
  gone->backend->close(gone->context);
  pthread_mutex_destroy(&gone->pool.lock);
  pthread_mutex_destroy(&gone->program_lock);
  tac_device_free(gone, gone);
  *device = NULL;
}

const struct tac_device_info *tac_device_info(const struct tac_device *device) {
  return &device->info;
}

const struct tac_backend *tac_device_backend(const struct tac_device *device) {
  return device->backend;
}

void *tac_device_context(const struct tac_device *device) {
  return device->context;
}
