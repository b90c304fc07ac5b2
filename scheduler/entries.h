/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef SCHEDULER_ENTRIES_H
#define SCHEDULER_ENTRIES_H

#include <tactus/scheduler/scheduler.h>

/* The entry points of one level. A scheduler binds its level's table at creation; an ordinary call uses the off table
 * whatever the level. */
struct tac_plain_entries {
  enum tac_status (*run)(struct tac_scheduler *scheduler, const struct tac_batch *batch, struct tac_error *error);
  enum tac_status (*lane_run)(struct tac_lane *lane, const struct tac_batch *batch, struct tac_error *error);
};

struct tac_measured_entries {
  enum tac_status (*run)(struct tac_scheduler *scheduler, const struct tac_batch *batch, struct tac_recorder *recorder,
                         struct tac_error *error);
  enum tac_status (*lane_run)(struct tac_lane *lane, const struct tac_batch *batch, struct tac_recorder *recorder,
                              struct tac_error *error);
};

extern const struct tac_plain_entries tac_entries_off;
extern const struct tac_measured_entries tac_entries_coarse, tac_entries_detailed, tac_entries_hooked;

/* NULL at off. */
const struct tac_measured_entries *tac_measured_entries_of(enum tac_level level);

#endif
