/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef HEISENBERG_DMRG_SECTOR_H
#define HEISENBERG_DMRG_SECTOR_H

#include <stddef.h>

#include <tactus/dmrg/hamiltonian.h>
#include <tactus/runtime/error.h>

/* The product states of a chain with one value of total Sz, in lexicographic order of their local states (0: highest Sz).
 * No list of them is kept: a state's place in the order is a sum over its sites, so the place of its neighbours under H
 * follows from a table. */
struct tac_sector;

/* Longer chains are beyond every limit, but for the two sectors of one state. */
#define TAC_SECTOR_SITES 1000

/* How many states the sector has; `limit` + 1 when it has more than `limit` of them, 0 when the sector does not exist. */
size_t tac_sector_dimension(int sites, int twice_spin, int twice_sz, size_t limit);

/* INVALID: a sector with no state or more than `limit` of them. MEMORY. */
enum tac_status tac_sector_create(struct tac_sector **out, const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz,
                                  size_t limit, struct tac_error *error);
void tac_sector_destroy(struct tac_sector **sector);
size_t tac_sector_size(const struct tac_sector *sector);

/* One row of H without the field, which is one number in a sector: its diagonal element and, in columns and values, its `count`
 * others. */
struct tac_sector_row {
  size_t row;
  double diagonal;
  size_t count;
  size_t *columns;
  double *values;
};
/* Rewinds to row 0, or steps to the next one; returns NULL after the last. The row belongs to the sector. */
const struct tac_sector_row *tac_sector_first_row(struct tac_sector *sector);
const struct tac_sector_row *tac_sector_next_row(struct tac_sector *sector);

#endif
