/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/kokkos/module/file.h"
#include "measure/kokkos/module/module.h"

void tac_module_complain(const char *format, ...) {
  char line[PATH_MAX + 512];
  static const char name[] = "libtactus_kokkos: ";
  va_list values;
  memcpy(line, name, sizeof name);
  va_start(values, format);
  vsnprintf(line + sizeof name - 1, sizeof line - sizeof name - 1, format, values);
  va_end(values);
  const size_t bytes = strlen(line);
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
    if (value[bytes] == '\0' || strlen(value + bytes) >= sizeof settings->path)
      return tac_error_set(error, TAC_STATUS_INVALID, __func__, "TACTUS_KOKKOS_OUT=%s: a file name is missing or too long",
                           files[i].prefix);
    settings->form = files[i].form;
    memcpy(settings->path, value + bytes, strlen(value + bytes) + 1);
    return TAC_STATUS_OK;
  }
  return tac_error_set(error, TAC_STATUS_INVALID, __func__,
                       "TACTUS_KOKKOS_OUT: unknown value '%.60s' (text, json:FILE, trace:FILE or html:FILE)", value);
}

enum tac_status tac_module_settings_read(struct tac_module_settings *settings, struct tac_error *error) {
  const char *form = getenv("TACTUS_KOKKOS_OUT"), *fence = getenv("TACTUS_KOKKOS_FENCE"), *step = getenv("TACTUS_KOKKOS_STEP");
  if (fence && strcmp(fence, "0") != 0 && strcmp(fence, "1") != 0 && *fence)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "TACTUS_KOKKOS_FENCE: unknown value '%.60s' (0 or 1)", fence);
  settings->fence = fence && strcmp(fence, "1") == 0;
  if (step && *step) {
    settings->step = strdup(step);
    if (!settings->step)
      return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for TACTUS_KOKKOS_STEP");
  }
  return form && *form ? read_form(settings, form, error) : TAC_STATUS_OK;
}
