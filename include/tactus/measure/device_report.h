/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_DEVICE_REPORT_H
#define TACTUS_MEASURE_DEVICE_REPORT_H

#include <tactus/measure/device_counters.h>
#include <tactus/measure/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a set of device counters holds. `memory` is what tac_device_memory_stats says of the device, NULL: nothing is told of
 * it. Launches and fences stand by falling host time, equal ones in the order in which their labels came. Each answers INVALID
 * without counters or sink, IO when the sink refuses a piece, and MEMORY, when nothing, or only a part, was written. */

/* Tables for a person: launches and fences with count, host total, mean, min, max and share of all; copies by direction with
 * count and bytes; the device's memory in a line. Says what matched no begin, and which sums are too small. */
TAC_API enum tac_status tac_device_report_text(const struct tac_device_counters *counters,
                                               const struct tac_device_memory_stats *memory, tac_sink_fn sink, void *context,
                                               struct tac_error *error);

/* One JSON object {"schema":1,"launches":[…],"launches_unrecorded":{…},"launches_total":{…},"fences":[…],
 * "fences_unrecorded":{…},"fences_total":{…},"copies":{"to_device":{…},"to_host":{…},"on_device":{…},"mapped":{…}},
 * "call_mismatches":…,"device_memory":{…}}; the last is null without `memory`. Texts and numbers as in tac_report_json. */
TAC_API enum tac_status tac_device_report_json(const struct tac_device_counters *counters,
                                               const struct tac_device_memory_stats *memory, tac_sink_fn sink, void *context,
                                               struct tac_error *error);

/* The members of that object after its schema, without the braces; none has a name that tac_report_json_members or
 * tac_phase_report_json_members uses. */
TAC_API enum tac_status tac_device_report_json_members(const struct tac_device_counters *counters,
                                                       const struct tac_device_memory_stats *memory, tac_sink_fn sink,
                                                       void *context, struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
