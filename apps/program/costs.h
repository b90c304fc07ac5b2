/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_COSTS_H
#define APPS_PROGRAM_COSTS_H

#include <tactus/measure/cost_model.h>

struct tac_machine_options;

/* Of --costs=FILE: the model in the file, for a program with these events. IO where the file cannot be read; INVALID, with file
 * and member in the text, where it is no such file, another program's, or has an event or a term that this one lacks. The
 * error's place is the option. */
enum tac_status tac_costs_load(struct tac_cost_model **out, const char *path, const char *program,
                               const struct tac_event_terms *of, size_t count, struct tac_error *error);

/* INVALID with an executor that has a device: costs are of items on the host. */
enum tac_status tac_costs_check_machine(const char *path, const struct tac_machine_options *machine, struct tac_error *error);

#endif
