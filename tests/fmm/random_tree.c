/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/fmm/random_tree.h"

#include <stdio.h>
#include <time.h>

#include <check.h>

/* xorshift64*, Vigna 2016. */
double random_next(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (double)((*state * 0x2545f4914f6cdd1dULL) >> 11) * 0x1p-53;
}

uint64_t random_seed(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  const uint64_t seed = ((uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec) * 2654435761U | 1;
  printf("# seed %llu\n", (unsigned long long)seed);
  return seed;
}

struct draw {
  uint64_t *state;
  int levels, dim;
  double leaves, wanted, chance;
};

static int split_by_chance(void *context, int level, const double *lower, double side) {
  (void)lower;
  (void)side;
  struct draw *draw = context;
  if (level >= draw->levels || draw->leaves >= draw->wanted || (level > 0 && random_next(draw->state) > draw->chance))
    return 0;
  draw->leaves += (1 << draw->dim) - 1;
  return 1;
}

struct tac_fmm_tree *random_tree(const struct tac_fmm_tree_options *options, int levels, size_t leaves, uint64_t *state) {
  struct draw draw = {state, levels, options->dim, 1, (double)leaves, 0.1 + 0.5 * random_next(state)};
  struct tac_fmm_tree *tree = NULL;
  struct tac_error error;
  tac_error_clear(&error);
  ck_assert_msg(tac_fmm_tree_create_refined(&tree, options, split_by_chance, &draw, &error) == TAC_STATUS_OK, "%s", error.text);
  return tree;
}
