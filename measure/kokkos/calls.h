/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_CALLS_H
#define MEASURE_KOKKOS_CALLS_H

#include "measure/kokkos/counters.h"

/* Begins, by kind. Each returns what it has put on the stack, NULL without memory for it. *handle is always set. */
struct tac_kokkos_frame *tac_calls_begin_kernel(struct tac_kokkos_counters *counters, enum tac_kokkos_kind kind,
                                                const char *label, uint32_t device, uint64_t *handle);
/* The row of a kernel in the innermost open region; NULL outside of regions, and of a kernel without a row of its own. */
struct tac_kokkos_line *tac_calls_by_region(struct tac_kokkos_counters *counters, struct tac_kokkos_line *kernel);
struct tac_kokkos_frame *tac_calls_begin_fence(struct tac_kokkos_counters *counters, const char *label, uint32_t device,
                                               uint64_t *handle);

struct tac_kokkos_transfer {
  const char *to, *to_label, *from, *from_label; /* the spaces: at most 63 bytes */
  const void *to_pointer, *from_pointer;
  uint64_t bytes;
};
struct tac_kokkos_frame *tac_calls_begin_copy(struct tac_kokkos_counters *counters, const struct tac_kokkos_transfer *transfer);
struct tac_kokkos_frame *tac_calls_push_region(struct tac_kokkos_counters *counters, const char *name);
struct tac_kokkos_line *tac_calls_mark(struct tac_kokkos_counters *counters, const char *name);

/* What an end has ended. */
enum tac_closing {
  TAC_CLOSED_NOTHING, /* no frame was taken off */
  TAC_CLOSED_UNTIMED, /* one was, but it counts nowhere */
  TAC_CLOSED
};
struct tac_kokkos_closed {
  struct tac_kokkos_frame frame;
  int64_t end_ns;
};
enum tac_closing tac_calls_end_kernel(struct tac_kokkos_counters *counters, enum tac_kokkos_kind kind, uint64_t handle,
                                      struct tac_kokkos_closed *closed);
enum tac_closing tac_calls_end_fence(struct tac_kokkos_counters *counters, uint64_t handle, struct tac_kokkos_closed *closed);
enum tac_closing tac_calls_end_copy(struct tac_kokkos_counters *counters, struct tac_kokkos_closed *closed);
enum tac_closing tac_calls_pop_region(struct tac_kokkos_counters *counters, struct tac_kokkos_closed *closed);

/* Whether a kernel or a fence has begun, was timed and has not ended. */
int tac_calls_is_open(const struct tac_kokkos_counters *counters);

int64_t tac_calls_now(const struct tac_kokkos_counters *counters);

#endif
