/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_PICTURE_H
#define VOLUME_FMM_FORMATS_PICTURE_H

#include "apps/volume_fmm/formats/bytes.h"
#include "apps/volume_fmm/formats/plot.h"

/* A plot whose values have become colours. */
struct tac_picture {
  const struct tac_plot *plot;
  size_t columns, rows;
  double least, most; /* of the values */
  double bottom, top; /* what the ends of the colour map mean */
  int diverging;
  unsigned char colors[256][3];
  struct tac_bytes image; /* PNG of the values */
};

/* Adds the SVG of a picture to `out`. out->failed: no memory. */
void tac_picture_to_svg(struct tac_bytes *out, const struct tac_picture *picture);

#endif
