/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/device/dense_vectors.h"
#include "runtime/device/device.h"

/* Elements of a vector that any memory could hold. */
#define LENGTH_MOST (SIZE_MAX / 64)

/* Slot s holds its partial sums from number s * partials on: all vectors of a set of slots are of one length. */

enum tac_status tac_device_slots_reserve(struct tac_device_vectors *vectors, struct tac_queue *queue, int count,
                                         struct tac_error *error) {
  if (count < 0)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "%d slots", count);
  if (count <= vectors->slots)
    return TAC_STATUS_OK;
  struct tac_device_memory *larger = NULL;
  const size_t bytes = (size_t)count * TAC_VECTORS_PARTIALS_MAX * vectors->sum_bytes;
  enum tac_status status = tac_device_memory_take(&larger, vectors->device, bytes, error);
  void *read = status ? NULL : tac_device_allocate(vectors->device, bytes);
  if (!status && !read)
    status = tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for %d slots", count);
  if (!status)
    status = tac_queue_finish(queue, "slots", error); /* what was submitted may use the smaller one */
  if (status) {
    tac_device_memory_give(&larger);
    tac_device_free(vectors->device, read);
    return status;
  }
  tac_device_memory_give(&vectors->kept);
  tac_device_free(vectors->device, vectors->read);
  vectors->kept = larger;
  vectors->read = read;
  vectors->slots = count;
  return TAC_STATUS_OK;
}

static enum tac_status check_slot(const struct tac_device_vectors *vectors, int slot, const char *which,
                                  struct tac_error *error) {
  if (slot >= 0 && slot < vectors->slots)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_INVALID, which, "slot %d of %d", slot, vectors->slots);
}

static enum tac_status check_ratio(const struct tac_device_vectors *vectors, struct tac_device_ratio ratio, int slot,
                                   struct tac_error *error) {
  enum tac_status status = check_slot(vectors, ratio.slot, "a ratio", error);
  if (!status)
    status = check_slot(vectors, ratio.over, "a ratio", error);
  if (!status)
    status = check_slot(vectors, slot, "the result", error);
  if (!status && (slot == ratio.slot || slot == ratio.over)) /* groups read and write it in any order */
    status = tac_error_set(error, TAC_STATUS_INVALID, "the result", "slot %d is one of the ratio's", slot);
  return status;
}

static uint64_t place_of(int slot, struct tac_vectors_partition cut) {
  return (uint64_t)slot * cut.partials;
}

enum tac_status tac_device_slot_dot(struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                    struct tac_device_array x, struct tac_device_array y, int slot, struct tac_error *error) {
  enum tac_status status = check_slot(vectors, slot, "the result", error);
  if (!status)
    status = tac_vectors_check(vectors, x, n, "x", error);
  if (!status)
    status = tac_vectors_check(vectors, y, n, "y", error);
  if (status || n == 0)
    return status;
  const struct tac_vectors_partition cut = tac_vectors_partition(n * tac_vectors_parts(vectors));
  return tac_vectors_reduce(vectors, queue, n, x, y, 1, vectors->kept, place_of(slot, cut), error);
}

enum tac_status tac_device_slot_axpy_dot(struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                         struct tac_device_ratio ratio, struct tac_device_array x, struct tac_device_array y,
                                         struct tac_device_array z, int slot, struct tac_error *error) {
  enum tac_status status = check_ratio(vectors, ratio, slot, error);
  if (!status)
    status = tac_vectors_check(vectors, x, n, "x", error);
  if (!status)
    status = tac_vectors_check(vectors, y, n, "y", error);
  if (!status)
    status = tac_vectors_check(vectors, z, n, "z", error);
  if (status || n == 0)
    return status;
  const uint64_t parts = tac_vectors_parts(vectors), reals = n * parts;
  const uint64_t x_offset = x.offset * parts, y_offset = y.offset * parts, z_offset = z.offset * parts;
  const struct tac_vectors_partition cut = tac_vectors_partition(reals);
  const uint64_t from = place_of(ratio.slot, cut), over = place_of(ratio.over, cut), to = place_of(slot, cut);
  const struct tac_argument arguments[] = {
      tac_argument_memory(vectors->kept), TAC_ARGUMENT_VALUE(from),
      TAC_ARGUMENT_VALUE(over),           TAC_ARGUMENT_VALUE(to),
      TAC_ARGUMENT_VALUE(cut.partials),   TAC_ARGUMENT_VALUE(cut.stretch),
      TAC_ARGUMENT_VALUE(reals),          tac_argument_memory(x.memory),
      TAC_ARGUMENT_VALUE(x_offset),       tac_argument_memory(y.memory),
      TAC_ARGUMENT_VALUE(y_offset),       tac_argument_memory(z.memory),
      TAC_ARGUMENT_VALUE(z_offset),
  };
  const struct tac_launch launch = tac_vectors_launch(vectors, vectors->update_dot_kept, cut.partials, arguments, 13);
  return tac_queue_launch(queue, &launch, error);
}

enum tac_status tac_device_slots_read(double *out, struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                      int first, int count, struct tac_error *error) {
  if (count == 0)
    return TAC_STATUS_OK;
  enum tac_status status = check_slot(vectors, first, "the first", error);
  if (!status && (count < 0 || count > vectors->slots - first))
    status = tac_error_set(error, TAC_STATUS_INVALID, __func__, "%d slots from %d on, of %d", count, first, vectors->slots);
  if (!status && n > LENGTH_MOST)
    status = tac_error_set(error, TAC_STATUS_INVALID, __func__, "vectors of %zu elements", n);
  for (int i = 0; i < count && !status; i++)
    out[i] = 0;
  if (status || n == 0)
    return status;
  const struct tac_vectors_partition cut = tac_vectors_partition(n * tac_vectors_parts(vectors));
  const size_t slot_bytes = cut.partials * vectors->sum_bytes;
  unsigned char *partial = vectors->read;
  status = tac_queue_read(queue, vectors->kept, (size_t)first * slot_bytes, partial, (size_t)count * slot_bytes, error);
  for (int i = 0; i < count && !status; i++)
    out[i] = tac_vectors_add_partials(vectors, partial + (size_t)i * slot_bytes, cut.partials);
  return status;
}
