/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_DEVICE_DENSE_CASE_H
#define TESTS_DEVICE_DENSE_CASE_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tactus/runtime/device_dense.h>

#include "runtime/device/dense_common.h"
#include "tests/device/subject.h"

/* What an operation is tested for: every scalar, in both forms of the kernels and as the device chooses. Each in a turn of a
 * loop test: compilers for CPUs take long over kernels of some hundred barriers. */
struct dense_case {
  const char *name;
  enum tac_device_scalar scalar;
  enum tac_device_form form;
};
enum { DENSE_CASES = 12 };
extern const struct dense_case dense_cases[DENSE_CASES];
/* The kernels' own, then what the device chooses. */
enum { DENSE_KERNEL_FORMS = 2, DENSE_FORMS = 3 };
extern const enum tac_device_form dense_forms[DENSE_FORMS];

/* C11's CMPLX, which some compilers lack with glibc. */
static inline double complex dense_complex(double real, double imaginary) {
  const double part[2] = {real, imaginary};
  double complex number;
  memcpy(&number, part, sizeof number);
  return number;
}

/* Random numbers of a seed that is printed. */
struct dense_random {
  uint64_t state;
};
/* TACTUS_TEST_SEED, else the clock's. */
struct dense_random dense_random_start(const char *test);
double dense_random_unit(struct dense_random *random); /* in [-1, 1) */
int dense_random_below(struct dense_random *random, int bound);
/* An extent up to `most`; 0, 1 and multiples of 4 more often than by chance. */
int dense_random_extent(struct dense_random *random, int most);
/* Where a matrix of so many rows and columns lies: after a gap behind the end, which moves. */
size_t dense_place(size_t *end, int rows, int columns, int ld, struct dense_random *random);
/* op(x)(i, j), for 'N' and 'C'. */
double complex dense_element(const double complex *x, int ld, char op, int i, int j);

/* Elements on the device, and what the host believes they are: complex numbers of double precision whatever the scalar, real
 * where it is real, of single precision where it is single. */
struct dense_elements {
  enum tac_device_scalar scalar;
  size_t count;
  double complex *host;
  struct tac_device_memory *memory;
};
void dense_elements_create(struct dense_elements *elements, struct tac_device *device, enum tac_device_scalar scalar,
                           size_t count);
void dense_elements_destroy(struct dense_elements *elements);
/* Random elements, the same on both sides. */
void dense_elements_fill(struct dense_elements *elements, struct tac_queue *queue, struct dense_random *random);
/* What host holds goes to the device, rounded on both sides to what the scalar can hold. */
void dense_elements_send(struct dense_elements *elements, struct tac_queue *queue);
/* What the device holds, to be freed. */
double complex *dense_elements_receive(const struct dense_elements *elements, struct tac_queue *queue);
struct tac_device_array dense_elements_at(const struct dense_elements *elements, size_t offset);

/* Fails unless the device's elements are host's to within `tolerance` everywhere. */
void dense_expect_near(const struct dense_elements *elements, struct tac_queue *queue, double tolerance);
/* The raw bytes on the device, to be freed. */
unsigned char *dense_elements_bytes(const struct dense_elements *elements, struct tac_queue *queue);
/* Fails unless they are those of the first call, which are kept, to be freed. */
void dense_expect_same_bytes(unsigned char **first, const struct dense_elements *elements, struct tac_queue *queue);

double dense_epsilon(enum tac_device_scalar scalar);
int dense_is_complex(enum tac_device_scalar scalar);

#endif
