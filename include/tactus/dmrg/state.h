/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_DMRG_STATE_H
#define TACTUS_DMRG_STATE_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>
#include <tactus/runtime/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tac_dmrg_scalar { TAC_DMRG_REAL64 = 0, TAC_DMRG_REAL32, TAC_DMRG_COMPLEX64, TAC_DMRG_COMPLEX32 };
enum tac_dmrg_start { TAC_DMRG_NEEL = 0, TAC_DMRG_RANDOM };

/* A matrix-product state with total Sz conserved: one packed buffer of charge blocks a site.
 *
 * Bond b (0 … sites) lies left of site b. The charge of a left state is twice Sz of its own sites (those left of the
 * bond), that of a right state twice Sz of its own sites (those right of the bond); both add up to twice_sz. The bond's left
 * states of charge q and its right states of charge twice_sz - q are paired and equally many.
 *
 * Every site tensor is stored in one of two mirrored forms, as column-major blocks in the order of rising charge, each
 * starting on a TAC_ALIGNMENT boundary:
 *   left form: a block for each left charge c of bond site+1; columns: the left states of bond site+1 with charge c; rows:
 *     the local states in the order of falling Sz m, each with the left states of bond `site` of charge c - 2m.
 *   right form: a block for each right charge c of bond `site`; columns: the right states of bond `site` with charge c; rows:
 *     the local states in the order of falling Sz m, each with the right states of bond site+1 of charge c - 2m.
 * Sites left of the centre are isometries U in left form (U^H U = 1), sites right of it isometries V in right form. A centre
 * in left form is U S itself; in right form its block is (S V^H)^H = V S. With theta = U S V^H the amplitudes of the chain
 * are those of U and the complex conjugates of those of V. */
struct tac_dmrg_state;

struct tac_dmrg_state_options {
  size_t size;               /* sizeof(struct tac_dmrg_state_options) */
  int sites;                 /* at least 1 */
  int twice_spin;            /* 1 or 2 */
  int twice_sz;              /* the sector: 2 Sz of the whole chain */
  enum tac_dmrg_start start; /* a product state, up first and as alternating as the sector allows, or a random state */
  int random_states;         /* random: largest bond dimension of the start; default 16 */
  uint64_t seed;             /* random: default 1 */
  enum tac_dmrg_scalar scalar;
  const struct tac_allocator *allocator; /* NULL: the system's */
};
TAC_API void tac_dmrg_state_options_init(struct tac_dmrg_state_options *options, int sites);

/* INVALID: as tac_dmrg_sector_check. MEMORY. The centre of a new state is at the left end. */
TAC_API enum tac_status tac_dmrg_state_create(struct tac_dmrg_state **out, const struct tac_dmrg_state_options *options,
                                              struct tac_error *error);
TAC_API void tac_dmrg_state_destroy(struct tac_dmrg_state **state);

TAC_API int tac_dmrg_state_sites(const struct tac_dmrg_state *state);
TAC_API int tac_dmrg_state_twice_spin(const struct tac_dmrg_state *state);
TAC_API int tac_dmrg_state_twice_sz(const struct tac_dmrg_state *state);
TAC_API enum tac_dmrg_scalar tac_dmrg_state_scalar(const struct tac_dmrg_state *state);
TAC_API int tac_dmrg_state_center(const struct tac_dmrg_state *state); /* the site that holds the norm */
TAC_API int tac_dmrg_state_bond_dimension(const struct tac_dmrg_state *state, int bond);
TAC_API int tac_dmrg_state_max_bond_dimension(const struct tac_dmrg_state *state);
TAC_API size_t tac_dmrg_state_bytes(const struct tac_dmrg_state *state);

/* Which form the tensor of a site has. */
enum tac_dmrg_form { TAC_DMRG_LEFT_FORM = 0, TAC_DMRG_RIGHT_FORM };
TAC_API enum tac_dmrg_form tac_dmrg_state_form(const struct tac_dmrg_state *state, int site);

/* One stored block of a site tensor; offset in elements from the site's buffer. */
struct tac_dmrg_block {
  int charge;
  int rows, columns;
  size_t offset;
};
/* The blocks of a site (*count of them) and, when `data` is not NULL, its buffer; valid until the state changes. While
 * environments keep the state on a device its buffer is mapped here, by one thread at a time and not from a batch; *data is
 * NULL where the device fails at that. */
TAC_API const struct tac_dmrg_block *tac_dmrg_state_blocks(const struct tac_dmrg_state *state, int site, size_t *count,
                                                           const void **data);

#ifdef __cplusplus
}
#endif
#endif
