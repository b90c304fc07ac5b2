/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_NEAR_PARTS_H
#define APPS_FMM_NEAR_PARTS_H

#include "apps/fmm/near.h"
#include "apps/fmm/near_space.h"

/* For every level and part a set of its own, in both layers; in 2D potentials of every level; a few shared ones. */
enum {
  TAC_NEAR_MOST_SETS = 4 * TAC_FMM_MAX_LEVELS + 2,
  TAC_NEAR_MOST_PARTS = 2,
  TAC_NEAR_MOST_COMPONENTS = 4,
};

struct tac_near {
  struct tac_near_options options;
  struct tac_allocator allocator;
  struct tac_near_space space;
  int parts, components, layers;
  int split_order, smooth_order; /* 0 without the split */
  size_t bytes;
  int built, loaded; /* sets */
  double *sets[TAC_NEAR_MOST_SETS];
  int set_count;
  /* The canonical matrices; NULL where there is nothing to apply. */
  const double *stored[2][TAC_FMM_MAX_LEVELS][TAC_NEAR_RELATIONS][TAC_NEAR_MOST_PARTS][TAC_NEAR_MOST_COMPONENTS];
};

/* Room for `size` numbers, kept by the near field; NULL (with the error set) when there is no memory. */
double *tac_near_take(struct tac_near *near, size_t size, struct tac_error *error);
/* Makes a level's matrices those of a set. */
void tac_near_point_to(struct tac_near *near, int layer, int level, int part, const double *set);
/* Adds a constant to the potentials of a set (or of any array of `relations` first columns): only the first mode has an
 * integral, which is 1. */
void tac_near_add_constant(double *set, const struct tac_near_space *space, int components, double constant);
/* The text that every key of the cache begins with. */
enum { TAC_NEAR_KEY_BYTES = 320 };
void tac_near_key(char key[TAC_NEAR_KEY_BYTES], const struct tac_near *near, const char *what);

/* Base tables of Laplace' kernel in layer 0; *out (may be NULL) is the set for sources of side 1. */
enum tac_status tac_near_make_laplace(const double **out, struct tac_near *near, struct tac_error *error);
/* Tables of the kernel itself, one set a level and part: of one level, and of all that have leaves. */
enum tac_status tac_near_make_level_tables(struct tac_near *near, int level, struct tac_error *error);
enum tac_status tac_near_make_tables(struct tac_near *near, struct tac_error *error);
/* 1 where the correction of a level is a split; beyond the reach of its series, 0. */
int tac_near_in_reach(const struct tac_near *near, int level);
/* Laplace' tables and the corrections. */
enum tac_status tac_near_make_split(struct tac_near *near, struct tac_error *error);

#endif
