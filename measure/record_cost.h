/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_RECORD_COST_H
#define MEASURE_RECORD_COST_H

#include <tactus/measure/recorder.h>

/* What measuring takes on this machine: a read of the clock, a phase from before its enter to after its leave, and an item
 * beyond what it does itself. */
struct tac_record_cost {
  double clock_read_ns, phase_record_ns;
  double item_record_ns; /* 0 but at detailed */
};

/* Measures it on a recorder of its own with that clock, level and allocator, without hooks. MEMORY. */
enum tac_status tac_record_cost_measure(struct tac_record_cost *out, const struct tac_recorder_options *like,
                                        struct tac_error *error);

#endif
