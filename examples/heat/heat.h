/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef HEAT_H
#define HEAT_H

#include <stddef.h>

#include <tactus/measure/recorder.h>
#include <tactus/scheduler/scheduler.h>

/* The events of one run, in the order of the table. */
enum heat_event {
  HEAT_EVENT_RUN = 0,
  HEAT_EVENT_STEP,
  HEAT_EVENT_UPDATE, /* batched: blocks of cells */
  HEAT_EVENT_PEAK,   /* exists at detailed only */
  HEAT_EVENT_COUNT
};
extern const struct tac_event_set heat_events;

/* A rod with both ends at zero, cooling: explicit steps of u' = u + ratio * (left - 2 u + right). */
struct heat_rod {
  size_t cells;
  double ratio;      /* 0 < ratio <= 1/2: stable */
  double *now;       /* cells + 2 values, the ends included and zero */
  double *next;      /* as many; both change places after each step */
  double until;      /* a run ends when the largest value is at most this */
  size_t step_limit; /* or after so many steps */
  size_t steps;      /* done so far */
};

/* The ordinary entry: it has no recorder and runs the code that never heard of measurement. */
enum tac_status heat_run(struct heat_rod *rod, struct tac_scheduler *scheduler, struct tac_error *error);

/* The same, recorded at the recorder's level, which must be the scheduler's. INVALID: no recorder. */
enum tac_status heat_run_measured(struct heat_rod *rod, struct tac_scheduler *scheduler, struct tac_recorder *recorder,
                                  struct tac_error *error);

#endif
