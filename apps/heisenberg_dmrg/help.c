/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/options.h"

static const char *const usage[] = {"heisenberg_dmrg [--name=value]...", NULL};

static const char description[] = "Finds the lowest energy of the open Heisenberg chain\n"
                                  "    H = sum over bonds of Jxy/2 (S+ S- + S- S+) + Jz Sz Sz  -  h sum over sites of Sz\n"
                                  "in one sector of total Sz, by two-site DMRG. Defaults stand in brackets.\n";

static const struct tac_manual_example examples[] = {
    {"heisenberg_dmrg --sites=20 --max-states=128 --check", "compare with exact diagonalisation"},
    {"heisenberg_dmrg --measurements=coarse", "where does the time go?"},
    {"heisenberg_dmrg --max-states=64 --steady-sweeps=10", "how long does a converged sweep take?"},
    {NULL, NULL}};

static const struct tac_manual_section sections[] = {
    {TAC_MANUAL_LEVELS_TITLE, TAC_MANUAL_LEVELS "No level changes the result: energies agree to the last bit. On opencl and\n"
                                                "cuda four to nine sweeps after a measured run tell what measuring costs.\n"},
    {NULL, NULL}};

static const struct tac_manual_status statuses[] = {
    {0, "done, converged or not (see the result)"},
    {1, "numerical failure, or the output could not be written"},
    {2, "the command line is wrong"},
    {3, "the executor, or what --hooks names, is not available here"},
    {4, "--check: the energy is not the exact one, or no exact one is known (told before the run)"},
    {0, NULL}};

const struct tac_manual tac_heisenberg_manual = {
    .name = "heisenberg_dmrg",
    .summary = "ground state of an open Heisenberg chain by two-site DMRG",
    .usage = usage,
    .description = description,
    .examples = examples,
    .options = &tac_heisenberg_option_table,
    .sections = sections,
    .statuses = statuses,
};
