/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/dmrg.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/dmrg/device/device.h"
#include "tests/device/subject.h"
#include "tests/dmrg/device_chain.h"
#include "tests/dmrg/exact.h"
#include "tests/unit/counting_allocator.h"

static struct chain chain;

static enum tac_status sweep(void) {
  tac_error_clear(&chain.error);
  return tac_dmrg_sweep(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary, &chain.error);
}

static enum tac_status create(void) {
  tac_error_clear(&chain.error);
  enum tac_status status = tac_scheduler_create(&chain.scheduler, &chain.scheduling, &chain.error);
  if (!status)
    status = tac_dmrg_state_create(&chain.state, &chain.start, &chain.error);
  if (!status)
    status = tac_dmrg_environments_create(&chain.environments, &chain.hamiltonian, chain.state, chain.scheduler, &chain.error);
  return status;
}

static uint64_t problems, failures;

/* Every third problem fails, as far as the library can see. */
static enum tac_status check_some(struct tac_device_svd *svd, struct tac_queue *queue, struct tac_error *error) {
  ck_assert_int_eq(tac_device_svd_check(svd, queue, error), TAC_STATUS_OK);
  return tac_error_set(error, TAC_STATUS_NUMERICAL, "device SVD", "problem 0 did not converge");
}

static int fails_some(const struct tac_device_svd *svd, size_t problem) {
  (void)svd, (void)problem;
  failures += problems % 3 == 0;
  return problems++ % 3 == 0;
}

static int no_svd(int m, int n, void *a, int lda, double *s, void *u, int ldu, void *vt, int ldvt, struct tac_arena *arena) {
  (void)m, (void)n, (void)a, (void)lda, (void)s, (void)u, (void)ldu, (void)vt, (void)ldvt, (void)arena;
  return 3;
}

static void let_some_fail(void) {
  chain.environments->bond.device->svd_check = check_some;
  chain.environments->bond.device->svd_failed = fails_some;
}

static void check_fallback(enum tac_dmrg_scalar scalar) {
  double energy[6];
  chain_init(&chain, 10);
  chain.options.max_states = 12;
  chain.start.scalar = scalar;
  chain_create(&chain);
  for (int i = 0; i < 6; i++)
    energy[i] = chain_sweep(&chain);
  chain_destroy(&chain);
  device_chain_init(&chain, 10);
  chain.options.max_states = 12;
  chain.options.split = TAC_DMRG_SPLIT_DEVICE;
  chain.start.scalar = scalar;
  chain_create(&chain);
  let_some_fail();
  for (int i = 0; i < 6; i++) {
    failures = 0;
    ck_assert_double_eq_tol(chain_sweep(&chain), energy[i], 1e-11);
    ck_assert_uint_gt(failures, 0);
    ck_assert_uint_eq(chain.summary.svd_fallbacks, failures);
    ck_assert_uint_eq(chain.summary.svd_device_items, chain.summary.svd_items - failures);
  }
  chain_destroy(&chain);
}

START_TEST(what_the_device_cannot_decompose_the_host_does) {
  check_fallback(TAC_DMRG_REAL64);
  check_fallback(TAC_DMRG_COMPLEX64);
}
END_TEST

/* What the library itself says of two problems, the second with a NaN in it. */
START_TEST(a_failed_problem_is_named) {
  const double matrix[8] = {1, 2, 3, 4, 5, NAN, 7, 8};
  const struct tac_device_svd_problem problem[2] = {
      {.m = 2, .n = 2, .lda = 2, .ldu = 2, .ldv = 2},
      {.m = 2, .n = 2, .lda = 2, .ldu = 2, .ldv = 2, .a = 4, .u = 4, .v = 4, .s = 2}};
  struct device_subject subject;
  struct tac_device_memory *memory = NULL;
  struct tac_device_svd *svd = NULL;
  struct tac_error error;
  open_subject(&subject, 1, 0);
  expect_ok(tac_device_memory_take(&memory, subject.device, 32 * sizeof(double), &error), &error);
  expect_ok(tac_queue_write(subject.queue, memory, 0, matrix, sizeof matrix, &error), &error);
  expect_ok(tac_device_svd_create(&svd, subject.device, TAC_DEVICE_REAL64, &error), &error);
  expect_ok(tac_device_svd_plan(svd, subject.queue, problem, 2, &error), &error);
  const struct tac_device_array a = {memory, 0}, u = {memory, 8}, v = {memory, 16}, s = {memory, 24};
  expect_ok(tac_device_svd_run(svd, subject.queue, a, u, s, v, &error), &error);
  ck_assert_int_eq(tac_device_svd_check(svd, subject.queue, &error), TAC_STATUS_NUMERICAL);
  ck_assert_uint_eq(error.item, 1);
  ck_assert_int_eq(tac_device_svd_failed(svd, 0), 0);
  ck_assert_int_eq(tac_device_svd_failed(svd, 1), 1);
  ck_assert_int_eq(tac_device_svd_failed(svd, 2), 0);
  tac_device_svd_destroy(&svd);
  tac_device_memory_give(&memory);
  close_subject(&subject);
}
END_TEST

START_TEST(no_decomposition_at_all_leaves_the_state) {
  device_chain_init(&chain, 8);
  chain.options.split = TAC_DMRG_SPLIT_DEVICE;
  chain_create(&chain);
  const double exact = exact_ground_energy(&chain.hamiltonian, 0);
  chain_sweeps(&chain, 2);
  struct tac_bond *bond = &chain.environments->bond;
  const uint64_t mark = chain_fingerprint(chain.state);
  problems = 0;
  let_some_fail();
  bond->svd_divide = bond->svd_qr = no_svd;
  ck_assert_int_eq(sweep(), TAC_STATUS_NUMERICAL);
  ck_assert_str_eq(chain.error.where, "block SVD");
  ck_assert_msg(strstr(chain.error.text, "site 0,") && strstr(chain.error.text, "info 3"), "%s", chain.error.text);
  ck_assert(chain_fingerprint(chain.state) == mark);
  bond->svd_divide = bond->kernels->svd_divide;
  bond->svd_qr = bond->kernels->svd_qr;
  ck_assert_double_eq_tol(chain_sweeps(&chain, 12), exact, 1e-11);
  chain_destroy(&chain);
}
END_TEST

/* One run in which one call of a kind fails, the rest of it on a sound device. Returns 0 when nothing had to fail. */
static int run_with_failure(enum device_call call, int number, enum tac_status expected, double exact) {
  device_calls_fail(call, number, call == DEVICE_ALLOCATE ? 2 : 1, expected); /* the pool asks twice */
  enum tac_status status = create();
  const int created = !status;
  for (int i = 0; i < 3 && !status; i++)
    status = sweep();
  device_calls_succeed();
  if (status) {
    ck_assert_msg(status == expected, "call %d of kind %d: %s", number, (int)call, tac_status_name(status));
    ck_assert_int_eq(chain.error.status, expected);
    ck_assert_str_ne(chain.error.text, "");
  }
  ck_assert_int_eq(chain.environments != NULL, created);
  if (created) {
    ck_assert_double_eq_tol(chain_sweeps(&chain, 6), exact, 1e-11);
    tac_dmrg_environments_destroy(&chain.environments);
  }
  if (created) { /* the state is whole on the host, too */
    double complex *psi = exact_amplitudes(chain.state);
    ck_assert_double_eq_tol(exact_norm(exact_dimension(6, 1), psi), 1, 1e-12);
    free(psi);
  }
  chain_destroy(&chain);
  ck_assert_int_eq(device_blocks_live(), 0);
  return status != TAC_STATUS_OK;
}

/* Failures far apart behave as their neighbours do: later ones in larger steps. */
static void fail_every_call(enum tac_dmrg_split_place place) {
  device_chain_init(&chain, 6);
  chain.options.split = place;
  chain.start.start = TAC_DMRG_RANDOM;
  const double exact = exact_ground_energy(&chain.hamiltonian, 0);
  for (int call = 0; call < DEVICE_CALLS; call++) {
    const enum tac_status status = call == DEVICE_ALLOCATE ? TAC_STATUS_MEMORY : TAC_STATUS_DEVICE;
    int number = 0;
    while (run_with_failure((enum device_call)call, number, status, exact))
      number += 1 + (call == DEVICE_ALLOCATE ? 0 : number / 8);
    printf("# calls of kind %d failed one after another, up to number %d\n", call, number);
    const int maps = call == DEVICE_MAP || call == DEVICE_UNMAP;
    ck_assert_int_eq(number > 2, !(maps && place == TAC_DMRG_SPLIT_DEVICE)); /* then nothing is mapped */
  }
}

START_TEST(a_call_that_fails_leaves_the_state_with_the_host_decomposing) {
  fail_every_call(TAC_DMRG_SPLIT_HOST);
}
END_TEST

START_TEST(a_call_that_fails_leaves_the_state_with_the_device_decomposing) {
  fail_every_call(TAC_DMRG_SPLIT_DEVICE);
}
END_TEST

static struct counting counting;
static const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);

/* The host's memory runs out while the numbers are on a device. */
START_TEST(host_memory_that_runs_out_at_every_allocation) {
  device_chain_init(&chain, 6);
  chain.start.allocator = &allocator;
  chain.start.start = TAC_DMRG_RANDOM;
  const double exact = exact_ground_energy(&chain.hamiltonian, 0);
  size_t left = 0;
  enum tac_status status = TAC_STATUS_MEMORY;
  for (; status; left++) {
    counting = (struct counting)COUNTING_INIT;
    counting.left = left;
    status = create();
    const int created = !status;
    for (int i = 0; i < 3 && !status; i++)
      status = sweep();
    ck_assert_msg(!status || status == TAC_STATUS_MEMORY, "%s", chain.error.text);
    counting.left = (size_t)-1;
    if (created)
      ck_assert_double_eq_tol(chain_sweeps(&chain, 6), exact, 1e-11);
    chain_destroy(&chain);
    ck_assert_uint_eq(counting.allocated, counting.released);
    ck_assert_int_eq(device_blocks_live(), 0);
  }
  ck_assert_uint_gt(left, 60);
}
END_TEST

START_TEST(numbers_that_do_not_come_back) {
  double variance, energy;
  size_t count = 0;
  const void *data = &count;
  struct tac_dmrg_environments *made = NULL;
  device_chain_init(&chain, 6);
  chain_create(&chain);
  chain_sweeps(&chain, 2);
  device_calls_fail(DEVICE_MAP, 0, 1 << 30, TAC_STATUS_DEVICE);
  ck_assert_ptr_nonnull(tac_dmrg_state_blocks(chain.state, 2, &count, &data));
  ck_assert_uint_gt(count, 0);
  ck_assert_ptr_null(data);
  ck_assert_int_eq(tac_dmrg_variance(&variance, &energy, chain.state, &chain.hamiltonian, &chain.error), TAC_STATUS_DEVICE);
  device_calls_succeed();
  ck_assert_int_eq(tac_dmrg_variance(&variance, &energy, chain.state, &chain.hamiltonian, &chain.error), TAC_STATUS_OK);
  device_calls_fail(DEVICE_READ, 3, 1, TAC_STATUS_DEVICE); /* on the way home */
  tac_dmrg_environments_destroy(&chain.environments);
  device_calls_succeed();
  tac_dmrg_state_blocks(chain.state, 2, &count, &data);
  ck_assert_ptr_null(data);
  ck_assert_int_eq(tac_dmrg_environments_create(&made, &chain.hamiltonian, chain.state, chain.scheduler, &chain.error),
                   TAC_STATUS_DEVICE);
  ck_assert_ptr_nonnull(strstr(chain.error.text, "lost"));
  chain_destroy(&chain);
  ck_assert_int_eq(device_blocks_live(), 0);
}
END_TEST

START_TEST(double_precision_is_refused_where_there_is_none) {
  const enum tac_dmrg_scalar scalars[] = {TAC_DMRG_REAL64, TAC_DMRG_COMPLEX64};
  device_has(0);
  for (int i = 0; i < 2; i++) {
    device_chain_init(&chain, 6);
    chain.start.scalar = scalars[i];
    ck_assert_int_eq(create(), TAC_STATUS_UNAVAILABLE);
    ck_assert_ptr_null(chain.environments);
    ck_assert_msg(strstr(chain.error.text, "double precision") && !strchr(chain.error.text, '\n'), "%s", chain.error.text);
    chain_destroy(&chain);
    ck_assert_int_eq(device_blocks_live(), 0);
  }
}
END_TEST

struct expected {
  uint64_t values, theta; /* singular values, and numbers of the blocks that were lent */
};

static int add_expected(void *context, int site, int done, int bonds, double energy) {
  struct expected *expected = context;
  const struct tac_bond *bond = &chain.environments->bond;
  (void)site, (void)done, (void)bonds, (void)energy;
  for (int b = 0; b < bond->blocks; b++)
    if (bond->split.block[b].on_device)
      expected->values += (uint64_t)bond->split.block[b].candidates;
  const int last =
      bond->blocks - 1; /* all are lent: packed, each on a boundary of 64 bytes, from the first to beyond the last */
  if (!bond->split.block[last].on_device)
    expected->theta += bond->split.block[last].theta +
                       tac_padded(bond->kernels, (size_t)bond->block[last].rows * (size_t)bond->block[last].columns);
  return 0;
}

/* To the last byte: a number for each norm and inner product, and then singular values and outcomes of the device's SVDs, or
 * the blocks that the host decomposes. */
START_TEST(only_what_must_crosses_to_the_host) {
  for (int place = TAC_DMRG_SPLIT_DEVICE; place <= TAC_DMRG_SPLIT_HOST; place++) {
    struct expected expected = {0, 0};
    device_chain_init(&chain, 12);
    chain.options.max_states = 20;
    chain.options.split = (enum tac_dmrg_split_place)place;
    chain_create(&chain);
    chain_sweeps(&chain, 8);
    device_traffic();
    ck_assert_int_eq(tac_dmrg_sweep_progress(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary,
                                             add_expected, &expected, &chain.error),
                     TAC_STATUS_OK);
    const struct device_traffic traffic = device_traffic();
    const uint64_t outcomes = place == TAC_DMRG_SPLIT_DEVICE ? chain.summary.svd_items : 0;
    /* A bond has one norm of its start, a product an inner product and a norm, the last one two inner products. */
    const uint64_t numbers = 11 + 2 * chain.summary.products + expected.values;
    ck_assert_uint_eq(traffic.read_bytes, numbers * sizeof(double) + outcomes * sizeof(int32_t));
    ck_assert_uint_eq(traffic.mapped_bytes, expected.theta * sizeof(double));
    chain_destroy(&chain);
  }
}
END_TEST

int main(int argc, char **argv) {
  const TTest *const tests[] = {a_failed_problem_is_named,
                                what_the_device_cannot_decompose_the_host_does,
                                no_decomposition_at_all_leaves_the_state,
                                a_call_that_fails_leaves_the_state_with_the_host_decomposing,
                                a_call_that_fails_leaves_the_state_with_the_device_decomposing,
                                host_memory_that_runs_out_at_every_allocation,
                                numbers_that_do_not_come_back,
                                double_precision_is_refused_where_there_is_none,
                                only_what_must_crosses_to_the_host};
  return run_device_suite(argc, argv, "dmrg_device_failures", tests, sizeof tests / sizeof *tests);
}
