/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Stands where the build found no OpenCL, or was told not to use it. */
#include "runtime/device/backend.h"

static enum tac_status list_none(struct tac_device_info *infos, size_t room, size_t *count, struct tac_error *error) {
  (void)infos, (void)room;
  *count = 0;
  return tac_error_set(error, TAC_STATUS_UNAVAILABLE, "opencl",
                       "this build has no OpenCL: configure with -Dopencl=enabled where ocl-icd-opencl-dev is installed");
}

static enum tac_status open_none(void **out, int number, const struct tac_backend_options *options, struct tac_error *error) {
  (void)number, (void)options;
  size_t count;
  *out = NULL;
  return list_none(NULL, 0, &count, error);
}

const struct tac_backend tac_backend_opencl = {.abi = TAC_BACKEND_ABI, .name = "opencl", .list = list_none, .open = open_none};
