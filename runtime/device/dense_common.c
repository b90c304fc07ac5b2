/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/device/dense_common.h"

#include <stdint.h>
#include <stdio.h>

#include "runtime/device/device.h"
#include "runtime/device/own_program.h"

int tac_dense_is_complex(enum tac_device_scalar scalar) {
  return scalar == TAC_DEVICE_COMPLEX64 || scalar == TAC_DEVICE_COMPLEX32;
}

size_t tac_dense_real_bytes(enum tac_device_scalar scalar) {
  return scalar == TAC_DEVICE_REAL64 || scalar == TAC_DEVICE_COMPLEX64 ? sizeof(double) : sizeof(float);
}

size_t tac_device_scalar_bytes(enum tac_device_scalar scalar) {
  return tac_dense_real_bytes(scalar) * (tac_dense_is_complex(scalar) ? 2 : 1);
}

enum tac_status tac_device_scalar_check(const struct tac_device *device, enum tac_device_scalar scalar,
                                        struct tac_error *error) {
  if ((unsigned)scalar > TAC_DEVICE_COMPLEX32)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "there is no scalar type %d", (int)scalar);
  const struct tac_device_info *info = tac_device_info(device);
  if (!info->fp64 && tac_dense_real_bytes(scalar) == sizeof(double))
    return tac_error_set(error, TAC_STATUS_UNAVAILABLE, "precision",
                         "device %d of %s (%s) has no double precision; ask for single precision, fp32", info->number,
                         info->executor, info->name);
  return TAC_STATUS_OK;
}

enum tac_device_form tac_dense_form(const struct tac_device *device, enum tac_device_form form) {
  if (form != TAC_FORM_CHOSEN)
    return form;
  return tac_device_info(device)->kind == TAC_DEVICE_CPU ? TAC_FORM_CPU : TAC_FORM_GPU;
}

/* Vectors of 32 bytes; sums of products of floats in double precision where there is one. */
enum tac_status tac_dense_program(struct tac_device_program **out, struct tac_device *device, const char *name,
                                  const char *source, enum tac_device_scalar scalar, enum tac_device_form form,
                                  struct tac_error *error) {
  const int single = tac_dense_real_bytes(scalar) == sizeof(float);
  char options[160];
  snprintf(options, sizeof options, "-DTAC_REAL=%s -DTAC_LANES=%d -DTAC_COMPLEX=%d -DTAC_SUM=%s -DTAC_TEAM=%d",
           single ? "float" : "double", single ? 8 : 4, tac_dense_is_complex(scalar),
           tac_device_info(device)->fp64 ? "double" : "float", form == TAC_FORM_CPU ? 1 : TAC_DENSE_TEAM);
  return tac_device_own_program(out, device, name, source, options, error);
}

void tac_dense_extend(size_t *end, size_t offset, int rows, int columns, int ld) {
  if (rows == 0 || columns == 0)
    return;
  const size_t extent = (size_t)(columns - 1) * (size_t)ld + (size_t)rows;
  const size_t reach = offset > SIZE_MAX - extent ? SIZE_MAX : offset + extent;
  if (reach > *end)
    *end = reach;
}

enum tac_status tac_dense_check_extent(struct tac_device_array array, size_t end, size_t element_bytes, const char *which,
                                       struct tac_error *error) {
  if (end == 0)
    return TAC_STATUS_OK;
  if (!array.memory)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "%s has no memory", which);
  const size_t room = tac_device_memory_bytes(array.memory) / element_bytes;
  if (array.offset > room || end > room - array.offset)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "%s: %zu elements from offset %zu on, but the memory holds %zu",
                         which, end, array.offset, room);
  return TAC_STATUS_OK;
}
