/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/apps/chain.h"

#include <math.h>

#include <check.h>

#include <tactus/runtime/dense.h>
#include <tactus/scheduler/scheduler.h>

static void expect_ok(enum tac_status status, const struct tac_error *error) {
  ck_assert_msg(status == TAC_STATUS_OK, "%s: %s", error->where, error->text);
}

struct chain chain_of(int sites, int twice_spin, int twice_sz) {
  struct chain chain = {.executor = "serial", .lanes = 1, .lowest = INFINITY};
  tac_dmrg_hamiltonian_init(&chain.hamiltonian, sites);
  chain.hamiltonian.twice_spin = twice_spin;
  tac_dmrg_state_options_init(&chain.start, sites);
  chain.start.twice_spin = twice_spin;
  chain.start.twice_sz = twice_sz;
  tac_dmrg_options_init(&chain.options);
  return chain;
}

static void create(struct chain *chain) {
  struct tac_scheduler_options options;
  struct tac_error error;
  tac_error_clear(&error);
  tac_blas_set_threads(1); /* as the program does: items share the processors, not BLAS */
  tac_scheduler_options_init(&options);
  options.executor = chain->executor;
  options.executor_options.lanes = chain->lanes;
  expect_ok(tac_scheduler_create(&chain->scheduler, &options, &error), &error);
  expect_ok(tac_dmrg_state_create(&chain->state, &chain->start, &error), &error);
  expect_ok(tac_dmrg_environments_create(&chain->environments, &chain->hamiltonian, chain->state, chain->scheduler, &error),
            &error);
}

void chain_sweep(struct chain *chain) {
  struct tac_error error;
  tac_error_clear(&error);
  if (!chain->environments)
    create(chain);
  expect_ok(tac_dmrg_sweep(chain->state, chain->environments, chain->scheduler, &chain->options, &chain->last, &error), &error);
  if (chain->sweeps++ == 0)
    chain->first = chain->last;
  chain->lowest = fmin(chain->lowest, fmin(chain->last.energy, chain->last.energy_ritz));
}

double chain_converge(struct chain *chain, double tolerance, int most) {
  struct tac_dmrg_convergence convergence;
  tac_dmrg_convergence_init(&convergence);
  convergence.tolerance = tolerance;
  while (!chain->converged && chain->sweeps < most) {
    chain_sweep(chain);
    chain->converged = tac_dmrg_convergence_add(&convergence, &chain->last, chain->options.max_states);
  }
  return chain->last.energy;
}

void chain_destroy(struct chain *chain) {
  tac_dmrg_environments_destroy(&chain->environments);
  tac_dmrg_state_destroy(&chain->state);
  tac_scheduler_destroy(&chain->scheduler);
}
