/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_EVENT_H
#define TACTUS_MEASURE_EVENT_H

#include <stddef.h>

#include <tactus/runtime/export.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TAC_NO_EVENT (-1)

/* One named phase or batch of an algorithm. Durations are inclusive: a parent contains its children. */
struct tac_event {
  const char *name;     /* "block SVD"; any bytes are legal, reports escape them */
  int parent;           /* index in the set, smaller than its own, or TAC_NO_EVENT */
  unsigned batched : 1; /* batches run under this event: detailed keeps records of them */
};

/* The events of one algorithm, indexed by the algorithm's own enum. Constant, outlives every recorder made for it. */
struct tac_event_set {
  const char *name;
  size_t count;
  const struct tac_event *events;
};

#ifdef __cplusplus
}
#endif
#endif
