/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef DMRG_SITE_MAPS_H
#define DMRG_SITE_MAPS_H

#include <tactus/dmrg/state.h>

#include "apps/dmrg/block_map.h"

#define TAC_LOCAL_STATES 3 /* at most, those of spin 1 */

/* The left states of a bond of a state. */
enum tac_status tac_bond_charges_create(struct tac_bond_charges *bond, const struct tac_dmrg_state *state, int number,
                                        struct tac_error *error);
void tac_bond_charges_destroy(struct tac_bond_charges *bond);

/* The tensor of a site as one map a local state, from the right bond's states to the left bond's, in double precision
 * whatever the state holds and in the form that left states have: `left` and `right` are the bonds beside it. */
enum tac_status tac_site_maps_create(struct tac_block_map maps[TAC_LOCAL_STATES], const struct tac_dmrg_state *state, int site,
                                     const struct tac_bond_charges *left, const struct tac_bond_charges *right,
                                     struct tac_error *error);
void tac_site_maps_destroy(struct tac_block_map maps[TAC_LOCAL_STATES]);

/* Doubles an element: 2 for complex states. */
int tac_site_maps_width(const struct tac_dmrg_state *state);

#endif
