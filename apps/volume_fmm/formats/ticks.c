/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/ticks.h"

#include <math.h>
#include <stdio.h>

static double round_step(double rough) {
  const double power = pow(10, floor(log10(rough)));
  const double digit = rough / power;
  return power * (digit <= 1.0001 ? 1 : digit <= 2.0001 ? 2 : digit <= 5.0001 ? 5 : 10);
}

/* Digits after the point that tell neighbours apart; scientific where plain numbers would be long. */
static void set_text(char out[TAC_TICK_BYTES], double value, double step, double largest) {
  const int step_exponent = (int)floor(log10(step) + 1e-9), exponent = (int)floor(log10(largest) + 1e-9);
  const int scientific = exponent >= 5 || step_exponent < -4;
  if (scientific) {
    const int own = value != 0 ? (int)floor(log10(fabs(value)) + 1e-9) : step_exponent;
    const int digits = own - step_exponent;
    snprintf(out, TAC_TICK_BYTES, "%.*e", digits < 0 ? 0 : digits > 16 ? 16 : digits, value);
  } else {
    snprintf(out, TAC_TICK_BYTES, "%.*f", step_exponent < 0 ? -step_exponent : 0, value);
  }
}

void tac_ticks_choose(struct tac_ticks *out, double lower, double upper, int wanted) {
  const double range = upper / wanted - lower / wanted, largest = fmax(fabs(lower), fabs(upper));
  out->count = 0;
  if (!(range > 1e-12 * largest)) {
    out->values[0] = lower;
    snprintf(out->texts[0], TAC_TICK_BYTES, "%.6g", lower);
    out->count = 1;
    return;
  }
  const double step = round_step(range), slack = 1e-9 * step;
  const double first = ceil((lower - slack) / step);
  while (out->count < TAC_MOST_TICKS && (first + out->count) * step <= upper + slack) {
    const double value = (first + out->count) * step + 0.0; /* no negative zero */
    out->values[out->count] = value;
    set_text(out->texts[out->count++], value, step, largest);
  }
}
