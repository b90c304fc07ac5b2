/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_REPORT_KOKKOS_CSV_H
#define APPS_TACTUS_REPORT_KOKKOS_CSV_H

#include <tactus/measure/report.h>

#include "apps/tactus/record.h"

/* A record of the Kokkos module as CSV: a row for each of its kernels, fences, copies, regions, sections and marks, as they
 * stand there. INVALID: a member is not what it should be, and nothing is written; IO: the sink refused; MEMORY. */
enum tac_status tac_kokkos_write_csv(const struct tac_record *record, tac_sink_fn sink, void *context, struct tac_error *error);

#endif
