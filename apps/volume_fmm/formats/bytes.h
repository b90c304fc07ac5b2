/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_BYTES_H
#define VOLUME_FMM_FORMATS_BYTES_H

#include <stddef.h>

/* Bytes that grow; all zero at first, freed by the owner. After a failure for want of memory nothing is added. */
struct tac_bytes {
  unsigned char *data;
  size_t count, capacity;
  int failed;
};
void tac_bytes_add(struct tac_bytes *bytes, const void *data, size_t count);

#endif
