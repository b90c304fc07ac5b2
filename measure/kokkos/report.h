/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_REPORT_H
#define MEASURE_KOKKOS_REPORT_H

#include "measure/kokkos/counters.h"
#include "measure/kokkos/emitter.h"

/* The members that hold what was counted: kernels, fences, copies, directions, regions, kernels by region, marks,
 * steps. */
void tac_kokkos_write_rows(struct tac_emitter *json, const struct tac_kokkos_counters *counters);

extern const char *const tac_kokkos_direction_names[TAC_KOKKOS_DIRECTIONS];

/* Where something has not ended, the innermost of the regions that were pushed more often than popped; NULL: none. */
const char *tac_kokkos_open_region(const struct tac_kokkos_counters *counters);

/* "mismatches" and "dropped". */
void tac_kokkos_write_losses(struct tac_emitter *json, const struct tac_kokkos_counters *counters);

/* … and the others: spaces, sections, mismatches, dropped. */
void tac_kokkos_write_rest(struct tac_emitter *json, const struct tac_kokkos_counters *counters);

/* "clock" and "cost". The clock's resolution and what counting a launch costs are measured here and now. */
void tac_kokkos_write_clock(struct tac_emitter *json, const struct tac_kokkos_counters *counters, int64_t origin_ns,
                            double drift_ppm);

/* What the times of kernels are: "execution", "dispatch", "mixed" or "unknown". fencing: global fencing is on (1), off (0), or
 * nobody knows (-1); a kernel on a device that is the host's own threads has run at its end in any case. */
const char *tac_kokkos_seconds(const struct tac_kokkos_counters *counters, int fencing);

/* The time in which was counted. */
struct tac_kokkos_span {
  int64_t wall_ns;
  uint32_t threads; /* host threads that have counted something */
};
#define TAC_KOKKOS_UNKNOWN_NS (-1)

/* What the kernels leave of the wall time; TAC_KOKKOS_UNKNOWN_NS where kernels of several threads may have run at once, and
 * where the span does not hold them. */
int64_t tac_kokkos_outside_ns(const struct tac_kokkos_counters *counters, const struct tac_kokkos_span *span);

/* What the text tells beside what was counted; NULL or zeros: nothing. */
struct tac_kokkos_text_context {
  const struct tac_kokkos_span *span;
  const char *extra; /* more pairs at the end of the first line, beginning with a blank */
};
enum tac_status tac_kokkos_write_text(const struct tac_kokkos_counters *counters, const char *prefix,
                                      const struct tac_kokkos_text_context *more, tac_sink_fn sink, void *context,
                                      struct tac_error *error);

#endif
