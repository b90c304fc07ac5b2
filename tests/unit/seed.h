/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_UNIT_SEED_H
#define TESTS_UNIT_SEED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Where random input begins: TACTUS_TEST_SEED, or the same seed in every run, so that a commit has one verdict. */
static inline uint64_t test_seed(void) {
  const char *given = getenv("TACTUS_TEST_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 10) : 0;
  seed = seed > 0 ? seed : 20240229;
  printf("# seed %llu\n", (unsigned long long)seed);
  return seed;
}

#endif
