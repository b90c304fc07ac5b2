/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>

#include "apps/heisenberg_dmrg/reference.h"
#include "apps/heisenberg_dmrg/sector.h"
#include "tests/apps/chain.h"
#include "tests/unit/suite.h"

static double exact(const struct chain *chain) {
  double energy = NAN;
  struct tac_error error;
  tac_error_clear(&error);
  enum tac_status status = tac_reference_energy(&energy, &chain->hamiltonian, chain->start.twice_sz, &error);
  ck_assert_msg(status == TAC_STATUS_OK, "%s", error.text);
  return energy;
}

START_TEST(by_hand_and_published) {
  const struct {
    int sites, twice_spin, twice_sz, states;
    double energy, tolerance;
  } cases[] = {
      {2, 1, 0, 256, -0.75, 1e-12},
      {2, 1, 2, 256, 0.25, 1e-12},
      {3, 1, 1, 256, -1, 1e-12},
      {4, 1, 0, 256, -(3 + 2 * 1.7320508075688772) / 4, 1e-12},
      {8, 1, 0, 256, -3.3749325986879, 1e-12},
      {20, 1, 0, 128, -8.682473334398985, 1e-10},
      {20, 1, 2, 128, -8.5023786980468, 1e-10},
      {21, 1, 1, 128, -9.086218400935, 1e-10},
      {2, 2, 0, 256, -2, 1e-12},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct chain chain = chain_of(cases[i].sites, cases[i].twice_spin, cases[i].twice_sz);
    chain.options.max_states = cases[i].states;
    ck_assert_double_eq_tol(chain_converge(&chain, 1e-13, 40), cases[i].energy, cases[i].tolerance);
    ck_assert(chain.converged);
    chain_destroy(&chain);
  }
}
END_TEST

/* One sector of one chain, from a random start: the product state can be an eigenstate. */
static void compare_with_exact(int sites, int twice_spin, int twice_sz, const double couplings[3]) {
  struct chain chain = chain_of(sites, twice_spin, twice_sz);
  chain.hamiltonian.jxy = couplings[0];
  chain.hamiltonian.jz = couplings[1];
  chain.hamiltonian.field = couplings[2];
  chain.start.start = TAC_DMRG_RANDOM;
  double energy = chain_converge(&chain, 1e-14, 60), truth = exact(&chain);
  ck_assert_msg(fabs(energy - truth) <= 1e-10 && chain.lowest >= truth - 1e-12 * fmax(1, fabs(truth)),
                "%d spins %d/2, 2 Sz = %d, Jxy = %g, Jz = %g, field %g: %.15g, exact %.15g", sites, twice_spin, twice_sz,
                couplings[0], couplings[1], couplings[2], energy, truth);
  chain_destroy(&chain);
}

START_TEST(every_sector_of_small_chains) {
  const double couplings[][3] = {{1, 1, 0}, {1, 0.5, 0.3}, {-0.8, 1.6, -0.2}, {1, 0, 0.7}, {1, -0.5, 0.1}};
  for (size_t i = 0; i < sizeof couplings / sizeof *couplings; i++)
    for (int sites = 1; sites <= 10; sites++)
      for (int twice_sz = -sites; twice_sz <= sites; twice_sz += 2)
        compare_with_exact(sites, 1, twice_sz, couplings[i]);
}
END_TEST

START_TEST(every_sector_of_small_chains_of_spin_1) {
  const double couplings[][3] = {{1, 1, 0}, {1, 0.5, 0.3}, {-0.8, 1.6, -0.2}};
  for (size_t i = 0; i < sizeof couplings / sizeof *couplings; i++)
    for (int sites = 1; sites <= 6; sites++)
      for (int twice_sz = -2 * sites; twice_sz <= 2 * sites; twice_sz += 2)
        compare_with_exact(sites, 2, twice_sz, couplings[i]);
}
END_TEST

/* A field moves a sector's energy by -h Sz and nothing else. */
START_TEST(a_field_shifts_the_energy) {
  for (int twice_sz = -2; twice_sz <= 2; twice_sz += 2) {
    struct chain without = chain_of(8, 1, twice_sz), with = chain_of(8, 1, twice_sz);
    with.hamiltonian.field = 0.75;
    double shift = chain_converge(&with, 1e-13, 40) - chain_converge(&without, 1e-13, 40);
    ck_assert_double_eq_tol(shift, -0.375 * twice_sz, 1e-12);
    chain_destroy(&without);
    chain_destroy(&with);
  }
}
END_TEST

START_TEST(complex_equals_real) {
  for (int twice_spin = 1; twice_spin <= 2; twice_spin++) {
    struct chain real = chain_of(12, twice_spin, 0), complex = chain_of(12, twice_spin, 0);
    complex.start.scalar = TAC_DMRG_COMPLEX64;
    real.options.max_states = complex.options.max_states = 24;
    real.options.decomposition = complex.options.decomposition = TAC_DMRG_EXACT;
    for (int sweep = 0; sweep < 10; sweep++) {
      chain_sweep(&real);
      chain_sweep(&complex);
      ck_assert_double_eq_tol(complex.last.energy, real.last.energy, 1e-11);
      ck_assert_uint_eq(complex.last.products, real.last.products);
    }
    chain_destroy(&real);
    chain_destroy(&complex);
  }
}
END_TEST

/* A random complex start has phases that a real one lacks. */
START_TEST(complex_random_starts_converge) {
  struct chain chain = chain_of(10, 1, 0);
  chain.start.scalar = TAC_DMRG_COMPLEX64;
  chain.start.start = TAC_DMRG_RANDOM;
  chain.start.seed = 5;
  ck_assert_double_eq_tol(chain_converge(&chain, 1e-13, 40), exact(&chain), 1e-11);
  chain_destroy(&chain);
}
END_TEST

START_TEST(single_precision) {
  const enum tac_dmrg_scalar scalars[] = {TAC_DMRG_REAL32, TAC_DMRG_COMPLEX32};
  for (size_t i = 0; i < 2; i++)
    for (int sites = 2; sites <= 14; sites += 6) {
      struct chain chain = chain_of(sites, 1, 0);
      chain.start.scalar = scalars[i];
      chain.options.max_states = 64;
      chain.options.decomposition = TAC_DMRG_EXACT;
      double energy = chain_converge(&chain, 1e-7, 30), truth = exact(&chain);
      ck_assert_double_eq_tol(energy, truth, 1e-5 * fmax(1, fabs(truth)));
      chain_destroy(&chain);
    }
}
END_TEST

/* Below the exact energy lies no state: not on the way there, not with few states, not from any start. */
START_TEST(never_below_the_exact_energy) {
  for (uint64_t seed = 1; seed <= 50; seed++) {
    struct chain chain = chain_of(6 + (int)(seed % 7), 1, (int)(seed % 7 % 2));
    chain.hamiltonian.jxy = seed % 3 == 0 ? 0 : 1; /* Ising: where a public code went below */
    chain.hamiltonian.jz = seed % 2 == 0 ? 1 : -1;
    chain.start.start = TAC_DMRG_RANDOM;
    chain.start.seed = seed;
    chain.options.max_states = 1 + (int)(seed * 5 % 40);
    double truth = exact(&chain);
    for (int sweep = 0; sweep < 12; sweep++) {
      chain_sweep(&chain);
      ck_assert_msg(chain.lowest >= truth - 1e-12 * fmax(1, fabs(truth)), "seed %d, sweep %d: %.17g is below %.17g", (int)seed,
                    sweep + 1, chain.lowest, truth);
    }
    chain_destroy(&chain);
  }
}
END_TEST

START_TEST(one_site) {
  for (int twice_spin = 1; twice_spin <= 2; twice_spin++)
    for (int twice_sz = -twice_spin; twice_sz <= twice_spin; twice_sz += 2) {
      struct chain chain = chain_of(1, twice_spin, twice_sz);
      chain.hamiltonian.field = 0.5;
      ck_assert_double_eq(chain_converge(&chain, 1e-12, 5), -0.25 * twice_sz);
      ck_assert(chain.converged);
      ck_assert_uint_eq(chain.last.products, 0);
      chain_destroy(&chain);
    }
}
END_TEST

/* With one state a bond the chain is a product: the energy is that of the truncated state, the Ritz value lies lower. */
START_TEST(one_state_a_bond) {
  struct chain chain = chain_of(20, 1, 0);
  chain.options.max_states = 1;
  chain_converge(&chain, 1e-11, 20);
  ck_assert_int_eq(chain.last.max_bond, 1);
  ck_assert_double_eq_tol(chain.last.energy, -4.75, 1e-12);
  ck_assert_double_lt(chain.last.energy_ritz, -4.9);
  ck_assert_double_gt(chain.last.max_discarded, 0);
  chain_destroy(&chain);
}
END_TEST

START_TEST(sectors_of_one_state) {
  for (int twice_spin = 1; twice_spin <= 2; twice_spin++)
    for (int sign = -1; sign <= 1; sign += 2) {
      struct chain chain = chain_of(7, twice_spin, 7 * sign * twice_spin);
      double ferromagnet = 6 * 0.25 * twice_spin * twice_spin;
      ck_assert_double_eq_tol(chain_converge(&chain, 1e-12, 10), ferromagnet, 1e-13);
      ck_assert_int_eq(chain.last.max_bond, 1);
      ck_assert_int_eq(chain.first.state_changed, 0);
      chain_destroy(&chain);
    }
}
END_TEST

/* Chains whose Neel state is an eigenstate of every local problem: couplings along z, and fields, alone. */
START_TEST(a_stuck_start_is_reported_and_a_random_one_is_not_stuck) {
  const double couplings[][3] = {{0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, -1, 0.5}};
  for (size_t i = 0; i < sizeof couplings / sizeof *couplings; i++)
    for (int start = TAC_DMRG_NEEL; start <= TAC_DMRG_RANDOM; start++) {
      struct chain chain = chain_of(8, 1, 0);
      chain.hamiltonian.jxy = couplings[i][0];
      chain.hamiltonian.jz = couplings[i][1];
      chain.hamiltonian.field = couplings[i][2];
      chain.start.start = (enum tac_dmrg_start)start;
      chain.start.seed = 3;
      chain_converge(&chain, 1e-13, 60);
      if (start == TAC_DMRG_NEEL) {
        ck_assert_int_eq(chain.first.state_changed, 0);
      } else {
        ck_assert_double_eq_tol(chain.last.energy, exact(&chain), 1e-10);
        ck_assert(couplings[i][1] == 0 || chain.first.state_changed);
      }
      chain_destroy(&chain);
    }
}
END_TEST

START_TEST(a_moving_start_is_not_reported) {
  struct chain chain = chain_of(8, 1, 0);
  chain_sweep(&chain);
  ck_assert_int_eq(chain.last.state_changed, 1);
  chain_destroy(&chain);
}
END_TEST

/* The cutoff drops states for good while the weight it drops stays within it. */
START_TEST(a_cutoff_bounds_the_discarded_weight) {
  struct chain chain = chain_of(16, 1, 0);
  chain.options.cutoff = 1e-8;
  double energy = chain_converge(&chain, 1e-9, 30), truth = exact(&chain);
  ck_assert_double_le(chain.last.max_discarded, 1e-8);
  ck_assert_double_gt(chain.last.max_discarded, 0);
  ck_assert_int_lt(chain.last.max_bond, 40);
  ck_assert_double_ge(energy, truth - 1e-12);
  ck_assert_double_le(energy, truth + 1e-5);
  chain_destroy(&chain);
}
END_TEST

START_TEST(a_cutoff_of_everything_keeps_one_state) {
  struct chain chain = chain_of(10, 1, 0);
  chain.options.cutoff = 1;
  chain_converge(&chain, 1e-9, 10);
  ck_assert_int_eq(chain.last.max_bond, 1);
  ck_assert_double_ge(chain.lowest, exact(&chain) - 1e-12);
  chain_destroy(&chain);
}
END_TEST

START_TEST(a_cutoff_below_single_precision_does_no_harm) {
  struct chain chain = chain_of(10, 1, 0);
  chain.start.scalar = TAC_DMRG_REAL32;
  chain.options.decomposition = TAC_DMRG_EXACT;
  chain.options.cutoff = 1e-30;
  ck_assert_double_eq_tol(chain_converge(&chain, 1e-7, 20), exact(&chain), 1e-4);
  chain_destroy(&chain);
}
END_TEST

/* More products than the local space has states, and products on a vector that is an eigenvector already: the solver
 * stops, keeps the vector and changes nothing. */
START_TEST(more_products_than_states) {
  for (int sites = 2; sites <= 6; sites += 2) {
    struct chain chain = chain_of(sites, 1, 0);
    chain.options.local_matvecs = 200;
    double energy = chain_converge(&chain, 1e-15, 12), truth = exact(&chain);
    ck_assert_double_eq_tol(energy, truth, 1e-12);
    chain_sweep(&chain);
    ck_assert_double_eq_tol(chain.last.energy, energy, 1e-13);
    ck_assert_uint_le(chain.last.products, 21 * (uint64_t)(sites - 1)); /* the sector of 6 sites has 20 states */
    chain_destroy(&chain);
  }
}
END_TEST

/* A cap inside a multiplet keeps some of its states, the same ones every time. */
START_TEST(caps_inside_multiplets) {
  for (int states = 1; states <= 15; states++) {
    double energy[2];
    for (int run = 0; run < 2; run++) {
      struct chain chain = chain_of(8, 1, 0);
      chain.options.max_states = states;
      energy[run] = chain_converge(&chain, 1e-11, 30);
      ck_assert_int_le(chain.last.max_bond, states);
      for (int bond = 0; bond <= 8; bond++)
        ck_assert_int_ge(tac_dmrg_state_bond_dimension(chain.state, bond), 1);
      ck_assert_double_ge(chain.lowest, exact(&chain) - 1e-12);
      chain_destroy(&chain);
    }
    ck_assert(energy[0] == energy[1]);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      by_hand_and_published,
      every_sector_of_small_chains,
      every_sector_of_small_chains_of_spin_1,
      a_field_shifts_the_energy,
      complex_equals_real,
      complex_random_starts_converge,
      single_precision,
      never_below_the_exact_energy,
      one_site,
      one_state_a_bond,
      sectors_of_one_state,
      a_stuck_start_is_reported_and_a_random_one_is_not_stuck,
      a_moving_start_is_not_reported,
      a_cutoff_bounds_the_discarded_weight,
      a_cutoff_of_everything_keeps_one_state,
      a_cutoff_below_single_precision_does_no_harm,
      more_products_than_states,
      caps_inside_multiplets,
  };
  return RUN_SUITE("energies", tests);
}
