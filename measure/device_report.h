/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_DEVICE_REPORT_H
#define MEASURE_DEVICE_REPORT_H

#include <tactus/measure/device_report.h>

/* Those labels of launches or fences that have calls, by falling host time, then as they came. */
struct tac_ranking {
  struct tac_ranked_call {
    struct tac_device_calls calls;
    size_t number;
  } * ranked;
  size_t count;
};

/* MEMORY; released with the counters' allocator. */
enum tac_status tac_ranking_create(struct tac_ranking *out, const struct tac_device_counters *counters,
                                   enum tac_device_call_kind kind, const char *where, struct tac_error *error);
void tac_ranking_release(struct tac_ranking *ranking, const struct tac_device_counters *counters);

double tac_device_calls_mean_ns(const struct tac_device_calls *calls); /* 0 without a timed one */

#endif
