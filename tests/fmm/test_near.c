/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/near.h"
#include "tests/fmm/duffy.h"
#include "tests/unit/suite.h"

static const double pi = 3.14159265358979323846;

static struct tac_near_options options_of(int dim, int order, enum tac_fmm_basis basis, int gradient) {
  struct tac_near_options options = {
      .dim = dim, .order = order, .basis = basis, .gradient = gradient, .levels = 1, .side = {1}, .has_leaves = {1}};
  return options;
}

static struct tac_near *create(const struct tac_near_options *options) {
  struct tac_near *near;
  struct tac_error error;
  tac_error_clear(&error);
  ck_assert_msg(tac_near_create(&near, options, &error) == TAC_STATUS_OK, "%s", error.text);
  return near;
}

/* Node `node` of the target of a pair in the source's coordinates. */
static void target_point(double x[3], double *side, int dim, int order, enum tac_list list, const int offset[3], int node) {
  double nodes[TAC_FMM_MAX_ORDER], weights[TAC_FMM_MAX_ORDER];
  tac_gauss_rule(order, nodes, weights);
  *side = list == TAC_LIST1_SAME ? 1 : list == TAC_LIST1_FINER ? 2 : 0.5;
  for (int axis = 0; axis < dim; axis++, node /= order) {
    const double center = list == TAC_LIST1_SAME    ? -offset[axis]
                          : list == TAC_LIST1_FINER ? 0.5 - offset[axis]
                                                    : 0.5 * offset[axis] - 0.25;
    x[axis] = center + *side * nodes[node % order];
  }
}

/* All offsets of a list; out[count][3]. */
static int offsets_of(int out[64][3], int dim, enum tac_list list) {
  const int low = -1, high = list == TAC_LIST1_SAME ? 1 : 2, three = dim == 3;
  int count = 0;
  for (int z = three ? low : 0; z <= (three ? high : 0); z++)
    for (int y = low; y <= high; y++)
      for (int x = low; x <= high; x++) {
        const int inside = list != TAC_LIST1_SAME && x >= 0 && x <= 1 && y >= 0 && y <= 1 && (!three || (z >= 0 && z <= 1));
        if (inside)
          continue;
        memcpy(out[count++], (const int[3]){x, y, z}, 3 * sizeof(int));
      }
  return count;
}

/* A kernel for the reference: one part, with its derivative. */
struct reference {
  struct tac_fmm_kernel kernel;
  int dim, part;
};

static double reference_value(const void *context, double r) {
  const struct reference *reference = context;
  return tac_fmm_kernel_value(&reference->kernel, reference->dim, reference->part, r);
}

/* K1(x) = integral over s > 0 of exp(-x cosh s) cosh s, by the trapezoid rule. */
static double bessel_k1(double x) {
  const double limit = acosh(1 + 45 / x);
  const int steps = 40 + (int)(limit * 10);
  double sum = 0.5 * exp(-x);
  for (int i = 1; i <= steps; i++)
    sum += exp(-x * cosh(limit / steps * i)) * cosh(limit / steps * i);
  return sum * limit / steps;
}

static double reference_slope(const void *context, double r) {
  const struct reference *reference = context;
  const double p = reference->kernel.parameter, plain = -1 / (4 * pi * r * r);
  const int three = reference->dim == 3;
  switch (reference->kernel.kind) {
  case TAC_FMM_LAPLACE:
    return three ? plain : -1 / (2 * pi * r);
  case TAC_FMM_YUKAWA:
    return three ? plain * (1 + p * r) * exp(-p * r) : -p * bessel_k1(p * r) / (2 * pi);
  default:
    if (reference->part)
      return three ? plain * (sin(p * r) - p * r * cos(p * r)) : -0.25 * p * j1(p * r);
    return three ? plain * (cos(p * r) + p * r * sin(p * r)) : 0.25 * p * y1(p * r);
  }
}

static int node_count(int dim, int order) {
  return dim == 3 ? order * order * order : order * order;
}

/* Row `node` of every component of one part of one pair against the reference. */
static void expect_row(const struct tac_near *near, const struct tac_modes *modes, const struct reference *reference,
                       enum tac_list list, const int offset[3], int node, double tolerance) {
  static double matrix[1 << 18], expected[1 << 12];
  const int laplace = reference->kernel.kind == TAC_FMM_LAPLACE, parts = tac_fmm_kernel_parts(reference->kernel.kind);
  const struct duffy_kernel kernel = {reference_value, reference_slope, reference,
                                      modes->dim == 2                   ? 26
                                      : laplace                         ? 1
                                      : reference->kernel.parameter > 5 ? 9
                                                                        : 3};
  const int nodes = node_count(modes->dim, modes->order);
  double x[3], side;
  target_point(x, &side, modes->dim, modes->order, list, offset, node);
  for (int component = 0; component <= modes->dim; component++) {
    tac_near_matrix(matrix, near, 0, list, offset, 0, reference->part + parts * component);
    duffy_integrals(expected, modes, &kernel, component, x);
    for (int mode = 0; mode < modes->count; mode++) {
      const double scale = component ? side : 1, value = matrix[node + nodes * mode];
      ck_assert_msg(fabs(value - scale * expected[mode]) <= tolerance,
                    "list %d offset %d %d %d part %d component %d node %d mode %d: %g", (int)list, offset[0], offset[1],
                    offset[2], reference->part, component, node, mode, value - scale * expected[mode]);
    }
  }
}

/* Every `stride`-th offset of every list, a node each. */
static void expect_tables(const struct tac_near *near, const struct tac_modes *modes, const struct reference *reference,
                          int stride, double tolerance) {
  for (int list = TAC_LIST1_SAME; list <= TAC_LIST1_COARSER; list++) {
    int offsets[64][3];
    const int count = offsets_of(offsets, modes->dim, (enum tac_list)list);
    for (int i = 0; i < count; i += stride)
      expect_row(near, modes, reference, (enum tac_list)list, offsets[i], (i * 37) % node_count(modes->dim, modes->order),
                 tolerance);
  }
}

static const struct {
  int dim, order;
  enum tac_fmm_basis basis;
} sets[] = {{2, 2, TAC_FMM_TOTAL},  {2, 5, TAC_FMM_TENSOR}, {2, 8, TAC_FMM_TOTAL}, {2, 16, TAC_FMM_TOTAL},
            {3, 2, TAC_FMM_TENSOR}, {3, 4, TAC_FMM_TENSOR}, {3, 8, TAC_FMM_TOTAL}};
#define SETS ((int)(sizeof sets / sizeof *sets))

/* Images of all canonical relations. */
START_TEST(laplace_equals_pyramids) {
  const int dim = sets[_i].dim, order = sets[_i].order;
  const struct tac_near_options options = options_of(dim, order, sets[_i].basis, 1);
  struct tac_near *near = create(&options);
  struct tac_modes modes;
  ck_assert_int_eq(tac_modes_create(&modes, dim, order, sets[_i].basis, NULL), TAC_STATUS_OK);
  const struct reference reference = {{TAC_FMM_LAPLACE, 0}, dim, 0};
  expect_tables(near, &modes, &reference, dim == 2 ? order > 8 ? 7 : 1 : order > 4 ? 19 : 5, 1e-13);
  tac_modes_destroy(&modes);
  tac_near_destroy(&near);
}
END_TEST

static const struct tac_fmm_kernel kernels[] = {{TAC_FMM_YUKAWA, 1e-4},    {TAC_FMM_YUKAWA, 2.5},    {TAC_FMM_YUKAWA, 40},
                                                {TAC_FMM_HELMHOLTZ, 1e-4}, {TAC_FMM_HELMHOLTZ, 0.7}, {TAC_FMM_HELMHOLTZ, 3}};
#define KERNELS ((int)(sizeof kernels / sizeof *kernels))

START_TEST(tables_of_other_kernels_equal_pyramids) {
  const struct tac_fmm_kernel *kernel = &kernels[_i / 2];
  const int dim = 2 + _i % 2, order = dim == 2 ? 7 : 4;
  struct tac_near_options options = options_of(dim, order, TAC_FMM_TOTAL, 1);
  options.kernel = *kernel;
  options.method = TAC_FMM_NEAR_TABLES;
  struct tac_near *near = create(&options);
  struct tac_modes modes;
  ck_assert_int_eq(tac_modes_create(&modes, dim, order, TAC_FMM_TOTAL, NULL), TAC_STATUS_OK);
  for (int part = 0; part < tac_fmm_kernel_parts(kernel->kind); part++) {
    const struct reference reference = {*kernel, dim, part};
    expect_tables(near, &modes, &reference, dim == 2 ? 3 : 11, 1e-13);
  }
  tac_modes_destroy(&modes);
  tac_near_destroy(&near);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("near");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, laplace_equals_pyramids, 0, SETS);
  tcase_add_loop_test(cases, tables_of_other_kernels_equal_pyramids, 0, 2 * KERNELS);
  return run_cases("near", cases);
}
