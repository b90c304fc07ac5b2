/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_REPORT_COSTS_H
#define APPS_TACTUS_REPORT_COSTS_H

#include <stdio.h>

#include "apps/tactus/record.h"

/* The tables of a run with --costs, from the member "costs"; nothing without it, or below detailed, where nothing was compared.
 * INVALID: error->where is the member. MEMORY. */
enum tac_status tac_record_print_costs(FILE *stream, const struct tac_record *record, struct tac_error *error);

#endif
