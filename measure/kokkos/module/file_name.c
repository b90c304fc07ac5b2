/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/module/file_name.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What the letter behind a percent sign stands for; 0: nothing. */
static int value_of(char *value, size_t room, char letter) {
  switch (letter) {
  case 'p':
    snprintf(value, room, "%ld", (long)getpid());
    return 1;
  case 'h':
    if (gethostname(value, room - 1) != 0)
      value[0] = '\0';
    value[room - 1] = '\0';
    return 1;
  case '%':
    snprintf(value, room, "%%");
    return 1;
  default:
    return 0;
  }
}

enum tac_status tac_file_name_expand(char *path, size_t room, const char *pattern, struct tac_error *error) {
  size_t used = 0;
  for (const char *next = pattern; *next; next++) {
    char value[256] = {*next, '\0'};
    if (*next == '%' && !value_of(value, sizeof value, *++next))
      return tac_error_set(error, TAC_STATUS_INVALID, __func__,
                           "unknown '%%%.1s' in the file name '%.80s' (%%p process, %%h host, %%%% a percent sign)", next,
                           pattern);
    const size_t bytes = strlen(value);
    if (bytes >= room - used)
      return tac_error_set(error, TAC_STATUS_INVALID, __func__, "the file name '%.60s…' is too long", pattern);
    memcpy(path + used, value, bytes);
    used += bytes;
  }
  path[used] = '\0';
  return used > 0 ? TAC_STATUS_OK : tac_error_set(error, TAC_STATUS_INVALID, __func__, "a file name is missing");
}
