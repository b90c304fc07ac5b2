/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/clock.h>

#include <time.h>

#define DEFAULT_READS 10000

static int64_t monotonic_now_ns(void *context) {
  (void)context;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

const struct tac_clock *tac_clock_monotonic(void) {
  static const struct tac_clock monotonic = {"CLOCK_MONOTONIC", monotonic_now_ns, NULL};
  return &monotonic;
}

int64_t tac_clock_resolution_ns(const struct tac_clock *clock, int reads) {
  if (reads <= 0)
    reads = DEFAULT_READS;
  int64_t smallest = 0, before = clock->now_ns(clock->context);
  for (int i = 1; i < reads; i++) {
    int64_t now = clock->now_ns(clock->context);
    if (now > before && (smallest == 0 || now - before < smallest))
      smallest = now - before;
    before = now;
  }
  return smallest;
}
