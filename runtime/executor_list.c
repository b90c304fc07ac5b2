/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/executor.h>

#include <stdio.h>
#include <string.h>

#include "runtime/executor_rows.h"
#include "runtime/nearest_name.h"

static const struct tac_executor *const rows[] = {
#define ROW(suffix) &tac_executor_##suffix,
    TAC_EXECUTOR_ROWS(ROW)
#undef ROW
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

const struct tac_executor *const *tac_executor_list(size_t *count) {
  *count = ROW_COUNT;
  return rows;
}

static enum tac_status unknown_name(const char *name, struct tac_error *error) {
  const char *names[ROW_COUNT];
  char all[128] = "";
  for (size_t i = 0; i < ROW_COUNT; i++) {
    names[i] = rows[i]->name;
    size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
  }
  const char *nearest = tac_nearest_name(name, names, ROW_COUNT);
  if (nearest)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_executor_find", "unknown executor '%.40s'; did you mean '%s'?", name,
                         nearest);
  return tac_error_set(error, TAC_STATUS_INVALID, "tac_executor_find", "unknown executor '%.40s'; choose one of %s", name, all);
}

enum tac_status tac_executor_find(const struct tac_executor **out, const char *name, struct tac_error *error) {
  if (!out || !name)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no place for the executor, or no name");
  for (size_t i = 0; i < ROW_COUNT; i++)
    if (strcmp(name, rows[i]->name) == 0) {
      *out = rows[i];
      return TAC_STATUS_OK;
    }
  return unknown_name(name, error);
}
