/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef HEISENBERG_DMRG_JSON_H
#define HEISENBERG_DMRG_JSON_H

#include "apps/heisenberg_dmrg/run.h"

/* Everything about a finished run as one JSON object in memory that the caller frees; argv is the command line that `run`
 * repeats. MEMORY. */
enum tac_status tac_heisenberg_json(char **text, const struct tac_heisenberg_run *run, int argc, char *const argv[],
                                    struct tac_error *error);

#endif
