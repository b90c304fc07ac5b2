/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/kokkos/module/file.h"
#include "measure/kokkos/module/file_name.h"
#include "measure/kokkos/module/module.h"
#include "measure/text.h"

/* A value of any bytes cannot break the line or move the cursor of a terminal. */
static size_t put_printable(char *line, size_t room, const char *text) {
  size_t bytes = 0;
  char character[TAC_CHARACTER_BYTES];
  while (tac_printable_next(&text, character) > 0 && bytes + sizeof character < room)
    for (const char *next = character; *next; next++)
      line[bytes++] = *next;
  return bytes;
}

enum { TRACE_LIMIT = 10 * 1000 * 1000 };

void tac_module_complain(const char *format, ...) {
  static const char name[] = "libtactus_kokkos: ";
  char text[PATH_MAX + 512], line[4 * sizeof text];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  memcpy(line, name, sizeof name);
  size_t bytes = sizeof name - 1;
  bytes += put_printable(line + bytes, sizeof line - bytes, text);
  line[bytes] = '\n';
  (void)tac_file_write(STDERR_FILENO, line, bytes + 1); /* nobody is left to be told that it failed */
}

static enum tac_status read_form(struct tac_module_settings *settings, const char *value, struct tac_error *error) {
  static const struct {
    const char *prefix;
    enum tac_module_form form;
  } files[] = {{"json:", TAC_FORM_JSON}, {"trace:", TAC_FORM_TRACE}, {"html:", TAC_FORM_HTML}};
  if (strcmp(value, "text") == 0)
    return TAC_STATUS_OK;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    const size_t bytes = strlen(files[i].prefix);
    if (strncmp(value, files[i].prefix, bytes) != 0)
      continue;
    struct tac_error wrong;
    if (value[bytes] == '\0')
      return tac_error_set(error, TAC_STATUS_INVALID, __func__, "TACTUS_KOKKOS_OUT: '%s' names no file", value);
    if (tac_file_name_expand(settings->path, sizeof settings->path, value + bytes, &wrong) != TAC_STATUS_OK)
      return tac_error_set(error, TAC_STATUS_INVALID, __func__, "TACTUS_KOKKOS_OUT: %s", wrong.text);
    settings->form = files[i].form;
    return TAC_STATUS_OK;
  }
  return tac_error_set(error, TAC_STATUS_INVALID, __func__,
                       "TACTUS_KOKKOS_OUT: unknown value '%.60s' (text, json:FILE, trace:FILE or html:FILE)", value);
}

static enum tac_status read_limit(struct tac_module_settings *settings, const char *value, struct tac_error *error) {
  char *end = NULL;
  errno = 0;
  settings->trace_limit = value ? strtoull(value, &end, 10) : TRACE_LIMIT;
  if (value && (!isdigit((unsigned char)*value) || *end || errno != 0 || settings->trace_limit == 0))
    return tac_error_set(error, TAC_STATUS_INVALID, __func__,
                         "TACTUS_KOKKOS_TRACE_LIMIT: unknown value '%.60s' (events, from 1)", value);
  return TAC_STATUS_OK;
}

enum tac_status tac_module_settings_read(struct tac_module_settings *settings, struct tac_error *error) {
  const char *form = getenv("TACTUS_KOKKOS_OUT"), *fence = getenv("TACTUS_KOKKOS_FENCE"), *step = getenv("TACTUS_KOKKOS_STEP");
  const char *limit = getenv("TACTUS_KOKKOS_TRACE_LIMIT");
  if (fence && strcmp(fence, "0") != 0 && strcmp(fence, "1") != 0 && *fence)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "TACTUS_KOKKOS_FENCE: unknown value '%.60s' (0 or 1)", fence);
  settings->fence = fence && strcmp(fence, "1") == 0;
  if (step && *step) {
    settings->step = strdup(step);
    if (!settings->step)
      return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for TACTUS_KOKKOS_STEP");
  }
  const enum tac_status status = read_limit(settings, limit && *limit ? limit : NULL, error);
  if (status != TAC_STATUS_OK)
    return status;
  return form && *form ? read_form(settings, form, error) : TAC_STATUS_OK;
}
