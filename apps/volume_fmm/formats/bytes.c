/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/bytes.h"

#include <stdint.h>
#include <string.h>

#include "apps/volume_fmm/formats/text_file.h"

void tac_bytes_add(struct tac_bytes *bytes, const void *data, size_t count) {
  if (!bytes->failed && !tac_grow((void **)&bytes->data, &bytes->capacity, bytes->count + count, SIZE_MAX, 1))
    bytes->failed = 1;
  if (bytes->failed || count == 0)
    return;
  memcpy(bytes->data + bytes->count, data, count);
  bytes->count += count;
}
