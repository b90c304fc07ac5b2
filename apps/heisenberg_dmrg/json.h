/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef HEISENBERG_DMRG_JSON_H
#define HEISENBERG_DMRG_JSON_H

#include <jansson.h>

#include "apps/heisenberg_dmrg/run.h"

/* What is known of a finished run beside what its recorder tells, as one JSON object, which json_decref ends; argv is the
 * command line that `run` repeats. MEMORY. */
enum tac_status tac_heisenberg_json(json_t **value, const struct tac_heisenberg_run *run, int argc, char *const argv[],
                                    struct tac_error *error);

/* Adds run->perturbation. MEMORY. */
enum tac_status tac_heisenberg_json_perturbation(json_t *value, const struct tac_heisenberg_run *run, struct tac_error *error);

#endif
