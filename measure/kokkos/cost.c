/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/cost.h"

#include <math.h>

#include "measure/clock_cost.h"
#include "measure/kokkos/calls.h"

/* Of several rounds the least, as others use the machine too. */
enum { ROUNDS = 20, LAUNCHES = 100 };

static int64_t launch_round(struct tac_kokkos_counters *counters) {
  const int64_t start_ns = tac_calls_now(counters);
  for (int i = 0; i < LAUNCHES; i++) {
    struct tac_kokkos_closed closed;
    uint64_t handle;
    tac_calls_begin_kernel(counters, TAC_KOKKOS_FOR, "what a launch costs", 0, &handle);
    tac_calls_end_kernel(counters, TAC_KOKKOS_FOR, handle, &closed);
  }
  return tac_calls_now(counters) - start_ns;
}

/* Counted in a set that is thrown away. */
static double launch_cost_ns(const struct tac_clock *clock) {
  struct tac_kokkos_counters *counters;
  struct tac_kokkos_nesting nesting = {0};
  struct tac_kokkos_options options;
  tac_kokkos_options_init(&options);
  options.clock = clock;
  if (tac_kokkos_counters_create(&counters, &options, NULL) != TAC_STATUS_OK)
    return NAN;
  counters->nesting = &nesting;
  int64_t least_ns = INT64_MAX;
  for (int round = 0; round < ROUNDS; round++) {
    const int64_t took_ns = launch_round(counters);
    least_ns = took_ns < least_ns ? took_ns : least_ns;
  }
  tac_kokkos_counters_destroy(&counters);
  return (double)least_ns / LAUNCHES;
}

struct tac_kokkos_cost tac_kokkos_cost_measure(const struct tac_clock *clock) {
  return (struct tac_kokkos_cost){.clock_read_ns = tac_clock_cost_ns(clock), .launch_record_ns = launch_cost_ns(clock)};
}
