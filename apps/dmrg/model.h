/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_MODEL_H
#define APPS_DMRG_MODEL_H

#include <math.h>

/* Local states of a spin: number 0 … twice_spin in the order of falling Sz. */
#define TAC_LOCAL_MAX 3

/* Twice Sz of a local state. */
static inline int tac_local_charge(int twice_spin, int local) {
  return twice_spin - 2 * local;
}

static inline double tac_local_sz(int twice_spin, int local) {
  return 0.5 * tac_local_charge(twice_spin, local);
}

/* <local-1| S+ |local> = <local| S- |local-1> = sqrt(s(s+1) - m(m+1)) with m the Sz of `local`; 0 for the highest state. */
static inline double tac_local_raise(int twice_spin, int local) {
  double s = 0.5 * twice_spin, m = tac_local_sz(twice_spin, local);
  return local == 0 ? 0.0 : sqrt(s * (s + 1) - m * (m + 1));
}

#endif
