/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_DEFLATE_H
#define VOLUME_FMM_FORMATS_DEFLATE_H

#include <stdint.h>

#include "apps/volume_fmm/formats/bytes.h"

/* Adds a zlib stream (RFC 1950) of `data` to `out`: matches found through one hash chain, in one block of fixed codes (RFC
 * 1951). Enough for pictures with few colours, and no library to depend on. */
void tac_deflate(struct tac_bytes *out, const unsigned char *data, size_t count);

#endif
