/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/options.h"

static const char *const usage[] = {"volume_fmm [--name=value]...", NULL};

static const char description[] =
    "Computes the potential of a density in a square or a cube,\n"
    "    u(x) = integral of G(x - y) f(y) dy,\n"
    "in free space and to a tolerance, by an adaptive volume fast multipole method. Defaults stand in\n"
    "brackets.\n";

static const struct tac_manual_example examples[] = {
    {"volume_fmm --check", "a Gaussian in 2D, against its closed form"},
    {"volume_fmm --dim=3 --measurements=coarse", "which phase takes the time?"},
    {"volume_fmm --kernel=yukawa --param=10 --grad --check", "another kernel, with the gradient"},
    {"volume_fmm --dim=3 --density=ball --tol=1e-3 --check", "a density with a jump"},
    {"volume_fmm --grid=101 --output=u.npy --plot=u.svg", "on a grid, and as a picture"},
    {"volume_fmm --density=rho.cube --output=hartree.cube", "the Hartree potential of a molecule"},
    {"volume_fmm --density=gaussians:list.txt --dim=3 --targets=points.txt --output=u.csv", NULL},
    {NULL, NULL}};

static const struct tac_manual_section sections[] = {
    {TAC_MANUAL_LEVELS_TITLE, TAC_MANUAL_LEVELS "No level changes the result: potentials agree to the last bit.\n"},
    {NULL, NULL}};

static const struct tac_manual_status statuses[] = {
    {0, "done"},
    {1, "numerical failure, a tolerance or a tree out of reach, a file that cannot be read or written"},
    {2, "the command line, or what an input file holds, is wrong"},
    {3, "the executor, or what --hooks names, is not available here"},
    {4, "--check: the answer is off by more than is allowed"},
    {0, NULL}};

const struct tac_manual tac_volume_manual = {
    .name = "volume_fmm",
    .summary = "potential of a density by an adaptive volume fast multipole method",
    .usage = usage,
    .description = description,
    .examples = examples,
    .options = &tac_volume_option_table,
    .sections = sections,
    .statuses = statuses,
};
