/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/samples.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <tactus/fmm/plan.h>
#include <tactus/scheduler/scheduler.h>

#include "tests/unit/suite.h"

static const double lower[3] = {-0.5, -0.5, -0.5};

typedef double (*function)(const double *x, int dim);

static double *sample(const struct tac_samples_grid *grid, function f) {
  const size_t depth = grid->dim == 3 ? grid->shape[2] : 1;
  double *values = malloc(grid->shape[0] * grid->shape[1] * depth * sizeof *values);
  ck_assert_ptr_nonnull(values);
  for (size_t x = 0; x < grid->shape[0]; x++)
    for (size_t y = 0; y < grid->shape[1]; y++)
      for (size_t z = 0; z < depth; z++) {
        const double point[3] = {grid->origin[0] + (double)x * grid->step[0], grid->origin[1] + (double)y * grid->step[1],
                                 grid->origin[2] + (double)z * grid->step[2]};
        values[(x * grid->shape[1] + y) * depth + z] = f(point, grid->dim);
      }
  return values;
}

static struct tac_samples *make(const struct tac_samples_grid *grid, function f) {
  double corner[3], side, *values = sample(grid, f);
  struct tac_samples *samples = NULL;
  struct tac_error error;
  tac_samples_domain(grid, corner, &side);
  ck_assert_msg(tac_samples_create(&samples, grid, corner, side, values, &error) == TAC_STATUS_OK, "%s", error.text);
  free(values);
  return samples;
}

/* Largest difference at 2000 points in rows along x inside [-1/2, 1/2]^dim. */
static double largest_difference(struct tac_samples *samples, function f, int dim) {
  enum { ROWS = 100, ROW = 20 };
  double points[3 * ROW], values[ROW], largest = 0;
  struct tac_error error;
  for (int row = 0; row < ROWS; row++) {
    for (int i = 0; i < ROW; i++) {
      double *point = points + dim * i;
      point[0] = -0.5 + (i + 0.5 * (row % 2)) / ROW;
      point[1] = -0.5 + fmod(0.6180339887 * row, 1);
      if (dim == 3)
        point[2] = -0.5 + fmod(0.7548776662 * row, 1);
    }
    ck_assert_int_eq(tac_samples_density(samples, ROW, points, values, &error), TAC_STATUS_OK);
    for (int i = 0; i < ROW; i++)
      largest = fmax(largest, fabs(values[i] - f(points + dim * i, dim)));
  }
  return largest;
}

static double quintic(const double *x, int dim) {
  const double a = x[0] * x[0] * x[0] * x[0] * x[0] - 2 * x[0] + 1, b = 3 * pow(x[1], 4) - x[1];
  return a * b * (dim == 3 ? 1 + pow(x[2], 5) : 1);
}

static double wave(const double *x, int dim) {
  return cos(6 * x[0] + 0.3) * cos(5 * x[1]) * (dim == 3 ? cos(4 * x[2] - 0.2) : 1);
}

static double line(const double *x, int dim) {
  return (2 * x[0] - 1) * (x[1] + 3) * (dim == 3 ? 1 - x[2] : 1);
}

static double bump(const double *x, int dim) {
  return exp(-80 * (x[0] * x[0] + x[1] * x[1] + (dim == 3 ? x[2] * x[2] : 0)));
}

START_TEST(polynomials_are_exact) {
  const size_t shapes[][3] = {{6, 6, 6}, {7, 7, 7}, {20, 20, 20}};
  for (int dim = 2; dim <= 3; dim++)
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
      struct tac_samples_grid grid;
      struct tac_error error;
      ck_assert_int_eq(tac_samples_fit(&grid, dim, shapes[i], lower, 1, &error), TAC_STATUS_OK);
      struct tac_samples *samples = make(&grid, quintic);
      ck_assert_double_le(largest_difference(samples, quintic, dim), 1e-13);
      tac_samples_destroy(&samples);
    }
}
END_TEST

/* Fewer than six samples determine a polynomial of lower degree. */
START_TEST(few_samples_make_a_polynomial) {
  for (size_t n = 2; n <= 5; n++) {
    const size_t shape[3] = {n, n, n};
    struct tac_samples_grid grid;
    struct tac_error error;
    ck_assert_int_eq(tac_samples_fit(&grid, 3, shape, lower, 1, &error), TAC_STATUS_OK);
    struct tac_samples *samples = make(&grid, line);
    ck_assert_double_le(largest_difference(samples, line, 3), 1e-13);
    tac_samples_destroy(&samples);
  }
}
END_TEST

START_TEST(error_falls_with_the_sixth_power) {
  for (int dim = 2; dim <= 3; dim++) {
    double before = 0;
    for (size_t n = 11; n <= 41; n = 2 * n - 1) {
      const size_t shape[3] = {n, n, n};
      struct tac_samples_grid grid;
      struct tac_error error;
      ck_assert_int_eq(tac_samples_fit(&grid, dim, shape, lower, 1, &error), TAC_STATUS_OK);
      struct tac_samples *samples = make(&grid, wave);
      const double now = largest_difference(samples, wave, dim);
      ck_assert_double_ge(now, 0);
      if (before > 0)
        ck_assert_msg(now < before / 40, "%zu samples: %g after %g", n, now, before);
      before = now;
      tac_samples_destroy(&samples);
    }
  }
}
END_TEST

/* The spline's derivatives up to the fourth have no jump at a knot, those of Lagrange's interpolant have. */
START_TEST(four_derivatives_are_continuous) {
  const size_t shape[2] = {12, 12};
  struct tac_samples_grid grid;
  struct tac_error error;
  ck_assert_int_eq(tac_samples_fit(&grid, 2, shape, (const double[]){0, 0}, 11, &error), TAC_STATUS_OK);
  double values[144], at[2 * 6], left[6], right[6];
  for (int i = 0; i < 144; i++)
    values[i] = sin(i * i);
  struct tac_samples *samples = NULL;
  ck_assert_int_eq(tac_samples_create(&samples, &grid, (const double[]){0, 0}, 11, values, &error), TAC_STATUS_OK);
  /* Each side is a polynomial of degree 5: six values give its Taylor coefficients at the knot x = 5. The differences
   * forward and backward of degree n are combined to h^n f^(n)(5) by Newton's series of log(1 + difference). */
  for (int i = 0; i < 6; i++) {
    at[2 * i] = 5 + i / 8.0;
    at[2 * i + 1] = 4.3;
  }
  ck_assert_int_eq(tac_samples_density(samples, 6, at, right, &error), TAC_STATUS_OK);
  for (int i = 0; i < 6; i++)
    at[2 * i] = 5 - i / 8.0;
  ck_assert_int_eq(tac_samples_density(samples, 6, at, left, &error), TAC_STATUS_OK);
  static const double series[5][6] = {{0, 1, -1 / 2.0, 1 / 3.0, -1 / 4.0, 1 / 5.0},
                                      {0, 0, 1, -1, 11 / 12.0, -5 / 6.0},
                                      {0, 0, 0, 1, -3 / 2.0, 7 / 4.0},
                                      {0, 0, 0, 0, 1, -2},
                                      {0, 0, 0, 0, 0, 1}};
  for (int order = 6, i = 0; i < order; i++)
    for (int k = order - 1; k > i; k--) {
      right[k] -= right[k - 1];
      left[k] -= left[k - 1];
    }
  for (int n = 1; n <= 5; n++) {
    double from_right = 0, from_left = 0;
    for (int k = n; k < 6; k++) {
      from_right += series[n - 1][k] * right[k] * pow(8, n);
      from_left += series[n - 1][k] * left[k] * pow(8, n) * (n % 2 ? -1 : 1);
    }
    if (n < 5)
      ck_assert_msg(fabs(from_right - from_left) < 1e-9, "derivative %d: %g and %g", n, from_left, from_right);
    else
      ck_assert_double_gt(fabs(from_right - from_left), 1e-3);
  }
  tac_samples_destroy(&samples);
}
END_TEST

/* Along the shorter axes samples go on as zeros: right inside, zero outside, and the integral is the samples' sum. */
START_TEST(shorter_axes_fall_to_zero) {
  const struct tac_samples_grid grid = {3, {81, 41, 21}, {-0.5, -0.25, -0.125}, {1 / 80.0, 1 / 80.0, 1 / 80.0}};
  double *values = sample(&grid, bump), sum = 0, integral = 0, corner[3], side;
  struct tac_samples *samples = NULL;
  struct tac_error error;
  tac_samples_domain(&grid, corner, &side);
  ck_assert_double_eq(side, 1);
  for (int axis = 0; axis < 3; axis++)
    ck_assert_double_eq(corner[axis], -0.5);
  ck_assert_int_eq(tac_samples_create(&samples, &grid, corner, side, values, &error), TAC_STATUS_OK);
  for (size_t i = 0; i < 81 * 41 * 21; i++)
    sum += values[i] / (80.0 * 80 * 80);
  /* B-splines of degree 5 at half integers sum to their integral; the rest is that of a spline that ends at the ninth step,
   * 0.43^6 of the border's values, which are 0.29 of the largest. */
  for (int z = 0; z < 80; z++)
    for (int y = 0; y < 80; y++) {
      double row[3 * 80], result[80];
      for (int x = 0; x < 80; x++) {
        row[3 * x] = -0.5 + (x + 0.5) / 80;
        row[3 * x + 1] = -0.5 + (y + 0.5) / 80;
        row[3 * x + 2] = -0.5 + (z + 0.5) / 80;
      }
      ck_assert_int_eq(tac_samples_density(samples, 80, row, result, &error), TAC_STATUS_OK);
      for (int x = 0; x < 80; x++) {
        integral += result[x] / (80.0 * 80 * 80);
        if (fabs(row[3 * x + 2]) > 0.125 + 9.001 / 80 || fabs(row[3 * x + 1]) > 0.25 + 9.001 / 80)
          ck_assert_double_eq(result[x], 0);
        if (fabs(row[3 * x + 2]) < 0.08 && fabs(row[3 * x + 1]) < 0.25)
          ck_assert_double_eq_tol(result[x], bump(row + 3 * x, 3), 2e-3);
      }
    }
  ck_assert_double_eq_tol(integral, sum, 3e-4 * sum);
  free(values);
  tac_samples_destroy(&samples);
}
END_TEST

START_TEST(rows_and_single_points_agree) {
  const size_t shape[3] = {17, 13, 9};
  struct tac_samples_grid grid;
  struct tac_error error;
  ck_assert_int_eq(tac_samples_fit(&grid, 3, shape, lower, 1, &error), TAC_STATUS_OK);
  struct tac_samples *samples = make(&grid, wave);
  enum { COUNT = 200 };
  double points[3 * COUNT], together[COUNT], alone;
  for (int i = 0; i < COUNT; i++) {
    points[3 * i] = -0.6 + fmod(0.37 * i, 1.2);
    const int row = i / 25;
    points[3 * i + 1] = 0.1 * (row >> 1);
    points[3 * i + 2] = -0.05 * row;
  }
  ck_assert_int_eq(tac_samples_density(samples, COUNT, points, together, &error), TAC_STATUS_OK);
  for (int i = 0; i < COUNT; i++) {
    ck_assert_int_eq(tac_samples_density(samples, 1, points + 3 * i, &alone, &error), TAC_STATUS_OK);
    ck_assert_double_eq(alone, together[i]);
  }
  tac_samples_destroy(&samples);
}
END_TEST

/* A tree resolves rough samples to 1e-6 with leaves about as wide as their spacing, and no finer than twice beyond. */
START_TEST(a_tree_resolves_rough_samples) {
  const size_t shape[2] = {33, 33};
  struct tac_samples_grid grid;
  struct tac_error error;
  struct tac_samples *samples = NULL;
  struct tac_fmm_tree *tree = NULL;
  struct tac_fmm_tree_options options;
  double values[33 * 33] = {0};
  values[16 * 33 + 11] = 1; /* one voxel */
  ck_assert_int_eq(tac_samples_fit(&grid, 2, shape, lower, 1, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_samples_create(&samples, &grid, lower, 1, values, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_samples_level(samples), 5);
  tac_fmm_tree_options_init(&options);
  options.seeds = tac_samples_seeds(samples, &options.seed_count);
  ck_assert_uint_eq(options.seed_count, 1);
  ck_assert_msg(tac_fmm_tree_create(&tree, &options, tac_samples_density, samples, &error) == TAC_STATUS_OK, "%s", error.text);
  ck_assert_int_ge(tac_fmm_tree_levels(tree), 6);
  ck_assert_int_le(tac_fmm_tree_levels(tree), 8);
  tac_fmm_tree_destroy(&tree);
  tac_samples_destroy(&samples);
}
END_TEST

START_TEST(seeds_stand_where_samples_stand_out) {
  const size_t shape[3] = {21, 21, 21};
  struct tac_samples_grid grid;
  struct tac_error error;
  size_t count;
  ck_assert_int_eq(tac_samples_fit(&grid, 3, shape, lower, 1, &error), TAC_STATUS_OK);
  double *values = sample(&grid, bump);
  const size_t lone = (4 * 21 + 5) * 21 + 6;
  values[lone] = -3;
  struct tac_samples *samples = NULL;
  ck_assert_int_eq(tac_samples_create(&samples, &grid, lower, 1, values, &error), TAC_STATUS_OK);
  const struct tac_fmm_seed *seeds = tac_samples_seeds(samples, &count);
  ck_assert_uint_eq(count, 2);
  ck_assert_double_eq_tol(seeds[0].center[0], -0.5 + 4 / 20.0, 1e-15);
  ck_assert_double_eq_tol(seeds[0].center[1], -0.5 + 5 / 20.0, 1e-15);
  ck_assert_double_eq_tol(seeds[0].center[2], -0.5 + 6 / 20.0, 1e-15);
  ck_assert_double_eq_tol(seeds[0].width, 1 / 20.0, 1e-15);
  for (int axis = 0; axis < 3; axis++)
    ck_assert_double_eq_tol(seeds[1].center[axis], 0, 1e-15);
  /* the parabola through exp(-80 x^2) at 0 and +-1/20 halves at h/sqrt(2 (1 - exp(-0.2))) */
  ck_assert_double_eq_tol(seeds[1].width, 1 / 20.0 / sqrt(2 * (1 - exp(-0.2))), 1e-14);
  ck_assert_double_eq(tac_samples_spacing(samples), 1 / 20.0);
  tac_samples_destroy(&samples);
  memset(values, 0, 21 * 21 * 21 * sizeof *values);
  ck_assert_int_eq(tac_samples_create(&samples, &grid, lower, 1, values, &error), TAC_STATUS_OK);
  ck_assert_ptr_null(tac_samples_seeds(samples, &count));
  ck_assert_uint_eq(count, 0);
  tac_samples_destroy(&samples);
  tac_samples_destroy(&samples);
  free(values);
}
END_TEST

START_TEST(many_peaks_are_limited_to_the_largest) {
  enum { SIDE = 91 };
  const size_t shape[2] = {SIDE, SIDE};
  static double values[SIDE * SIDE];
  struct tac_samples_grid grid;
  struct tac_error error;
  struct tac_samples *samples = NULL;
  size_t count;
  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = (i / SIDE) % 2 && (i % SIDE) % 2 ? i : 0;
  ck_assert_int_eq(tac_samples_fit(&grid, 2, shape, lower, 1, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_samples_create(&samples, &grid, lower, 1, values, &error), TAC_STATUS_OK);
  const struct tac_fmm_seed *seeds = tac_samples_seeds(samples, &count);
  ck_assert_uint_eq(count, 1024); /* of 45^2 */
  ck_assert_double_eq_tol(seeds[0].center[0], -0.5 + 89 / 90.0, 1e-14);
  tac_samples_destroy(&samples);
}
END_TEST

START_TEST(arrays_are_centred_in_their_domain) {
  const size_t shape[3] = {9, 5, 3};
  const double corner[3] = {1, 2, 3};
  struct tac_samples_grid grid;
  struct tac_error error;
  ck_assert_int_eq(tac_samples_fit(&grid, 3, shape, corner, 4, &error), TAC_STATUS_OK);
  ck_assert(grid.step[0] == 0.5 && grid.step[1] == 0.5 && grid.step[2] == 0.5);
  ck_assert(grid.origin[0] == 1 && grid.origin[1] == 3 && grid.origin[2] == 4.5);
  double back[3], side;
  tac_samples_domain(&grid, back, &side);
  ck_assert(side == 4 && back[0] == 1 && back[1] == 2 && back[2] == 3);
}
END_TEST

START_TEST(refusals) {
  double values[4] = {0, 1, 2, INFINITY};
  struct tac_samples_grid grid = {2, {2, 2, 0}, {0, 0, 0}, {1, 1, 1}};
  struct tac_samples *samples = NULL;
  struct tac_error error;
  ck_assert_int_eq(tac_samples_create(&samples, &grid, lower, 1, values, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "(1, 1, 0) is not finite"));
  values[3] = -2e290;
  ck_assert_int_eq(tac_samples_create(&samples, &grid, lower, 1, values, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "(1, 1, 0) is above 1e290"));
  grid.step[1] = 0;
  ck_assert_int_eq(tac_samples_create(&samples, &grid, lower, 1, values, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "a step of 0 from 0 along y"));
  grid.step[1] = 1;
  grid.shape[0] = 1;
  ck_assert_int_eq(tac_samples_create(&samples, &grid, lower, 1, values, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "1 along x: at least 2"));
  ck_assert_int_eq(tac_samples_fit(&grid, 2, (const size_t[]){4, 0}, lower, 1, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "0 along y: at least 2"));
  ck_assert_ptr_null(samples);
}
END_TEST

/* u = exp(-a r^2) solves -Laplace u = (4 a - 4 a^2 r^2) exp(-a r^2). */
static const double exponent = 100;

static double source(const double *x, int dim) {
  const double r2 = x[0] * x[0] + x[1] * x[1];
  ck_assert_int_eq(dim, 2);
  return (4 * exponent - 4 * exponent * exponent * r2) * exp(-exponent * r2);
}

/* Largest error of the potential at the nodes of a tree for n x n samples. */
static double potential_error(size_t n) {
  struct tac_samples_grid grid;
  struct tac_fmm_tree_options options;
  struct tac_fmm_plan_options plan_options;
  struct tac_scheduler_options scheduler_options;
  struct tac_fmm_tree *tree = NULL;
  struct tac_fmm_plan *plan = NULL;
  struct tac_scheduler *scheduler = NULL;
  struct tac_error error;
  double largest = 0;
  ck_assert_int_eq(tac_samples_fit(&grid, 2, (const size_t[]){n, n}, lower, 1, &error), TAC_STATUS_OK);
  struct tac_samples *samples = make(&grid, source);
  tac_fmm_tree_options_init(&options);
  options.tolerance = 1e-7;
  options.seeds = tac_samples_seeds(samples, &options.seed_count);
  ck_assert_msg(tac_fmm_tree_create(&tree, &options, tac_samples_density, samples, &error) == TAC_STATUS_OK, "%s", error.text);
  tac_fmm_plan_options_init(&plan_options);
  plan_options.eps = 1e-9;
  ck_assert_msg(tac_fmm_plan_create(&plan, tree, &plan_options, &error) == TAC_STATUS_OK, "%s", error.text);
  tac_scheduler_options_init(&scheduler_options);
  scheduler_options.executor = "serial";
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &scheduler_options, &error), TAC_STATUS_OK);
  const size_t a_leaf = (size_t)tac_fmm_tree_order(tree) * (size_t)tac_fmm_tree_order(tree);
  const size_t nodes = tac_fmm_tree_leaves(tree) * a_leaf;
  double *points = malloc(4 * nodes * sizeof *points), *density = points + 2 * nodes, *potential = density + nodes;
  ck_assert_ptr_nonnull(points);
  for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(tree); leaf++)
    tac_fmm_tree_nodes(tree, leaf, points + 2 * a_leaf * leaf);
  ck_assert_int_eq(tac_samples_density(samples, nodes, points, density, &error), TAC_STATUS_OK);
  ck_assert_msg(tac_fmm_evaluate(plan, scheduler, density, &potential, &error) == TAC_STATUS_OK, "%s", error.text);
  for (size_t i = 0; i < nodes; i++) {
    const double *x = points + 2 * i;
    largest = fmax(largest, fabs(potential[i] - exp(-exponent * (x[0] * x[0] + x[1] * x[1]))));
  }
  free(points);
  tac_scheduler_destroy(&scheduler);
  tac_fmm_plan_destroy(&plan);
  tac_fmm_tree_destroy(&tree);
  tac_samples_destroy(&samples);
  return largest;
}

/* The whole chain from samples to a potential: its error is that of the samples, h^6. */
START_TEST(the_potential_of_samples) {
  const double coarse = potential_error(41), fine = potential_error(81);
  ck_assert_double_gt(coarse, 0);
  ck_assert_double_lt(coarse, 1e-3);
  ck_assert_msg(fine < coarse / 40, "error %g after %g", fine, coarse);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      polynomials_are_exact,
      few_samples_make_a_polynomial,
      error_falls_with_the_sixth_power,
      four_derivatives_are_continuous,
      shorter_axes_fall_to_zero,
      rows_and_single_points_agree,
      a_tree_resolves_rough_samples,
      seeds_stand_where_samples_stand_out,
      many_peaks_are_limited_to_the_largest,
      arrays_are_centred_in_their_domain,
      refusals,
      the_potential_of_samples,
  };
  return RUN_SUITE("samples", tests);
}
