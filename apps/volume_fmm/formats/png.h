/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_PNG_H
#define VOLUME_FMM_FORMATS_PNG_H

#include "apps/volume_fmm/formats/bytes.h"

/* Adds a PNG of an image of palette indices, row after row from the top, to `out`. out->failed: no memory. */
void tac_png_encode(struct tac_bytes *out, const unsigned char *indices, size_t columns, size_t rows,
                    const unsigned char palette[256][3]);

#endif
