/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/device_counters.h"
#include "measure/thread_stack.h"

static _Thread_local struct tac_device_counters *innermost TAC_ONE_READ;

enum tac_status tac_device_scope_begin(struct tac_device_counters *counters, struct tac_error *error) {
  if (!counters)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no counters");
  if (atomic_exchange_explicit(&counters->in_scope, 1, memory_order_acquire))
    return tac_error_set(error, TAC_STATUS_BUSY, __func__, "the counters are in a scope already");
  for (int kind = 0; kind < TAC_DEVICE_CALL_KINDS; kind++)
    counters->lists[kind].scope_top = counters->lists[kind].depth + counters->lists[kind].untimed;
  counters->below = innermost;
  innermost = counters;
  return TAC_STATUS_OK;
}

enum tac_status tac_device_scope_end(struct tac_device_counters *counters, struct tac_error *error) {
  if (!counters || innermost != counters)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "the counters are not those whose scope this thread began last");
  for (int kind = 0; kind < TAC_DEVICE_CALL_KINDS; kind++)
    tac_device_counters_drop(counters, &counters->lists[kind], counters->lists[kind].scope_top);
  innermost = counters->below;
  atomic_store_explicit(&counters->in_scope, 0, memory_order_release);
  return TAC_STATUS_OK;
}

void tac_device_scope_forget(struct tac_device_counters *counters) {
  for (struct tac_device_counters **link = &innermost; *link; link = &(*link)->below)
    if (*link == counters) {
      *link = counters->below;
      return;
    }
}

struct tac_device_counters *tac_device_scope(void) {
  return innermost;
}

void tac_device_launch_begin(const char *label, uint64_t *handle) {
  *handle = 0;
  if (innermost)
    tac_device_counters_launch_begin(innermost, label, handle);
}

void tac_device_launch_end(uint64_t handle) {
  if (innermost)
    tac_device_counters_launch_end(innermost, handle);
}

void tac_device_fence_begin(const char *label, uint64_t *handle) {
  *handle = 0;
  if (innermost)
    tac_device_counters_fence_begin(innermost, label, handle);
}

void tac_device_fence_end(uint64_t handle) {
  if (innermost)
    tac_device_counters_fence_end(innermost, handle);
}

void tac_device_copy(enum tac_copy_direction direction, uint64_t bytes) {
  if (innermost)
    tac_device_counters_copy(innermost, direction, bytes);
}
