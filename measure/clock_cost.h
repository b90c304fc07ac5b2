/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_CLOCK_COST_H
#define MEASURE_CLOCK_COST_H

#include <tactus/runtime/clock.h>

/* What a read of the clock takes by itself: the least mean of some rounds is that of an undisturbed machine. */
static inline double tac_clock_cost_ns(const struct tac_clock *clock) {
  enum { ROUNDS = 5, READS = 200 };
  double least_ns = 0;
  for (int round = 0; round < ROUNDS; round++) {
    const int64_t begin_ns = clock->now_ns(clock->context);
    int64_t end_ns = begin_ns;
    for (int i = 0; i < READS; i++)
      end_ns = clock->now_ns(clock->context);
    const double each_ns = (double)(end_ns - begin_ns) / READS;
    least_ns = round == 0 || each_ns < least_ns ? each_ns : least_ns;
  }
  return least_ns;
}

#endif
