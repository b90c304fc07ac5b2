/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_REPLAYED_CLOCK_H
#define MEASURE_REPLAYED_CLOCK_H

#include <tactus/runtime/clock.h>

#include "measure/record_cost.h"

/* The clock of a record that is read back. What is measured of a clock was measured when the record was written, and is
 * answered again: each read is one step of its resolution from the last, there and back, so that no resolution is too large
 * for many reads. For one thread. */
struct tac_replayed_clock {
  struct tac_clock clock; /* of the recorder */
  int64_t now_ns, resolution_ns;
  struct tac_record_cost cost; /* of a record */
};

/* Stays where it is; `name` lives as long. */
void tac_replayed_clock_init(struct tac_replayed_clock *out, const char *name, int64_t resolution_ns,
                             const struct tac_record_cost *cost);

/* The replayed clock that this is; NULL for any other clock. */
const struct tac_replayed_clock *tac_replayed_clock_find(const struct tac_clock *clock);

#endif
