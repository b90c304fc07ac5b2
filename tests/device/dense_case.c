/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/device/dense_case.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const struct dense_case dense_cases[DENSE_CASES] = {
    {"real64_cpu", TAC_DEVICE_REAL64, TAC_FORM_CPU},
    {"real64_gpu", TAC_DEVICE_REAL64, TAC_FORM_GPU},
    {"real64_chosen", TAC_DEVICE_REAL64, TAC_FORM_CHOSEN},
    {"real32_cpu", TAC_DEVICE_REAL32, TAC_FORM_CPU},
    {"real32_gpu", TAC_DEVICE_REAL32, TAC_FORM_GPU},
    {"real32_chosen", TAC_DEVICE_REAL32, TAC_FORM_CHOSEN},
    {"complex64_cpu", TAC_DEVICE_COMPLEX64, TAC_FORM_CPU},
    {"complex64_gpu", TAC_DEVICE_COMPLEX64, TAC_FORM_GPU},
    {"complex64_chosen", TAC_DEVICE_COMPLEX64, TAC_FORM_CHOSEN},
    {"complex32_cpu", TAC_DEVICE_COMPLEX32, TAC_FORM_CPU},
    {"complex32_gpu", TAC_DEVICE_COMPLEX32, TAC_FORM_GPU},
    {"complex32_chosen", TAC_DEVICE_COMPLEX32, TAC_FORM_CHOSEN},
};
const enum tac_device_form dense_forms[DENSE_FORMS] = {TAC_FORM_CPU, TAC_FORM_GPU, TAC_FORM_CHOSEN};

struct dense_random dense_random_start(const char *test) {
  const char *given = getenv("TACTUS_TEST_SEED");
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)now.tv_sec * 1000003U + (uint64_t)now.tv_nsec;
  printf("# %s: TACTUS_TEST_SEED=%llu\n", test, (unsigned long long)seed);
  fflush(stdout);
  return (struct dense_random){seed * 0x9e3779b97f4a7c15U + 0x632be59bd9b4e019U};
}

/* SplitMix64. */
static uint64_t next(struct dense_random *random) {
  uint64_t z = random->state += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

double dense_random_unit(struct dense_random *random) {
  return (double)(next(random) >> 11) * 0x1p-52 - 1;
}

int dense_random_below(struct dense_random *random, int bound) {
  return (int)(next(random) % (uint64_t)bound);
}

int dense_random_extent(struct dense_random *random, int most) {
  const int kind = dense_random_below(random, 8), extent = dense_random_below(random, most + 1);
  return kind == 0 ? dense_random_below(random, 2) : kind < 3 ? extent / 4 * 4 : extent;
}

size_t dense_place(size_t *end, int rows, int columns, int ld, struct dense_random *random) {
  const size_t at = *end + (size_t)dense_random_below(random, 5);
  *end = at + (rows > 0 && columns > 0 ? (size_t)(columns - 1) * (size_t)ld + (size_t)rows : 0);
  return at;
}

double complex dense_element(const double complex *x, int ld, char op, int i, int j) {
  return op == 'N' ? x[i + (size_t)j * (size_t)ld] : conj(x[j + (size_t)i * (size_t)ld]);
}

double dense_epsilon(enum tac_device_scalar scalar) {
  return scalar == TAC_DEVICE_REAL64 || scalar == TAC_DEVICE_COMPLEX64 ? DBL_EPSILON : (double)FLT_EPSILON;
}

int dense_is_complex(enum tac_device_scalar scalar) {
  return scalar == TAC_DEVICE_COMPLEX64 || scalar == TAC_DEVICE_COMPLEX32;
}

void dense_elements_create(struct dense_elements *elements, struct tac_device *device, enum tac_device_scalar scalar,
                           size_t count) {
  struct tac_error error;
  *elements = (struct dense_elements){.scalar = scalar, .count = count, .host = calloc(count + 1, sizeof(double complex))};
  ck_assert_ptr_nonnull(elements->host);
  expect_ok(tac_device_memory_take(&elements->memory, device, count * tac_device_scalar_bytes(scalar), &error), &error);
}

void dense_elements_destroy(struct dense_elements *elements) {
  free(elements->host);
  tac_device_memory_give(&elements->memory);
}

void dense_elements_fill(struct dense_elements *elements, struct tac_queue *queue, struct dense_random *random) {
  for (size_t i = 0; i < elements->count; i++) {
    const double real = dense_random_unit(random), imaginary = dense_random_unit(random);
    elements->host[i] = dense_complex(real, imaginary);
  }
  dense_elements_send(elements, queue);
}

void dense_elements_send(struct dense_elements *elements, struct tac_queue *queue) {
  const int parts = dense_is_complex(elements->scalar) ? 2 : 1, single = dense_epsilon(elements->scalar) > 1e-10;
  const size_t bytes = elements->count * tac_device_scalar_bytes(elements->scalar);
  void *raw = malloc(bytes + 1);
  struct tac_error error;
  ck_assert_ptr_nonnull(raw);
  for (size_t i = 0; i < elements->count; i++) {
    double part[2] = {creal(elements->host[i]), parts == 2 ? cimag(elements->host[i]) : 0};
    for (int p = 0; p < parts; p++)
      if (single)
        part[p] = ((float *)raw)[i * (size_t)parts + (size_t)p] = (float)part[p];
      else
        ((double *)raw)[i * (size_t)parts + (size_t)p] = part[p];
    elements->host[i] = dense_complex(part[0], part[1]);
  }
  expect_ok(tac_queue_write(queue, elements->memory, 0, raw, bytes, &error), &error);
  expect_ok(tac_queue_finish(queue, "send", &error), &error);
  free(raw);
}

unsigned char *dense_elements_bytes(const struct dense_elements *elements, struct tac_queue *queue) {
  const size_t bytes = elements->count * tac_device_scalar_bytes(elements->scalar);
  unsigned char *raw = malloc(bytes + 1);
  struct tac_error error;
  ck_assert_ptr_nonnull(raw);
  expect_ok(tac_queue_read(queue, elements->memory, 0, raw, bytes, &error), &error);
  return raw;
}

void dense_expect_same_bytes(unsigned char **first, const struct dense_elements *elements, struct tac_queue *queue) {
  unsigned char *raw = dense_elements_bytes(elements, queue);
  if (!*first) {
    *first = raw;
    return;
  }
  ck_assert_mem_eq(raw, *first, elements->count * tac_device_scalar_bytes(elements->scalar));
  free(raw);
}

double complex *dense_elements_receive(const struct dense_elements *elements, struct tac_queue *queue) {
  const int parts = dense_is_complex(elements->scalar) ? 2 : 1, single = dense_epsilon(elements->scalar) > 1e-10;
  void *raw = dense_elements_bytes(elements, queue);
  double complex *received = malloc((elements->count + 1) * sizeof *received);
  ck_assert_ptr_nonnull(received);
  for (size_t i = 0; i < elements->count; i++) {
    double part[2] = {0, 0};
    for (int p = 0; p < parts; p++) {
      const size_t at = i * (size_t)parts + (size_t)p;
      part[p] = single ? (double)((float *)raw)[at] : ((double *)raw)[at];
    }
    received[i] = dense_complex(part[0], part[1]);
  }
  free(raw);
  return received;
}

struct tac_device_array dense_elements_at(const struct dense_elements *elements, size_t offset) {
  return (struct tac_device_array){elements->memory, offset};
}

void dense_expect_near(const struct dense_elements *elements, struct tac_queue *queue, double tolerance) {
  double complex *received = dense_elements_receive(elements, queue);
  size_t i = 0;
  while (i < elements->count && cabs(received[i] - elements->host[i]) <= tolerance)
    i++;
  ck_assert_msg(i == elements->count, "element %zu of %zu is %.17g%+.17gi, not %.17g%+.17gi", i, elements->count,
                creal(received[i]), cimag(received[i]), creal(elements->host[i]), cimag(elements->host[i]));
  free(received);
}
