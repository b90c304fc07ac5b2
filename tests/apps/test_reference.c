/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/reference.h"

#include <math.h>

#include "tests/unit/suite.h"

static struct tac_dmrg_hamiltonian chain(int sites, int twice_spin, double jxy, double jz, double field) {
  return (struct tac_dmrg_hamiltonian){sizeof(struct tac_dmrg_hamiltonian), sites, twice_spin, jxy, jz, field};
}

typedef enum tac_status (*source_fn)(double *, const struct tac_dmrg_hamiltonian *, int, struct tac_error *);

static double energy_by(source_fn source, struct tac_dmrg_hamiltonian h, int twice_sz) {
  double energy = NAN;
  struct tac_error error;
  tac_error_clear(&error);
  enum tac_status status = source(&energy, &h, twice_sz, &error);
  ck_assert_msg(status == TAC_STATUS_OK, "%s: %s", error.where, error.text);
  return energy;
}

START_TEST(levels_by_hand) {
  const struct {
    struct tac_dmrg_hamiltonian h;
    int twice_sz;
    double energy;
  } cases[] = {
      {chain(1, 1, 1, 1, 0), 1, 0},
      {chain(1, 1, 1, 1, 3), -1, 1.5},
      {chain(2, 1, 1, 1, 0), 0, -0.75},
      {chain(2, 1, 1, 1, 0), 2, 0.25},
      {chain(2, 1, 1, 1, 0.5), 2, -0.25},
      {chain(3, 1, 1, 1, 0), 1, -1},
      {chain(4, 1, 1, 1, 0), 0, -(3 + 2 * 1.7320508075688772) / 4},
      {chain(2, 1, 3, 5, 0), 0, -2.75},
      {chain(4, 1, 0, 1, 0), 0, -0.75}, /* Ising: the Neel states */
      {chain(2, 2, 1, 1, 0), 0, -2},
      {chain(2, 2, 1, 1, 0), 2, -1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ck_assert_double_eq_tol(energy_by(tac_reference_dense, cases[i].h, cases[i].twice_sz), cases[i].energy, 1e-14);
    ck_assert_double_eq_tol(energy_by(tac_reference_lanczos, cases[i].h, cases[i].twice_sz), cases[i].energy, 1e-13);
    ck_assert_double_eq_tol(energy_by(tac_reference_energy, cases[i].h, cases[i].twice_sz), cases[i].energy, 1e-13);
  }
}
END_TEST

START_TEST(published_levels) {
  ck_assert_double_eq_tol(energy_by(tac_reference_dense, chain(8, 1, 1, 1, 0), 0), -3.3749325986879, 1e-13);
  ck_assert_double_eq_tol(energy_by(tac_reference_bethe, chain(20, 1, 1, 1, 0), 0), -8.682473334398985, 1e-13);
  ck_assert_double_eq_tol(energy_by(tac_reference_bethe, chain(20, 1, 1, 1, 0), 2), -8.5023786980468, 1e-12);
  ck_assert_double_eq_tol(energy_by(tac_reference_bethe, chain(21, 1, 1, 1, 0), 1), -9.086218400935, 1e-12);
  ck_assert_double_eq_tol(energy_by(tac_reference_energy, chain(100, 1, 1, 1, 0), 0), -44.1277398932962, 1e-12);
}
END_TEST

/* Sectors on both sides of the size where Lanczos takes over, couplings of every sign, spin 1/2 and 1. */
START_TEST(lanczos_equals_dense) {
  const double couplings[][3] = {{1, 1, 0}, {1, 0.5, 0.3}, {-1, 2, -0.4}, {0.7, -1, 0.1}, {0, -1, 0}};
  for (size_t i = 0; i < sizeof couplings / sizeof *couplings; i++)
    for (int twice_spin = 1; twice_spin <= 2; twice_spin++) {
      int sites = twice_spin == 1 ? 10 : 6;
      for (int twice_sz = -4; twice_sz <= 4; twice_sz += 2) {
        struct tac_dmrg_hamiltonian h = chain(sites, twice_spin, couplings[i][0], couplings[i][1], couplings[i][2]);
        ck_assert_double_eq_tol(energy_by(tac_reference_lanczos, h, twice_sz), energy_by(tac_reference_dense, h, twice_sz),
                                1e-12);
      }
    }
}
END_TEST

START_TEST(closed_forms_equal_lanczos) {
  for (int sites = 2; sites <= 13; sites++)
    for (int twice_sz = -sites; twice_sz <= sites; twice_sz += 2) {
      struct tac_dmrg_hamiltonian heisenberg = chain(sites, 1, -1.5, 1.5, 0.25), xx = chain(sites, 1, -0.8, 0, 0.25);
      ck_assert_double_eq_tol(energy_by(tac_reference_bethe, heisenberg, twice_sz),
                              energy_by(tac_reference_lanczos, heisenberg, twice_sz), 1e-12);
      ck_assert_double_eq_tol(tac_reference_free_fermions(&xx, twice_sz), energy_by(tac_reference_lanczos, xx, twice_sz),
                              1e-12);
    }
}
END_TEST

START_TEST(lanczos_beyond_two_thousand_states) {
  struct tac_dmrg_hamiltonian h = chain(14, 1, 1, 1, 0);
  ck_assert_int_eq(tac_reference_find(&h, 0), TAC_REFERENCE_LANCZOS);
  ck_assert_double_eq_tol(energy_by(tac_reference_energy, h, 0), energy_by(tac_reference_bethe, h, 0), 1e-12);
}
END_TEST

START_TEST(sources) {
  const struct {
    struct tac_dmrg_hamiltonian h;
    int twice_sz;
    enum tac_reference_source source;
  } cases[] = {
      {chain(12, 1, 1, 1, 0), 0, TAC_REFERENCE_DENSE},
      {chain(14, 1, 1, 1, 0), 0, TAC_REFERENCE_LANCZOS},
      {chain(14, 1, 1, 0, 0), 0, TAC_REFERENCE_FREE_FERMIONS},
      {chain(20, 1, 0.5, 1, 0), 0, TAC_REFERENCE_LANCZOS},
      {chain(40, 1, 0.5, 1, 0), 0, TAC_REFERENCE_NONE},
      {chain(40, 1, 1, -1, 0), 0, TAC_REFERENCE_NONE},
      {chain(40, 1, 1, 1, 0.1), 0, TAC_REFERENCE_BETHE},
      {chain(40, 1, -1, 1, 0), 0, TAC_REFERENCE_BETHE},
      {chain(40, 1, 1, 0, 0.1), 4, TAC_REFERENCE_FREE_FERMIONS},
      {chain(40, 2, 1, 1, 0), 0, TAC_REFERENCE_NONE},
      {chain(100, 1, 0.5, 1, 0), 98, TAC_REFERENCE_DENSE},
      {chain(41, 1, 1, 1, 0), 0, TAC_REFERENCE_NONE}, /* no such sector */
      {chain(5000, 1, 1, 1, 0), 0, TAC_REFERENCE_NONE},
      {chain(4, 1, NAN, 1, 0), 0, TAC_REFERENCE_NONE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_msg(tac_reference_find(&cases[i].h, cases[i].twice_sz) == cases[i].source, "case %zu: %s", i,
                  tac_reference_name(tac_reference_find(&cases[i].h, cases[i].twice_sz)));
}
END_TEST

START_TEST(what_no_source_knows_is_refused) {
  struct tac_dmrg_hamiltonian h = chain(40, 2, 1, 1, 0);
  struct tac_error error;
  double energy = 17;
  ck_assert_int_eq(tac_reference_energy(&energy, &h, 0, &error), TAC_STATUS_INVALID);
  ck_assert_double_eq(energy, 17);
  ck_assert_ptr_nonnull(strstr(error.text, "no exact energy is known"));
}
END_TEST

START_TEST(tolerances) {
  struct tac_dmrg_hamiltonian h = chain(10, 1, -1, 0.5, 1e9);
  ck_assert_double_eq(tac_reference_tolerance(-0.5, &h, 0).above, 1e-10);
  ck_assert_double_eq_tol(tac_reference_tolerance(-44, &h, 0).above, 44e-10, 1e-20);
  ck_assert_double_eq_tol(tac_reference_tolerance(-44, &h, 0).below, 44e-12, 1e-22);
  ck_assert_double_eq_tol(tac_reference_tolerance(-44, &h, 1).below, 44e-5, 1e-15);
  h.jxy = h.jz = 1e-11;
  ck_assert_double_eq_tol(tac_reference_tolerance(-4e-11, &h, 0).above, 4e-21, 1e-31);
  ck_assert_double_eq_tol(tac_reference_tolerance(0, &h, 0).below, 1e-23, 1e-33);
}
END_TEST

START_TEST(agreement) {
  struct tac_reference_tolerance allowed = {1e-3, 1e-6};
  const struct {
    double energy;
    int agrees;
  } cases[] = {{-2, 1}, {-1.9991, 1}, {-1.9989, 0}, {-2.0000009, 1}, {-2.0000011, 0}, {NAN, 0}, {INFINITY, 0}, {-INFINITY, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_int_eq(tac_reference_agrees(cases[i].energy, -2, allowed), cases[i].agrees);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      levels_by_hand,
      published_levels,
      lanczos_equals_dense,
      closed_forms_equal_lanczos,
      lanczos_beyond_two_thousand_states,
      sources,
      what_no_source_knows_is_refused,
      tolerances,
      agreement,
  };
  return RUN_SUITE("reference", tests);
}
