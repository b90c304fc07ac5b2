/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_TICKS_H
#define VOLUME_FMM_FORMATS_TICKS_H

#define TAC_MOST_TICKS 16
#define TAC_TICK_BYTES 32

/* Round numbers from lower to upper: multiples of 1, 2 or 5 times a power of ten, about `wanted` of them, each as text in one
 * common form. */
struct tac_ticks {
  int count;
  double values[TAC_MOST_TICKS];
  char texts[TAC_MOST_TICKS][TAC_TICK_BYTES];
};
void tac_ticks_choose(struct tac_ticks *out, double lower, double upper, int wanted);

#endif
