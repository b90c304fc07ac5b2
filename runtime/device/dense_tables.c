/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdint.h>

#include "runtime/device/dense_common.h"
#include "runtime/device/device.h"

/* The descriptors of plans that share tables follow each other in a slab, on the host as on the device. What was added since
 * the last write goes with the next plan that runs. A slab that is full stays for the plans in it; at the begin after next one
 * is left. Two sets of slabs take turns, so that a begin need not wait for the plans before it. */
struct tac_dense_slab {
  unsigned char *host;
  struct tac_device_memory *memory;
  size_t capacity, used, written; /* bytes */
  struct tac_sent sent;
  struct tac_queue *queue; /* of the last run */
  struct tac_dense_slab *before;
};

struct tac_device_tables {
  struct tac_device *device;
  struct tac_dense_slab *last, *resting;
  uint64_t generation; /* of the plans that are good */
};

#define SLAB_LEAST ((size_t)32768)
#define ALIGNED    ((size_t)16)

enum tac_status tac_device_tables_create(struct tac_device_tables **out, struct tac_device *device, struct tac_error *error) {
  struct tac_device_tables *tables = tac_device_allocate(device, sizeof *tables);
  if (!tables)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for tables");
  *tables = (struct tac_device_tables){.device = device};
  *out = tables;
  return TAC_STATUS_OK;
}

static void release(struct tac_dense_slab *slab, const struct tac_device *device) {
  tac_sent_settle(&slab->sent, "descriptors", NULL);
  tac_device_free(device, slab->host);
  tac_device_memory_give(&slab->memory);
  tac_device_free(device, slab);
}

static void release_before(struct tac_dense_slab *slab, const struct tac_device *device) {
  while (slab->before) {
    struct tac_dense_slab *gone = slab->before;
    slab->before = gone->before;
    release(gone, device);
  }
}

void tac_device_tables_destroy(struct tac_device_tables **tables) {
  if (!tables || !*tables)
    return;
  const struct tac_device *device = (*tables)->device;
  struct tac_dense_slab *const sets[] = {(*tables)->last, (*tables)->resting};
  for (int i = 0; i < 2; i++)
    if (sets[i]) {
      release_before(sets[i], device);
      release(sets[i], device);
    }
  tac_device_free(device, *tables);
  *tables = NULL;
}

enum tac_status tac_device_tables_begin(struct tac_device_tables *tables, struct tac_error *error) {
  struct tac_dense_slab *slab = tables->resting;
  tables->resting = tables->last;
  tables->last = slab;
  tables->generation++;
  if (!slab)
    return TAC_STATUS_OK;
  slab->used = slab->written = 0;
  enum tac_status status = tac_sent_settle(&slab->sent, "descriptors", error);
  if (!status && slab->before && slab->queue)
    status = tac_queue_finish(slab->queue, "descriptors", error); /* runs of plans in those that go */
  release_before(slab, tables->device);
  return status;
}

static enum tac_status add_slab(struct tac_device_tables *tables, size_t bytes, struct tac_error *error) {
  const size_t twice = tables->last ? 2 * tables->last->capacity : SLAB_LEAST;
  struct tac_dense_slab *slab = tac_device_allocate(tables->device, sizeof *slab);
  if (!slab)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for tables");
  *slab = (struct tac_dense_slab){.capacity = twice < bytes ? bytes : twice};
  slab->host = tac_device_allocate(tables->device, slab->capacity);
  enum tac_status status = TAC_STATUS_OK;
  if (!slab->host)
    status = tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for %zu bytes of descriptors", slab->capacity);
  else
    status = tac_device_memory_take(&slab->memory, tables->device, slab->capacity, error);
  if (status) {
    release(slab, tables->device);
    return status;
  }
  slab->before = tables->last;
  tables->last = slab;
  return TAC_STATUS_OK;
}

/* ---- A plan's table, in slabs that it shares or of its own. */

static enum tac_status reserve_shared(struct tac_dense_table *table, size_t bytes, struct tac_error *error) {
  struct tac_device_tables *tables = table->shared;
  enum tac_status status = TAC_STATUS_OK;
  if (!tables->last || tables->last->capacity - tables->last->used < bytes)
    status = add_slab(tables, bytes, error);
  struct tac_dense_slab *slab = tables->last;
  if (status || !slab)
    return status;
  table->slab = slab;
  table->generation = tables->generation;
  table->at = slab->used;
  table->host = slab->host + slab->used;
  table->memory = slab->memory;
  return TAC_STATUS_OK;
}

enum tac_status tac_dense_table_reserve(struct tac_dense_table *table, struct tac_device *device, size_t bytes,
                                        struct tac_error *error) {
  if (table->shared)
    return reserve_shared(table, bytes, error);
  enum tac_status status = tac_sent_settle(&table->sent, "descriptors", error);
  if (status || (bytes <= table->capacity && table->memory))
    return status;
  size_t room = bytes + bytes / 2;
  tac_dense_table_release(table, device);
  table->host = tac_device_allocate(device, room);
  if (!table->host)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for %zu bytes of descriptors", room);
  status = tac_device_memory_take(&table->memory, device, room, error);
  if (status) {
    tac_dense_table_release(table, device);
    return status;
  }
  table->capacity = room;
  return TAC_STATUS_OK;
}

enum tac_status tac_dense_table_send(struct tac_dense_table *table, struct tac_queue *queue, size_t bytes,
                                     struct tac_error *error) {
  if (!table->shared)
    return tac_queue_send(queue, table->memory, 0, table->host, bytes, &table->sent, error);
  const size_t end = table->at + bytes, rest = end % ALIGNED;
  struct tac_dense_slab *slab = table->slab;
  slab->used = rest > 0 && slab->capacity - end >= ALIGNED - rest ? end + ALIGNED - rest : end;
  return TAC_STATUS_OK;
}

enum tac_status tac_dense_table_ready(const struct tac_dense_table *table, struct tac_queue *queue, struct tac_error *error) {
  if (!table->shared)
    return TAC_STATUS_OK;
  struct tac_dense_slab *slab = table->slab;
  if (table->generation != table->shared->generation)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "the plan is older than its tables' last begin");
  slab->queue = queue;
  if (slab->written == slab->used)
    return TAC_STATUS_OK;
  /* One note for the slab: what went to another stream is waited for first. */
  const struct tac_sent next = tac_queue_sent(queue);
  enum tac_status status = TAC_STATUS_OK;
  if (slab->sent.queue != next.queue || slab->sent.stream != next.stream)
    status = tac_sent_settle(&slab->sent, "descriptors", error);
  if (!status)
    status = tac_queue_send(queue, slab->memory, slab->written, slab->host + slab->written, slab->used - slab->written,
                            &slab->sent, error);
  if (!status)
    slab->written = slab->used;
  return status;
}

void tac_dense_table_share(struct tac_dense_table *table, const struct tac_device *device, struct tac_device_tables *tables) {
  tac_dense_table_release(table, device);
  table->shared = tables;
}

void tac_dense_table_release(struct tac_dense_table *table, const struct tac_device *device) {
  tac_sent_settle(&table->sent, "descriptors", NULL);
  if (!table->shared) {
    tac_device_free(device, table->host);
    tac_device_memory_give(&table->memory);
  }
  *table = (struct tac_dense_table){.shared = table->shared};
}
