/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_DEVICE_DENSE_VECTORS_H
#define RUNTIME_DEVICE_DENSE_VECTORS_H

#include <stdint.h>

#include "runtime/device/dense_common.h"

/* Partial sums of a reduction; how many is a function of the length alone. */
#define TAC_VECTORS_PARTIALS_MAX 256

struct tac_device_vectors {
  struct tac_device *device;
  enum tac_device_scalar scalar;
  enum tac_device_form form;
  size_t sum_bytes; /* double, or float where there is no double */
  struct tac_device_kernel *combine, *dot, *update_dot, *largest, *columns, *update_dot_kept;
  struct tac_device_memory *partial; /* TAC_VECTORS_PARTIALS_MAX sums */
  struct tac_device_memory *kept;    /* of `slots` sums that stay, as many each */
  void *read;                        /* room for them on the host */
  int slots;
};

/* Reals of an element: offsets and lengths of complex vectors count twice in the kernels. */
static inline uint64_t tac_vectors_parts(const struct tac_device_vectors *vectors) {
  return tac_dense_is_complex(vectors->scalar) ? 2 : 1;
}

enum tac_status tac_vectors_check(const struct tac_device_vectors *vectors, struct tac_device_array array, size_t n,
                                  const char *which, struct tac_error *error);
struct tac_launch tac_vectors_launch(const struct tac_device_vectors *vectors, const struct tac_device_kernel *kernel,
                                     size_t groups, const struct tac_argument *arguments, size_t count);

struct tac_vectors_partition {
  uint64_t stretch;
  uint32_t partials;
};
struct tac_vectors_partition tac_vectors_partition(uint64_t reals);

/* The partial sums of (scale x) (scale y) over all reals, n > 0, to an array of sums from number `first`. */
enum tac_status tac_vectors_reduce(struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                   struct tac_device_array x, struct tac_device_array y, double scale,
                                   struct tac_device_memory *to, uint64_t first, struct tac_error *error);
double tac_vectors_add_partials(const struct tac_device_vectors *vectors, const void *partial, size_t count);

#endif
