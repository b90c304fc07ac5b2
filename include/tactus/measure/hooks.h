/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_HOOKS_H
#define TACTUS_MEASURE_HOOKS_H

#include <stddef.h>

#include <tactus/runtime/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the hooked level calls: NVTX ranges, hardware counters, a tracer. Any entry may be NULL. Phase entries come on the
 * thread that drives the recorder; item entries come from every lane at once. `name` is the event's name. Nothing a hook
 * does changes a result: it returns nothing. */
struct tac_hooks {
  void *context;
  void (*phase_enter)(void *context, int event, const char *name);
  void (*phase_leave)(void *context, int event, const char *name);
  void (*item_enter)(void *context, int event, size_t index, int lane);
  void (*item_leave)(void *context, int event, size_t index, int lane, enum tac_status status);
};

#ifdef __cplusplus
}
#endif
#endif
