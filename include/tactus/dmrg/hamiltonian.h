/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_DMRG_HAMILTONIAN_H
#define TACTUS_DMRG_HAMILTONIAN_H

#include <stddef.h>

#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TAC_DMRG_MAX_SITES 100000

/* The open chain H = sum over bonds of jxy/2 (S+ S- + S- S+) + jz Sz Sz, minus field times the sum over sites of Sz.
 * Energies are in the unit of the couplings. Plain values; fill with _init, then set what differs. */
struct tac_dmrg_hamiltonian {
  size_t size;    /* sizeof(struct tac_dmrg_hamiltonian) */
  int sites;      /* 1 … TAC_DMRG_MAX_SITES */
  int twice_spin; /* 1: spin 1/2 (default), 2: spin 1 */
  double jxy, jz; /* default 1, 1 */
  double field;   /* default 0 */
};
TAC_API void tac_dmrg_hamiltonian_init(struct tac_dmrg_hamiltonian *hamiltonian, int sites);

/* INVALID with a text that names the field: fewer than 1 site, a spin other than 1/2 or 1, a coupling that is not finite. */
TAC_API enum tac_status tac_dmrg_hamiltonian_check(const struct tac_dmrg_hamiltonian *hamiltonian, struct tac_error *error);

/* INVALID with the allowed sectors in the text when a chain of `sites` spins has no state of total Sz twice_sz/2. */
TAC_API enum tac_status tac_dmrg_sector_check(int sites, int twice_spin, int twice_sz, struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
