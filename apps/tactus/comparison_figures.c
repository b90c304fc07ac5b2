/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/comparison.h"

#include <math.h>
#include <stdlib.h>

enum { TRIMMED_FROM = 10 };

static int compare_values(const void *a, const void *b) {
  const double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

struct tac_spread tac_spread_of(double *values, size_t count) {
  qsort(values, count, sizeof *values, compare_values);
  const size_t left_out = count / TRIMMED_FROM;
  const double median = count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
  return (struct tac_spread){median, values[left_out], values[count - 1 - left_out]};
}

static double quotient(double part, double whole) {
  return whole > 0 ? part / whole : NAN;
}

struct tac_ratio tac_ratio_of(const struct tac_spread *base, const struct tac_spread *with) {
  return (struct tac_ratio){quotient(with->median, base->median), quotient(with->least, base->most),
                            quotient(with->most, base->least)};
}

double tac_chance_of_apart(size_t base_runs, size_t new_runs) {
  double ways = 1;
  for (size_t i = 1; i <= new_runs; i++)
    ways = ways * (double)(base_runs + i) / (double)i;
  return ways / 2;
}

const char *tac_verdict_name(enum tac_verdict verdict) {
  static const char *const names[] = {"unknown", "noise", "slower", "faster", "only_base", "only_new", "no_figure"};
  return names[verdict];
}

const char *tac_verdict_text(enum tac_verdict verdict) {
  static const char *const texts[] = {"unknown", "within noise", "slower", "faster", "gone", "new", "no such figure"};
  return texts[verdict];
}
