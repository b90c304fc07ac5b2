/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/level.h>

#include <string.h>

static const char *const names[TAC_LEVEL_COUNT] = {"off", "coarse", "detailed", "hooked"};

const char *tac_level_name(enum tac_level level) {
  return (unsigned)level < TAC_LEVEL_COUNT ? names[level] : "unknown";
}

enum tac_status tac_level_find(enum tac_level *out, const char *name, struct tac_error *error) {
  if (!out || !name)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no place for the level, or no name");
  for (int level = 0; level < TAC_LEVEL_COUNT; level++)
    if (strcmp(name, names[level]) == 0) {
      *out = (enum tac_level)level;
      return TAC_STATUS_OK;
    }
  return tac_error_set(error, TAC_STATUS_INVALID, __func__, "unknown level '%s': off, coarse, detailed or hooked", name);
}
