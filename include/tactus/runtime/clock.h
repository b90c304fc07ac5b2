/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_RUNTIME_CLOCK_H
#define TACTUS_RUNTIME_CLOCK_H

#include <stdint.h>

#include <tactus/runtime/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A steady clock. now_ns returns signed 64-bit nanoseconds that never decrease; it is called from every lane at once and
 * must be thread safe. A caller may pass a clock of its own (tests drive one by hand). */
struct tac_clock {
  const char *name;
  int64_t (*now_ns)(void *context);
  void *context;
};

/* The default: CLOCK_MONOTONIC. Static, never freed. */
TAC_API const struct tac_clock *tac_clock_monotonic(void);

/* The smallest nonzero difference seen between successive reads, in ns, over at most `reads` reads (0: a default). */
TAC_API int64_t tac_clock_resolution_ns(const struct tac_clock *clock, int reads);

#ifdef __cplusplus
}
#endif
#endif
