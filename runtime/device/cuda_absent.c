/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Stands where the build found no CUDA toolkit, or was told not to use it. */
#include "runtime/device/backend.h"

enum tac_status tac_backend_cuda(const struct tac_backend **out, struct tac_error *error) {
  *out = NULL;
  return tac_error_set(error, TAC_STATUS_UNAVAILABLE, "cuda",
                       "this build has no CUDA: configure with -Dcuda=enabled where the CUDA toolkit is installed");
}
