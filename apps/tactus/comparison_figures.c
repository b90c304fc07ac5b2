/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/comparison.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { ONE_LEFT_ASIDE_OF = 10 };

static int compare_values(const void *a, const void *b) {
  const double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

size_t tac_runs_left_aside(size_t runs) {
  return runs / ONE_LEFT_ASIDE_OF;
}

struct tac_spread tac_spread_of(double *values, size_t count) {
  qsort(values, count, sizeof *values, compare_values);
  const size_t aside = tac_runs_left_aside(count);
  const double median = count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
  return (struct tac_spread){median, values[aside], values[count - 1 - aside]};
}

static double quotient(double part, double whole) {
  return whole > 0 ? part / whole : NAN;
}

struct tac_ratio tac_ratio_of(const struct tac_spread *base, const struct tac_spread *with) {
  return (struct tac_ratio){quotient(with->median, base->median), quotient(with->least, base->most),
                            quotient(with->most, base->least)};
}

/* Ways to choose `part` of `all`, more than a double holds for a thousand of two thousand. */
static long double choices(size_t all, size_t part) {
  long double ways = 1;
  for (size_t i = 1; i <= part; i++)
    ways = ways * (long double)(all - part + i) / (long double)i;
  return ways;
}

/* Where the sides do not differ, each of the choices(n + m, n) orders in which n runs of the base and m new ones may stand is
 * as likely as any other. Leaving a of the base and b of the new ones aside at either end, the new range lies above the base's
 * when the new run number b + 1 from below is above the base's number n - a: when at most b new runs, say j, are below that
 * one. Below it are then n - a - 1 of the base and j new ones, above it a of the base and m - j new ones, in any order among
 * themselves. Orders with the new range below are as many, since each is one of those from behind. */
double tac_chance_of_apart(size_t base_runs, size_t new_runs) {
  const size_t base_aside = tac_runs_left_aside(base_runs), new_aside = tac_runs_left_aside(new_runs);
  long double apart = 0;
  for (size_t j = 0; j <= new_aside; j++)
    apart += choices(base_runs - base_aside - 1 + j, j) * choices(base_aside + new_runs - j, base_aside);
  return (double)fminl(choices(base_runs + new_runs, new_runs) / (2 * apart), DBL_MAX);
}

const char *tac_verdict_name(enum tac_verdict verdict) {
  static const char *const names[] = {"unknown", "noise", "slower", "faster", "only_base", "only_new", "no_figure"};
  return names[verdict];
}

const char *tac_verdict_text(enum tac_verdict verdict) {
  static const char *const texts[] = {"unknown", "within noise", "slower", "faster", "gone", "new", "no such figure"};
  return texts[verdict];
}
