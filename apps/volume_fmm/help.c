/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/options.h"

static const char introduction[] =
    "usage: volume_fmm [--name=value]...\n"
    "\n"
    "Computes the potential of a density in a square or a cube,\n"
    "    u(x) = integral of G(x - y) f(y) dy,\n"
    "in free space and to a tolerance, by an adaptive volume fast multipole method. Defaults stand in\n"
    "brackets.\n"
    "\n"
    "  volume_fmm --check                                     a Gaussian in 2D, against its closed form\n"
    "  volume_fmm --dim=3 --measurements=coarse               which phase takes the time?\n"
    "  volume_fmm --kernel=yukawa --param=10 --grad --check   another kernel, with the gradient\n"
    "  volume_fmm --dim=3 --density=ball --tol=1e-3 --check   a density with a jump\n"
    "  volume_fmm --grid=101 --output=u.npy --plot=u.svg      on a grid, and as a picture\n"
    "  volume_fmm --density=rho.cube --output=hartree.cube    the Hartree potential of a molecule\n"
    "  volume_fmm --density=gaussians:list.txt --dim=3 --targets=points.txt --output=u.csv\n";

static const char conclusion[] =
    "\n"
    "Measurement levels:\n"
    "  level     cost                                    use\n"
    "  off       none: the code holds no measurement     final timings, production\n"
    "  coarse    two clock reads a phase and a batch     which phase takes the time\n"
    "  detailed  also two clock reads and increments     how evenly the lanes of a batch are used;\n"
    "            an item, and one record a batch         it perturbs fine items: take times from off\n"
    "  hooked    as coarse, and a call at each phase     what a profiler or counters say of phases\n"
    "            and item: --hooks                       and items\n"
    "No level changes the result: potentials agree to the last bit.\n"
    "\n"
    "Exit status:\n"
    "  0  done\n"
    "  1  numerical failure, a tolerance or a tree out of reach, a file that cannot be read or written\n"
    "  2  the command line, or what an input file holds, is wrong\n"
    "  3  the executor, or what --hooks names, is not available here\n"
    "  4  --check: the answer is off by more than is allowed\n";

void tac_volume_help(FILE *stream) {
  tac_options_help(stream, &tac_volume_option_table, introduction, conclusion);
}
