/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <float.h>

#include <tactus/fmm/plan.h>
#include <tactus/fmm/tree.h>
#include <tactus/measure/level.h>

#include "apps/volume_fmm/formats/cube.h"
#include "apps/volume_fmm/options.h"

#define MEMBER(name) offsetof(struct tac_volume_options, name)
#define LARGE_COUNT  1000000000

static const struct tac_option_choice dims[] = {{"2", 2}, {"3", 3}, {NULL, 0}};
static const struct tac_option_choice kernels[] = {
    {"laplace", TAC_FMM_LAPLACE}, {"yukawa", TAC_FMM_YUKAWA}, {"helmholtz", TAC_FMM_HELMHOLTZ}, {NULL, 0}};
static const struct tac_option_choice bases[] = {{"total", TAC_FMM_TOTAL}, {"tensor", TAC_FMM_TENSOR}, {NULL, 0}};
static const struct tac_option_choice nears[] = {{"split", TAC_FMM_NEAR_SPLIT}, {"tables", TAC_FMM_NEAR_TABLES}, {NULL, 0}};
static const struct tac_option_choice paths[] = {
    {"auto", TAC_FMM_PATH_AUTO}, {"paired", TAC_FMM_PATH_PAIRED}, {"plain", TAC_FMM_PATH_PLAIN}, {NULL, 0}};
static const struct tac_option_choice units[] = {
    {"sign", TAC_CUBE_UNITS_BY_SIGN}, {"bohr", TAC_CUBE_UNITS_BOHR}, {"angstrom", TAC_CUBE_UNITS_ANGSTROM}, {NULL, 0}};
static const struct tac_option_choice levels[] = {
    {"off", TAC_OFF}, {"coarse", TAC_COARSE}, {"detailed", TAC_DETAILED}, {NULL, 0}};

#define PROBLEM "The problem"
#define TREE    "The tree"
#define METHOD  "The method"
#define ANSWER  "The answer"
#define MACHINE "The machine"
#define OUTPUT  "Measurement and output"

static const struct tac_option options[] = {
    {"--dim", PROBLEM, TAC_OPTION_CHOICE, MEMBER(dim), "2|3", "2", "Dimensions. A cube file is 3D of itself.", 0, 0, dims},
    {"--kernel", PROBLEM, TAC_OPTION_CHOICE, MEMBER(kernel), "laplace|yukawa|helmholtz", "laplace",
     "The Green's function G: of -Delta, l^2 - Delta or -Delta - k^2 (outgoing waves, complex), in free space.", 0, 0, kernels},
    {"--param", PROBLEM, TAC_OPTION_REAL, MEMBER(param), "X", "1", "l of yukawa, k of helmholtz, in inverse lengths.", DBL_MIN,
     DBL_MAX, NULL},
    {"--density", PROBLEM, TAC_OPTION_TEXT, MEMBER(density), "NAME|FILE", "gaussian",
     "The density f: a built-in case, gaussians:FILE, FILE.cube or FILE.npy. --density=help lists the cases with their "
     "parameters and says what the files hold.",
     0, 0, NULL},
    {"--box", PROBLEM, TAC_OPTION_INTERVAL, MEMBER(box), "A,B", "-0.5,0.5",
     "The domain: from A to B along every axis. Outside it the density is taken to be zero.", -DBL_MAX, DBL_MAX, NULL},
    {"--units", PROBLEM, TAC_OPTION_CHOICE, MEMBER(units), "sign|bohr|angstrom", "sign",
     "Lengths in a cube file. sign: Bohr where its numbers of voxels are positive, Angstrom where they are negative.", 0, 0,
     units},

    {"--order", TREE, TAC_OPTION_INTEGER, MEMBER(order), "N", "8",
     "Gauss-Legendre nodes along each axis of a leaf; the density is a polynomial of lower degree there.", TAC_FMM_MIN_ORDER,
     TAC_FMM_MAX_ORDER, NULL},
    {"--basis", TREE, TAC_OPTION_CHOICE, MEMBER(basis), "total|tensor", "total", "Its degrees: in total, or along each axis.",
     0, 0, bases},
    {"--tol", TREE, TAC_OPTION_REAL, MEMBER(tol), "X", "1e-6",
     "Leaves are split until they resolve the density to this share of its maximum.", 1e-14, 0.5, NULL},
    {"--levels", TREE, TAC_OPTION_INTEGER, MEMBER(levels), "N", NULL,
     "Instead, equal leaves: 2^N of them along each axis, whatever the density.", 0, TAC_FMM_MAX_LEVELS - 1, NULL},
    {"--max-leaves", TREE, TAC_OPTION_INTEGER, MEMBER(max_leaves), "N", "4000000", "Give up when the tree needs more leaves.",
     1, LARGE_COUNT, NULL},

    {"--eps", METHOD, TAC_OPTION_REAL, MEMBER(eps), "X", NULL,
     "Accuracy of the far field, relative to the largest potential. Left out: that of --tol.", 1e-13, 0.1, NULL},
    {"--near", METHOD, TAC_OPTION_CHOICE, MEMBER(near), "split|tables", "split",
     "Near field of yukawa and helmholtz: Laplace's tables and a correction, or tables of their own for every level.", 0, 0,
     nears},
    {"--split-order", METHOD, TAC_OPTION_INTEGER, MEMBER(split_order), "N", "0",
     "Channels of the split that have tables, and 1. 0: as many as the accuracy needs.", 0, 12, NULL},
    {"--smooth-order", METHOD, TAC_OPTION_INTEGER, MEMBER(smooth_order), "N", "0",
     "Nodes along each axis for what the channels leave. 0: as many as the accuracy needs.", 0, 64, NULL},
    {"--path", METHOD, TAC_OPTION_CHOICE, MEMBER(path), "auto|paired|plain", "auto",
     "How lists 1 and 2 run: by mirror-paired stencils, offset by offset, or by what is cheaper.", 0, 0, paths},
    {"--cache", METHOD, TAC_OPTION_TEXT, MEMBER(cache), "DIR|none", NULL,
     "Where tables and operators are kept for the next run. Left out: tactus in the user's cache folder.", 0, 0, NULL},

    {"--grad", ANSWER, TAC_OPTION_FLAG, MEMBER(grad), NULL, NULL, "Also the gradient of the potential.", 0, 0, NULL},
    {"--targets", ANSWER, TAC_OPTION_TEXT, MEMBER(targets), "FILE", NULL,
     "The answer at the points of FILE, coordinates a line or a .npy array, instead of at the nodes.", 0, 0, NULL},
    {"--grid", ANSWER, TAC_OPTION_INTEGER, MEMBER(grid), "N", NULL,
     "The answer on a uniform grid of N points along each axis, borders included, instead of at the nodes.", 2, 100000, NULL},
    {"--output", ANSWER, TAC_OPTION_TEXT, MEMBER(output), "FILE", NULL,
     "Write the answer: .csv (x,y,u,...), .npy, or .cube (3D, on the grid, or that of the cube file).", 0, 0, NULL},
    {"--plot", ANSWER, TAC_OPTION_TEXT, MEMBER(plot), "FILE", NULL,
     "Draw the potential with the leaves, in 3D on the plane through the middle across z: an .svg.", 0, 0, NULL},
    {"--check", ANSWER, TAC_OPTION_FLAG, MEMBER(check), NULL, NULL,
     "Compare the answer with the closed form or, where there is none, with direct quadrature at some of the points. Allowed "
     "is ten times the larger of --tol and --eps in the relative L2 norm, for gradients a hundred times.",
     0, 0, NULL},

    TAC_MACHINE_OPTION_ROWS(MACHINE, struct tac_volume_options, machine),

    {"--measurements", OUTPUT, TAC_OPTION_CHOICE, MEMBER(level), "off|coarse|detailed", "off",
     "How much to measure; the table below tells what each level costs.", 0, 0, levels},
    {"--repeat", OUTPUT, TAC_OPTION_INTEGER, MEMBER(repeat), "N", "1", "Evaluate so often; the fastest is reported.", 1,
     1000000, NULL},
    TAC_RECORD_OPTION_ROWS(OUTPUT, struct tac_volume_options, record),
    {"--phases", OUTPUT, TAC_OPTION_TEXT, MEMBER(phases), "FILE", NULL,
     "Write the table of the nine phases, with their operations, as CSV.", 0, 0, NULL},
    {"--quiet", OUTPUT, TAC_OPTION_FLAG, MEMBER(quiet), NULL, NULL,
     "Print the result and the tables of measurement only: no header, no tree, no progress.", 0, 0, NULL},
    {"--help", OUTPUT, TAC_OPTION_FLAG, MEMBER(help), NULL, NULL, "Print this text.", 0, 0, NULL},
    {"--version", OUTPUT, TAC_OPTION_FLAG, MEMBER(version), NULL, NULL, "Print the version.", 0, 0, NULL},
};

const struct tac_option_table tac_volume_option_table = {options, sizeof options / sizeof *options};
