/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_DEVICE_OWN_PROGRAM_H
#define RUNTIME_DEVICE_OWN_PROGRAM_H

#include <tactus/runtime/device.h>

/* tac_device_program for a source of ours: that it does not build is no mistake of the caller's, its compiler is the device's.
 */
static inline enum tac_status tac_device_own_program(struct tac_device_program **out, struct tac_device *device,
                                                     const char *name, const char *source, const char *options,
                                                     struct tac_error *error) {
  enum tac_status status = tac_device_program(out, device, name, source, options, error);
  if (status == TAC_STATUS_INVALID)
    status = TAC_STATUS_DEVICE;
  if (status && error)
    error->status = status;
  return status;
}

#endif
