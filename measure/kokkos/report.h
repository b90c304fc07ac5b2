/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_REPORT_H
#define MEASURE_KOKKOS_REPORT_H

#include "measure/kokkos/counters.h"
#include "measure/kokkos/emitter.h"

/* The members that hold what was counted: kernels, fences, copies, directions, regions, marks, steps. */
void tac_kokkos_write_rows(struct tac_emitter *json, const struct tac_kokkos_counters *counters);

/* … and the others: spaces, sections, mismatches, dropped. */
void tac_kokkos_write_rest(struct tac_emitter *json, const struct tac_kokkos_counters *counters);

/* "clock" and "cost". The clock's resolution and what counting a launch costs are measured here and now. */
void tac_kokkos_write_clock(struct tac_emitter *json, const struct tac_kokkos_counters *counters, int64_t origin_ns,
                            double drift_ppm);

/* `extra`, unless NULL, is written at the end of the first line: more pairs, beginning with a blank. */
enum tac_status tac_kokkos_write_text(const struct tac_kokkos_counters *counters, const char *prefix, const char *extra,
                                      tac_sink_fn sink, void *context, struct tac_error *error);

#endif
