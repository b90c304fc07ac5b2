/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_DMRG_H
#define TACTUS_DMRG_H

#include <tactus/dmrg/hamiltonian.h>
#include <tactus/dmrg/state.h>
#include <tactus/dmrg/sweep.h>

#endif
