/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_COSTS_PRINT_H
#define APPS_TACTUS_COSTS_PRINT_H

#include <stdio.h>

#include <tactus/measure/report.h>

#include "apps/tactus/costs.h"

/* After the fit: what it is of, the terms of each event, predicted against seen, idle shares. */
enum tac_status tac_costs_print_fit(FILE *stream, const struct tac_costs *costs, struct tac_error *error);

/* The same as one JSON object: {"schema":1,"kind":"costs_report",…}. */
enum tac_status tac_costs_write_fit(const struct tac_costs *costs, tac_sink_fn sink, void *context, struct tac_error *error);

#endif
