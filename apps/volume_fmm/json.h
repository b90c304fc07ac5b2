/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_JSON_H
#define VOLUME_FMM_JSON_H

#include "apps/volume_fmm/run.h"

/* Everything about a finished run as one JSON object in memory that the caller frees; argv is the command line that `run`
 * repeats. MEMORY. */
enum tac_status tac_volume_json(char **text, const struct tac_volume_run *run, int argc, char *const argv[],
                                struct tac_error *error);

/* The table of phases as CSV in memory that the caller frees. */
enum tac_status tac_volume_csv(char **text, size_t *bytes, const struct tac_volume_run *run, struct tac_error *error);

#endif
