/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_JSON_H
#define VOLUME_FMM_JSON_H

#include <jansson.h>

#include "apps/volume_fmm/run.h"

/* What is known of a finished run beside what its recorder tells, as one JSON object, which json_decref ends; argv is the
 * command line that `run` repeats. MEMORY. */
enum tac_status tac_volume_json(json_t **value, const struct tac_volume_run *run, int argc, char *const argv[],
                                struct tac_error *error);

/* Writes the table of phases of a run (a struct tac_volume_run *) as CSV: a tac_fill_fn. */
enum tac_status tac_volume_csv(void *run, FILE *file, struct tac_error *error);

#endif
