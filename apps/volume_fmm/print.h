/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_PRINT_H
#define VOLUME_FMM_PRINT_H

#include <stdio.h>

#include "apps/volume_fmm/run.h"

/* The parts of the text output. A stream that fails shows in ferror; nothing is printed about it here. */
void tac_volume_print_header(FILE *stream, const struct tac_volume_run *run);
void tac_volume_print_tree(FILE *stream, const struct tac_volume_run *run);
void tac_volume_print_plan(FILE *stream, const struct tac_volume_run *run);
void tac_volume_print_result(FILE *stream, const struct tac_volume_run *run);

/* The table of phases, and at detailed those of the recorder. */
enum tac_status tac_volume_print_phases(FILE *stream, const struct tac_volume_run *run, struct tac_error *error);

/* The difference from the reference, and with --check the verdict. */
void tac_volume_print_comparison(FILE *stream, const struct tac_volume_run *run);

/* Nodes a second of the fastest evaluation with measurements off. */
double tac_volume_rate(const struct tac_volume_run *run);
const char *tac_volume_reference_name(enum tac_volume_reference reference);

#endif
