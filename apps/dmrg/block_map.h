/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef DMRG_BLOCK_MAP_H
#define DMRG_BLOCK_MAP_H

#include <stddef.h>

#include <tactus/runtime/error.h>

/* The states of a bond: how many there are of each charge, charges rising. */
struct tac_bond_charges {
  int count;
  int *charge, *states;
};

/* How many states have this charge (0: none), and which place it has (-1: none). */
int tac_bond_charges_place(const struct tac_bond_charges *bond, int charge);
int tac_bond_charges_states(const struct tac_bond_charges *bond, int charge);

/* A matrix between the states of two bonds that changes the charge by a fixed amount: one column-major block for each
 * charge c of its columns, its rows being the states of charge c + shift. Elements are double, or pairs of them (complex). */
struct tac_block_map {
  const struct tac_bond_charges *rows, *columns;
  int shift;
  int width;      /* doubles an element: 1 or 2 */
  size_t *offset; /* of each block in doubles; offset[columns->count] is the length of data */
  double *data;
};

/* A map of zeros. The bonds must outlive it. */
enum tac_status tac_block_map_create(struct tac_block_map *map, const struct tac_bond_charges *rows,
                                     const struct tac_bond_charges *columns, int shift, int width, struct tac_error *error);
void tac_block_map_destroy(struct tac_block_map *map);

int tac_block_map_rows(const struct tac_block_map *map, int place);

/* y += factor x, for maps of the same bonds and shift. */
void tac_block_map_add(struct tac_block_map *y, double factor, const struct tac_block_map *x);

/* y += x^H, for maps on one bond with opposite shifts. */
void tac_block_map_add_adjoint(struct tac_block_map *y, const struct tac_block_map *x);

/* c += a b, and c += a^H b; c has the bonds and the shift that this gives. */
void tac_block_map_multiply(struct tac_block_map *c, const struct tac_block_map *a, const struct tac_block_map *b);
void tac_block_map_multiply_adjoint(struct tac_block_map *c, const struct tac_block_map *a, const struct tac_block_map *b);

#endif
