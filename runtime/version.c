/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/version.h>

const char *tac_version(void) {
  return TAC_VERSION;
}
