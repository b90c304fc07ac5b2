/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/module/ticks.h"

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__)

#include <cpuid.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <x86intrin.h>

enum { CALIBRATION_NS = 3000000, TRIES = 32, FRACTION_BITS = 32 };

/* ns = start_ns + (ticks - start_ticks) * rate / 2^32 */
static struct {
  uint64_t start_ticks, rate;
  int64_t start_ns;
} ticks;

__extension__ typedef unsigned __int128 wide;

static int64_t ticks_now_ns(void *context) {
  (void)context;
  const wide elapsed = (wide)(__rdtsc() - ticks.start_ticks) * ticks.rate;
  return ticks.start_ns + (int64_t)(uint64_t)(elapsed >> FRACTION_BITS);
}

static int is_invariant(void) {
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
}

/* The kernel strikes a counter that goes wrong off its list. */
static int is_trusted(void) {
  char list[256];
  const int file = open("/sys/devices/system/clocksource/clocksource0/available_clocksource", O_RDONLY | O_CLOEXEC);
  const ssize_t bytes = file >= 0 ? read(file, list, sizeof list - 1) : 0;
  if (file >= 0)
    close(file);
  list[bytes > 0 ? bytes : 0] = '\0';
  return strstr(list, "tsc") != NULL;
}

/* Both at one moment: the closest of several tries, as others may take the processor in between. */
static int64_t read_both(uint64_t *at) {
  const struct tac_clock *monotonic = tac_clock_monotonic();
  uint64_t least = UINT64_MAX;
  int64_t ns = 0;
  for (int i = 0; i < TRIES; i++) {
    const uint64_t before = __rdtsc();
    const int64_t now_ns = monotonic->now_ns(monotonic->context);
    const uint64_t width = __rdtsc() - before;
    if (width >= least)
      continue;
    least = width;
    ns = now_ns;
    *at = before + width / 2;
  }
  return ns;
}

static void calibrate(void) {
  const struct tac_clock *monotonic = tac_clock_monotonic();
  uint64_t end_ticks = 0;
  ticks.start_ns = read_both(&ticks.start_ticks);
  while (monotonic->now_ns(monotonic->context) - ticks.start_ns < CALIBRATION_NS)
    continue;
  const int64_t elapsed_ns = read_both(&end_ticks) - ticks.start_ns;
  if (end_ticks > ticks.start_ticks)
    ticks.rate = (uint64_t)(((wide)(uint64_t)elapsed_ns << FRACTION_BITS) / (end_ticks - ticks.start_ticks));
}

const struct tac_clock *tac_ticks_clock(void) {
  static const struct tac_clock clock = {"time-stamp counter, calibrated by CLOCK_MONOTONIC", ticks_now_ns, NULL};
  if (ticks.rate == 0 && is_invariant() && is_trusted())
    calibrate();
  return ticks.rate > 0 ? &clock : tac_clock_monotonic();
}

double tac_ticks_drift_ppm(void) {
  uint64_t at = 0;
  if (ticks.rate == 0)
    return 0;
  const int64_t now_ns = read_both(&at);
  const wide elapsed = (wide)(at - ticks.start_ticks) * ticks.rate;
  const double counted_ns = (double)(int64_t)(uint64_t)(elapsed >> FRACTION_BITS);
  return now_ns > ticks.start_ns ? (counted_ns / (double)(now_ns - ticks.start_ns) - 1) * 1e6 : 0;
}

#else

const struct tac_clock *tac_ticks_clock(void) {
  return tac_clock_monotonic();
}

double tac_ticks_drift_ppm(void) {
  return 0;
}

#endif
