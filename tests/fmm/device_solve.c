/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/fmm/device_solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "runtime/executor_device.h"
#include "tests/device/subject.h"
#include "tests/fmm/random_tree.h"
#include "tests/support/host_backend.h"

static enum tac_status probe_host(struct tac_error *error) {
  (void)error;
  return TAC_STATUS_OK;
}

static enum tac_status create_host(void **out, const struct tac_executor_options *options, struct tac_error *error) {
  return tac_submitters_create(out, &host_backend, options, error);
}

static const struct tac_executor host_executor = {.abi = TAC_EXECUTOR_ABI,
                                                  .name = "host",
                                                  .summary = "kernels as host C",
                                                  .probe = probe_host,
                                                  .create = create_host,
                                                  .destroy = tac_submitters_destroy,
                                                  .lanes = tac_submitters_lanes,
                                                  .run = tac_submitters_run,
                                                  .device = tac_submitters_device,
                                                  .queue = tac_submitters_queue};

struct tac_scheduler *device_scheduler(int lanes, int streams, const struct tac_device_observer *observer, void *context) {
  struct tac_scheduler_options options;
  tac_scheduler_options_init(&options);
  options.executor = device_executor();
  options.table = device_backend() == &host_backend ? &host_executor : NULL;
  options.executor_options.lanes = lanes;
  options.executor_options.streams = streams;
  options.executor_options.observer = observer;
  options.executor_options.observer_context = context;
  struct tac_scheduler *scheduler;
  struct tac_error error;
  expect_ok(tac_scheduler_create(&scheduler, &options, &error), &error);
  return scheduler;
}

void device_case_solve(struct solve *out, const struct device_case *c, enum tac_fmm_path path, uint64_t *state) {
  const struct tac_fmm_tree_options tree = solve_tree_options(c->dim, c->order, c->levels);
  struct tac_fmm_plan_options plan = solve_plan_options(1e-3, path);
  struct tac_fmm_tree *made = NULL;
  plan.kernel = (struct tac_fmm_kernel){c->kind, c->kind == TAC_FMM_LAPLACE ? 0 : 3};
  plan.near = c->near;
  plan.gradient = c->gradient;
  if (c->levels < 0)
    made = random_tree(&tree, 4, device_backend() == &host_backend ? 50 : 120, state);
  else
    ck_assert_int_eq(tac_fmm_tree_create(&made, &tree, NULL, NULL, NULL), TAC_STATUS_OK);
  solve_plan(out, made, &plan);
  solve_fill(out, solve_random_density, state);
  struct tac_scheduler *scheduler = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  solve_run(out, scheduler);
  tac_scheduler_destroy(&scheduler);
}

void answer_keep(struct answer *out, const struct solve *solve) {
  *out = (struct answer){.points = solve->points, .fields = solve->fields};
  for (int f = 0; f < solve->fields; f++) {
    ck_assert_ptr_nonnull(out->field[f] = malloc(solve->points * sizeof(double)));
    memcpy(out->field[f], solve->field[f], solve->points * sizeof(double));
    memset(solve->field[f], 0, solve->points * sizeof(double));
  }
}

void answer_free(struct answer *answer) {
  for (int f = 0; f < answer->fields; f++)
    free(answer->field[f]);
}

double answer_difference(const struct answer *answer, const struct solve *solve) {
  double worst = 0;
  for (int f = 0; f < answer->fields; f++) {
    double most = 0, difference = 0;
    for (size_t i = 0; i < answer->points; i++) {
      most = fmax(most, fabs(answer->field[f][i]));
      difference = fmax(difference, fabs(answer->field[f][i] - solve->field[f][i]));
    }
    worst = fmax(worst, difference / most);
  }
  return worst;
}

int answer_is(const struct answer *answer, const struct solve *solve) {
  int same = 1;
  for (int f = 0; f < answer->fields; f++)
    same = same && memcmp(answer->field[f], solve->field[f], answer->points * sizeof(double)) == 0;
  return same;
}

void device_points(const struct solve *solve, struct tac_scheduler *scheduler, double fields[8][DEVICE_POINTS]) {
  static const double plane[] = {0.11, 0.22, 0.111, 0.221, -0.4, 0.05, 0.49, -0.49, 0.7, 0.1, 3, -2};
  static const double space[] = {0.11, 0.22,  -0.13, 0.111, 0.221, -0.131, -0.4, 0.05, 0.3,
                                 0.49, -0.49, 0.01,  0.7,   0.1,   0.2,    3,    -2,   1};
  double *place[8];
  struct tac_error error;
  for (int f = 0; f < solve->fields; f++)
    place[f] = fields[f];
  expect_ok(tac_fmm_evaluate_at(solve->plan, scheduler, DEVICE_POINTS, tac_fmm_tree_dim(solve->tree) == 3 ? space : plane,
                                place, &error),
            &error);
}
