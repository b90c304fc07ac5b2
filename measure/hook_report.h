/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_HOOK_REPORT_H
#define MEASURE_HOOK_REPORT_H

#include <tactus/measure/hook_report.h>

/* 0: every counter of the sum counted all the time. */
static inline int tac_hook_sum_is_scaled(const struct tac_hook_sum *sum, size_t counters) {
  for (size_t c = 0; c < counters; c++)
    if (sum->value[c].counted_ns != sum->value[c].enabled_ns)
      return 1;
  return 0;
}

/* Share of the time in which it counted. */
static inline double tac_hook_value_share(const struct tac_hook_value *value) {
  return value->counted_ns == value->enabled_ns ? 1 : (double)value->counted_ns / (double)value->enabled_ns;
}

/* INVALID: no sink, or figures that cannot be reported. */
enum tac_status tac_hook_report_check(const struct tac_hook_figures *figures, tac_sink_fn sink, const char *where,
                                      struct tac_error *error);

#endif
