/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <unistd.h>

#include "measure/kokkos/calls.h"
#include "measure/thread_stack.h"

static _Thread_local struct tac_kokkos_counters *innermost TAC_ONE_READ;
static _Thread_local struct tac_kokkos_nesting nesting TAC_ONE_READ;

/* Threads of a process differ in it, and it is 0 for the first one. */
static uint32_t thread_number(void) {
#ifdef __linux__
  return (uint32_t)(gettid() - getpid()) & 0xffff;
#else
  return (uint32_t)((uint64_t)(uintptr_t)&nesting * UINT64_C(0x9e3779b97f4a7c15) >> 48);
#endif
}

enum tac_status tac_kokkos_scope_begin(struct tac_kokkos_counters *counters, struct tac_error *error) {
  if (!counters)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no counters");
  if (atomic_exchange_explicit(&counters->in_scope, 1, memory_order_acquire))
    return tac_error_set(error, TAC_STATUS_BUSY, __func__, "the counters are in a scope already");
  nesting.thread = thread_number();
  counters->nesting = &nesting;
  counters->tag = (uint64_t)nesting.thread << 48 | (uint64_t)(nesting.scopes++ & 0xffff) << 32;
  counters->below = innermost;
  innermost = counters;
  return TAC_STATUS_OK;
}

static void leave(struct tac_kokkos_counters **link) {
  struct tac_kokkos_counters *counters = *link;
  tac_kokkos_counters_abandon(counters);
  *link = counters->below;
  atomic_store_explicit(&counters->in_scope, 0, memory_order_release);
}

enum tac_status tac_kokkos_scope_end(struct tac_kokkos_counters *counters, struct tac_error *error) {
  if (!counters || innermost != counters)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "the counters are not those whose scope this thread began last");
  leave(&innermost);
  return TAC_STATUS_OK;
}

void tac_kokkos_scope_forget(struct tac_kokkos_counters *counters) {
  for (struct tac_kokkos_counters **link = &innermost; *link; link = &(*link)->below)
    if (*link == counters) {
      leave(link);
      return;
    }
}

struct tac_kokkos_counters *tac_kokkos_scope(void) {
  return innermost;
}

void tac_kokkos_begin_kernel(enum tac_kokkos_kind kind, const char *label, uint32_t device, uint64_t *handle) {
  *handle = 0;
  if (innermost)
    tac_calls_begin_kernel(innermost, kind, label, device, handle);
}

void tac_kokkos_end_kernel(enum tac_kokkos_kind kind, uint64_t handle) {
  struct tac_kokkos_closed closed;
  if (innermost)
    tac_calls_end_kernel(innermost, kind, handle, &closed);
}

void tac_kokkos_begin_fence(const char *label, uint32_t device, uint64_t *handle) {
  *handle = 0;
  if (innermost)
    tac_calls_begin_fence(innermost, label, device, handle);
}

void tac_kokkos_end_fence(uint64_t handle) {
  struct tac_kokkos_closed closed;
  if (innermost)
    tac_calls_end_fence(innermost, handle, &closed);
}

/* Copies and regions are followed outside of scopes too, as their ends say nothing about what they end. */
void tac_kokkos_begin_copy(const char *to, const char *to_label, const void *to_pointer, const char *from,
                           const char *from_label, const void *from_pointer, uint64_t bytes) {
  if (innermost)
    tac_calls_begin_copy(innermost,
                         &(struct tac_kokkos_transfer){to, to_label, from, from_label, to_pointer, from_pointer, bytes});
  else
    nesting.copies++;
}

void tac_kokkos_end_copy(void) {
  struct tac_kokkos_closed closed;
  if (innermost)
    tac_calls_end_copy(innermost, &closed);
  else if (nesting.copies > 0)
    nesting.copies--;
}

void tac_kokkos_push_region(const char *name) {
  if (innermost)
    tac_calls_push_region(innermost, name);
  else
    nesting.regions++;
}

void tac_kokkos_pop_region(void) {
  struct tac_kokkos_closed closed;
  if (innermost)
    tac_calls_pop_region(innermost, &closed);
  else if (nesting.regions > 0)
    nesting.regions--;
}

void tac_kokkos_allocate(const char *space, uint64_t bytes) {
  if (innermost)
    tac_ledger_memory(innermost->ledger, space, bytes, 0);
}

void tac_kokkos_deallocate(const char *space, uint64_t bytes) {
  if (innermost)
    tac_ledger_memory(innermost->ledger, space, bytes, 1);
}

void tac_kokkos_create_section(const char *name, uint32_t *section) {
  *section = innermost ? tac_ledger_section_create(innermost->ledger, name) : UINT32_MAX;
}

void tac_kokkos_start_section(uint32_t section) {
  if (innermost)
    tac_ledger_section_start(innermost->ledger, section, innermost->region, innermost->options.clock);
}

void tac_kokkos_stop_section(uint32_t section) {
  int64_t start_ns;
  if (innermost)
    tac_ledger_section_stop(innermost->ledger, section, tac_calls_now(innermost), &start_ns);
}

void tac_kokkos_destroy_section(uint32_t section) {
  if (innermost)
    tac_ledger_section_destroy(innermost->ledger, section);
}

void tac_kokkos_mark(const char *name) {
  if (innermost)
    tac_calls_mark(innermost, name);
}
