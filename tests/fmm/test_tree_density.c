/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/modes.h"
#include "tests/fmm/random_tree.h"
#include "tests/unit/suite.h"

/* A sum of Gaussians. */
struct bump {
  double center[3], exponent, amplitude;
};
struct bumps {
  int dim, count;
  const struct bump *bump;
  double flip; /* -1: mirrored along x */
  size_t calls, points;
};

static double bumps_at(const struct bumps *bumps, const double *point) {
  double sum = 0;
  for (int b = 0; b < bumps->count; b++) {
    double r2 = 0;
    for (int axis = 0; axis < bumps->dim; axis++) {
      const double d = (axis == 0 ? bumps->flip : 1) * point[axis] - bumps->bump[b].center[axis];
      r2 += d * d;
    }
    sum += bumps->bump[b].amplitude * exp(-bumps->bump[b].exponent * r2);
  }
  return sum;
}

static enum tac_status bumps_density(void *context, size_t count, const double *points, double *values,
                                     struct tac_error *error) {
  (void)error;
  struct bumps *bumps = context;
  bumps->calls++;
  bumps->points += count;
  for (size_t i = 0; i < count; i++)
    values[i] = bumps_at(bumps, points + (size_t)bumps->dim * i);
  return TAC_STATUS_OK;
}

static const struct bump two_bumps[] = {{{0.11, -0.23, 0.07}, 300, 1}, {{-0.31, 0.22, -0.15}, 60, -2}};

static struct tac_fmm_tree_options options_of(int dim, int order, enum tac_fmm_basis basis) {
  struct tac_fmm_tree_options options;
  tac_fmm_tree_options_init(&options);
  options.dim = dim;
  options.order = order;
  options.basis = basis;
  return options;
}

static struct tac_fmm_tree *create(const struct tac_fmm_tree_options *options, tac_fmm_density_fn density, void *context) {
  struct tac_fmm_tree *tree = NULL;
  struct tac_error error;
  tac_error_clear(&error);
  ck_assert_msg(tac_fmm_tree_create(&tree, options, density, context, &error) == TAC_STATUS_OK, "%s", error.text);
  return tree;
}

/* Largest |density - polynomial| at random points of a leaf; the polynomial by the transforms of the solver. */
static double leaf_error(const struct tac_fmm_tree *tree, size_t leaf, const struct tac_modes *modes,
                         const struct tac_transform *transform, const struct bumps *bumps, uint64_t *state) {
  static double points[3 * 4096], values[4096], coefficients[4096], scratch[8192];
  double lower[3], side, worst = 0;
  tac_fmm_tree_nodes(tree, leaf, points);
  tac_fmm_tree_leaf(tree, leaf, lower, &side, NULL);
  for (int i = 0, count = (int)lrint(pow(modes->order, modes->dim)); i < count; i++)
    values[i] = bumps_at(bumps, points + modes->dim * i);
  tac_nodes_to_modes(transform, modes, values, coefficients, scratch);
  for (int random = 0; random < 20; random++) {
    double phi[3][TAC_FMM_MAX_ORDER], point[3], sum = 0;
    for (int axis = 0; axis < 3; axis++) {
      const double x = axis < modes->dim ? random_next(state) - 0.5 : 0;
      tac_legendre(phi[axis], NULL, modes->order, x);
      point[axis] = lower[axis % modes->dim] + side * (x + 0.5);
    }
    for (int m = 0; m < modes->count; m++)
      sum += coefficients[m] * phi[0][modes->degree[m][0]] * phi[1][modes->degree[m][1]] * phi[2][modes->degree[m][2]];
    worst = fmax(worst, fabs(sum - bumps_at(bumps, point)));
  }
  return worst;
}

static const struct {
  int dim, order;
  enum tac_fmm_basis basis;
  double tolerance;
} cases_of_bumps[] = {
    {2, 8, TAC_FMM_TOTAL, 1e-6}, {2, 8, TAC_FMM_TENSOR, 1e-9}, {2, 2, TAC_FMM_TOTAL, 1e-2},  {2, 16, TAC_FMM_TENSOR, 1e-12},
    {3, 8, TAC_FMM_TOTAL, 1e-4}, {3, 5, TAC_FMM_TENSOR, 1e-3}, {3, 12, TAC_FMM_TOTAL, 1e-5}, {3, 16, TAC_FMM_TENSOR, 1e-8},
};

/* At points that nobody looked at, the error may be larger than at those of the tree, but not by much: the polynomial of an
 * error is largest at the border, beyond the last node. max |f| is 2 to 1 %. */
START_TEST(leaves_resolve_the_density) {
  uint64_t state = random_seed();
  const int order = cases_of_bumps[_i].order, dim = cases_of_bumps[_i].dim;
  struct tac_fmm_tree_options options = options_of(dim, order, cases_of_bumps[_i].basis);
  options.tolerance = cases_of_bumps[_i].tolerance;
  struct bumps bumps = {dim, 2, two_bumps, 1, 0, 0};
  struct tac_fmm_tree *tree = create(&options, bumps_density, &bumps);
  struct tac_modes modes;
  struct tac_transform transform;
  ck_assert_int_eq(tac_modes_create(&modes, dim, order, options.basis, NULL), TAC_STATUS_OK);
  tac_transform_init(&transform, order);
  double worst = 0;
  for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(tree); leaf++)
    worst = fmax(worst, leaf_error(tree, leaf, &modes, &transform, &bumps, &state));
  ck_assert_double_le(worst, 4 * options.tolerance * 2);
  const double resolution = tac_fmm_tree_resolution(tree);
  ck_assert_double_le(resolution, options.tolerance);
  ck_assert_double_ge(4 * resolution, worst / 2);
  ck_assert_uint_gt(bumps.points / bumps.calls, 500);
  tac_modes_destroy(&modes);
  tac_fmm_tree_destroy(&tree);
}
END_TEST

/* A power of a linear function, or the product of powers of the coordinates. */
struct polynomial {
  int dim, degree, product;
};

static enum tac_status polynomial_density(void *context, size_t count, const double *points, double *values,
                                          struct tac_error *error) {
  (void)error;
  const struct polynomial *polynomial = context;
  for (size_t i = 0; i < count; i++) {
    double sum = 0.3, product = 1;
    for (int axis = 0; axis < polynomial->dim; axis++) {
      const double x = points[(size_t)polynomial->dim * i + (size_t)axis];
      sum += (axis + 1) * x;
      product *= 2 * x;
    }
    values[i] = 1;
    for (int k = 0; k < polynomial->degree; k++)
      values[i] *= polynomial->product ? product : sum;
  }
  return TAC_STATUS_OK;
}

/* Exact below the order: the root alone does. It does not at the order itself. */
START_TEST(polynomials_below_the_order_need_one_leaf) {
  for (int order = TAC_FMM_MIN_ORDER; order <= TAC_FMM_MAX_ORDER; order += _i == 2 || order < 4 ? 1 : 4)
    for (int basis = 0; basis < 2; basis++) {
      struct tac_fmm_tree_options options = options_of(_i, order, basis);
      struct polynomial polynomial = {_i, order - 1, 0};
      options.tolerance = 1e-12;
      struct tac_fmm_tree *tree = create(&options, polynomial_density, &polynomial);
      ck_assert_uint_eq(tac_fmm_tree_leaves(tree), 1);
      ck_assert_uint_eq(tac_fmm_tree_boxes(tree), 1);
      ck_assert_int_eq(tac_fmm_tree_levels(tree), 1);
      ck_assert_double_le(tac_fmm_tree_resolution(tree), 1e-12);
      tac_fmm_tree_destroy(&tree);
      polynomial.degree = order;
      options.max_leaves = 1;
      ck_assert_int_eq(tac_fmm_tree_create(&tree, &options, polynomial_density, &polynomial, NULL), TAC_STATUS_MEMORY);
    }
}
END_TEST

/* x^n y^n [z^n] with n below the order is in the tensor basis alone. */
START_TEST(the_basis_decides) {
  for (int basis = 0; basis < 2; basis++) {
    struct tac_fmm_tree_options options = options_of(_i, 6, basis);
    struct polynomial polynomial = {_i, 5, 1};
    struct tac_fmm_tree *tree = NULL;
    options.tolerance = 1e-12;
    options.max_leaves = 1;
    ck_assert_int_eq(tac_fmm_tree_create(&tree, &options, polynomial_density, &polynomial, NULL),
                     basis == TAC_FMM_TENSOR ? TAC_STATUS_OK : TAC_STATUS_MEMORY);
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

static enum tac_status zero_density(void *context, size_t count, const double *points, double *values,
                                    struct tac_error *error) {
  (void)context;
  (void)points;
  (void)error;
  memset(values, 0, count * sizeof *values);
  return TAC_STATUS_OK;
}

START_TEST(nothing_at_all_is_one_leaf) {
  struct tac_fmm_tree_options options = options_of(_i, 2, TAC_FMM_TOTAL);
  options.max_leaves = 1;
  struct tac_fmm_tree *tree = create(&options, zero_density, NULL);
  ck_assert_uint_eq(tac_fmm_tree_leaves(tree), 1);
  ck_assert(tac_fmm_tree_resolution(tree) == 0);
  tac_fmm_tree_destroy(&tree);
}
END_TEST

static enum tac_status half_density(void *context, size_t count, const double *points, double *values,
                                    struct tac_error *error) {
  (void)error;
  const int dim = *(const int *)context;
  for (size_t i = 0; i < count; i++) {
    const double x = points[(size_t)dim * i];
    values[i] = x < 0 ? exp(1 / x) * cos(40 * points[(size_t)dim * i + 1]) : 0;
  }
  return TAC_STATUS_OK;
}

/* Leaves of the empty half are there for balance alone: none is small away from the border. */
START_TEST(an_empty_half_stays_coarse) {
  struct tac_fmm_tree_options options = options_of(_i, 4, TAC_FMM_TOTAL);
  int dim = _i;
  options.tolerance = _i == 2 ? 1e-4 : 1e-2;
  struct tac_fmm_tree *tree = create(&options, half_density, &dim);
  double smallest_empty = 1, smallest_full = 1;
  for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(tree); leaf++) {
    double lower[3], side;
    tac_fmm_tree_leaf(tree, leaf, lower, &side, NULL);
    if (lower[0] >= 0.25)
      smallest_empty = fmin(smallest_empty, side);
    if (lower[0] < 0)
      smallest_full = fmin(smallest_full, side);
  }
  ck_assert_double_ge(smallest_empty, 0.25);
  ck_assert_double_le(smallest_full, 0.0625);
  tac_fmm_tree_destroy(&tree);
}
END_TEST

static double side_at(const struct tac_fmm_tree *tree, const double *point) {
  double side;
  tac_fmm_tree_leaf(tree, tac_fmm_tree_find(tree, point), NULL, &side, NULL);
  return side;
}

/* The first look has 256 points along each axis in 2D and 64 in 3D, so that a peak as wide as their distance is found wherever
 * it stands on a broad hill. */
START_TEST(peaks_as_wide_as_the_first_look_are_found) {
  uint64_t state = random_seed();
  struct tac_fmm_tree_options options = options_of(_i, 8, TAC_FMM_TOTAL);
  options.tolerance = 2e-3;
  for (int repeat = 0; repeat < 10; repeat++) {
    struct bump hill_and_peak[2] = {{{0, 0, 0}, 3, 1}, {{0, 0, 0}, _i == 2 ? 2.8e5 : 1.2e4, 1}};
    for (int axis = 0; axis < _i; axis++)
      hill_and_peak[1].center[axis] = random_next(&state) - 0.5;
    struct bumps bumps = {_i, 2, hill_and_peak, 1, 0, 0};
    struct tac_fmm_tree *tree = create(&options, bumps_density, &bumps);
    ck_assert_double_le(side_at(tree, hill_and_peak[1].center), 8 / sqrt(hill_and_peak[1].exponent));
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

/* A peak of width 1e-5 is found by its seed, to its width and resolved. Its height is known from the start: the low hill far
 * away, below the tolerance, is left alone. */
START_TEST(seeds_show_peaks) {
  struct tac_fmm_tree_options options = options_of(_i, 8, TAC_FMM_TOTAL);
  const struct bump peak_and_hill[2] = {{{0.1471, 0.3313, -0.2771}, 1e10, 1}, {{-0.3, -0.3, 0.3}, 400, 1e-4}};
  struct bumps bumps = {_i, 2, peak_and_hill, 1, 0, 0};
  struct tac_fmm_seed seeds[2] = {{.width = 1e-5}, {.center = {3, 3, 3}, .width = 1}};
  memcpy(seeds[0].center, peak_and_hill[0].center, sizeof seeds[0].center);
  options.tolerance = 1e-3;
  options.seeds = seeds;
  options.seed_count = 2;
  struct tac_fmm_tree *tree = create(&options, bumps_density, &bumps);
  ck_assert_double_le(side_at(tree, peak_and_hill[0].center), seeds[0].width);
  ck_assert_double_le(tac_fmm_tree_resolution(tree), 1e-3);
  ck_assert_double_ge(tac_fmm_tree_resolution(tree), 1e-5);
  ck_assert_double_ge(side_at(tree, peak_and_hill[1].center), 0.25);
  tac_fmm_tree_destroy(&tree);
}
END_TEST

/* Boxes are met in another order, with another maximum so far: the tree is the mirror image. */
START_TEST(mirror_images_have_mirrored_trees) {
  struct tac_fmm_tree_options options = options_of(_i, 6, TAC_FMM_TOTAL);
  struct bumps bumps = {_i, 2, two_bumps, 1, 0, 0}, mirrored = {_i, 2, two_bumps, -1, 0, 0};
  options.tolerance = 1e-4;
  struct tac_fmm_tree *tree = create(&options, bumps_density, &bumps), *image = create(&options, bumps_density, &mirrored);
  ck_assert_uint_eq(tac_fmm_tree_leaves(tree), tac_fmm_tree_leaves(image));
  size_t different = 0;
  for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(tree); leaf++) {
    double lower[3], side;
    tac_fmm_tree_leaf(tree, leaf, lower, &side, NULL);
    const double center[3] = {-lower[0] - side / 2, lower[1] + side / 2, lower[2] + side / 2};
    different += side_at(image, center) != side;
  }
  ck_assert_uint_eq(different, 0);
  tac_fmm_tree_destroy(&tree);
  tac_fmm_tree_destroy(&image);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("tree_density");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, leaves_resolve_the_density, 0, sizeof cases_of_bumps / sizeof *cases_of_bumps);
  tcase_add_loop_test(cases, polynomials_below_the_order_need_one_leaf, 2, 4);
  tcase_add_loop_test(cases, the_basis_decides, 2, 4);
  tcase_add_loop_test(cases, nothing_at_all_is_one_leaf, 2, 4);
  tcase_add_loop_test(cases, an_empty_half_stays_coarse, 2, 4);
  tcase_add_loop_test(cases, peaks_as_wide_as_the_first_look_are_found, 2, 4);
  tcase_add_loop_test(cases, seeds_show_peaks, 2, 4);
  tcase_add_loop_test(cases, mirror_images_have_mirrored_trees, 2, 4);
  return run_cases("tree_density", cases);
}
