/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdlib.h>

#include "apps/fmm/points_near.h"
#include "runtime/arena.h"
#include "tests/fmm/duffy.h"
#include "tests/fmm/reference.h"
#include "tests/fmm/random_tree.h"
#include "tests/unit/suite.h"

/* Potentials and gradients of one box at points where the integrals are hardest, against a rule that shares nothing with sums
 * of Gaussians. */

static const struct tac_fmm_kernel kernels[] = {{TAC_FMM_LAPLACE, 0}, {TAC_FMM_YUKAWA, 1e-3},   {TAC_FMM_YUKAWA, 2},
                                                {TAC_FMM_YUKAWA, 60}, {TAC_FMM_HELMHOLTZ, 0.2}, {TAC_FMM_HELMHOLTZ, 1.5}};
#define KERNELS ((int)(sizeof kernels / sizeof *kernels))

static const double places[][3] = {
    {0, 0, 0},           {0.13, -0.31, 0.45}, {0.5, 0.2, -0.1},    {0.5 - 1e-12, 0.2, -0.1}, {0.5 + 1e-12, 0.2, -0.1},
    {0.5, 0.5, 0.17},    {-0.5, 0.5, 0.5},    {0.499, -0.4999, 0}, {0.501, -0.5, 0.4},       {0.8, 0.3, -0.6},
    {-1.46, 0.24, 1.21}, {1.5, 1.5, 1.5},     {0.04, -1.02, 0.31}, {0.2, 0.5 + 1e-7, 0.49},  {-0.49, -0.49, -0.49},
};
#define PLACES ((int)(sizeof places / sizeof *places))

/* One box of side 1 around the origin. */
struct box {
  int dim;
  struct tac_fmm_kernel kernel;
  struct tac_modes modes;
  struct tac_point_near *near;
  double coefficients[TAC_FMM_MAX_ORDER * TAC_FMM_MAX_ORDER * 8];
};

static void make_box(struct box *box, int dim, int order, enum tac_fmm_basis basis, const struct tac_fmm_kernel *kernel,
                     double eps, double reach) {
  *box = (struct box){.dim = dim, .kernel = *kernel};
  ck_assert_int_eq(tac_modes_create(&box->modes, dim, order, basis, NULL), TAC_STATUS_OK);
  const struct tac_point_near_options options = {.dim = dim,
                                                 .order = order,
                                                 .gradient = 1,
                                                 .basis = basis,
                                                 .kernel = *kernel,
                                                 .eps = eps,
                                                 .levels = 1,
                                                 .side = {1},
                                                 .reach = {reach},
                                                 .allocator = tac_allocator_system()};
  struct tac_error error;
  ck_assert_msg(tac_point_near_create(&box->near, &options, &error) == TAC_STATUS_OK, "%s", error.text);
  uint64_t state = 5;
  for (int mode = 0; mode < box->modes.count; mode++)
    box->coefficients[mode] = random_next(&state) - 0.5;
}

static void free_box(struct box *box) {
  tac_modes_destroy(&box->modes);
  tac_point_near_destroy(&box->near);
}

static double exact(const struct box *box, int part, int component, const double *x) {
  static double expected[1 << 12];
  const struct reference reference = {box->kernel, box->dim, part};
  const struct duffy_kernel kernel = {reference_value, reference_slope, &reference,
                                      box->dim == 2                         ? 26
                                      : box->kernel.kind == TAC_FMM_LAPLACE ? 1
                                      : box->kernel.parameter > 5           ? 9
                                                                            : 3};
  duffy_integrals(expected, &box->modes, &kernel, component, x);
  double sum = 0;
  for (int mode = 0; mode < box->modes.count; mode++)
    sum += box->coefficients[mode] * expected[mode];
  return sum;
}

/* In the order that blocks want. */
static int by_axes(const void *a, const void *b) {
  const double *x = *(const double *const *)a, *y = *(const double *const *)b;
  for (int axis = 2; axis >= 0; axis--)
    if (x[axis] != y[axis])
      return x[axis] < y[axis] ? -1 : 1;
  return 0;
}

/* Beside a face a gradient is right to this share of the density's jump there. */
static double jump(const struct box *box, const double *x) {
  double phi[3][TAC_FMM_MAX_ORDER], sum = 0;
  for (int axis = 0; axis < box->dim; axis++)
    tac_legendre(phi[axis], NULL, box->modes.order, fmax(-0.5, fmin(0.5, x[axis])));
  for (int mode = 0; mode < box->modes.count; mode++) {
    const unsigned char *degree = box->modes.degree[mode];
    sum += box->coefficients[mode] * phi[0][degree[0]] * phi[1][degree[1]] * (box->dim == 3 ? phi[2][degree[2]] : 1);
  }
  return 5e-9 * (1 + fabs(sum));
}

static void expect_values(const struct box *box, const double (*points)[3], int count, double tolerance) {
  struct tac_arena *arena;
  ck_assert_int_eq(tac_arena_create(&arena, tac_allocator_system(), NULL), TAC_STATUS_OK);
  struct tac_point_block *block = tac_point_block_create(box->near, arena);
  ck_assert_ptr_nonnull(block);
  const double lower[3] = {-0.5, -0.5, -0.5}, *sorted[PLACES];
  const int parts = tac_fmm_kernel_parts(box->kernel.kind);
  for (int i = 0; i < count; i++)
    sorted[i] = points[i];
  qsort(sorted, (size_t)count, sizeof *sorted, by_axes);
  for (int done = 0; done < count;) {
    const int taken = tac_point_block_take(block, (size_t)(count - done), sorted + done);
    ck_assert_int_gt(taken, 0);
    tac_point_block_add(block, 0, lower, box->coefficients);
    for (int i = 0; i < taken; i++)
      for (int field = 0; field < tac_point_near_fields(box->near); field++) {
        const double *x = sorted[done + i];
        const double miss = tac_point_block_values(block, field)[i] - exact(box, field % parts, field / parts, x);
        ck_assert_msg(fabs(miss) <= (field < parts ? tolerance : 20 * tolerance + jump(box, x)),
                      "field %d at %.15g %.15g %.15g: %g", field, x[0], x[1], x[2], miss);
      }
    done += taken;
  }
  tac_arena_destroy(&arena);
}

/* The potentials are of order 0.1. Pyramids are dear but for the simplest kernel. */
START_TEST(hard_places_of_the_plane_equal_pyramids) {
  const double eps = _i ? 1e-10 : 1e-6;
  struct box box;
  make_box(&box, 2, 6, _i ? TAC_FMM_TOTAL : TAC_FMM_TENSOR, &kernels[_i ? _i - 1 : 0], eps, 3);
  expect_values(&box, places + (_i < 2 ? 0 : 7 + _i % 4), _i < 2 ? PLACES : 1, 0.2 * eps);
  free_box(&box);
}
END_TEST

START_TEST(hard_places_of_space_equal_pyramids) {
  struct box box;
  make_box(&box, 3, 3, TAC_FMM_TOTAL, &kernels[_i % KERNELS], 1e-9, 3);
  expect_values(&box, places + 5 + _i, 1, 1e-9);
  free_box(&box);
}
END_TEST

/* Every order, with an accuracy near rounding; Helmholtz at the largest parameter that the plan admits. */
START_TEST(every_order_equals_pyramids) {
  const struct tac_fmm_kernel helmholtz = {TAC_FMM_HELMHOLTZ, 3};
  struct box box;
  make_box(&box, 2, _i, TAC_FMM_TENSOR, &kernels[0], 1e-13, 3);
  expect_values(&box, places + _i % 8, 3, 1e-12);
  free_box(&box);
  make_box(&box, 2, _i, TAC_FMM_TOTAL, &helmholtz, 1e-9, 2);
  expect_values(&box, places + 9 + _i % 4, 1, 1e-9);
  free_box(&box);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("points_near");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, hard_places_of_the_plane_equal_pyramids, 0, KERNELS + 1);
  tcase_add_loop_test(cases, hard_places_of_space_equal_pyramids, 0, KERNELS);
  tcase_add_loop_test(cases, every_order_equals_pyramids, TAC_FMM_MIN_ORDER, TAC_FMM_MAX_ORDER + 1);
  return run_cases("points_near", cases);
}
