/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/dmrg.h>

#include <math.h>
#include <stdlib.h>

#include "tests/dmrg/chain.h"
#include "tests/dmrg/exact.h"
#include "tests/unit/suite.h"

static struct chain chain;

START_TEST(closed_forms) {
  const double energy[] = {-0.75, -1, -(3 + 2 * sqrt(3)) / 4};
  for (int guarded = 0; guarded < 2; guarded++)
    for (int sites = 2; sites <= 4; sites++) {
      chain_init(&chain, sites);
      chain.options.decomposition = guarded ? TAC_DMRG_GUARDED : TAC_DMRG_EXACT;
      chain_create(&chain);
      ck_assert_double_eq_tol(chain_sweeps(&chain, 8), energy[sites - 2], 1e-12);
      chain_destroy(&chain);
    }
}
END_TEST

START_TEST(published_first_sweeps_of_four_sites) {
  const double energy[] = {-1.50686014284956, -1.61602537343133, -1.61602540378444};
  chain_init(&chain, 4);
  chain_create(&chain);
  for (int sweep = 0; sweep < 3; sweep++) {
    ck_assert_double_eq_tol(chain_sweep(&chain), energy[sweep], 1e-11);
    ck_assert_int_eq(chain.summary.direction, sweep % 2 ? -1 : 1);
  }
  chain_destroy(&chain);
}
END_TEST

START_TEST(every_sector_with_field) {
  const int spin = _i, sites = spin == 1 ? 6 : 4;
  for (int twice_sz = -sites * spin; twice_sz <= sites * spin; twice_sz += 2) {
    chain_init(&chain, sites);
    chain_set_spin(&chain, spin);
    chain.start.twice_sz = twice_sz;
    chain.start.start = TAC_DMRG_RANDOM;
    chain.hamiltonian.jz = 0.7;
    chain.hamiltonian.field = 0.3;
    chain_create(&chain);
    const double exact = exact_ground_energy(&chain.hamiltonian, twice_sz);
    ck_assert_double_eq_tol(chain_sweeps(&chain, 20), exact, 1e-10);
    ck_assert_double_ge(chain.summary.energy, exact - 1e-13 * sites);
    chain_destroy(&chain);
  }
}
END_TEST

/* Fifty random starts: none ends, or passes, below the lowest state of its sector. */
START_TEST(never_below_the_exact_energy) {
  for (int seed = 0; seed < 50; seed++) {
    chain_init(&chain, 7);
    chain.start.start = TAC_DMRG_RANDOM;
    chain.start.seed = (uint64_t)seed;
    chain.start.scalar = seed % 2 ? TAC_DMRG_COMPLEX64 : TAC_DMRG_REAL64;
    chain.options.max_states = 2 + seed % 9;
    chain.options.decomposition = seed % 3 ? TAC_DMRG_GUARDED : TAC_DMRG_EXACT;
    chain_create(&chain);
    const double exact = exact_ground_energy(&chain.hamiltonian, 1);
    for (int sweep = 0; sweep < 12; sweep++) {
      ck_assert_double_ge(chain_sweep(&chain), exact - 1e-13);
      ck_assert_double_ge(chain.summary.energy_ritz, exact - 1e-13);
    }
    if (chain.options.max_states >= 8)
      ck_assert_double_eq_tol(chain.summary.energy, exact, 1e-9);
    chain_destroy(&chain);
  }
}
END_TEST

START_TEST(one_site_has_the_energy_of_its_sector) {
  chain_init(&chain, 1);
  chain.hamiltonian.field = 0.5;
  chain_create(&chain);
  ck_assert_double_eq(chain_sweep(&chain), -0.25);
  ck_assert_double_eq(chain.summary.energy_ritz, -0.25);
  ck_assert_int_eq(chain.summary.max_bond, 1);
  ck_assert_uint_eq(chain.summary.products, 0);
  ck_assert_uint_eq(chain.summary.svd_items, 0);
  ck_assert_int_eq(chain.summary.state_changed, 0);
  chain_destroy(&chain);
}
END_TEST

/* N=2, Sz=0: one bond with blocks 2Sz=±1 of one state each, a space of two vectors. */
START_TEST(summary_of_two_sites) {
  chain_init(&chain, 2);
  chain_create(&chain);
  chain_sweep(&chain);
  ck_assert_int_eq(chain.summary.direction, 1);
  ck_assert_uint_eq(chain.summary.products, 2);
  ck_assert_uint_eq(chain.summary.svd_items, 2);
  ck_assert_uint_eq(chain.summary.full_bonds, 1);
  ck_assert_uint_eq(chain.summary.warm_bonds, 0);
  ck_assert_uint_eq(chain.summary.warm_rejected, 0);
  ck_assert_uint_eq(chain.summary.svd_fallbacks, 0);
  ck_assert_int_eq(chain.summary.max_bond, 2);
  ck_assert_double_eq(chain.summary.max_discarded, 0);
  ck_assert_double_eq(chain.summary.discarded_floor, 0);
  ck_assert_int_eq(chain.summary.state_changed, 1);
  chain_sweep(&chain);
  ck_assert_int_eq(chain.summary.direction, -1);
  ck_assert_int_eq(chain.summary.state_changed, 0);
  ck_assert_double_le(chain.summary.max_residual, 1e-14);
  chain_destroy(&chain);
}
END_TEST

START_TEST(summary_counts_bonds_and_products) {
  chain_init(&chain, 12);
  chain.options.max_states = 6;
  chain.options.local_matvecs = 3;
  chain_create(&chain);
  chain_sweeps(&chain, 5);
  ck_assert_uint_eq(chain.summary.full_bonds, 11);
  ck_assert_int_eq(chain.summary.max_bond, 6);
  ck_assert_double_gt(chain.summary.max_discarded, 0);
  ck_assert_uint_le(chain.summary.products, 11 * 3 + 1); /* and one for the truncated state's energy */
  ck_assert_uint_ge(chain.summary.products, 9 * 3);
  ck_assert_double_ge(chain.summary.energy, chain.summary.energy_ritz - 1e-14);
  const double truncated = chain.summary.energy, ritz = chain.summary.energy_ritz;
  ck_assert_int_eq(tac_dmrg_state_max_bond_dimension(chain.state), 6);
  double complex *psi = exact_amplitudes(chain.state), *h_psi = calloc(4096, sizeof *h_psi);
  exact_apply(&chain.hamiltonian, psi, h_psi);
  ck_assert_double_eq_tol(truncated, creal(exact_dot(4096, psi, h_psi)) / creal(exact_dot(4096, psi, psi)), 1e-12);
  ck_assert_double_le(ritz, truncated);
  free(psi);
  free(h_psi);
  chain_destroy(&chain);
}
END_TEST

START_TEST(energy_before_truncation_is_the_ritz_value) {
  chain_init(&chain, 12);
  chain.options.max_states = 2;
  chain.options.energy_before_truncation = 1;
  chain_create(&chain);
  for (int sweep = 0; sweep < 4; sweep++) {
    chain_sweep(&chain);
    ck_assert_double_eq(chain.summary.energy, chain.summary.energy_ritz);
  }
  chain_destroy(&chain);
}
END_TEST

/* m=1 is a product state, for which Néel is the best: -(N-1)/4. */
START_TEST(one_state_a_bond) {
  chain_init(&chain, 10);
  chain.options.max_states = 1;
  chain_create(&chain);
  ck_assert_double_eq_tol(chain_sweeps(&chain, 6), -2.25, 1e-12);
  ck_assert_int_eq(chain.summary.max_bond, 1);
  chain_destroy(&chain);
}
END_TEST

/* Without exchange the Néel state is an eigenstate of every local problem: nothing moves, and the summary says so. */
START_TEST(a_start_that_never_moves_is_told) {
  chain_init(&chain, 8);
  chain.hamiltonian.jxy = 0;
  chain.hamiltonian.jz = -1;
  chain_create(&chain);
  ck_assert_double_eq_tol(chain_sweep(&chain), 7 * 0.25, 1e-14);
  ck_assert_int_eq(chain.summary.state_changed, 0);
  ck_assert_uint_eq(chain.summary.products, 7);
  chain_destroy(&chain);
}
END_TEST

START_TEST(no_couplings_at_all) {
  chain_init(&chain, 6);
  chain.hamiltonian.jxy = chain.hamiltonian.jz = 0;
  chain.start.start = TAC_DMRG_RANDOM;
  chain_create(&chain);
  ck_assert_double_eq(chain_sweeps(&chain, 3), 0);
  chain_destroy(&chain);
}
END_TEST

static int stop_after(void *context, int site, int done, int bonds, double energy) {
  (void)site, (void)bonds, (void)energy;
  return done == *(const int *)context;
}

/* Uninterrupted and interrupted runs are the same run: energies and every bit of the state. */
START_TEST(interrupted_sweeps_resume) {
  double energy[6];
  chain_init(&chain, 10);
  chain.options.max_states = 9;
  chain_create(&chain);
  for (int sweep = 0; sweep < 6; sweep++)
    energy[sweep] = chain_sweep(&chain);
  const uint64_t mark = chain_fingerprint(chain.state);
  chain_destroy(&chain);
  chain_create(&chain);
  for (int sweep = 0; sweep < 6; sweep++) {
    int done = 0;
    for (int stop = 1 + sweep % 4; done < 9; stop = stop % 3 + 1) {
      ck_assert_int_eq(tac_dmrg_sweep_progress(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary,
                                               stop_after, &stop, &chain.error),
                       TAC_STATUS_OK);
      const int made = (int)chain.summary.full_bonds;
      ck_assert_int_eq(made, stop < 9 - done ? stop : 9 - done);
      ck_assert_int_eq(chain.summary.direction, sweep % 2 ? -1 : 1);
      done += made;
      ck_assert_int_eq(tac_dmrg_state_center(chain.state), sweep % 2 ? 9 - done : done);
    }
    ck_assert_double_eq(chain.summary.energy, energy[sweep]);
  }
  ck_assert(chain_fingerprint(chain.state) == mark);
  chain_destroy(&chain);
}
END_TEST

/* A run that has stopped goes on with more states. */
START_TEST(a_finished_run_goes_on_with_more_states) {
  chain_init(&chain, 12);
  chain.options.max_states = 4;
  chain_create(&chain);
  const double rough = chain_sweeps(&chain, 8);
  chain.options.max_states = 64;
  const double fine = chain_sweeps(&chain, 12);
  ck_assert_double_lt(fine, rough - 1e-4);
  ck_assert_double_eq_tol(fine, exact_ground_energy(&chain.hamiltonian, 0), 1e-9);
  chain_destroy(&chain);
}
END_TEST

/* N, m, twice the spin. Both decompositions, all scalars. */
START_TEST(steady_state_allocates_nothing) {
  const int sizes[][3] = {{16, 8, 1}, {20, 16, 1}, {12, 12, 2}, {24, 24, 1}};
  for (int s = 0; s < 4; s++) {
    chain_init(&chain, sizes[s][0]);
    chain_set_spin(&chain, sizes[s][2]);
    chain.options.max_states = sizes[s][1];
    chain.options.decomposition = _i / 4 ? TAC_DMRG_GUARDED : TAC_DMRG_EXACT;
    chain.start.scalar = (enum tac_dmrg_scalar)(_i % 4);
    chain_create(&chain);
    chain_sweeps(&chain, 30);
    const uint64_t allocations = tac_dmrg_environments_allocations(chain.environments);
    const size_t bytes = tac_dmrg_environments_bytes(chain.environments) + tac_dmrg_state_bytes(chain.state);
    chain_sweeps(&chain, 20);
    ck_assert_uint_eq(tac_dmrg_environments_allocations(chain.environments), allocations);
    ck_assert_uint_eq(tac_dmrg_environments_bytes(chain.environments) + tac_dmrg_state_bytes(chain.state), bytes);
    chain_destroy(&chain);
  }
}
END_TEST

/* The state's bytes hold its tensors at least, whoever allocated them. */
START_TEST(bytes_are_counted_where_they_are_held) {
  chain_init(&chain, 14);
  chain.options.max_states = 20;
  chain_create(&chain);
  for (int sweep = 0; sweep < 8; sweep++) {
    chain_sweep(&chain);
    size_t least = 0;
    for (int site = 0; site < 14; site++) {
      size_t count;
      const struct tac_dmrg_block *block = tac_dmrg_state_blocks(chain.state, site, &count, NULL);
      for (size_t i = 0; i < count; i++)
        least += (size_t)block[i].rows * (size_t)block[i].columns * sizeof(double);
    }
    ck_assert_uint_ge(tac_dmrg_state_bytes(chain.state), least);
    ck_assert_uint_le(tac_dmrg_state_bytes(chain.state), 8 * least + 100000);
    ck_assert_uint_le(tac_dmrg_environments_bytes(chain.environments), (size_t)1 << 30);
  }
  chain_destroy(&chain);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("sweep");
  tcase_set_timeout(cases, 300);
  tcase_add_test(cases, closed_forms);
  tcase_add_test(cases, published_first_sweeps_of_four_sites);
  tcase_add_loop_test(cases, every_sector_with_field, 1, 3);
  tcase_add_test(cases, never_below_the_exact_energy);
  tcase_add_test(cases, one_site_has_the_energy_of_its_sector);
  tcase_add_test(cases, summary_of_two_sites);
  tcase_add_test(cases, summary_counts_bonds_and_products);
  tcase_add_test(cases, energy_before_truncation_is_the_ritz_value);
  tcase_add_test(cases, one_state_a_bond);
  tcase_add_test(cases, a_start_that_never_moves_is_told);
  tcase_add_test(cases, no_couplings_at_all);
  tcase_add_test(cases, interrupted_sweeps_resume);
  tcase_add_test(cases, a_finished_run_goes_on_with_more_states);
  tcase_add_loop_test(cases, steady_state_allocates_nothing, 0, 8);
  tcase_add_test(cases, bytes_are_counted_where_they_are_held);
  return run_cases("sweep", cases);
}
