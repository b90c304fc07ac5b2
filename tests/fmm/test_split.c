/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/near.h"
#include "apps/fmm/split.h"
#include "tests/fmm/duffy.h"
#include "tests/unit/suite.h"

/* Three levels of leaves, in the middle one none. */
static struct tac_near_options options_of(int dim, int order, struct tac_fmm_kernel kernel) {
  struct tac_near_options options = {.dim = dim,
                                     .order = order,
                                     .kernel = kernel,
                                     .gradient = 1,
                                     .levels = 3,
                                     .side = {1.25, 0.625, 0.3125},
                                     .has_leaves = {1, 0, 1}};
  return options;
}

static struct tac_near *create(const struct tac_near_options *options) {
  struct tac_near *near;
  struct tac_error error;
  tac_error_clear(&error);
  ck_assert_msg(tac_near_create(&near, options, &error) == TAC_STATUS_OK, "%s", error.text);
  return near;
}

/* Largest difference between the two layers' sum and the kernel's own tables, over some relations of all lists. */
static double split_error(const struct tac_near *split, const struct tac_near *tables, const struct tac_near_options *options,
                          size_t size) {
  static const struct {
    enum tac_list list;
    int offset[3];
  } pairs[] = {{TAC_LIST1_SAME, {0, 0, 0}},    {TAC_LIST1_SAME, {0, -1, 0}},  {TAC_LIST1_SAME, {1, 1, 0}},
               {TAC_LIST1_FINER, {-1, 0, 0}},  {TAC_LIST1_FINER, {2, -1, 1}}, {TAC_LIST1_COARSER, {0, 2, 0}},
               {TAC_LIST1_COARSER, {-1, 2, 1}}};
  static double base[1 << 16], correction[1 << 16], expected[1 << 16];
  const int fields = (1 + options->dim) * tac_fmm_kernel_parts(options->kernel.kind);
  double worst = 0;
  for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
    for (int level = 0; level < 3; level += 2)
      for (int field = 0; field < fields; field++) {
        int offset[3] = {pairs[p].offset[0], pairs[p].offset[1], options->dim == 3 ? pairs[p].offset[2] : 0};
        tac_near_matrix(base, split, 0, pairs[p].list, offset, level, field);
        tac_near_matrix(correction, split, 1, pairs[p].list, offset, level, field);
        tac_near_matrix(expected, tables, 0, pairs[p].list, offset, level, field);
        for (size_t i = 0; i < size; i++)
          worst = fmax(worst, fabs(base[i] + correction[i] - expected[i]));
      }
  return worst;
}

static void expect_split(struct tac_near_options options, double tolerance) {
  struct tac_near *split = create(&options);
  ck_assert_int_eq(tac_near_layers(split), 2);
  options.method = TAC_FMM_NEAR_TABLES;
  struct tac_near *tables = create(&options);
  ck_assert_int_eq(tac_near_layers(tables), 1);
  struct tac_modes modes;
  ck_assert_int_eq(tac_modes_create(&modes, options.dim, options.order, options.basis, NULL), TAC_STATUS_OK);
  const int nodes = options.dim == 3 ? options.order * options.order * options.order : options.order * options.order;
  const double error = split_error(split, tables, &options, (size_t)nodes * (size_t)modes.count);
  ck_assert_msg(error <= tolerance, "dim %d order %d kernel %s %g split %d smooth %d: %g", options.dim, options.order,
                tac_fmm_kernel_name(options.kernel.kind), options.kernel.parameter, tac_near_split_order(split),
                tac_near_smooth_order(split), error);
  tac_modes_destroy(&modes);
  tac_near_destroy(&tables);
  tac_near_destroy(&split);
}

/* Parameter times the side of the coarsest leaves up to 3 (Helmholtz' bound) and 2.5 (Yukawa's reach). */
static const struct tac_fmm_kernel kernels[] = {
    {TAC_FMM_YUKAWA, 1e-3}, {TAC_FMM_YUKAWA, 0.9}, {TAC_FMM_YUKAWA, 2}, {TAC_FMM_HELMHOLTZ, 1e-3}, {TAC_FMM_HELMHOLTZ, 2.4}};
#define KERNELS ((int)(sizeof kernels / sizeof *kernels))

START_TEST(automatic_orders_equal_tables) {
  expect_split(options_of(2, 2, kernels[_i]), 1e-11);
  expect_split(options_of(2, 8, kernels[_i]), 1e-11);
  expect_split(options_of(2, 16, kernels[_i]), 1e-11);
  expect_split(options_of(3, 3, kernels[_i]), 1e-11);
  struct tac_near_options tensor = options_of(2, 5, kernels[_i]);
  tensor.basis = TAC_FMM_TENSOR;
  expect_split(tensor, 1e-11);
}
END_TEST

/* Any split order, with its automatic number of nodes and with enough by hand. */
START_TEST(every_split_order_equals_tables) {
  static const int orders[] = {1, 2, 3, 4, 7, 12};
  for (int i = 0; i < 6; i++)
    for (int kernel = 2; kernel < KERNELS; kernel += 2) {
      struct tac_near_options options = options_of(2, 4, kernels[kernel]);
      options.split_order = orders[i];
      expect_split(options, 1e-10);
    }
  struct tac_near_options options = options_of(2, 4, kernels[4]);
  options.split_order = 1;
  options.smooth_order = 60;
  expect_split(options, 1e-10);
}
END_TEST

/* In 3D, potentials; the kink r of order 1 needs most nodes. */
START_TEST(split_orders_equal_tables_in_3d) {
  static const int nodes[] = {30, 16, 12, 12};
  for (int order = 1; order <= 4; order++) {
    struct tac_near_options options = options_of(3, 2, kernels[order % 2 ? 4 : 2]);
    options.split_order = order;
    options.smooth_order = nodes[order - 1];
    options.gradient = 0;
    expect_split(options, 1e-10);
  }
}
END_TEST

/* Too few nodes are not corrected in secret: the option has its effect. */
START_TEST(smooth_order_is_in_force) {
  struct tac_near_options options = options_of(2, 4, kernels[4]);
  options.smooth_order = 3;
  struct tac_near *rough = create(&options);
  ck_assert_int_eq(tac_near_smooth_order(rough), 3);
  options.smooth_order = 0;
  struct tac_near *fine = create(&options);
  ck_assert_int_eq(tac_near_smooth_order(fine), 11);
  static double a[160], b[160];
  tac_near_matrix(a, rough, 1, TAC_LIST1_SAME, (const int[3]){0}, 0, 0);
  tac_near_matrix(b, fine, 1, TAC_LIST1_SAME, (const int[3]){0}, 0, 0);
  double difference = 0;
  for (int i = 0; i < 160; i++)
    difference = fmax(difference, fabs(a[i] - b[i]));
  ck_assert_double_gt(difference, 1e-8);
  tac_near_destroy(&fine);
  tac_near_destroy(&rough);
}
END_TEST

START_TEST(a_longer_series_changes_nothing) {
  for (int dim = 2; dim <= 3; dim++) {
    struct tac_near_space space;
    ck_assert_int_eq(tac_near_space_create(&space, dim, 3, TAC_FMM_TOTAL, NULL), TAC_STATUS_OK);
    const size_t size = tac_near_set_size(&space, 1 + dim);
    double *once = calloc(size, sizeof *once), *twice = calloc(size, sizeof *twice);
    for (int i = 0; i < KERNELS; i++)
      for (int part = 0; part < tac_fmm_kernel_parts(kernels[i].kind); part++) {
        struct tac_split split = {kernels[i], dim, part, 2, tac_split_terms(dim, kernels[i].parameter)};
        ck_assert_int_le(2 * split.terms, TAC_SPLIT_MAX_TERMS);
        memset(once, 0, size * sizeof *once);
        memset(twice, 0, size * sizeof *twice);
        ck_assert_int_eq(tac_split_add_remainder(once, &space, &split, 8, 1 + dim, NULL), TAC_STATUS_OK);
        split.terms *= 2;
        ck_assert_int_eq(tac_split_add_remainder(twice, &space, &split, 8, 1 + dim, NULL), TAC_STATUS_OK);
        for (size_t k = 0; k < size; k++)
          ck_assert_double_eq_tol(once[k], twice[k], 1e-15);
      }
    free(twice);
    free(once);
    tac_near_space_destroy(&space);
  }
}
END_TEST

struct power {
  int dim, n;
};

static double power_value(const void *context, double r) {
  const struct power *power = context;
  return power->dim == 3 ? pow(r, 2 * power->n - 1) : pow(r, 2 * power->n) * log(r);
}

static double power_slope(const void *context, double r) {
  const struct power *power = context;
  const int n = power->n;
  return power->dim == 3 ? (2 * n - 1) * pow(r, 2 * n - 2) : pow(r, 2 * n - 1) * (2 * n * log(r) + 1);
}

/* A row of every canonical relation of every channel against pyramids, to 1e-13 of the largest value there. */
START_TEST(channels_equal_pyramids) {
  const int dim = 2 + _i % 2, order = dim == 2 ? 6 : 3, n = 1 + _i / 2;
  struct tac_near_space space;
  ck_assert_int_eq(tac_near_space_create(&space, dim, order, TAC_FMM_TOTAL, NULL), TAC_STATUS_OK);
  double *set = calloc(tac_near_set_size(&space, 1 + dim), sizeof *set), expected[64], nodes[16], weights[16];
  ck_assert_int_eq(tac_split_add_channel(set, &space, n, 1 + dim, NULL), TAC_STATUS_OK);
  const struct power power = {dim, n};
  const struct duffy_kernel kernel = {power_value, power_slope, &power, dim == 2 ? 26 : 1};
  tac_gauss_rule(order, nodes, weights);
  for (int relation = 0; relation < space.relations; relation++)
    for (int component = 0; component <= dim; component++) {
      const struct tac_near_shape *shape = &space.shape[relation];
      const int node = (relation * 7 + component) % space.nodes,
                index[3] = {node % order, node / order % order, node / order / order};
      double x[3], reach = 0;
      for (int axis = 0; axis < dim; axis++) {
        x[axis] = shape->center[axis] + shape->side * nodes[index[axis]];
        reach += pow(fabs(x[axis]) + 0.5, 2);
      }
      duffy_integrals(expected, &space.modes, &kernel, component, x);
      const double *matrix = set + tac_near_matrix_at(&space, 1 + dim, relation, component);
      const double scale = component ? shape->side : 1, tolerance = 1e-13 * (1 + 2 * n) * fmax(1, pow(reach, n)) * 4;
      for (int mode = 0; mode < space.modes.count; mode++)
        ck_assert_double_eq_tol(matrix[node + space.nodes * mode], scale * expected[mode], tolerance);
    }
  free(set);
  tac_near_space_destroy(&space);
}
END_TEST

/* Beyond the reach of the series: the sum of the layers is still the table, though it is many decades below Laplace'. */
START_TEST(large_yukawa_parameters_stay_accurate) {
  for (int dim = 2; dim <= 3; dim++) {
    const struct tac_fmm_kernel strong = {TAC_FMM_YUKAWA, 60};
    expect_split(options_of(dim, 4, strong), 3e-15);
    const struct tac_near_options options = options_of(dim, 4, (struct tac_fmm_kernel){TAC_FMM_YUKAWA, 4});
    expect_split(options, 1e-11);
    struct tac_near *near = create(&options); /* 5 and 1.25 */
    ck_assert_int_eq(tac_near_channels(near, 0), 0);
    ck_assert_int_eq(tac_near_remainder_terms(near, 0), 0);
    ck_assert_int_eq(tac_near_channels(near, 1), 0);
    ck_assert_int_eq(tac_near_channels(near, 2), 2);
    ck_assert_int_eq(tac_near_remainder_terms(near, 2), 2 * tac_split_terms(dim, 1.25));
    tac_near_destroy(&near);
  }
}
END_TEST

START_TEST(helmholtz_counts_the_series_it_sums) {
  for (int dim = 2; dim <= 3; dim++) {
    const struct tac_near_options options = options_of(dim, 3, (struct tac_fmm_kernel){TAC_FMM_HELMHOLTZ, 2});
    struct tac_near *near = create(&options);
    ck_assert_int_eq(tac_near_remainder_terms(near, 0), (dim == 3 ? 2 : 3) * tac_split_terms(dim, 2.5));
    tac_near_destroy(&near);
  }
}
END_TEST

static void expect_refused(const struct tac_near_options *options, const char *word) {
  struct tac_near *near;
  struct tac_error error;
  ck_assert_int_eq(tac_near_create(&near, options, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_null(near);
  ck_assert_msg(strstr(error.text, word) != NULL, "%s", error.text);
}

START_TEST(orders_out_of_range_are_refused) {
  struct tac_near_options options = options_of(3, 4, kernels[1]);
  options.split_order = 13;
  expect_refused(&options, "split order 13");
  options.split_order = 0;
  options.smooth_order = 65;
  expect_refused(&options, "smooth order 65");
}
END_TEST

/* k h = 25 on the coarsest leaves (level 0): 25/2^4 < 3. */
START_TEST(short_waves_are_refused) {
  struct tac_near_options options = options_of(3, 4, (struct tac_fmm_kernel){TAC_FMM_HELMHOLTZ, 20});
  expect_refused(&options, "coarsest near-field box");
  expect_refused(&options, "level 4");
  options.method = TAC_FMM_NEAR_TABLES;
  expect_refused(&options, "level 4");
  options.has_leaves[0] = 0; /* leaves at level 2 alone: 6.25 */
  expect_refused(&options, "level 4");
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("split");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, automatic_orders_equal_tables, 0, KERNELS);
  tcase_add_test(cases, every_split_order_equals_tables);
  tcase_add_test(cases, split_orders_equal_tables_in_3d);
  tcase_add_test(cases, smooth_order_is_in_force);
  tcase_add_test(cases, a_longer_series_changes_nothing);
  tcase_add_loop_test(cases, channels_equal_pyramids, 0, 8);
  tcase_add_test(cases, large_yukawa_parameters_stay_accurate);
  tcase_add_test(cases, helmholtz_counts_the_series_it_sums);
  tcase_add_test(cases, orders_out_of_range_are_refused);
  tcase_add_test(cases, short_waves_are_refused);
  return run_cases("split", cases);
}
