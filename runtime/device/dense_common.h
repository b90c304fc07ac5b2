/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_DEVICE_DENSE_COMMON_H
#define RUNTIME_DEVICE_DENSE_COMMON_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/runtime/device_dense.h>

#include "runtime/device/backend.h"
#include "runtime/device/queue.h"

/* Kernels have a form for CPU devices and one for the rest. CHOSEN: the vendor's library where it serves, else the form of the
 * device's kind. The others are for tests and benches: that form of our kernels whatever the device. */
enum tac_device_form { TAC_FORM_CHOSEN = 0, TAC_FORM_CPU, TAC_FORM_GPU };

enum tac_status tac_device_gemm_create_form(struct tac_device_gemm **out, struct tac_device *device,
                                            enum tac_device_scalar scalar, enum tac_device_form form, struct tac_error *error);
enum tac_status tac_device_blocks_create_form(struct tac_device_blocks **out, struct tac_device *device,
                                              enum tac_device_scalar scalar, enum tac_device_form form,
                                              struct tac_error *error);
enum tac_status tac_device_vectors_create_form(struct tac_device_vectors **out, struct tac_device *device,
                                               enum tac_device_scalar scalar, enum tac_device_form form,
                                               struct tac_error *error);
enum tac_status tac_device_svd_create_form(struct tac_device_svd **out, struct tac_device *device,
                                           enum tac_device_scalar scalar, enum tac_device_form form, struct tac_error *error);

/* Work-items of a group in the GPU forms that work as a team; -DTAC_TEAM in their kernels, 1 in the CPU forms. */
#define TAC_DENSE_TEAM 64

/* CPU or GPU: what `form` is on this device. */
enum tac_device_form tac_dense_form(const struct tac_device *device, enum tac_device_form form);
int tac_dense_is_complex(enum tac_device_scalar scalar);
size_t tac_dense_real_bytes(enum tac_device_scalar scalar);

/* The program of a source for a scalar and a form. */
enum tac_status tac_dense_program(struct tac_device_program **out, struct tac_device *device, const char *name,
                                  const char *source, enum tac_device_scalar scalar, enum tac_device_form form,
                                  struct tac_error *error);

/* Descriptors: written on the host, and sent to a block that grows as needed and is kept; or in tables that plans share, from
 * byte `at` of theirs. */
struct tac_dense_slab;
struct tac_dense_table {
  void *host;
  struct tac_device_memory *memory;
  size_t capacity; /* bytes of host */
  struct tac_sent sent;
  struct tac_device_tables *shared;
  struct tac_dense_slab *slab;
  size_t at;
  uint64_t generation;
};
/* Room for `bytes`, to be written anew: what was sent has arrived, and is lost. */
enum tac_status tac_dense_table_reserve(struct tac_dense_table *table, struct tac_device *device, size_t bytes,
                                        struct tac_error *error);
/* Sends the first `bytes`: at once, or where tables are shared when the next of their plans runs. */
enum tac_status tac_dense_table_send(struct tac_dense_table *table, struct tac_queue *queue, size_t bytes,
                                     struct tac_error *error);
/* Before a launch that reads it. */
enum tac_status tac_dense_table_ready(const struct tac_dense_table *table, struct tac_queue *queue, struct tac_error *error);
void tac_dense_table_share(struct tac_dense_table *table, const struct tac_device *device, struct tac_device_tables *tables);
void tac_dense_table_release(struct tac_dense_table *table, const struct tac_device *device);

/* Moves `end` to the end of a matrix at `offset`, in elements, unless it is beyond; SIZE_MAX where that cannot be counted. */
void tac_dense_extend(size_t *end, size_t offset, int rows, int columns, int ld);

/* INVALID unless an array holds elements up to `end`, which counts from its offset. */
enum tac_status tac_dense_check_extent(struct tac_device_array array, size_t end, size_t element_bytes, const char *which,
                                       struct tac_error *error);

#endif
