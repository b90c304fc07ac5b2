/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/near.h"
#include "tests/fmm/duffy.h"
#include "tests/fmm/reference.h"
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
  expect_tables(near, &modes, &reference, dim == 2 ? order > 8 ? 7 : 1 : order > 4 ? 37 : 13, 1e-13);
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

/* Closed forms at the centre of the box: the integral of ln r over [-1, 1]^2 is 2 ln 2 - 6 + pi, that of 1/r over the unit cube
 * 3 ln((sqrt 3 + 1)/(sqrt 3 - 1)) - pi/2. */
START_TEST(constant_densities_have_closed_forms) {
  static double matrix[27 * 27];
  struct tac_near_options options = options_of(2, 3, TAC_FMM_TENSOR, 0);
  options.side[0] = 2;
  struct tac_near *near = create(&options);
  tac_near_matrix(matrix, near, 0, TAC_LIST1_SAME, (const int[3]){0}, 0, 0);
  ck_assert_double_eq_tol(-2 * pi * 4 * matrix[4], 2 * log(2) - 6 + pi, 1e-13);
  tac_near_destroy(&near);

  options = options_of(3, 3, TAC_FMM_TENSOR, 0);
  near = create(&options);
  tac_near_matrix(matrix, near, 0, TAC_LIST1_SAME, (const int[3]){0}, 0, 0);
  ck_assert_double_eq_tol(4 * pi * matrix[13], 2.380077363979554, 2e-14);
  double sum = matrix[13];
  for (int z = -1; z <= 2; z++)
    for (int y = -1; y <= 2; y++)
      for (int x = -1; x <= 2; x++) {
        if (x >= 0 && x <= 1 && y >= 0 && y <= 1 && z >= 0 && z <= 1)
          continue;
        tac_near_matrix(matrix, near, 0, TAC_LIST1_FINER, (const int[3]){x, y, z}, 0, 0);
        sum += 0.25 * matrix[13];
      }
  /* The target and a shell of boxes of half its side fill a cube of side 2. */
  ck_assert_double_eq_tol(4 * pi * sum, 4 * 2.380077363979554, 1e-13);
  tac_near_destroy(&near);
}
END_TEST

/* A kernel narrower than the box gives f/l^2 in its middle, however narrow it is: Laplace' table, 1e36 times as large, must not
 * cancel to it. */
START_TEST(narrow_kernels_keep_their_digits) {
  static const double parameters[] = {90, 110, 1e4, 1e8, 1e13, 1e20, 1e100};
  static double matrix[27 * 27];
  const int dim = 2 + _i % 2, middle = dim == 2 ? 4 : 13;
  for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++) {
    struct tac_near_options options = options_of(dim, 3, TAC_FMM_TENSOR, 0);
    options.kernel = (struct tac_fmm_kernel){TAC_FMM_YUKAWA, parameters[k]};
    options.method = _i / 2 ? TAC_FMM_NEAR_TABLES : TAC_FMM_NEAR_SPLIT;
    struct tac_near *near = create(&options);
    double sum = 0;
    for (int layer = 0; layer < tac_near_layers(near); layer++) {
      tac_near_matrix(matrix, near, layer, TAC_LIST1_SAME, (const int[3]){0}, 0, 0);
      sum += matrix[middle];
    }
    ck_assert_double_eq_tol(sum * parameters[k] * parameters[k], 1, 1e-11);
    tac_near_destroy(&near);
  }
}
END_TEST

/* The same for every node and in 2D: what fills a larger box has the potential of the larger box, by pyramids. */
START_TEST(neighbours_fill_a_larger_box) {
  const int dim = 2 + _i % 2, order = 4, nodes = node_count(dim, order);
  static double matrix[64 * 64], sum[64];
  const struct tac_near_options options = options_of(dim, order, TAC_FMM_TOTAL, 0);
  struct tac_near *near = create(&options);
  memset(sum, 0, sizeof sum);
  int offsets[64][3];
  const int count = offsets_of(offsets, dim, TAC_LIST1_SAME);
  for (int i = 0; i < count; i++) {
    tac_near_matrix(matrix, near, 0, TAC_LIST1_SAME, offsets[i], 0, 0);
    for (int node = 0; node < nodes; node++)
      sum[node] += matrix[node];
  }
  struct tac_modes modes;
  ck_assert_int_eq(tac_modes_create(&modes, dim, 2, TAC_FMM_TOTAL, NULL), TAC_STATUS_OK);
  const struct reference reference = {{TAC_FMM_LAPLACE, 0}, dim, 0};
  const struct duffy_kernel kernel = {reference_value, reference_slope, &reference, dim == 2 ? 26 : 1};
  for (int node = 0; node < nodes; node += 3) {
    double x[3], side, expected[4];
    target_point(x, &side, dim, order, TAC_LIST1_SAME, (const int[3]){0}, node);
    for (int axis = 0; axis < dim; axis++)
      x[axis] /= 3;
    duffy_integrals(expected, &modes, &kernel, 0, x);
    ck_assert_double_eq_tol(sum[node], 9 * (expected[0] - (dim == 2 ? log(3) / (2 * pi) : 0)), 1e-13);
  }
  tac_modes_destroy(&modes);
  tac_near_destroy(&near);
}
END_TEST

/* T(R o) = R T(o) R for the reflection of any axis, one more sign for the derivative along it. */
START_TEST(reflections_commute) {
  const int dim = 2 + _i % 2, order = 3, nodes = node_count(dim, order);
  const struct tac_near_options options = options_of(dim, order, TAC_FMM_TENSOR, 1);
  struct tac_near *near = create(&options);
  struct tac_modes modes;
  ck_assert_int_eq(tac_modes_create(&modes, dim, order, TAC_FMM_TENSOR, NULL), TAC_STATUS_OK);
  static double direct[27 * 27], mirrored[27 * 27];
  for (int list = TAC_LIST1_SAME; list <= TAC_LIST1_COARSER; list++) {
    int offsets[64][3];
    const int count = offsets_of(offsets, dim, (enum tac_list)list);
    for (int i = 0; i < count; i++)
      for (int axis = 0; axis < dim; axis++)
        for (int component = 0; component <= dim; component++) {
          int image[3] = {offsets[i][0], offsets[i][1], offsets[i][2]};
          image[axis] = (list == TAC_LIST1_SAME ? 0 : 1) - image[axis];
          tac_near_matrix(direct, near, 0, (enum tac_list)list, offsets[i], 0, component);
          tac_near_matrix(mirrored, near, 0, (enum tac_list)list, image, 0, component);
          const int step = axis == 0 ? 1 : axis == 1 ? order : order * order;
          for (int mode = 0; mode < modes.count; mode++)
            for (int node = 0; node < nodes; node++) {
              const int at = node + (order - 1 - 2 * (node / step % order)) * step;
              const int sign = (modes.degree[mode][axis] % 2 ? -1 : 1) * (component == 1 + axis ? -1 : 1);
              ck_assert_double_eq_tol(mirrored[at + nodes * mode], sign * direct[node + nodes * mode], 1e-15);
            }
        }
  }
  tac_modes_destroy(&modes);
  tac_near_destroy(&near);
}
END_TEST

/* 2D: each level's potentials hold its own logarithm, and nothing else differs; 3D: levels share everything. */
START_TEST(levels_of_laplace_scale) {
  for (int dim = 2; dim <= 3; dim++) {
    struct tac_near_options options = options_of(dim, 4, TAC_FMM_TOTAL, 1);
    options.levels = 3;
    for (int level = 0; level < 3; level++) {
      options.side[level] = 3 * pow(0.5, level);
      options.has_leaves[level] = 1;
    }
    struct tac_near *near = create(&options);
    ck_assert_int_eq(tac_near_layers(near), 1);
    ck_assert_int_eq(tac_near_same_matrices(near, 0, 0, 2), dim == 3);
    ck_assert_int_eq(tac_near_same_matrices(near, 0, 1, 1), 1);
    static double coarse[64 * 20], fine[64 * 20];
    const int nodes = node_count(dim, 4), count = nodes * (dim == 3 ? 20 : 10);
    for (int field = 0; field <= dim; field++) {
      tac_near_matrix(coarse, near, 0, TAC_LIST1_FINER, (const int[3]){2, -1, 0}, 0, field);
      tac_near_matrix(fine, near, 0, TAC_LIST1_FINER, (const int[3]){2, -1, 0}, 2, field);
      for (int i = 0; i < count; i++)
        ck_assert_double_eq_tol(fine[i] - coarse[i], dim == 2 && field == 0 && i < nodes ? log(4) / (2 * pi) : 0, 1e-15);
    }
    tac_near_destroy(&near);
  }
}
END_TEST

/* Bits from the cache are those that were built; a damaged file is built again. */
static void expect_same_bits(const struct tac_near_options *options, const struct tac_near *near, int cached) {
  struct tac_near *again = create(options);
  ck_assert_int_eq(tac_near_cached(again), cached);
  static double first[64 * 64], second[64 * 64];
  for (int layer = 0; layer < tac_near_layers(near); layer++)
    for (int field = 0; field < 2; field++) {
      tac_near_matrix(first, near, layer, TAC_LIST1_COARSER, (const int[3]){-1, 2, 0}, 0, field);
      tac_near_matrix(second, again, layer, TAC_LIST1_COARSER, (const int[3]){-1, 2, 0}, 0, field);
      for (int i = 0; i < 16 * 10; i++)
        ck_assert(first[i] == second[i]);
    }
  tac_near_destroy(&again);
}

static void damage(const char *folder) {
  char command[256];
  snprintf(command, sizeof command, "for f in %s/*.tac; do printf x | dd of=$f bs=1 seek=900 conv=notrunc status=none; done",
           folder);
  ck_assert_int_eq(system(command), 0); // NOLINT(cert-env33-c)
}

START_TEST(tables_come_from_the_cache) {
  char folder[] = "/tmp/tactus_near_XXXXXX", command[64];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  static const struct tac_fmm_kernel cached[] = {
      {TAC_FMM_LAPLACE, 0}, {TAC_FMM_YUKAWA, 1}, {TAC_FMM_HELMHOLTZ, 1}, {TAC_FMM_YUKAWA, 9}};
  for (int method = TAC_FMM_NEAR_SPLIT; method <= TAC_FMM_NEAR_TABLES; method++)
    for (int i = 0; i < 4; i++) {
      struct tac_near_options options = options_of(2, 4, TAC_FMM_TOTAL, 1);
      options.kernel = cached[i];
      options.method = (enum tac_fmm_near)method;
      options.side[0] = 0.75;
      struct tac_near *near = create(&options);
      ck_assert_int_eq(tac_near_cached(near), 0);
      options.cache_folder = folder;
      struct tac_near *stored = create(&options); /* Laplace' set may be there already */
      tac_near_destroy(&stored);
      expect_same_bits(&options, near, 1);
      damage(folder);
      expect_same_bits(&options, near, 0);
      expect_same_bits(&options, near, 1);
      tac_near_destroy(&near);
    }
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0); // NOLINT(cert-env33-c)
}
END_TEST

static void *refuse(void *context, size_t bytes) {
  int *left = context;
  return --*left < 0 ? NULL : tac_allocator_system()->allocate(NULL, bytes);
}

static void give_back(void *context, void *memory) {
  (void)context;
  tac_allocator_system()->release(NULL, memory);
}

/* Memory comes from the caller's allocator; each request may fail. */
START_TEST(no_memory_is_reported) {
  int left;
  const struct tac_allocator allocator = {refuse, give_back, &left};
  struct tac_near_options options = options_of(2, 2, TAC_FMM_TOTAL, 0);
  options.allocator = &allocator;
  options.kernel = (struct tac_fmm_kernel){TAC_FMM_HELMHOLTZ, 1};
  struct tac_near *near;
  int requests = 0;
  do {
    left = requests++;
    const enum tac_status status = tac_near_create(&near, &options, NULL);
    ck_assert(status == (near ? TAC_STATUS_OK : TAC_STATUS_MEMORY));
  } while (!near);
  ck_assert_int_eq(requests, 7); /* itself, base, its level, two corrections, a channel's workspace, and none refused */
  ck_assert_uint_gt(tac_near_bytes(near), 0);
  tac_near_destroy(&near);
}
END_TEST

START_TEST(bad_options_are_refused) {
  struct tac_near_options options[5];
  for (int i = 0; i < 5; i++)
    options[i] = options_of(2, 4, TAC_FMM_TOTAL, 0);
  options[0].dim = 4;
  options[1].order = 17;
  options[2].levels = 0;
  options[3].kernel = (struct tac_fmm_kernel){TAC_FMM_YUKAWA, 0};
  options[4].kernel = (struct tac_fmm_kernel){TAC_FMM_HELMHOLTZ, NAN};
  for (int i = 0; i < 5; i++) {
    struct tac_near *near;
    ck_assert_int_eq(tac_near_create(&near, &options[i], NULL), TAC_STATUS_INVALID);
    ck_assert_ptr_null(near);
  }
  tac_near_destroy(NULL);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("near");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, laplace_equals_pyramids, 0, SETS);
  tcase_add_loop_test(cases, tables_of_other_kernels_equal_pyramids, 0, 2 * KERNELS);
  tcase_add_test(cases, constant_densities_have_closed_forms);
  tcase_add_loop_test(cases, narrow_kernels_keep_their_digits, 0, 4);
  tcase_add_loop_test(cases, neighbours_fill_a_larger_box, 0, 2);
  tcase_add_loop_test(cases, reflections_commute, 0, 2);
  tcase_add_test(cases, levels_of_laplace_scale);
  tcase_add_test(cases, tables_come_from_the_cache);
  tcase_add_test(cases, no_memory_is_reported);
  tcase_add_test(cases, bad_options_are_refused);
  return run_cases("near", cases);
}
