/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/error.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
  enum tac_status status;
  const char *name, *text;
} statuses[] = {
#define ROW(name, value, text) {TAC_STATUS_##name, #name, text},
    TAC_STATUS_LIST(ROW)
#undef ROW
};

void tac_error_clear(struct tac_error *error) {
  if (!error)
    return;
  memset(error, 0, sizeof *error);
  error->item = TAC_ERROR_NO_ITEM;
}

/* A text stays one line whatever was printed into it. */
static void make_one_line(char *text) {
  for (; *text; text++)
    if (*text == '\n' || *text == '\r')
      *text = ' ';
}

enum tac_status tac_error_set(struct tac_error *error, enum tac_status status, const char *where, const char *format, ...) {
  if (!error)
    return status;
  tac_error_clear(error);
  error->status = status;
  snprintf(error->where, sizeof error->where, "%s", where ? where : "");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  make_one_line(error->text);
  return status;
}

const char *tac_status_text(enum tac_status status) {
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
    if (statuses[i].status == status)
      return statuses[i].text;
  return "unknown status";
}

const char *tac_status_name(enum tac_status status) {
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
    if (statuses[i].status == status)
      return statuses[i].name;
  return "UNKNOWN";
}
