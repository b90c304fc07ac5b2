/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_FMM_RANDOM_TREE_H
#define TESTS_FMM_RANDOM_TREE_H

#include <stdint.h>

#include <tactus/fmm/tree.h>

/* Uniform numbers from a state that is not zero. */
double random_next(uint64_t *state); /* in [0, 1) */
/* A state from the clock, printed as a TAP comment. */
uint64_t random_seed(void);

/* An irregular 2:1 tree of up to `levels` levels below the root and about `leaves` leaves (it may be the root alone), of the
 * options' dimension, order, basis and domain; asserts that it could be made. */
struct tac_fmm_tree *random_tree(const struct tac_fmm_tree_options *options, int levels, size_t leaves, uint64_t *state);

#endif
