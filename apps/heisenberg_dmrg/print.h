/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef HEISENBERG_DMRG_PRINT_H
#define HEISENBERG_DMRG_PRINT_H

#include <stdio.h>

#include "apps/heisenberg_dmrg/run.h"

/* The parts of the text output, each flushed. A stream that fails shows in ferror; nothing is printed about it here. */
void tac_print_header(FILE *stream, const struct tac_heisenberg_run *run);
void tac_print_sweep_heading(FILE *stream, const char *title);
/* The last one of them. */
void tac_print_sweep(FILE *stream, const struct tac_heisenberg_run *run, const struct tac_heisenberg_sweeps *sweeps);
void tac_print_result(FILE *stream, const struct tac_heisenberg_run *run);
void tac_print_steady(FILE *stream, const struct tac_heisenberg_run *run);
void tac_print_comparison(FILE *stream, const struct tac_heisenberg_run *run);
void tac_print_perturbation(FILE *stream, const struct tac_heisenberg_run *run);
enum tac_status tac_print_measurements(FILE *stream, const struct tac_heisenberg_run *run, struct tac_error *error);

#endif
