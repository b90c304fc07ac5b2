/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_DRIVEN_CLOCK_H
#define TESTS_SUPPORT_DRIVEN_CLOCK_H

#include <stdatomic.h>

#include <tactus/runtime/clock.h>

/* A clock that moves only when a test moves it, or by `step_ns` after each read. Counts its reads. */
struct driven_clock {
  _Atomic int64_t now_ns;
  int64_t step_ns;
  _Atomic int reads;
  struct tac_clock clock;
};

static inline int64_t driven_clock_now(void *context) {
  struct driven_clock *driven = context;
  atomic_fetch_add(&driven->reads, 1);
  return atomic_fetch_add(&driven->now_ns, driven->step_ns);
}

static inline void driven_clock_init(struct driven_clock *driven, int64_t now_ns, int64_t step_ns) {
  atomic_init(&driven->now_ns, now_ns);
  atomic_init(&driven->reads, 0);
  driven->step_ns = step_ns;
  driven->clock = (struct tac_clock){"driven", driven_clock_now, driven};
}

static inline void driven_clock_advance(struct driven_clock *driven, int64_t by_ns) {
  atomic_fetch_add(&driven->now_ns, by_ns);
}

#endif
