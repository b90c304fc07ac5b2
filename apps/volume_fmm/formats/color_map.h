/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_COLOR_MAP_H
#define VOLUME_FMM_FORMATS_COLOR_MAP_H

/* 256 sRGB colours whose lightness is even: from dark violet to bright yellow; or, diverging, from blue over nearly white in
 * the middle to red. */
void tac_color_map(unsigned char colors[256][3], int diverging);

#endif
