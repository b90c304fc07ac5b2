/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/options.h"

#include <float.h>
#include <limits.h>

#include <tactus/dmrg/hamiltonian.h>
#include <tactus/dmrg/state.h>
#include <tactus/dmrg/sweep.h>
#include <tactus/measure/level.h>

#define MEMBER(name) offsetof(struct tac_heisenberg_options, name)
#define LARGE_COUNT  1000000000

static const struct tac_option_choice spins[] = {{"1/2", 1}, {"0.5", 1}, {"1", 2}, {NULL, 0}};
static const struct tac_option_choice starts[] = {{"neel", TAC_DMRG_NEEL}, {"random", TAC_DMRG_RANDOM}, {NULL, 0}};
static const struct tac_option_choice scalars[] = {{"real", 0}, {"complex", 1}, {NULL, 0}};
static const struct tac_option_choice precisions[] = {{"fp64", 0}, {"fp32", 1}, {NULL, 0}};
static const struct tac_option_choice trajectories[] = {{"none", 0}, {"uni20", 1}, {NULL, 0}};
static const struct tac_option_choice splits[] = {
    {"auto", TAC_DMRG_SPLIT_AUTO}, {"device", TAC_DMRG_SPLIT_DEVICE}, {"host", TAC_DMRG_SPLIT_HOST}, {NULL, 0}};
static const struct tac_option_choice levels[] = {
    {"off", TAC_OFF}, {"coarse", TAC_COARSE}, {"detailed", TAC_DETAILED}, {NULL, 0}};

#define CHAIN   "The chain"
#define STATE   "The state and its accuracy"
#define SWEEPS  "The sweeps"
#define MACHINE "The machine"
#define OUTPUT  "Measurement and output"

static const struct tac_option options[] = {
    {"--sites", CHAIN, TAC_OPTION_INTEGER, MEMBER(sites), "N", "100", "Number of spins.", 1, TAC_DMRG_MAX_SITES, NULL},
    {"--spin", CHAIN, TAC_OPTION_CHOICE, MEMBER(twice_spin), "1/2|1", "1/2", "Their spin; 0.5 is another way to write 1/2.", 0,
     0, spins},
    {"--jxy", CHAIN, TAC_OPTION_REAL, MEMBER(jxy), "X", "1", "Coupling of the spins' x and y parts.", -DBL_MAX, DBL_MAX, NULL},
    {"--jz", CHAIN, TAC_OPTION_REAL, MEMBER(jz), "X", "1", "Coupling of their z parts.", -DBL_MAX, DBL_MAX, NULL},
    {"--field", CHAIN, TAC_OPTION_REAL, MEMBER(field), "X", "0",
     "Field h along z. Sz is conserved, so it only adds -h Sz to the energy: choose the sector by --twice-sz.", -DBL_MAX,
     DBL_MAX, NULL},
    {"--twice-sz", CHAIN, TAC_OPTION_INTEGER, MEMBER(twice_sz), "N", "0",
     "The sector: twice the total Sz. An odd number of spins 1/2 has no sector 0 and starts from 1.", -2 * TAC_DMRG_MAX_SITES,
     2 * TAC_DMRG_MAX_SITES, NULL},

    {"--max-states", STATE, TAC_OPTION_INTEGER, MEMBER(max_states), "N", "256", "Largest bond dimension m.", 1, LARGE_COUNT,
     NULL},
    {"--cutoff", STATE, TAC_OPTION_REAL, MEMBER(cutoff), "X", "0",
     "States of a bond are dropped while their squared singular values sum up to at most this share of the whole. See "
     "--energy-tol.",
     0, 1, NULL},
    {"--start", STATE, TAC_OPTION_CHOICE, MEMBER(start), "neel|random", "neel",
     "First state: one product state, up first and as alternating as the sector allows, or a random one of the sector.", 0, 0,
     starts},
    {"--seed", STATE, TAC_OPTION_SEED, MEMBER(seed), "N", "1", "Seed of the random start.", 0, 0, NULL},
    {"--scalar", STATE, TAC_OPTION_CHOICE, MEMBER(complex_scalar), "real|complex", "real",
     "Numbers of the state. The energies are the same; complex ones take longer.", 0, 0, scalars},
    {"--precision", STATE, TAC_OPTION_CHOICE, MEMBER(single_precision), "fp64|fp32", "fp64",
     "Their precision: fp32 gives about six digits and always decomposes exactly.", 0, 0, precisions},

    {"--max-sweeps", SWEEPS, TAC_OPTION_INTEGER, MEMBER(max_sweeps), "N", "40",
     "Stop after this many sweeps, converged or not. A sweep is one direction.", 1, LARGE_COUNT, NULL},
    {"--min-sweeps", SWEEPS, TAC_OPTION_INTEGER, MEMBER(min_sweeps), "N", "2",
     "Sweep at least this often before convergence may stop the run.", 1, LARGE_COUNT, NULL},
    {"--energy-tol", SWEEPS, TAC_OPTION_REAL, MEMBER(energy_tol), "X", "1e-11",
     "Converged when two successive sweeps at full bond dimension change the energy by at most this, relative to it. "
     "Left out with fp32: 5e-6. A cutoff can make left and right sweeps end on energies that differ by more; such a run "
     "does not converge.",
     0, DBL_MAX, NULL},
    {"--local-matvecs", SWEEPS, TAC_OPTION_INTEGER, MEMBER(local_matvecs), "N", "4",
     "Products with the effective Hamiltonian a bond; at least 2 lower the energy, 1 leaves every vector as it is.", 1, 1000,
     NULL},
    {"--steady-sweeps", SWEEPS, TAC_OPTION_INTEGER, MEMBER(steady_sweeps), "N", "0",
     "After that, time this many further sweeps at the same bond dimension, without stopping early.", 0, LARGE_COUNT, NULL},
    {"--trajectory", SWEEPS, TAC_OPTION_CHOICE, MEMBER(trajectory), "none|uni20", "none",
     "uni20: the sweeps whose energies the public code Uni20 publishes. Every decomposition is exact, a bond has four "
     "products (unless --local-matvecs differs), there is no cutoff and zero singular values are kept; a sweep's energy is "
     "the one before its last truncation.",
     0, 0, trajectories},

    TAC_MACHINE_OPTION_ROWS(MACHINE, struct tac_heisenberg_options, machine),
    TAC_HANDLE_OPTION_ROWS(MACHINE, struct tac_heisenberg_options, machine),
    {"--split", MACHINE, TAC_OPTION_CHOICE, MEMBER(split), "auto|device|host", "auto",
     "Of opencl and cuda: where the blocks of a bond are decomposed. auto sends each where it is expected to take less time.",
     0, 0, splits},

    {"--measurements", OUTPUT, TAC_OPTION_CHOICE, MEMBER(level), "off|coarse|detailed", "off",
     "How much to measure; the table below tells what each level costs.", 0, 0, levels},
    TAC_RECORD_OPTION_ROWS(OUTPUT, struct tac_heisenberg_options, record),
    {"--check", OUTPUT, TAC_OPTION_FLAG, MEMBER(check), NULL, NULL,
     "Compare the energy with the exact one: diagonalisation on the spot for small sectors, else a closed form where one is "
     "known; where none is, the program refuses before the run with status 4. Allowed are 1e-10 of the energy without the "
     "field, or of a coupling if larger, above and 1e-12 below, 1e-5 both ways in fp32.",
     0, 0, NULL},
    {"--quiet", OUTPUT, TAC_OPTION_FLAG, MEMBER(quiet), NULL, NULL,
     "Print the result and the measurement table only: no header, no line a sweep, no progress.", 0, 0, NULL},
    {"--help", OUTPUT, TAC_OPTION_FLAG, MEMBER(help), NULL, NULL, "Print this text.", 0, 0, NULL},
    {"--version", OUTPUT, TAC_OPTION_FLAG, MEMBER(version), NULL, NULL, "Print the version.", 0, 0, NULL},
};

const struct tac_option_table tac_heisenberg_option_table = {options, sizeof options / sizeof *options};
