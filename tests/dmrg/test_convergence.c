/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/dmrg/sweep.h>

#include <math.h>

#include "tests/unit/suite.h"

enum { CAP = 64 };

static struct tac_dmrg_convergence convergence;

static void setup(void) {
  tac_dmrg_convergence_init(&convergence);
}

static int add(double energy, int max_bond) {
  struct tac_dmrg_sweep_summary summary = {.energy = energy, .max_bond = max_bond};
  return tac_dmrg_convergence_add(&convergence, &summary, CAP);
}

START_TEST(defaults) {
  ck_assert_double_eq(convergence.tolerance, 1e-11);
  ck_assert_int_eq(convergence.min_sweeps, 2);
  ck_assert_int_eq(convergence.sweeps, 0);
}
END_TEST

START_TEST(two_equal_energies_after_the_first) {
  ck_assert_int_eq(add(-10, CAP), 0);
  ck_assert_int_eq(add(-10, CAP), 0);
  ck_assert_int_eq(add(-10, CAP), 1);
  ck_assert_int_eq(add(-10, CAP), 1);
  ck_assert_int_eq(convergence.sweeps, 4);
}
END_TEST

START_TEST(a_move_starts_anew) {
  add(-10, CAP);
  add(-10, CAP);
  ck_assert_int_eq(add(-10.001, CAP), 0);
  ck_assert_int_eq(add(-10.001, CAP), 0);
  ck_assert_int_eq(add(-10.001, CAP), 1);
  ck_assert_int_eq(add(-9, CAP), 0);
}
END_TEST

START_TEST(the_first_energy_is_compared_with_nothing) {
  ck_assert_int_eq(add(0, CAP), 0);
  ck_assert_int_eq(add(0, CAP), 0);
  ck_assert_int_eq(add(0, CAP), 1);
}
END_TEST

START_TEST(a_growing_bond_has_not_converged) {
  for (int bond = 1; bond < CAP; bond *= 2)
    ck_assert_int_eq(add(-10, bond), 0);
  ck_assert_int_eq(add(-10, CAP), 0); /* the first at full bond */
  ck_assert_int_eq(add(-10, CAP), 1);
}
END_TEST

START_TEST(a_bond_that_stays_below_the_cap_is_full) {
  ck_assert_int_eq(add(-1, 4), 0);
  ck_assert_int_eq(add(-1, 4), 0);
  ck_assert_int_eq(add(-1, 4), 1);
}
END_TEST

START_TEST(tolerance_is_relative) {
  convergence.tolerance = 0x1p-10;
  add(-1024, CAP);
  ck_assert_int_eq(add(-1023.5, CAP), 0);
  ck_assert_int_eq(add(-1023, CAP), 1);
  tac_dmrg_convergence_init(&convergence);
  convergence.tolerance = 0x1p-10;
  add(0x1p-40, CAP);
  add(0x1p-40 + 0x1p-51, CAP);
  ck_assert_int_eq(add(0x1p-40, CAP), 1);
  ck_assert_int_eq(add(0x1p-40 + 0x1p-49, CAP), 0);
}
END_TEST

START_TEST(zero_and_the_smallest_numbers_converge) {
  const double energies[] = {0, 0x1p-1074, -0x1p-1060};
  for (int i = 0; i < 9; i++)
    ck_assert_int_eq(add(energies[i % 3], CAP), i >= 2);
}
END_TEST

START_TEST(a_tolerance_of_zero_asks_for_equal_energies) {
  convergence.tolerance = 0;
  add(-3, CAP);
  add(-3, CAP);
  ck_assert_int_eq(add(nextafter(-3, -4), CAP), 0);
  add(nextafter(-3, -4), CAP);
  ck_assert_int_eq(add(nextafter(-3, -4), CAP), 1);
}
END_TEST

START_TEST(at_least_min_sweeps) {
  convergence.min_sweeps = 6;
  for (int sweep = 1; sweep < 6; sweep++)
    ck_assert_int_eq(add(-2, CAP), 0);
  ck_assert_int_eq(add(-2, CAP), 1);
}
END_TEST

START_TEST(nan_never_converges) {
  for (int sweep = 0; sweep < 5; sweep++)
    ck_assert_int_eq(add(NAN, CAP), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {defaults,
                                two_equal_energies_after_the_first,
                                a_move_starts_anew,
                                the_first_energy_is_compared_with_nothing,
                                a_growing_bond_has_not_converged,
                                a_bond_that_stays_below_the_cap_is_full,
                                tolerance_is_relative,
                                zero_and_the_smallest_numbers_converge,
                                a_tolerance_of_zero_asks_for_equal_energies,
                                at_least_min_sweeps,
                                nan_never_converges};
  TCase *cases = tcase_create("convergence");
  tcase_add_checked_fixture(cases, setup, NULL);
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    tcase_add_test(cases, tests[i]);
  return run_cases("convergence", cases);
}
