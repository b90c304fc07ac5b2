/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/device/device.h"

#include <math.h>

/* Two ways through the same recurrence. Ahead, its sums stay in slots on the device, nothing waits before the last step, and no
 * vector is normalised: u[j] is v[j] times its length, and
 *
 *   u[j+1] = H u[j] - (u[j]^H H u[j] / |u[j]|^2) u[j] - (|u[j]|^2 / |u[j-1]|^2) u[j-1]
 *   alpha[j] = u[j]^H H u[j] / |u[j]|^2, beta[j] = |u[j+1]| / |u[j]|
 *
 * (the three-term recurrence of Lanczos for monic polynomials of H). The other way reads each sum, and scales vectors whose
 * squares would overflow or vanish. */

static int slot_of_squares(int j) {
  return 2 * j;
}

static int slot_of_product(int j) {
  return 2 * j + 1;
}

enum tac_status tac_device_krylov_start(struct tac_krylov *krylov, const struct tac_bond *bond, struct tac_error *error) {
  const struct tac_device_bond *d = bond->device;
  const struct tac_device_array x = tac_device_of(krylov->vector[0]);
  if (!krylov->ahead)
    return tac_device_norm(&krylov->norm, d->vectors, d->queue, bond->length, x, error);
  enum tac_status status = tac_device_slots_reserve(d->vectors, d->queue, slot_of_product(krylov->most), error);
  return status ? status : tac_device_slot_dot(d->vectors, d->queue, bond->length, x, x, slot_of_squares(0), error);
}

enum tac_status tac_device_krylov_normalize(const struct tac_krylov *krylov, int j, const struct tac_bond *bond,
                                            struct tac_error *error) {
  const struct tac_device_bond *d = bond->device;
  const struct tac_device_array x = tac_device_of(krylov->vector[j]);
  return tac_device_scale(d->vectors, d->queue, bond->length, 1 / (j > 0 ? krylov->beta[j - 1] : krylov->norm), x, error);
}

enum tac_status tac_device_krylov_project(struct tac_krylov *krylov, int j, const struct tac_bond *bond,
                                          struct tac_error *error) {
  const struct tac_device_bond *d = bond->device;
  const struct tac_device_array v = tac_device_of(krylov->vector[j]), w = tac_device_of(krylov->vector[j + 1]);
  if (j == 0)
    return krylov->ahead ? tac_device_slot_dot(d->vectors, d->queue, bond->length, w, v, slot_of_product(0), error)
                         : tac_device_dot(&krylov->alpha[0], d->vectors, d->queue, bond->length, w, v, error);
  const struct tac_device_array before = tac_device_of(krylov->vector[j - 1]);
  const struct tac_device_ratio ratio = {slot_of_squares(j), slot_of_squares(j - 1)};
  if (krylov->ahead)
    return tac_device_slot_axpy_dot(d->vectors, d->queue, bond->length, ratio, before, w, v, slot_of_product(j), error);
  return tac_device_axpy_dot(&krylov->alpha[j], d->vectors, d->queue, bond->length, -krylov->beta[j - 1], before, w, v, error);
}

enum tac_status tac_device_krylov_subtract(struct tac_krylov *krylov, int j, const struct tac_bond *bond,
                                           struct tac_error *error) {
  const struct tac_device_bond *d = bond->device;
  const struct tac_device_array v = tac_device_of(krylov->vector[j]), w = tac_device_of(krylov->vector[j + 1]);
  const struct tac_device_ratio ratio = {slot_of_product(j), slot_of_squares(j)};
  if (krylov->ahead)
    return tac_device_slot_axpy_dot(d->vectors, d->queue, bond->length, ratio, v, w, w, slot_of_squares(j + 1), error);
  return tac_device_axpy_norm(&krylov->beta[j], d->vectors, d->queue, bond->length, -krylov->alpha[j], v, w, error);
}

/* The sum has the vector's length to the last digits: it has not overflowed or vanished, nor have the vector's numbers lost
 * digits, which are single where sums are double. */
static int is_exact(const struct tac_bond *bond, double squares) {
  const struct tac_kernels *kernels = bond->kernels;
  const double least = kernels->smallest / kernels->epsilon;
  return tac_device_squares_exact(bond->device->vectors, bond->length, squares) &&
         squares >= least * least * (double)bond->length;
}

/* One step's numbers. A vector that is short because it is made of rounding need not be exact: those of that length are then.
 */
static int take_step(struct tac_krylov *krylov, int j, const struct tac_bond *bond) {
  const double *sum = krylov->fetched, squares = sum[slot_of_squares(j)], next = sum[slot_of_squares(j + 1)];
  krylov->alpha[j] = sum[slot_of_product(j)] / squares;
  krylov->beta[j] = sqrt(next / squares);
  krylov->length[j] = sqrt(squares);
  const double rounding = tac_krylov_rounding(krylov, j, bond->kernels);
  return isfinite(krylov->alpha[j]) &&
         (is_exact(bond, next) || (isfinite(next) && is_exact(bond, rounding * rounding * squares)));
}

enum tac_status tac_device_krylov_fetch(struct tac_krylov *krylov, int steps, const struct tac_bond *bond,
                                        struct tac_error *error) {
  const struct tac_device_bond *d = bond->device;
  enum tac_status status =
      tac_device_slots_read(krylov->fetched, d->vectors, d->queue, bond->length, 0, slot_of_squares(steps) + 1, error);
  if (status)
    return status;
  krylov->norm = sqrt(krylov->fetched[slot_of_squares(0)]);
  krylov->exact = is_exact(bond, krylov->fetched[slot_of_squares(0)]);
  for (int j = 0; j < steps && krylov->exact; j++) {
    krylov->exact = take_step(krylov, j, bond);
    if (tac_krylov_closed(krylov, j, bond->kernels))
      break; /* what follows is made of rounding */
  }
  return TAC_STATUS_OK;
}
