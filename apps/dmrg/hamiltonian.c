/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/dmrg/hamiltonian.h>

#include <math.h>
#include <string.h>

void tac_dmrg_hamiltonian_init(struct tac_dmrg_hamiltonian *hamiltonian, int sites) {
  memset(hamiltonian, 0, sizeof *hamiltonian);
  hamiltonian->size = sizeof *hamiltonian;
  hamiltonian->sites = sites;
  hamiltonian->twice_spin = 1;
  hamiltonian->jxy = 1;
  hamiltonian->jz = 1;
}

static enum tac_status check_chain(int sites, int twice_spin, struct tac_error *error) {
  if (sites < 1)
    return tac_error_set(error, TAC_STATUS_INVALID, "chain", "sites is %d: a chain has at least 1 site", sites);
  if (sites > TAC_DMRG_MAX_SITES)
    return tac_error_set(error, TAC_STATUS_INVALID, "chain", "sites is %d: at most %d are supported", sites,
                         TAC_DMRG_MAX_SITES);
  if (twice_spin != 1 && twice_spin != 2)
    return tac_error_set(error, TAC_STATUS_INVALID, "chain", "twice_spin is %d: 1 (spin 1/2) or 2 (spin 1)", twice_spin);
  return TAC_STATUS_OK;
}

enum tac_status tac_dmrg_hamiltonian_check(const struct tac_dmrg_hamiltonian *hamiltonian, struct tac_error *error) {
  if (!hamiltonian || hamiltonian->size != sizeof *hamiltonian)
    return tac_error_set(error, TAC_STATUS_INVALID, "Hamiltonian", "not made by tac_dmrg_hamiltonian_init of this version");
  const struct {
    const char *name;
    double value;
  } couplings[] = {{"jxy", hamiltonian->jxy}, {"jz", hamiltonian->jz}, {"field", hamiltonian->field}};
  for (int i = 0; i < 3; i++)
    if (!isfinite(couplings[i].value))
      return tac_error_set(error, TAC_STATUS_INVALID, "Hamiltonian", "%s is %g: a finite number is needed", couplings[i].name,
                           couplings[i].value);
  return check_chain(hamiltonian->sites, hamiltonian->twice_spin, error);
}

enum tac_status tac_dmrg_sector_check(int sites, int twice_spin, int twice_sz, struct tac_error *error) {
  enum tac_status status = check_chain(sites, twice_spin, error);
  if (status)
    return status;
  const int most = sites * twice_spin;
  if (twice_sz > most || twice_sz < -most || (most - twice_sz) % 2)
    return tac_error_set(error, TAC_STATUS_INVALID, "sector",
                         "2 Sz = %d does not exist for %d sites of spin %s: allowed are %d, %d, … %d", twice_sz, sites,
                         twice_spin == 1 ? "1/2" : "1", -most, -most + 2, most);
  return TAC_STATUS_OK;
}
