/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/progress.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/driven_clock.h"
#include "tests/unit/suite.h"

static struct driven_clock watch;

/* Shows bonds 1 … `bonds`, `step_ns` apart, clears, and returns what was written. */
static char *written(int bonds, int64_t step_ns) {
  char *text = NULL;
  size_t bytes = 0;
  driven_clock_init(&watch, 5, 0);
  struct tac_heisenberg_progress progress = {.line = {.stream = open_memstream(&text, &bytes), .clock = &watch.clock},
                                             .sweep = 3};
  for (int bond = 1; bond <= bonds; bond++) {
    ck_assert_int_eq(tac_heisenberg_progress_show(&progress, bond - 1, bond, bonds, -1.5), 0);
    driven_clock_advance(&watch, step_ns);
  }
  tac_progress_clear(&progress.line);
  tac_progress_clear(&progress.line);
  fclose(progress.line.stream);
  return text;
}

START_TEST(a_slow_sweep_shows_every_bond) {
  char *text = written(2, 100000000);
  ck_assert_str_eq(text, "\r\033[Ksweep 3, bond 1 of 2 (site 0), energy -1.5"
                         "\r\033[Ksweep 3, bond 2 of 2 (site 1), energy -1.5\r\033[K");
  free(text);
}
END_TEST

/* Bonds of 40 ms: shown are those at 0, 120 and 240 ms. */
START_TEST(a_fast_sweep_shows_ten_a_second) {
  char *text = written(7, 40000000);
  ck_assert_str_eq(text, "\r\033[Ksweep 3, bond 1 of 7 (site 0), energy -1.5"
                         "\r\033[Ksweep 3, bond 4 of 7 (site 3), energy -1.5"
                         "\r\033[Ksweep 3, bond 7 of 7 (site 6), energy -1.5\r\033[K");
  free(text);
}
END_TEST

START_TEST(nothing_shown_is_nothing_to_erase) {
  char *text = written(0, 0);
  ck_assert_str_eq(text, "");
  free(text);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_slow_sweep_shows_every_bond, a_fast_sweep_shows_ten_a_second,
                                nothing_shown_is_nothing_to_erase};
  return RUN_SUITE("progress", tests);
}
