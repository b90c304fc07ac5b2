/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/site_maps.h"

#include <stdlib.h>

static enum tac_status reserve(struct tac_bond_charges *bond, size_t count, struct tac_error *error) {
  bond->count = 0;
  bond->charge = calloc(count, sizeof *bond->charge);
  bond->states = calloc(count, sizeof *bond->states);
  if (bond->charge && bond->states)
    return TAC_STATUS_OK;
  tac_bond_charges_destroy(bond);
  return tac_error_set(error, TAC_STATUS_MEMORY, "bond", "no memory for %zu charges", count);
}

static void append(struct tac_bond_charges *bond, int charge, int states) {
  if (states == 0)
    return;
  bond->charge[bond->count] = charge;
  bond->states[bond->count++] = states;
}

/* A site in left form tells the states of its right bond, one in right form those of its left bond, as the columns of its
 * blocks; right charges rise where left charges fall. */
enum tac_status tac_bond_charges_create(struct tac_bond_charges *bond, const struct tac_dmrg_state *state, int number,
                                        struct tac_error *error) {
  size_t count = 1;
  int ends = number == 0 || number == tac_dmrg_state_sites(state);
  int from_left = !ends && tac_dmrg_state_form(state, number - 1) == TAC_DMRG_LEFT_FORM;
  const struct tac_dmrg_block *block =
      ends ? NULL : tac_dmrg_state_blocks(state, from_left ? number - 1 : number, &count, NULL);
  enum tac_status status = reserve(bond, count, error);
  if (status != TAC_STATUS_OK)
    return status;
  if (ends)
    append(bond, number == 0 ? 0 : tac_dmrg_state_twice_sz(state), 1);
  for (size_t i = 0; block && i < count; i++)
    if (from_left)
      append(bond, block[i].charge, block[i].columns);
    else
      append(bond, tac_dmrg_state_twice_sz(state) - block[count - 1 - i].charge, block[count - 1 - i].columns);
  return TAC_STATUS_OK;
}

void tac_bond_charges_destroy(struct tac_bond_charges *bond) {
  free(bond->charge);
  free(bond->states);
  *bond = (struct tac_bond_charges){0};
}

int tac_site_maps_width(const struct tac_dmrg_state *state) {
  enum tac_dmrg_scalar scalar = tac_dmrg_state_scalar(state);
  return scalar == TAC_DMRG_COMPLEX64 || scalar == TAC_DMRG_COMPLEX32 ? 2 : 1;
}

static int is_single(const struct tac_dmrg_state *state) {
  enum tac_dmrg_scalar scalar = tac_dmrg_state_scalar(state);
  return scalar == TAC_DMRG_REAL32 || scalar == TAC_DMRG_COMPLEX32;
}

/* Where the elements of one local state stand in a block: `first` of its rows on, `rows` of them in every column. */
struct source {
  const void *data;
  int single, width;
  size_t offset, height; /* of the block: its first element, its rows */
  size_t first, rows, columns;
};

static double number_at(const struct source *source, size_t row, size_t column, int part) {
  size_t i = (source->offset + column * source->height + source->first + row) * (size_t)source->width + (size_t)part;
  return source->single ? (double)((const float *)source->data)[i] : ((const double *)source->data)[i];
}

static void copy_left(double *to, const struct source *source) {
  for (size_t j = 0; j < source->columns; j++)
    for (size_t i = 0; i < source->rows; i++)
      for (int part = 0; part < source->width; part++)
        *to++ = number_at(source, i, j, part);
}

/* Right forms hold the conjugate, and the left bond in the columns. */
static void copy_right(double *to, const struct source *source) {
  for (size_t j = 0; j < source->rows; j++)
    for (size_t i = 0; i < source->columns; i++)
      for (int part = 0; part < source->width; part++)
        *to++ = part ? -number_at(source, j, i, part) : number_at(source, j, i, part);
}

/* Cuts one block into its local states, which follow each other in its rows. */
static void cut_block(struct tac_block_map maps[TAC_LOCAL_STATES], const struct tac_dmrg_state *state, int local,
                      const struct tac_dmrg_block *block, enum tac_dmrg_form form, const void *data) {
  const struct tac_bond_charges *left = maps[0].rows, *right = maps[0].columns;
  struct source source = {data, is_single(state),      maps[0].width, block->offset, (size_t)block->rows, 0,
                          0,    (size_t)block->columns};
  for (int s = 0; s < local; s++) {
    int from_left = block->charge + maps[s].shift;                                   /* left form: the charge of the rows */
    int from_right = tac_dmrg_state_twice_sz(state) - block->charge - maps[s].shift; /* right form: the same */
    int charge = form == TAC_DMRG_LEFT_FORM ? block->charge : from_right;
    int place = tac_bond_charges_place(right, charge);
    source.rows = (size_t)(form == TAC_DMRG_LEFT_FORM ? tac_bond_charges_states(left, from_left)
                                                      : tac_bond_charges_states(right, from_right));
    if (source.rows > 0 && place >= 0 && form == TAC_DMRG_LEFT_FORM)
      copy_left(maps[s].data + maps[s].offset[place], &source);
    else if (source.rows > 0 && place >= 0)
      copy_right(maps[s].data + maps[s].offset[place], &source);
    source.first += source.rows;
  }
}

enum tac_status tac_site_maps_create(struct tac_block_map maps[TAC_LOCAL_STATES], const struct tac_dmrg_state *state, int site,
                                     const struct tac_bond_charges *left, const struct tac_bond_charges *right,
                                     struct tac_error *error) {
  const int twice_spin = tac_dmrg_state_twice_spin(state);
  enum tac_status status = TAC_STATUS_OK;
  size_t count = 0;
  const void *data = NULL;
  for (int s = 0; s < TAC_LOCAL_STATES; s++)
    maps[s] = (struct tac_block_map){0};
  for (int s = 0; s <= twice_spin && status == TAC_STATUS_OK; s++)
    status = tac_block_map_create(&maps[s], left, right, 2 * s - twice_spin, tac_site_maps_width(state), error);
  if (status != TAC_STATUS_OK) {
    tac_site_maps_destroy(maps);
    return status;
  }
  const struct tac_dmrg_block *block = tac_dmrg_state_blocks(state, site, &count, &data);
  if (count > 0 && !data) {
    tac_site_maps_destroy(maps);
    return tac_error_set(error, TAC_STATUS_DEVICE, "site", "site %d: its numbers do not come back from the device", site);
  }
  for (size_t i = 0; i < count; i++)
    cut_block(maps, state, twice_spin + 1, &block[i], tac_dmrg_state_form(state, site), data);
  return TAC_STATUS_OK;
}

void tac_site_maps_destroy(struct tac_block_map maps[TAC_LOCAL_STATES]) {
  for (int s = 0; s < TAC_LOCAL_STATES; s++)
    tac_block_map_destroy(&maps[s]);
}
