/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_REPORT_PHASES_H
#define APPS_TACTUS_REPORT_PHASES_H

#include <tactus/measure/device_report.h>
#include <tactus/measure/phase_report.h>

#include "apps/tactus/record.h"

/* The member "profile" as the report that it was written from. Texts are the record's. */
struct tac_record_phases {
  struct tac_phase_report report;
  const char **names;
  struct tac_phase_profile *profile;
  struct tac_operation_count *entries;
  struct tac_operation_counts counts;
};

/* Without that member report.profile is NULL. INVALID, MEMORY; released by the caller in any case. */
enum tac_status tac_record_phases_restore(struct tac_record_phases *out, const struct tac_record *record,
                                          struct tac_error *error);
void tac_record_phases_release(struct tac_record_phases *phases);

/* The same for the member "device"; *out is NULL without one. *has_memory: *memory is known. */
enum tac_status tac_record_counters_restore(struct tac_device_counters **out, struct tac_device_memory_stats *memory,
                                            int *has_memory, const struct tac_record *record, struct tac_error *error);

#endif
