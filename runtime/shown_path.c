/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/shown_path.h"

#include <stdio.h>
#include <string.h>

/* The later bytes of a letter. */
static int continues(char byte) {
  return ((unsigned char)byte & 0xc0) == 0x80;
}

const char *tac_shown_path(char shown[TAC_SHOWN_PATH_BYTES], const char *path) {
  static const char ellipsis[] = "\xe2\x80\xa6";
  enum { HEAD_BYTES = 40, TAIL_BYTES = TAC_SHOWN_PATH_BYTES - HEAD_BYTES - sizeof ellipsis };
  const size_t length = strlen(path);
  if (length < TAC_SHOWN_PATH_BYTES)
    return path;
  int head = HEAD_BYTES;
  const char *tail = path + length - TAIL_BYTES;
  while (head > HEAD_BYTES - 3 && continues(path[head]))
    head--;
  while (tail < path + length - TAIL_BYTES + 3 && continues(*tail))
    tail++;
  snprintf(shown, TAC_SHOWN_PATH_BYTES, "%.*s%s%s", head, path, ellipsis, tail);
  return shown;
}
