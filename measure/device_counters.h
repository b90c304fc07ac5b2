/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_DEVICE_COUNTERS_H
#define MEASURE_DEVICE_COUNTERS_H

#include <stdatomic.h>

#include <tactus/measure/device_counters.h>

#include "measure/label_table.h"

/* A call that has begun. */
struct tac_begun_call {
  uint64_t number; /* of its label, or one of the next */
  int64_t start_ns;
};
#define TAC_CALL_UNRECORDED UINT64_MAX       /* also the handle of such a launch */
#define TAC_CALL_FORGOTTEN  (UINT64_MAX - 1) /* by a reset */

/* The launches or the fences of a set. */
struct tac_call_list {
  struct tac_label_table labels;
  struct tac_device_calls *calls; /* one a label, without it */
  size_t capacity;
  struct tac_device_calls unrecorded;
  struct tac_begun_call *begun; /* a stack */
  size_t depth, begun_capacity;
  size_t untimed;   /* begun on top of those, without memory for them */
  size_t scope_top; /* how many of both were open when the scope began */
};

struct tac_device_counters {
  struct tac_device_counters_options options; /* with the defaults filled in */
  struct tac_call_list lists[TAC_DEVICE_CALL_KINDS];
  struct tac_device_copies copies[TAC_COPY_DIRECTIONS];
  uint64_t mismatches;
  atomic_int in_scope;
  struct tac_device_counters *below; /* in its thread's stack; valid while in a scope */
};

/* Drops what has begun since so many were open, as mismatches. */
void tac_device_counters_drop(struct tac_device_counters *counters, struct tac_call_list *list, size_t open);

/* Ends a fence, within launches or not: its time is not that of the launches that are open. One whose fence has no time has
 * none either. */
void tac_device_counters_wait_end(struct tac_device_counters *counters, uint64_t handle);

/* Takes the set out of the calling thread's stack, wherever it stands. */
void tac_device_scope_forget(struct tac_device_counters *counters);

#endif
