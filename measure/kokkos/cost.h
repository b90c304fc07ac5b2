/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_COST_H
#define MEASURE_KOKKOS_COST_H

#include <tactus/runtime/clock.h>

/* What counting takes on this machine: a read of the clock, and a launch from before its begin to after its end. */
struct tac_kokkos_cost {
  double clock_read_ns;
  double launch_record_ns; /* NaN without memory for a set of its own */
};
struct tac_kokkos_cost tac_kokkos_cost_measure(const struct tac_clock *clock);

#endif
