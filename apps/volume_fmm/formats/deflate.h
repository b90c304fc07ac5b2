/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_DEFLATE_H
#define VOLUME_FMM_FORMATS_DEFLATE_H

#include <stdint.h>

#include "apps/volume_fmm/formats/bytes.h"

/* What a PNG needs of zlib; where the build lacks it, data is stored as it is. */

/* Appends `data` as a zlib stream (RFC 1950). */
void tac_deflate(struct tac_bytes *out, const unsigned char *data, size_t count);

/* The CRC of `data` after that of what came before it, which is 0 for nothing. */
uint32_t tac_crc32(uint32_t before, const unsigned char *data, size_t count);

#endif
