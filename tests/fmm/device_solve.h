/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_FMM_DEVICE_SOLVE_H
#define TESTS_FMM_DEVICE_SOLVE_H

#include "apps/fmm/device/device.h"
#include "tests/fmm/solve.h"

/* A scheduler on the device executor that the test program was started for; "host" is the device runtime of the tests. */
struct tac_scheduler *device_scheduler(int lanes, int streams, const struct tac_device_observer *observer, void *context);

/* A problem of random density on a random tree with all lists, or on a uniform one. */
struct device_case {
  int dim, order;
  int levels; /* -1: a random tree */
  enum tac_fmm_kernel_kind kind;
  enum tac_fmm_near near;
  int gradient;
};
/* Plan, density and the answer of a serial host scheduler. */
void device_case_solve(struct solve *out, const struct device_case *c, enum tac_fmm_path path, uint64_t *state);

/* A copy of the answer. */
struct answer {
  size_t points;
  int fields;
  double *field[8];
};
void answer_keep(struct answer *out, const struct solve *solve);
void answer_free(struct answer *answer);
/* Largest difference of a field relative to its largest value, over all fields. */
double answer_difference(const struct answer *answer, const struct solve *solve);
int answer_is(const struct answer *answer, const struct solve *solve); /* bit for bit */

/* Inside the domain, also close to each other, and outside. fields[f][i] */
#define DEVICE_POINTS 6
void device_points(const struct solve *solve, struct tac_scheduler *scheduler, double fields[8][DEVICE_POINTS]);

#endif
