/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Devices that fail or cannot serve the FMM, on the tests' own device runtime. */
#include <string.h>

#include <check.h>

#include "runtime/device/device.h"
#include "tests/fmm/solve.h"
#include "tests/support/fake_backend.h"
#include "tests/unit/suite.h"

static const struct solve_case source = {.dim = 2, .exponent = 40, .center = {0.1, 0, 0}};

static void make(struct solve *solve) {
  struct tac_fmm_tree_options tree = solve_tree_options(2, 4, -1);
  const struct tac_fmm_plan_options plan = solve_plan_options(1e-3, TAC_FMM_PATH_AUTO);
  tree.tolerance = 1e-3;
  solve_case(solve, &source, &tree, &plan);
}

static struct tac_scheduler *fake_scheduler(void) {
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler = NULL;
  tac_scheduler_options_init(&options);
  options.table = &fake_executor;
  options.executor_options.lanes = 2;
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, NULL), TAC_STATUS_OK);
  return scheduler;
}

/* The host still gives what it gave. */
static void expect_host(struct solve *solve, const double *before) {
  struct tac_scheduler *serial = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  solve_run(solve, serial);
  ck_assert_mem_eq(solve->field[0], before, solve->points * sizeof *before);
  tac_scheduler_destroy(&serial);
}

/* Lets call number `from` of a kind fail, and all after it. 0 when the evaluation did not come that far. */
static int fails(struct solve *solve, enum fake_call call, int from, enum tac_status status) {
  fake_reset();
  struct tac_scheduler *scheduler = fake_scheduler();
  fake_state.calls[call] = 0;
  fake_fail(call, from, FAKE_FOREVER, status);
  struct tac_error error = {0};
  const enum tac_status got = tac_fmm_evaluate(solve->plan, scheduler, solve->density, solve->field, &error);
  const int reached = fake_state.calls[call] >= from;
  if (call == FAKE_BUILD) /* whatever its compiler says, the source is ours */
    status = TAC_STATUS_DEVICE;
  if (reached) {
    ck_assert_msg(got == status, "call %d, number %d: %d (%s: %s)", (int)call, from, (int)got, error.where, error.text);
    ck_assert_int_eq(error.status, status);
    ck_assert_uint_gt(strlen(error.text), 0);
  }
  /* With its calls failing still: the expansions are lost, nothing else. */
  (void)tac_fmm_plan_leave_device(solve->plan, NULL);
  ck_assert_uint_eq(tac_device_memory_stats(tac_scheduler_device(scheduler)).used_bytes, 0);
  ck_assert_uint_eq(tac_fmm_plan_info(solve->plan).device_bytes, 0);
  tac_scheduler_destroy(&scheduler);
  ck_assert_int_eq(fake_state.live, 0);
  return reached;
}

static void fail_everywhere(enum fake_call call, enum tac_status status) {
  struct solve solve;
  make(&solve);
  double *before = malloc(solve.points * sizeof *before);
  ck_assert_ptr_nonnull(before);
  memcpy(before, solve.field[0], solve.points * sizeof *before);
  int from = 1;
  while (fails(&solve, call, from, status))
    from++;
  ck_assert_int_gt(from, 1);
  expect_host(&solve, before);
  free(before);
  solve_free(&solve);
}

START_TEST(memory_that_does_not_fit) {
  fail_everywhere(FAKE_ALLOCATE, TAC_STATUS_MEMORY);
}
END_TEST
START_TEST(programs_that_do_not_build) {
  fail_everywhere(FAKE_BUILD, TAC_STATUS_INVALID);
}
END_TEST
START_TEST(kernels_that_are_not_there) {
  fail_everywhere(FAKE_KERNEL, TAC_STATUS_INVALID);
}
END_TEST
START_TEST(copies_that_fail) {
  fail_everywhere(FAKE_WRITE, TAC_STATUS_DEVICE);
}
END_TEST
START_TEST(launches_that_fail) {
  fail_everywhere(FAKE_LAUNCH, TAC_STATUS_DEVICE);
}
END_TEST
START_TEST(reads_that_fail) {
  fail_everywhere(FAKE_READ, TAC_STATUS_DEVICE);
}
END_TEST
START_TEST(devices_that_are_lost) {
  fail_everywhere(FAKE_FINISH, TAC_STATUS_DEVICE);
}
END_TEST

START_TEST(devices_without_double_precision) {
  struct solve solve;
  struct tac_error error;
  make(&solve);
  fake_reset();
  struct tac_scheduler *scheduler = fake_scheduler();
  tac_scheduler_device(scheduler)->info.fp64 = 0;
  ck_assert_int_eq(tac_fmm_evaluate(solve.plan, scheduler, solve.density, solve.field, &error), TAC_STATUS_UNAVAILABLE);
  ck_assert_ptr_nonnull(strstr(error.text, "no double precision"));
  ck_assert_ptr_null(strchr(error.text, '\n'));
  tac_scheduler_destroy(&scheduler);
  solve_free(&solve);
}
END_TEST

START_TEST(leaving_without_a_device_is_nothing) {
  struct solve solve;
  make(&solve);
  ck_assert_int_eq(tac_fmm_plan_leave_device(solve.plan, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_fmm_plan_leave_device(NULL, NULL), TAC_STATUS_INVALID);
  solve_free(&solve);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {memory_that_does_not_fit,
                                programs_that_do_not_build,
                                kernels_that_are_not_there,
                                copies_that_fail,
                                launches_that_fail,
                                reads_that_fail,
                                devices_that_are_lost,
                                devices_without_double_precision,
                                leaving_without_a_device_is_nothing};
  return RUN_SUITE("FMM on a failing device", tests);
}
