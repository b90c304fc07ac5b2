/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/run.h"

#include <string.h>

#include "tests/unit/suite.h"

static double there_and_back(const double *seconds, size_t count) {
  struct tac_heisenberg_sweep sweep[8] = {{.seconds = 0}};
  for (size_t i = 0; i < count; i++)
    sweep[i].seconds = seconds[i];
  return tac_heisenberg_there_and_back_seconds(&(struct tac_heisenberg_sweeps){sweep, count, count});
}

/* Pairs 1+2, 10+20, 3+4, 5+6: sums 3, 30, 7, 11. */
START_TEST(there_and_back_is_the_median_of_pairs) {
  const double seconds[] = {1, 2, 10, 20, 3, 4, 5, 6};
  ck_assert_double_eq(there_and_back(seconds, 8), 9);
  ck_assert_double_eq(there_and_back(seconds, 7), 7);
  ck_assert_double_eq(there_and_back(seconds, 2), 3);
  ck_assert_double_eq(there_and_back(seconds, 1), 0);
  ck_assert_double_eq(there_and_back(seconds, 0), 0);
}
END_TEST

static size_t warnings_at(int local_matvecs, double variance, int stuck, uint64_t fallbacks, int single_precision,
                          const char **texts) {
  struct tac_heisenberg_options options = {.local_matvecs = local_matvecs, .single_precision = single_precision};
  struct tac_heisenberg_run run = {.options = &options};
  run.result.variance = variance;
  run.result.energy_state = -10;
  run.result.start_stuck = stuck;
  run.result.fallbacks = fallbacks;
  return tac_heisenberg_warnings(&run, texts, 4);
}

static size_t warnings_of(double variance, int stuck, uint64_t fallbacks, int single_precision, const char **texts) {
  return warnings_at(4, variance, stuck, fallbacks, single_precision, texts);
}

START_TEST(warnings) {
  const char *texts[4];
  ck_assert_uint_eq(warnings_of(0, 0, 0, 0, texts), 0);
  ck_assert_uint_eq(warnings_of(1, 0, 0, 0, texts), 0);
  ck_assert_uint_eq(warnings_of(1, 1, 0, 0, texts), 1);
  ck_assert_ptr_nonnull(strstr(texts[0], "the variance is not 0"));
  ck_assert_uint_eq(warnings_of(1e-9, 1, 0, 0, texts), 1);
  ck_assert_ptr_nonnull(strstr(texts[0], "an eigenstate of H, which need not be the lowest"));
  ck_assert_uint_eq(warnings_at(1, 1, 0, 0, 0, texts), 0);
  ck_assert_uint_eq(warnings_at(1, 1, 1, 0, 0, texts), 1);
  ck_assert_ptr_nonnull(strstr(texts[0], "with --local-matvecs=1"));
  ck_assert_ptr_null(strstr(texts[0], "random"));
  ck_assert_uint_eq(warnings_of(1e-4, 1, 2, 1, texts), 2);
  ck_assert_ptr_nonnull(strstr(texts[0], "an eigenstate of H, which need not be the lowest"));
  ck_assert_ptr_nonnull(strstr(texts[1], "GESVD"));
}
END_TEST

START_TEST(decompositions_of_all_sweeps_add_up) {
  struct tac_heisenberg_options options = {.sites = 2, .twice_spin = 1};
  struct tac_heisenberg_sweep sweep[3] = {{.summary = {.state_changed = 1}}};
  struct tac_heisenberg_run run = {.options = &options, .sweeps = {.sweep = sweep, .count = 3}};
  struct tac_dmrg_state_options start;
  struct tac_error error;
  for (uint64_t i = 0; i < 3; i++) {
    sweep[i].summary.svd_fallbacks = 1 + i;
    sweep[i].summary.full_bonds = 10 * (1 + i);
  }
  tac_dmrg_hamiltonian_init(&run.hamiltonian, 2);
  tac_dmrg_state_options_init(&start, 2);
  ck_assert_int_eq(tac_dmrg_state_create(&run.state, &start, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_heisenberg_run_finish(&run, &error), TAC_STATUS_OK);
  ck_assert_uint_eq(run.result.fallbacks, 6);
  ck_assert_uint_eq(run.result.full, 60);
  tac_dmrg_state_destroy(&run.state);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {there_and_back_is_the_median_of_pairs, warnings, decompositions_of_all_sweeps_add_up};
  return RUN_SUITE("summary", tests);
}
