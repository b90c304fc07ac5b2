/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/device/device.h"

#include <math.h>

/* Two ways through the same recurrence. Ahead, its sums stay in slots on the device, and nothing waits before the last step;
 * the other reads each of them, and scales vectors whose squares would overflow or vanish. */

enum { SLOT_START = 0 };

static int slot_of_alpha(int j) {
  return 1 + 2 * j;
}

static int slot_of_beta(int j) {
  return 2 + 2 * j;
}

enum tac_status tac_device_krylov_start(struct tac_krylov *krylov, const struct tac_bond *bond, struct tac_error *error) {
  const struct tac_device_bond *d = bond->device;
  const struct tac_device_array x = tac_device_of(krylov->vector[0]);
  if (!krylov->ahead)
    return tac_device_norm(&krylov->norm, d->vectors, d->queue, bond->length, x, error);
  enum tac_status status = tac_device_slots_reserve(d->vectors, d->queue, slot_of_alpha(krylov->most), error);
  return status ? status : tac_device_slot_dot(d->vectors, d->queue, bond->length, x, x, SLOT_START, error);
}

enum tac_status tac_device_krylov_normalize(const struct tac_krylov *krylov, int j, const struct tac_bond *bond,
                                            struct tac_error *error) {
  const struct tac_device_bond *d = bond->device;
  const struct tac_device_array x = tac_device_of(krylov->vector[j]);
  const struct tac_device_factor factor = {j > 0 ? slot_of_beta(j - 1) : SLOT_START, TAC_FACTOR_OVER_ROOT};
  if (krylov->ahead)
    return tac_device_slot_scale(d->vectors, d->queue, bond->length, factor, x, error);
  return tac_device_scale(d->vectors, d->queue, bond->length, 1 / (j > 0 ? krylov->beta[j - 1] : krylov->norm), x, error);
}

enum tac_status tac_device_krylov_project(struct tac_krylov *krylov, int j, const struct tac_bond *bond,
                                          struct tac_error *error) {
  const struct tac_device_bond *d = bond->device;
  const struct tac_device_array v = tac_device_of(krylov->vector[j]), w = tac_device_of(krylov->vector[j + 1]);
  if (j == 0)
    return krylov->ahead ? tac_device_slot_dot(d->vectors, d->queue, bond->length, w, v, slot_of_alpha(0), error)
                         : tac_device_dot(&krylov->alpha[0], d->vectors, d->queue, bond->length, w, v, error);
  const struct tac_device_array before = tac_device_of(krylov->vector[j - 1]);
  const struct tac_device_factor factor = {slot_of_beta(j - 1), TAC_FACTOR_MINUS_ROOT};
  if (krylov->ahead)
    return tac_device_slot_axpy_dot(d->vectors, d->queue, bond->length, factor, before, w, v, slot_of_alpha(j), error);
  return tac_device_axpy_dot(&krylov->alpha[j], d->vectors, d->queue, bond->length, -krylov->beta[j - 1], before, w, v, error);
}

enum tac_status tac_device_krylov_subtract(struct tac_krylov *krylov, int j, const struct tac_bond *bond,
                                           struct tac_error *error) {
  const struct tac_device_bond *d = bond->device;
  const struct tac_device_array v = tac_device_of(krylov->vector[j]), w = tac_device_of(krylov->vector[j + 1]);
  const struct tac_device_factor factor = {slot_of_alpha(j), TAC_FACTOR_MINUS};
  if (krylov->ahead)
    return tac_device_slot_axpy_dot(d->vectors, d->queue, bond->length, factor, v, w, w, slot_of_beta(j), error);
  return tac_device_axpy_norm(&krylov->beta[j], d->vectors, d->queue, bond->length, -krylov->alpha[j], v, w, error);
}

/* Squares that are not exact do no harm where the vector was rounding anyway: those of that length are exact then. */
static int is_exact(const struct tac_krylov *krylov, int j, double squares, const struct tac_bond *bond) {
  const struct tac_device_vectors *vectors = bond->device->vectors;
  const double rounding = tac_krylov_rounding(krylov, j, bond->kernels);
  return isnan(squares) || tac_device_squares_exact(vectors, bond->length, squares) ||
         (isfinite(squares) && tac_device_squares_exact(vectors, bond->length, rounding * rounding));
}

enum tac_status tac_device_krylov_fetch(struct tac_krylov *krylov, int steps, const struct tac_bond *bond,
                                        struct tac_error *error) {
  const struct tac_device_bond *d = bond->device;
  const double *sum = krylov->fetched;
  enum tac_status status =
      tac_device_slots_read(krylov->fetched, d->vectors, d->queue, bond->length, 0, slot_of_alpha(steps), error);
  if (status)
    return status;
  krylov->norm = sqrt(sum[SLOT_START]);
  krylov->exact = isnan(sum[SLOT_START]) || tac_device_squares_exact(d->vectors, bond->length, sum[SLOT_START]);
  for (int j = 0; j < steps && krylov->exact; j++) {
    krylov->alpha[j] = sum[slot_of_alpha(j)];
    krylov->beta[j] = sqrt(sum[slot_of_beta(j)]);
    krylov->exact = is_exact(krylov, j, sum[slot_of_beta(j)], bond);
    if (tac_krylov_closed(krylov, j, bond->kernels))
      break; /* what follows is made of rounding */
  }
  return TAC_STATUS_OK;
}
