/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_TICKS_H
#define MEASURE_KOKKOS_TICKS_H

#include <tactus/runtime/clock.h>

/* The processor's time-stamp counter as a clock, where it is invariant and the system trusts it: a read costs less than half of
 * CLOCK_MONOTONIC's, beside which it is calibrated for some milliseconds at the first call; elsewhere that clock. Its times are
 * CLOCK_MONOTONIC's at the start. */
const struct tac_clock *tac_ticks_clock(void);

/* How far it has gone from CLOCK_MONOTONIC since, in millionths of the time; 0 for that clock itself. */
double tac_ticks_drift_ppm(void);

#endif
