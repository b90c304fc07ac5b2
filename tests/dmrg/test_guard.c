/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/guard.h"

#include <string.h>

#include "tests/dmrg/chain.h"
#include "tests/unit/suite.h"

static struct chain chain;

START_TEST(exact_never_uses_anything_else) {
  chain_init(&chain, 24);
  chain.options.max_states = 16;
  chain_create(&chain);
  for (int sweep = 0; sweep < 25; sweep++) {
    chain_sweep(&chain);
    ck_assert_uint_eq(chain.summary.full_bonds, 23);
    ck_assert_uint_eq(chain.summary.gram_bonds + chain.summary.warm_bonds + chain.summary.warm_rejected, 0);
    ck_assert_double_eq(chain.summary.discarded_floor, 0);
  }
  chain_destroy(&chain);
}
END_TEST

START_TEST(single_precision_is_always_exact) {
  chain_init(&chain, 24);
  chain.options.max_states = 16;
  chain.options.decomposition = TAC_DMRG_GUARDED;
  chain.start.scalar = _i ? TAC_DMRG_COMPLEX32 : TAC_DMRG_REAL32;
  chain_create(&chain);
  for (int sweep = 0; sweep < 25; sweep++) {
    chain_sweep(&chain);
    ck_assert_uint_eq(chain.summary.full_bonds, 23);
    ck_assert_double_eq(chain.summary.discarded_floor, 0);
  }
  chain_destroy(&chain);
}
END_TEST

enum { SITES = 40, STATES = 32, BONDS = SITES - 1, WINDOW = 8 };

struct history {
  int complete[SITES]; /* complete decompositions of each bond in the last sweeps */
  int warm[SITES];
};

static int note_bond(void *context, int site, int done, int bonds, double energy) {
  struct history *history = context;
  (void)done, (void)bonds, (void)energy;
  if (chain.environments->bond.split.method == TAC_SPLIT_WARM)
    history->warm[site]++;
  else
    history->complete[site]++;
  return 0;
}

static void prepare(enum tac_dmrg_decomposition decomposition, enum tac_dmrg_scalar scalar) {
  chain_init(&chain, SITES);
  chain.options.max_states = STATES;
  chain.options.decomposition = decomposition;
  chain.start.scalar = scalar;
  chain_create(&chain);
}

START_TEST(steady_state_is_warm) {
  struct history history;
  prepare(TAC_DMRG_GUARDED, _i ? TAC_DMRG_COMPLEX64 : TAC_DMRG_REAL64);
  chain_sweeps(&chain, 32);
  for (int window = 0; window < 3; window++) {
    memset(&history, 0, sizeof history);
    for (int sweep = 0; sweep < WINDOW; sweep++) {
      ck_assert_int_eq(tac_dmrg_sweep_progress(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary,
                                               note_bond, &history, &chain.error),
                       TAC_STATUS_OK);
      ck_assert_uint_eq(chain.summary.full_bonds + chain.summary.gram_bonds + chain.summary.warm_bonds, BONDS);
      ck_assert_uint_gt(chain.summary.warm_bonds, BONDS / 2);
      ck_assert_uint_eq(chain.summary.warm_rejected, 0);
      ck_assert_double_gt(chain.summary.discarded_floor, 0);
      ck_assert_double_le(chain.summary.discarded_floor, 1e-14);
    }
    for (int site = 0; site < BONDS; site++)
      ck_assert_msg(history.complete[site] <= 1, "bond %d: %d complete decompositions", site, history.complete[site]);
  }
  chain_destroy(&chain);
}
END_TEST

START_TEST(nothing_is_warm_while_the_bond_grows) {
  prepare(TAC_DMRG_GUARDED, TAC_DMRG_REAL64);
  for (int last = 1; last < STATES;) {
    chain_sweep(&chain);
    ck_assert_uint_eq(chain.summary.full_bonds, BONDS);
    ck_assert_double_eq(chain.summary.discarded_floor, 0);
    last = chain.summary.max_bond;
  }
  chain_destroy(&chain);
}
END_TEST

/* The default reaches what the exact decomposition reaches, to a small share of the weight that truncation drops. */
START_TEST(energies_of_both_agree) {
  enum { SWEEPS = 50, LAST = 10 };
  double exact[LAST];
  prepare(TAC_DMRG_EXACT, TAC_DMRG_REAL64);
  chain_sweeps(&chain, SWEEPS);
  for (int i = 0; i < LAST; i++)
    exact[i] = chain_sweep(&chain);
  const double discarded = chain.summary.max_discarded;
  chain_destroy(&chain);
  prepare(TAC_DMRG_GUARDED, TAC_DMRG_REAL64);
  chain_sweeps(&chain, SWEEPS);
  for (int i = 0; i < LAST; i++)
    ck_assert_double_eq_tol(chain_sweep(&chain), exact[i], 5e-4 * discarded);
  ck_assert_double_eq_tol(chain.summary.max_discarded, discarded, 1e-3 * discarded);
  chain_destroy(&chain);
}
END_TEST

static struct tac_dmrg_environments environments;
static struct tac_guard_bond bonds[4];
static struct tac_dmrg_options options;

static void setup(void) {
  static struct tac_dmrg_state state = {.sites = 4};
  memset(&environments, 0, sizeof environments);
  memset(bonds, 0, sizeof bonds);
  environments.guard.bond = bonds;
  environments.state = &state;
  environments.bond.kernels = &tac_kernels_real64;
  environments.bond.site = 1;
  environments.bond.direction = 1;
  tac_dmrg_options_init(&options);
}

static void end_sweep_at(double energy, int max_bond, double residual, uint64_t rejected) {
  const struct tac_dmrg_sweep_summary summary = {
      .energy_ritz = energy, .max_bond = max_bond, .max_residual = residual, .warm_rejected = rejected};
  tac_guard_end(&environments, &summary);
}

/* The energy still falls by one each sweep. */
static void end_sweep(int max_bond, double residual, uint64_t rejected) {
  end_sweep_at(environments.guard.last_energy - 1, max_bond, residual, rejected);
}

static void note(enum tac_split_method method, double discarded, double residual) {
  environments.bond.split.method = method;
  environments.bond.split.discarded = discarded;
  tac_guard_note(&environments, &(struct tac_ritz){.residual = residual});
}

static enum tac_split_method method_at(double residual) {
  return tac_guard_method(&environments, &options, &(struct tac_ritz){.residual = residual});
}

START_TEST(method_by_hand) {
  tac_guard_begin(&environments);
  ck_assert_int_eq(method_at(1e-5), TAC_SPLIT_FULL); /* nothing is known */
  note(TAC_SPLIT_FULL, 1e-8, 1e-5);
  end_sweep(8, 1e-3, 0);
  tac_guard_begin(&environments);
  ck_assert_int_eq(method_at(1e-5), TAC_SPLIT_FULL); /* one sweep does not tell whether the bond grows */
  end_sweep(8, 1e-5, 0);
  tac_guard_begin(&environments);
  ck_assert_int_eq(method_at(1e-5), TAC_SPLIT_GRAM); /* residuals still fall */
  end_sweep(8, 0.9e-5, 0);
  tac_guard_begin(&environments);
  ck_assert_int_eq(method_at(1e-5), TAC_SPLIT_WARM);
  ck_assert_int_eq(method_at(1.0), TAC_SPLIT_GRAM); /* this bond has moved */
  environments.bond.site = 2;
  ck_assert_int_eq(method_at(1e-5), TAC_SPLIT_GRAM); /* never decomposed completely */
  environments.bond.site = 1;
  environments.bond.direction = -1;
  ck_assert_int_eq(method_at(1e-5), TAC_SPLIT_GRAM); /* not from this side */
  note(TAC_SPLIT_GRAM, 1e-8, 1e-3);
  ck_assert_int_eq(method_at(1e-3), TAC_SPLIT_WARM); /* residuals of one direction do not judge the other */
  environments.bond.direction = 1;
  ck_assert_int_eq(method_at(1e-3), TAC_SPLIT_GRAM);
  options.decomposition = TAC_DMRG_EXACT;
  ck_assert_int_eq(method_at(1e-5), TAC_SPLIT_FULL);
  options.decomposition = TAC_DMRG_GUARDED;
  environments.bond.kernels = &tac_kernels_real32;
  ck_assert_int_eq(method_at(1e-5), TAC_SPLIT_FULL);
  environments.bond.kernels = &tac_kernels_real64;
  end_sweep(9, 0.9e-5, 0);
  tac_guard_begin(&environments);
  ck_assert_int_eq(method_at(1e-5), TAC_SPLIT_FULL); /* it grew again */
}
END_TEST

START_TEST(a_settled_energy_counts_as_steady) {
  note(TAC_SPLIT_FULL, 1e-8, 1e-5);
  const double energies[] = {-10, -10 - 5e-8, -10 - 5e-8 - 5e-9}; /* changes of 5e-9 and 5e-10, relatively */
  const enum tac_split_method expected[] = {TAC_SPLIT_FULL, TAC_SPLIT_GRAM, TAC_SPLIT_WARM};
  for (int sweep = 0; sweep < 3; sweep++) {
    tac_guard_begin(&environments);
    end_sweep_at(energies[sweep], 8, 1e-3 * pow(10, -sweep), 0); /* residuals fall tenfold */
    tac_guard_begin(&environments);
    ck_assert_int_eq(method_at(1e-5), expected[sweep]);
  }
}
END_TEST

START_TEST(many_rejections_stop_warm_decompositions) {
  note(TAC_SPLIT_FULL, 1e-8, 1e-5);
  for (int sweep = 0; sweep < 2; sweep++) {
    tac_guard_begin(&environments);
    end_sweep(8, 1e-5, 0);
  }
  tac_guard_begin(&environments);
  ck_assert_int_eq(method_at(1e-5), TAC_SPLIT_WARM);
  end_sweep(8, 1e-5, 4);
  tac_guard_begin(&environments);
  ck_assert_int_eq(method_at(1e-5), TAC_SPLIT_GRAM);
}
END_TEST

START_TEST(discards_by_hand) {
  note(TAC_SPLIT_GRAM, 1e-8, 1e-5);
  environments.bond.split.method = TAC_SPLIT_WARM;
  environments.bond.split.discarded = 1e-8;
  ck_assert_int_eq(tac_guard_accepts(&environments), 1);
  environments.bond.split.discarded = 2e-8;
  ck_assert_int_eq(tac_guard_accepts(&environments), 0);
  environments.bond.split.method = TAC_SPLIT_FULL; /* nothing is better than that */
  ck_assert_int_eq(tac_guard_accepts(&environments), 1);
  note(TAC_SPLIT_WARM, 1e-3, 1); /* a warm decomposition is no measure for later ones */
  ck_assert_double_eq(bonds[1].discarded, 1e-8);
  note(TAC_SPLIT_FULL, 0, 1e-5);
  environments.bond.split.method = TAC_SPLIT_WARM;
  environments.bond.split.discarded = 1e-16; /* rounding */
  ck_assert_int_eq(tac_guard_accepts(&environments), 1);
}
END_TEST

/* Each bond is decomposed completely in one of so many sweeps, from both directions in turn. */
START_TEST(every_bond_has_its_turn) {
  note(TAC_SPLIT_FULL, 1e-8, 1e-5);
  int last = -1, turns = 0;
  for (int sweep = 0; sweep < 60; sweep++) {
    tac_guard_begin(&environments);
    if (sweep > 3 && method_at(1e-5) != TAC_SPLIT_WARM) {
      if (last >= 0) {
        ck_assert_int_gt(sweep - last, WINDOW);
        ck_assert_int_eq((sweep - last) % 2, 1);
      }
      last = sweep;
      turns++;
    }
    end_sweep(8, 1e-5, 0);
  }
  ck_assert_int_ge(turns, 4);
}
END_TEST

int main(void) {
  TCase *runs = tcase_create("runs"), *cases = tcase_create("decisions");
  Suite *suite = suite_create("guard");
  tcase_set_timeout(runs, 300);
  tcase_add_test(runs, exact_never_uses_anything_else);
  tcase_add_loop_test(runs, single_precision_is_always_exact, 0, 2);
  tcase_add_loop_test(runs, steady_state_is_warm, 0, 2);
  tcase_add_test(runs, nothing_is_warm_while_the_bond_grows);
  tcase_add_test(runs, energies_of_both_agree);
  tcase_add_checked_fixture(cases, setup, NULL);
  tcase_add_test(cases, method_by_hand);
  tcase_add_test(cases, a_settled_energy_counts_as_steady);
  tcase_add_test(cases, many_rejections_stop_warm_decompositions);
  tcase_add_test(cases, discards_by_hand);
  tcase_add_test(cases, every_bond_has_its_turn);
  suite_add_tcase(suite, runs);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
