/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_SPACE_H
#define APPS_DMRG_SPACE_H

#include <tactus/dmrg/state.h>

#include "apps/dmrg/memory.h"
#include "apps/dmrg/model.h"

/* The states of one side of a bond by their charge (twice Sz of the side's own sites): charges low, low+2, … */
struct tac_space {
  int low, count;
  int *dimension; /* of each charge; 0 is possible */
  struct tac_buffer memory;
};

static inline int tac_space_dimension(const struct tac_space *space, int charge) {
  int number = (charge - space->low) >> 1;
  return (unsigned)number < (unsigned)space->count ? space->dimension[number] : 0;
}

/* Makes room for `count` charges from `low`; the dimensions are zeros. */
enum tac_status tac_space_resize(struct tac_space *space, struct tac_pool *pool, int low, int count, struct tac_error *error);
/* Drops charges without states at both ends. */
void tac_space_trim(struct tac_space *space);

/* A side joined with its neighbouring site: for each charge the local states in the order of falling Sz, each with the
 * side's states of the charge that is left. */
struct tac_enlarged_sector {
  int rows;
  int offset[TAC_LOCAL_MAX + 1]; /* first row of each local state; the last entry is `rows` */
};

struct tac_enlarged {
  int low, count;
  struct tac_enlarged_sector *sector;
  struct tac_buffer memory;
};

enum tac_status tac_enlarged_make(struct tac_enlarged *enlarged, struct tac_pool *pool, const struct tac_space *space,
                                  int twice_spin, struct tac_error *error);

static inline const struct tac_enlarged_sector *tac_enlarged_sector(const struct tac_enlarged *enlarged, int charge) {
  int number = (charge - enlarged->low) >> 1;
  return (unsigned)number < (unsigned)enlarged->count ? &enlarged->sector[number] : NULL;
}

/* Blocks of one site tensor, packed in one buffer; see struct tac_dmrg_state. */
struct tac_tensor {
  enum tac_dmrg_form form;
  struct tac_dmrg_block *block; /* rising charge, without gaps */
  size_t count;
  struct tac_buffer blocks, data;
};

static inline const struct tac_dmrg_block *tac_tensor_block(const struct tac_tensor *tensor, int charge) {
  if (!tensor->count)
    return NULL;
  int number = (charge - tensor->block[0].charge) >> 1;
  return number >= 0 && (size_t)number < tensor->count ? &tensor->block[number] : NULL;
}

struct tac_kernels;
/* Lays out blocks for columns `columns` and the enlarged rows of each of its charges; the data are not initialised. */
enum tac_status tac_tensor_layout(struct tac_tensor *tensor, struct tac_pool *pool, const struct tac_kernels *kernels,
                                  enum tac_dmrg_form form, const struct tac_space *columns, const struct tac_enlarged *rows,
                                  struct tac_error *error);
/* From the first number to the last. */
size_t tac_tensor_bytes(const struct tac_tensor *tensor, const struct tac_kernels *kernels);
void tac_tensor_release(struct tac_tensor *tensor, struct tac_pool *pool);

/* The column space of a tensor. */
enum tac_status tac_tensor_columns(const struct tac_tensor *tensor, struct tac_space *out, struct tac_pool *pool,
                                   struct tac_error *error);

#endif
