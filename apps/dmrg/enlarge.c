/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/bond.h"

#include <string.h>

void tac_part_enlarge(const struct tac_kernels *kernels, const struct tac_dmrg_hamiltonian *hamiltonian,
                      const struct tac_part *part, const struct tac_enlarged_sector *sector, int charge, void *out) {
  const int spin = hamiltonian->twice_spin, n = sector->rows;
  const size_t ld = (size_t)n;
  memset(out, 0, ld * ld * kernels->size);
  for (int local = 0; local <= spin; local++) {
    int first = sector->offset[local], size = sector->offset[local + 1] - first;
    if (!size)
      continue;
    const struct tac_space *space = &part->space;
    int inner = charge - tac_local_charge(spin, local), number = (inner - space->low) / 2;
    double sz = tac_local_sz(spin, local);
    void *diagonal = tac_element(kernels, out, (size_t)first * (ld + 1));
    kernels->copy_block(size, size, tac_const_element(kernels, part->data.data, part->hamiltonian[number]), size, diagonal, n);
    if (hamiltonian->jz * sz != 0)
      kernels->add_block(size, size, hamiltonian->jz * sz, tac_const_element(kernels, part->data.data, part->sz[number]), size,
                         diagonal, n);
    int raised = sector->offset[local + 1], raised_size = local < spin ? sector->offset[local + 2] - raised : 0;
    if (!raised_size || hamiltonian->jxy == 0)
      continue;
    /* The part's edge goes up while the site goes down, and the adjoint. */
    void *lower = tac_element(kernels, out, (size_t)first * ld + (size_t)raised);
    kernels->add_block(raised_size, size, 0.5 * hamiltonian->jxy * tac_local_raise(spin, local + 1),
                       tac_const_element(kernels, part->data.data, part->raise[number]), raised_size, lower, n);
    kernels->adjoint(raised_size, size, lower, n, NULL, tac_element(kernels, out, (size_t)raised * ld + (size_t)first), n);
  }
}
