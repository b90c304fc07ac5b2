/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_DMRG_SCALARS_H
#define TESTS_DMRG_SCALARS_H

#include <complex.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "apps/dmrg/kernels.h"

/* Elements of any scalar type as double complex, so that one naive loop checks all four tables. */
static inline int scalars_single(const struct tac_kernels *kernels) {
  return kernels->epsilon > 1e-10;
}

static inline double complex scalars_get(const struct tac_kernels *kernels, const void *base, size_t i) {
  if (kernels->is_complex)
    return scalars_single(kernels) ? (double complex)((const float complex *)base)[i] : ((const double complex *)base)[i];
  return scalars_single(kernels) ? (double)((const float *)base)[i] : ((const double *)base)[i];
}

static inline void scalars_set(const struct tac_kernels *kernels, void *base, size_t i, double complex value) {
  if (kernels->is_complex && scalars_single(kernels))
    ((float complex *)base)[i] = (float complex)value;
  else if (kernels->is_complex)
    ((double complex *)base)[i] = value;
  else if (scalars_single(kernels))
    ((float *)base)[i] = (float)creal(value);
  else
    ((double *)base)[i] = creal(value);
}

/* xorshift64* (Vigna, ACM TOMS 42, 2016). */
static inline double scalars_uniform(uint64_t *random) {
  *random ^= *random >> 12;
  *random ^= *random << 25;
  *random ^= *random >> 27;
  return (double)((*random * 0x2545f4914f6cdd1du) >> 11) * 0x1p-52 - 1; /* -1 … 1 */
}

static inline int scalars_below(uint64_t *random, int limit) {
  return (int)((scalars_uniform(random) + 1) * 0.5 * limit);
}

static inline void scalars_fill(const struct tac_kernels *kernels, uint64_t *random, void *base, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const double re = scalars_uniform(random), im = scalars_uniform(random);
    scalars_set(kernels, base, i, re + im * I);
  }
}

/* A seed that the log shows. */
static inline uint64_t scalars_seed(void) {
  const uint64_t seed = (uint64_t)time(NULL);
  printf("# seed %llu\n", (unsigned long long)seed);
  return seed * 2654435761u + 1;
}

/* The table of a scalar type that cuts nothing. */
static inline const struct tac_kernels *scalars_plain(enum tac_dmrg_scalar scalar) {
  return tac_kernels_of(scalar, "Haswell");
}

#endif
