/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_REPORT_KOKKOS_H
#define APPS_TACTUS_REPORT_KOKKOS_H

#include <stdio.h>

#include "apps/tactus/record.h"

/* The tables of a record of the Kokkos module: kernels, fences and regions; steps, sections, marks, copies and spaces; and what
 * did not pair or found no room. INVALID: a member is not what it should be. */
enum tac_status tac_record_print_kokkos(FILE *stream, const struct tac_record *record, struct tac_error *error);

#endif
