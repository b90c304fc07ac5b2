/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/dmrg.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/dmrg/chain.h"
#include "tests/dmrg/exact.h"
#include "tests/dmrg/scalars.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

static struct chain chain;

static enum tac_status sweep(void) {
  tac_error_clear(&chain.error);
  return tac_dmrg_sweep(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary, &chain.error);
}

typedef int svd_fn(int, int, void *, int, double *, void *, int, void *, int, struct tac_arena *);

static int calls, failing_from, failing_until; /* the calls that fail, counted from 0 */
static svd_fn *true_divide, *true_qr;

static int fails(void) {
  const int call = calls++;
  return call >= failing_from && call < failing_until;
}

/* A GESDD that reports no convergence, with its input destroyed as LAPACK leaves it. */
static int divide(int m, int n, void *a, int lda, double *s, void *u, int ldu, void *vt, int ldvt, struct tac_arena *arena) {
  if (!fails())
    return true_divide(m, n, a, lda, s, u, ldu, vt, ldvt, arena);
  memset(a, 0xff, (size_t)m * sizeof(double));
  return 1;
}

static int qr(int m, int n, void *a, int lda, double *s, void *u, int ldu, void *vt, int ldvt, struct tac_arena *arena) {
  (void)m, (void)n, (void)a, (void)lda, (void)s, (void)u, (void)ldu, (void)vt, (void)ldvt, (void)arena;
  return 3;
}

static void inject(int from, int until) {
  struct tac_bond *bond = &chain.environments->bond;
  true_divide = bond->kernels->svd_divide;
  true_qr = bond->kernels->svd_qr;
  calls = 0;
  failing_from = from;
  failing_until = until;
  bond->svd_divide = divide;
}

START_TEST(gesvd_stands_in_for_gesdd) {
  double energy[6];
  chain_init(&chain, 10);
  chain.options.max_states = 12;
  chain.start.scalar = _i ? TAC_DMRG_COMPLEX64 : TAC_DMRG_REAL64;
  chain_create(&chain);
  for (int i = 0; i < 6; i++)
    energy[i] = chain_sweep(&chain);
  ck_assert_uint_eq(chain.summary.svd_fallbacks, 0);
  chain_destroy(&chain);
  chain_create(&chain);
  inject(0, 1 << 30);
  for (int i = 0; i < 6; i++) {
    ck_assert_double_eq_tol(chain_sweep(&chain), energy[i], 1e-11);
    ck_assert_uint_eq(chain.summary.svd_fallbacks, chain.summary.svd_items);
  }
  inject(2, 5); /* only these blocks */
  chain_sweep(&chain);
  ck_assert_uint_eq(chain.summary.svd_fallbacks, 3);
  chain_sweep(&chain);
  ck_assert_uint_eq(chain.summary.svd_fallbacks, 0);
  chain_destroy(&chain);
}
END_TEST

START_TEST(no_decomposition_at_all_names_site_and_phase) {
  double exact;
  chain_init(&chain, 8);
  chain.options.max_states = 16;
  chain_create(&chain);
  exact = exact_ground_energy(&chain.hamiltonian, 0);
  chain_sweeps(&chain, 2);
  inject(6, 1 << 30);
  chain.environments->bond.svd_qr = qr;
  ck_assert_int_eq(sweep(), TAC_STATUS_NUMERICAL);
  const int center = tac_dmrg_state_center(chain.state);
  char site[16];
  snprintf(site, sizeof site, "site %d,", center);
  ck_assert_str_eq(chain.error.where, "block SVD");
  ck_assert_msg(strstr(chain.error.text, site) && strstr(chain.error.text, "info 3"), "%s", chain.error.text);
  ck_assert_int_gt(center, 0);
  double complex *psi = exact_amplitudes(chain.state); /* a state of the same sector, with its norm */
  ck_assert_double_eq_tol(exact_norm(256, psi), 1, 1e-12);
  for (size_t i = 0; i < 256; i++)
    ck_assert(psi[i] == 0 || exact_twice_sz(8, 1, i) == 0);
  free(psi);
  chain.environments->bond.svd_divide = true_divide;
  chain.environments->bond.svd_qr = true_qr;
  ck_assert_double_eq_tol(chain_sweeps(&chain, 12), exact, 1e-11);
  chain_destroy(&chain);
}
END_TEST

/* Writes NaN into the tensor of a site. */
static void poison(int site) {
  size_t count;
  const void *data;
  const struct tac_dmrg_block *block = tac_dmrg_state_blocks(chain.state, site, &count, &data);
  const struct tac_kernels *kernels = chain.state->kernels;
  for (size_t i = 0; i < count; i++)
    if (block[i].rows > 0 && block[i].columns > 0)
      scalars_set(kernels, tac_element(kernels, chain.state->tensor[site].data.data, block[i].offset), 0, NAN);
}

START_TEST(nan_in_the_state_is_found) {
  const int site = _i / 4;
  chain_init(&chain, 6);
  chain.start.scalar = (enum tac_dmrg_scalar)(_i % 4);
  chain_create(&chain);
  chain_sweeps(&chain, 2);
  poison(site);
  enum tac_status status = TAC_STATUS_OK;
  for (int i = 0; i < 2 && !status; i++)
    status = sweep();
  ck_assert_int_eq(status, TAC_STATUS_NUMERICAL);
  ck_assert_msg(!strcmp(chain.error.where, "local eigensolver") || !strcmp(chain.error.where, "state selection"), "%s",
                chain.error.where);
  ck_assert_msg(!strncmp(chain.error.text, "site ", 5), "%s", chain.error.text);
  chain_destroy(&chain);
}
END_TEST

START_TEST(nan_in_an_environment_is_found) {
  chain_init(&chain, 6);
  chain_create(&chain);
  double *data = chain.environments->part[3].data.data;
  data[0] = NAN;
  ck_assert_int_eq(sweep(), TAC_STATUS_NUMERICAL);
  ck_assert_str_eq(chain.error.where, "local eigensolver");
  ck_assert_ptr_nonnull(strstr(chain.error.text, "site 1:"));
  ck_assert_ptr_nonnull(strstr(chain.error.text, "not finite"));
  chain_destroy(&chain);
}
END_TEST

START_TEST(huge_couplings_fail_or_stay_finite) {
  const double large[] = {1e30, 1e150, 1e300, 1.7e308};
  for (int which = 0; which < 12; which++) {
    chain_init(&chain, 6);
    chain.start.scalar = (enum tac_dmrg_scalar)_i;
    chain.start.start = TAC_DMRG_RANDOM;
    *(which % 3 == 0   ? &chain.hamiltonian.field
      : which % 3 == 1 ? &chain.hamiltonian.jz
                       : &chain.hamiltonian.jxy) = large[which / 3];
    chain_create(&chain);
    enum tac_status status = TAC_STATUS_OK;
    for (int i = 0; i < 4 && !status; i++) {
      status = sweep();
      ck_assert_msg(status == TAC_STATUS_NUMERICAL || (!status && isfinite(chain.summary.energy)), "%s: %g",
                    tac_status_name(status), chain.summary.energy);
    }
    if (status)
      ck_assert_msg(!strncmp(chain.error.text, "site ", 5), "%s", chain.error.text);
    chain_destroy(&chain);
  }
}
END_TEST

static struct counting counting;
static const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
enum { MOST_SWEEPS = 5 };

static enum tac_status create(void) {
  tac_error_clear(&chain.error);
  enum tac_status status = tac_scheduler_create(&chain.scheduler, &chain.scheduling, &chain.error);
  if (!status)
    status = tac_dmrg_state_create(&chain.state, &chain.start, &chain.error);
  if (!status)
    status = tac_dmrg_environments_create(&chain.environments, &chain.hamiltonian, chain.state, chain.scheduler, &chain.error);
  return status;
}

/* One run in which every allocation after the first `left` fails until it has failed once; the rest of the run then has
 * memory again. Returns 0 when nothing had to fail. */
static int run_short_of_memory(size_t left, double exact) {
  counting = (struct counting)COUNTING_INIT;
  counting.left = left;
  enum tac_status status = create();
  const int created = !status;
  for (int i = 0; i < MOST_SWEEPS && !status; i++)
    status = sweep();
  if (status) {
    ck_assert_msg(status == TAC_STATUS_MEMORY, "%s", chain.error.text);
    ck_assert_int_eq(chain.error.status, TAC_STATUS_MEMORY);
    ck_assert_str_ne(chain.error.text, "");
  }
  if (created) {
    counting.left = (size_t)-1;
    ck_assert_double_eq_tol(chain_sweeps(&chain, 10), exact, 1e-11);
  }
  ck_assert_int_eq(chain.environments != NULL, created);
  chain_destroy(&chain);
  ck_assert_uint_eq(counting.allocated, counting.released);
  return status != TAC_STATUS_OK;
}

/* Whose memory runs out: the state's and environments', or the scheduler's with its lanes' scratch. */
START_TEST(memory_that_runs_out_at_every_allocation) {
  chain_init(&chain, 6);
  chain.options.max_states = 16;
  if (_i / 2 == 0)
    chain.start.allocator = &allocator;
  else
    chain.scheduling.allocator = &allocator;
  if (_i % 2) {
    chain.start.start = TAC_DMRG_RANDOM;
    chain.start.scalar = TAC_DMRG_COMPLEX64;
    chain.options.decomposition = TAC_DMRG_GUARDED;
  }
  const double exact = exact_ground_energy(&chain.hamiltonian, 0);
  size_t left = 0;
  while (run_short_of_memory(left, exact))
    left++;
  ck_assert_uint_gt(left, _i / 2 == 0 ? 60 : 2);
  printf("# %zu allocations failed one after another\n", left);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("failures");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, gesvd_stands_in_for_gesdd, 0, 2);
  tcase_add_test(cases, no_decomposition_at_all_names_site_and_phase);
  tcase_add_loop_test(cases, nan_in_the_state_is_found, 0, 24);
  tcase_add_test(cases, nan_in_an_environment_is_found);
  tcase_add_loop_test(cases, huge_couplings_fail_or_stay_finite, 0, 4);
  tcase_add_loop_test(cases, memory_that_runs_out_at_every_allocation, 0, 4);
  return run_cases("failures", cases);
}
