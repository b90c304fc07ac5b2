/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/perturbation.h"

#include <string.h>

#include "apps/heisenberg_dmrg/print.h"
#include "tests/unit/suite.h"

static void expect_line(struct tac_heisenberg_perturbation perturbation, const char *line) {
  struct tac_heisenberg_run run = {.perturbation = perturbation};
  char text[256] = "";
  FILE *stream = fmemopen(text, sizeof text, "w");
  ck_assert_ptr_nonnull(stream);
  tac_print_perturbation(stream, &run);
  fclose(stream);
  ck_assert_str_eq(text, line);
}

START_TEST(the_line) {
  expect_line((struct tac_heisenberg_perturbation){.measured_seconds = 1.5, .off_seconds = 1, .same_work = 1},
              "Measured, a sweep there and back took 1.500000 s, and 1.000000 s with measurements off: 50.0 % more.\n");
  expect_line((struct tac_heisenberg_perturbation){.measured_seconds = 0.98, .off_seconds = 1, .same_work = 1},
              "Measured, a sweep there and back took 0.980000 s, and 1.000000 s with measurements off: within the noise of one "
              "timing.\n");
  expect_line((struct tac_heisenberg_perturbation){.measured_seconds = 0.38, .off_seconds = 1, .same_work = 1},
              "Measured, a sweep there and back took 0.380000 s, and 1.000000 s with measurements off: 62.0 % less, so single "
              "timings say nothing here.\n");
  expect_line((struct tac_heisenberg_perturbation){.measured_seconds = 1.5, .off_seconds = 1},
              "Measured, a sweep there and back took 1.500000 s, and 1.000000 s with measurements off: two that did not do the "
              "same work.\n");
}
END_TEST

static const struct tac_dmrg_sweep_summary steady = {
    .max_bond = 64, .products = 60, .svd_items = 70, .svd_device_items = 30, .gram_bonds = 2, .warm_bonds = 13};

static int same(struct tac_dmrg_sweep_summary summary) {
  const struct tac_heisenberg_sweep a[2] = {{.summary = steady}, {.summary = steady}};
  const struct tac_heisenberg_sweep b[2] = {{.summary = steady}, {.summary = summary}};
  ck_assert_int_eq(tac_heisenberg_same_work(a, b), tac_heisenberg_same_work(b, a));
  return tac_heisenberg_same_work(a, b);
}

START_TEST(pairs_are_compared_by_their_work) {
  struct tac_dmrg_sweep_summary other = steady;
  ck_assert_int_eq(same(other), 1);
  other.gram_bonds = 1, other.warm_bonds = 14;
  ck_assert_int_eq(same(other), 1);
  other.gram_bonds = 15, other.warm_bonds = 0;
  ck_assert_int_eq(same(other), 0);
  other = steady, other.max_bond = 63;
  ck_assert_int_eq(same(other), 0);
  other = steady, other.products = 40;
  ck_assert_int_eq(same(other), 0);
  other = steady, other.svd_items = 90;
  ck_assert_int_eq(same(other), 0);
  other = steady, other.svd_device_items = 0;
  ck_assert_int_eq(same(other), 0);
}
END_TEST

/* Levels other than off and a device are both needed; a chain of one site has no sweep to speak of. */
START_TEST(nothing_is_due_on_the_host) {
  for (int level = TAC_OFF; level <= TAC_DETAILED; level++) {
    struct tac_heisenberg_options options;
    struct tac_heisenberg_run run = {0};
    struct tac_error error;
    char word[64];
    snprintf(word, sizeof word, "--measurements=%s", tac_level_name((enum tac_level)level));
    char *words[] = {"heisenberg_dmrg", word, "--executor=serial"};
    ck_assert_int_eq(tac_heisenberg_options_parse(&options, 3, words, &error), TAC_STATUS_OK);
    ck_assert_int_eq(tac_heisenberg_run_prepare(&run, &options, &error), TAC_STATUS_OK);
    ck_assert_int_eq(tac_heisenberg_perturbation_due(&run), 0);
    tac_heisenberg_run_destroy(&run);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {the_line, pairs_are_compared_by_their_work, nothing_is_due_on_the_host};
  return RUN_SUITE("perturbation", tests);
}
