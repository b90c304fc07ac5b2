/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The FMM on a device against the host's on the same plan. */
#include <math.h>
#include <string.h>

#include <check.h>

#include "apps/fmm/stencil_parts.h"
#include "tests/device/subject.h"
#include "tests/fmm/device_solve.h"
#include "tests/fmm/random_tree.h"
#include "tests/unit/suite.h"

static const struct device_case plane_cases[] = {
    {2, 5, -1, TAC_FMM_LAPLACE, TAC_FMM_NEAR_SPLIT, 1},   {2, 4, -1, TAC_FMM_YUKAWA, TAC_FMM_NEAR_TABLES, 1},
    {2, 3, -1, TAC_FMM_HELMHOLTZ, TAC_FMM_NEAR_SPLIT, 1}, {2, 4, 0, TAC_FMM_LAPLACE, TAC_FMM_NEAR_SPLIT, 1},
    {2, 4, 1, TAC_FMM_YUKAWA, TAC_FMM_NEAR_SPLIT, 0},
};
static const struct device_case space_cases[] = {
    {3, 3, -1, TAC_FMM_LAPLACE, TAC_FMM_NEAR_SPLIT, 1},
    {3, 2, -1, TAC_FMM_YUKAWA, TAC_FMM_NEAR_SPLIT, 0},
    {3, 3, -1, TAC_FMM_HELMHOLTZ, TAC_FMM_NEAR_TABLES, 0},
    {3, 4, 2, TAC_FMM_HELMHOLTZ, TAC_FMM_NEAR_SPLIT, 1},
};

/* Both forms, and with launches that are divided as far as they can be. */
static const struct tac_fmm_device_options forms[] = {
    {TAC_FMM_FORM_PANELS, 0}, {TAC_FMM_FORM_PANELS, 1}, {TAC_FMM_FORM_TILES, 0}, {TAC_FMM_FORM_TILES, 1}};

/* Work-items of the host's runtime are fibers, which cost much where they meet at barriers: it gets fewer cases. */
static size_t few(size_t count) {
  if (device_is_slow())
    return 1;
  return strcmp(device_executor(), "host") == 0 ? 2 : count;
}

static void compare_points(const struct solve *solve, double expected[8][DEVICE_POINTS], double actual[8][DEVICE_POINTS]) {
  for (int f = 0; f < solve->fields; f++) {
    double most = 0;
    for (int i = 0; i < DEVICE_POINTS; i++)
      most = fmax(most, fabs(expected[f][i]));
    for (int i = 0; i < DEVICE_POINTS; i++)
      ck_assert_double_eq_tol(actual[f][i], expected[f][i], 1e-12 * most);
  }
}

/* Loads that run at once share the memory of factors and combinations: the projection has none. */
static void check_projection(const struct tac_fmm_plan *plan) {
  const struct tac_stencil *projection = plan->device->projection ? plan->device->projection : plan->projection;
  ck_assert_uint_eq(projection->combined_stride + projection->factored_stride, 0);
}

/* The answer at the nodes and at points, by one path and in every form. */
static void compare(const struct device_case *c, enum tac_fmm_path path, uint64_t *state) {
  struct solve solve;
  struct answer host;
  struct tac_error error;
  double expected[8][DEVICE_POINTS], actual[8][DEVICE_POINTS];
  device_case_solve(&solve, c, path, state);
  struct tac_scheduler *scheduler = device_scheduler(2, 0, NULL, NULL);
  device_points(&solve, scheduler, expected);
  answer_keep(&host, &solve);
  const size_t count = sizeof forms / sizeof *forms, step = few(count) < count ? 2 : 1;
  for (size_t i = 0; i < count; i += step) {
    ck_assert_int_eq(tac_fmm_plan_leave_device(solve.plan, NULL), TAC_STATUS_OK);
    expect_ok(tac_fmm_device_create(&solve.plan->device, solve.plan, tac_scheduler_device(scheduler),
                                    tac_scheduler_queue(scheduler), &forms[i], &error),
              &error);
    check_projection(solve.plan);
    solve_run(&solve, scheduler);
    const double difference = answer_difference(&host, &solve);
    ck_assert_msg(difference <= 1e-12, "dimension %d, kernel %d, path %d, form %d, chunk %zu: difference %.3g", c->dim,
                  (int)c->kind, (int)path, (int)forms[i].form, forms[i].chunk, difference);
    device_points(&solve, scheduler, actual);
    compare_points(&solve, expected, actual);
  }
  answer_free(&host);
  solve_free(&solve);
  tac_scheduler_destroy(&scheduler);
}

static void compare_all(const struct device_case *cases, size_t count, enum tac_fmm_path path) {
  uint64_t state = random_seed();
  for (size_t i = 0; i < few(count); i++)
    compare(&cases[i], path, &state);
}

static const enum tac_fmm_path paths[] = {TAC_FMM_PATH_AUTO, TAC_FMM_PATH_PAIRED, TAC_FMM_PATH_PLAIN};
enum { PATHS = sizeof paths / sizeof *paths };

START_TEST(answers_in_the_plane_are_the_hosts) {
  compare_all(plane_cases, sizeof plane_cases / sizeof *plane_cases, paths[_i]);
}
END_TEST
START_TEST(answers_in_space_are_the_hosts) {
  compare_all(space_cases, sizeof space_cases / sizeof *space_cases, paths[_i]);
}
END_TEST

/* Nor on the device's being another one, nor on what was evaluated between. */
START_TEST(bits_do_not_depend_on_lanes_or_queues) {
  uint64_t state = random_seed();
  struct solve solve;
  struct answer host, first;
  device_case_solve(&solve, &space_cases[0], TAC_FMM_PATH_AUTO, &state);
  answer_keep(&host, &solve);
  for (int lanes = 1; lanes <= 3; lanes++)
    for (int several = 0; several < 2; several++) {
      struct tac_scheduler *scheduler = device_scheduler(lanes, several ? 2 * lanes + 1 : 0, NULL, NULL);
      solve_run(&solve, scheduler);
      if (lanes == 1 && !several)
        answer_keep(&first, &solve);
      solve_run(&solve, scheduler);
      ck_assert(answer_is(&first, &solve));
      ck_assert_int_eq(tac_fmm_plan_leave_device(solve.plan, NULL), TAC_STATUS_OK);
      tac_scheduler_destroy(&scheduler);
    }
  struct tac_scheduler *serial = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  solve_run(&solve, serial);
  ck_assert(answer_is(&host, &solve));
  tac_scheduler_destroy(&serial);
  answer_free(&host);
  answer_free(&first);
  solve_free(&solve);
}
END_TEST

/* What an observer of the queues has seen. */
struct traffic {
  uint64_t bytes[TAC_COPY_DIRECTIONS];
  int launches;
};
static void note_launch(void *context, int lane, const char *label, uint64_t *handle) {
  struct traffic *traffic = context;
  (void)lane;
  (void)label;
  *handle = 0;
  traffic->launches++;
}
static void note_end(void *context, int lane, uint64_t handle) {
  (void)context;
  (void)lane;
  (void)handle;
}
static void note_fence(void *context, int lane, const char *label, uint64_t *handle) {
  (void)context;
  (void)lane;
  (void)label;
  *handle = 0;
}
static void note_copy(void *context, int lane, enum tac_copy_direction direction, uint64_t bytes) {
  struct traffic *traffic = context;
  (void)lane;
  traffic->bytes[direction] += bytes;
}

/* One lane, so that the observer needs no lock. */
START_TEST(only_densities_and_answers_move_after_the_first_evaluation) {
  static const struct tac_device_observer observer = {note_launch, note_end, note_fence, note_end, note_copy};
  uint64_t state = random_seed();
  struct traffic traffic = {{0}, 0};
  struct solve solve;
  device_case_solve(&solve, &space_cases[0], TAC_FMM_PATH_AUTO, &state);
  ck_assert_uint_eq(tac_fmm_plan_info(solve.plan).device_bytes, 0);
  struct tac_scheduler *scheduler = device_scheduler(1, 0, &observer, &traffic);
  solve_run(&solve, scheduler);
  const size_t bytes = solve.points * sizeof(double);
  const struct tac_fmm_plan_info info = tac_fmm_plan_info(solve.plan);
  const struct tac_device_memory_stats before = tac_device_memory_stats(tac_scheduler_device(scheduler));
  const int launches = traffic.launches;
  ck_assert_uint_gt(traffic.bytes[TAC_COPY_TO_DEVICE], bytes);
  ck_assert_uint_ge(before.used_bytes, info.device_bytes);
  ck_assert_uint_gt(info.device_bytes, 0);
  memset(&traffic, 0, sizeof traffic);
  solve_run(&solve, scheduler);
  const struct tac_device_memory_stats after = tac_device_memory_stats(tac_scheduler_device(scheduler));
  ck_assert_uint_eq(after.allocations, before.allocations);
  ck_assert_uint_eq(after.reuses, before.reuses);
  ck_assert_uint_eq(after.used_bytes, before.used_bytes);
  ck_assert_uint_eq(tac_fmm_plan_info(solve.plan).allocations, info.allocations);
  ck_assert(traffic.launches > 0 && traffic.launches <= launches); /* the first also clears */
  ck_assert_uint_eq(traffic.bytes[TAC_COPY_TO_DEVICE], bytes);
  ck_assert_uint_eq(traffic.bytes[TAC_COPY_TO_HOST], bytes * (size_t)solve.fields);
  ck_assert_uint_eq(traffic.bytes[TAC_COPY_ON_DEVICE], 0);
  ck_assert_int_eq(tac_fmm_plan_leave_device(solve.plan, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_device_memory_stats(tac_scheduler_device(scheduler)).used_bytes, before.used_bytes - info.device_bytes);
  solve_free(&solve);
  tac_scheduler_destroy(&scheduler);
}
END_TEST

/* The expansions of an evaluation on a device serve points there, on the host meanwhile, and after the device has gone. */
START_TEST(points_see_the_last_evaluation) {
  uint64_t state = random_seed();
  struct solve solve;
  double host[8][DEVICE_POINTS], there[8][DEVICE_POINTS], here[8][DEVICE_POINTS], later[8][DEVICE_POINTS];
  device_case_solve(&solve, &plane_cases[2], TAC_FMM_PATH_AUTO, &state);
  for (size_t i = 0; i < solve.points; i++)
    solve.density[i] = 2 * solve.density[i] + 1;
  struct tac_scheduler *serial = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  struct tac_scheduler *scheduler = device_scheduler(2, 0, NULL, NULL);
  solve_run(&solve, scheduler);
  device_points(&solve, serial, here);
  solve_run(&solve, scheduler);
  device_points(&solve, scheduler, there);
  solve_run(&solve, scheduler);
  ck_assert_int_eq(tac_fmm_plan_leave_device(solve.plan, NULL), TAC_STATUS_OK);
  tac_scheduler_destroy(&scheduler);
  device_points(&solve, serial, later);
  solve_run(&solve, serial);
  device_points(&solve, serial, host);
  compare_points(&solve, host, there);
  ck_assert_mem_eq(there[0], here[0], sizeof there[0] * (size_t)solve.fields);
  ck_assert_mem_eq(there[0], later[0], sizeof there[0] * (size_t)solve.fields);
  tac_scheduler_destroy(&serial);
  solve_free(&solve);
}
END_TEST

/* Status and text of an evaluation. */
static void refusal(struct tac_error *error, const struct solve *solve, struct tac_scheduler *scheduler) {
  *error = (struct tac_error){0};
  const enum tac_status status = tac_fmm_evaluate(solve->plan, scheduler, solve->density, solve->field, error);
  ck_assert_int_ne(status, TAC_STATUS_OK);
  ck_assert_int_eq(error->status, status);
}

/* A density that is not finite, and one whose coefficients or answers are not. */
START_TEST(values_that_are_not_finite_are_refused_in_the_hosts_words) {
  static const double bad[] = {NAN, INFINITY, 1e308};
  uint64_t state = random_seed();
  struct solve solve;
  device_case_solve(&solve, &plane_cases[0], TAC_FMM_PATH_AUTO, &state);
  struct tac_scheduler *serial = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  struct tac_scheduler *scheduler = device_scheduler(2, 0, NULL, NULL);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct tac_error host, device;
    for (size_t k = solve.points / 3; k < solve.points / 3 + 40; k++)
      solve.density[k] = bad[i];
    refusal(&host, &solve, serial);
    refusal(&device, &solve, scheduler);
    ck_assert_int_eq(device.status, host.status);
    ck_assert_str_eq(device.where, host.where);
    ck_assert_str_eq(device.text, host.text);
    double value, *place[8] = {&value, &value, &value, &value};
    ck_assert_int_eq(tac_fmm_evaluate_at(solve.plan, scheduler, 1, (const double[]){0, 0}, place, NULL), TAC_STATUS_INVALID);
  }
  solve_free(&solve);
  tac_scheduler_destroy(&serial);
  tac_scheduler_destroy(&scheduler);
}
END_TEST

static void add_tests(TCase *cases) {
  tcase_add_loop_test(cases, answers_in_the_plane_are_the_hosts, 0, PATHS);
  tcase_add_loop_test(cases, answers_in_space_are_the_hosts, 0, PATHS);
  tcase_add_test(cases, bits_do_not_depend_on_lanes_or_queues);
  tcase_add_test(cases, only_densities_and_answers_move_after_the_first_evaluation);
  tcase_add_test(cases, points_see_the_last_evaluation);
  tcase_add_test(cases, values_that_are_not_finite_are_refused_in_the_hosts_words);
}

int main(int argc, char **argv) {
  return run_device_cases(argc, argv, "FMM on a device", add_tests);
}
