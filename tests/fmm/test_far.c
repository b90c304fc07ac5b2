/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fmm/far_fixture.h"
#include "tests/unit/suite.h"

/* Each translation alone against direct quadrature, at every eps = 1e-1 … 1e-13 in 2D; in 3D as far as the set-up takes no more
 * than a second. */

#define DIGITS 13

static int digits(int test) {
  return test % DIGITS + 1;
}

static int too_slow(const struct far_problem *problem, int test) {
  return problem->dim == 3 && digits(test) > (problem->kernel.kind == TAC_FMM_LAPLACE ? 8 : 6);
}

static double unit(const struct far_fixture *f, int level) {
  return f->options.side[level];
}

/* Errors at a point relative to the potential half a side outside the source: corners are worse than the average that eps is
 * about, and the derivative of a polynomial may be larger by the square of its degree. */
static double bound(const struct far_fixture *f, int component) {
  const double degree = tac_far_degree(f->far);
  return (component ? 3 * degree * degree : 10) * f->options.eps + (component ? 1e-11 : 1e-13);
}

/* `values` per unit of the target's side at points, one after the other. */
static void compare(struct far_fixture *f, const double *values, int count, const double (*points)[3], int component,
                    double target_side, const double source[3], double source_side) {
  double difference = 0;
  for (int k = 0; k < count; k++) {
    const double right = far_answer(f, component, source, source_side, points[k]) * (component ? target_side : 1);
    difference = fmax(difference, fabs(values[k] - right));
  }
  ck_assert_double_le(difference, bound(f, component) * far_reference(f, source, source_side));
}

/* The same at some nodes of a box. */
static void compare_nodes(struct far_fixture *f, const double *values, int component, const double target[3],
                          double target_side, const double source[3], double source_side) {
  double some[3], points[3][3];
  for (int k = 0; k < 3; k++) {
    const int node = k * (f->nodes - 1) / 2;
    some[k] = values[node];
    far_node(f, target, target_side, node, points[k]);
  }
  compare(f, some, 3, (const double(*)[3])points, component, target_side, source, source_side);
}

/* A local expansion at faces, edges, corners and just beside them. */
static void compare_border(struct far_fixture *f, const double *local, int level, const double source[3]) {
  static const double border[][3] = {{0.5, 0, 0}, {-0.5, 0.5, 0}, {0.5, 0.5, 0.5}, {-0.5, 0.5 - 1e-9, -0.5}};
  enum { COUNT = sizeof border / sizeof *border };
  const double side = unit(f, level);
  const int rank = tac_far_rank(f->far, level);
  for (int component = 0; component <= f->dim; component++) {
    double values[COUNT], points[COUNT][3], functions[FAR_MOST];
    for (int k = 0; k < COUNT; k++) {
      tac_far_functions(functions, f->far, level, component, border[k]);
      far_multiply(&values[k], functions, 1, rank, local);
      for (int axis = 0; axis < 3; axis++)
        points[k][axis] = axis < f->dim ? side * border[k][axis] : 0;
    }
    compare(f, values, COUNT, (const double(*)[3])points, component, side, source, side);
  }
}

static void check_m2l(struct far_fixture *f, const int offset[3]) {
  const int rank = tac_far_rank(f->far, 3);
  const double target[3] = {0};
  double multipole[FAR_MOST], local[FAR_MOST], values[FAR_MOST], source[3] = {0};
  for (int axis = 0; axis < f->dim; axis++)
    source[axis] = unit(f, 3) * offset[axis];
  far_form(f, 3, multipole);
  far_m2l(far_matrix(), f->far, f->dim, 3, f->part, offset);
  far_multiply(local, far_matrix(), rank, rank, multipole);
  for (int component = 0; component <= f->dim; component++) {
    tac_far_l2p(far_matrix(), f->far, 3, component);
    far_multiply(values, far_matrix(), f->nodes, rank, local);
    compare_nodes(f, values, component, target, unit(f, 3), source, unit(f, 3));
  }
  compare_border(f, local, 3, source);
}

/* List 3 from a box of level 3 to a leaf of level 2 at [0, 2 sides], and List 4 back. */
static void check_lists_3_and_4(struct far_fixture *f, const int offset[3], int component) {
  const int rank = tac_far_rank(f->far, 3);
  const double side = unit(f, 3);
  double multipole[FAR_MOST], local[FAR_MOST], values[FAR_MOST], working[FAR_MOST], small[3] = {0}, large[3] = {0};
  for (int axis = 0; axis < f->dim; axis++) {
    small[axis] = side * (offset[axis] + 0.5);
    large[axis] = side;
  }
  far_form(f, 3, multipole);
  double *functions = malloc((size_t)f->nodes * (size_t)rank * sizeof *functions);
  double *moments = malloc((size_t)f->modes.count * (size_t)rank * sizeof *moments);
  ck_assert(functions && moments);
  tac_far_child_functions(functions, f->far, 3, component);
  tac_far_m2p(far_matrix(), f->far, 3, f->part, functions, offset);
  free(functions);
  far_multiply(values, far_matrix(), f->nodes, rank, multipole);
  compare_nodes(f, values, component, large, 2 * side, small, side);
  far_working(f, 2 * side, working);
  tac_far_child_moments(moments, f->far, 3);
  tac_far_p2l(far_matrix(), f->far, 3, f->part, moments, offset);
  free(moments);
  far_multiply(local, far_matrix(), rank, f->modes.count, working);
  tac_far_l2p(far_matrix(), f->far, 3, component);
  far_multiply(values, far_matrix(), f->nodes, rank, local);
  compare_nodes(f, values, component, small, side, large, 2 * side);
}

START_TEST(translations_at_every_eps) {
  static const int offsets2[][3] = {{2, 0, 0}, {-2, 1, 0}, {0, -3, 0}, {3, 3, 0}, {1, -2, 0}, {-1, 3, 0}};
  static const int offsets3[][3] = {{2, 0, 0}, {-2, 1, -1}, {0, -3, 2}, {3, 3, -3}, {1, -1, 2}, {-1, 3, 0}};
  static const int jumps[][3] = {{-2, 0, 1}, {3, 3, -2}, {0, 3, 2}};
  const struct far_problem *problem = &far_problems[_i / DIGITS];
  if (too_slow(problem, _i))
    return;
  struct far_fixture f;
  far_setup(&f, problem, pow(10, -digits(_i)), 4);
  for (f.part = 0; f.part < f.parts; f.part++) {
    const int which = _i % 3, jump[3] = {jumps[which][0], jumps[which][1], f.dim == 3 ? jumps[which][2] : 0};
    check_m2l(&f, f.dim == 3 ? offsets3[which] : offsets2[which]);
    check_m2l(&f, f.dim == 3 ? offsets3[which + 3] : offsets2[which + 3]);
    check_lists_3_and_4(&f, jump, 0);
    check_lists_3_and_4(&f, jump, 1 + _i % f.dim);
  }
  far_teardown(&f);
}
END_TEST

static void move_to_child(const struct far_fixture *f, double center[3], int level, int child) {
  for (int axis = 0; axis < f->dim; axis++)
    center[axis] += unit(f, level) * (child >> axis & 1 ? 0.5 : -0.5);
}

/* From a leaf of level 5 up to level 2, over to another box, and down to level 5. */
START_TEST(up_over_and_down) {
  static const int up[3] = {5, 2, 7}, down[3] = {1, 6, 0};
  const struct far_problem *problem = &far_problems[_i / 2];
  struct far_fixture f;
  far_setup(&f, problem, _i % 2 ? (problem->dim == 3 ? 1e-4 : 1e-10) : 1e-2, 6);
  const int offset[3] = {-2, 1, 0}, mask = (1 << f.dim) - 1;
  double *matrix = far_matrix();
  for (f.part = 0; f.part < f.parts; f.part++) {
    double source[3] = {0}, target[3] = {0}, a[FAR_MOST], b[FAR_MOST], values[FAR_MOST];
    for (int axis = 0; axis < f.dim; axis++)
      source[axis] = offset[axis] * unit(&f, 2);
    far_form(&f, 5, a);
    for (int level = 5; level > 2; level--) {
      move_to_child(&f, source, level, up[level - 3] & mask);
      tac_far_m2m(matrix, f.far, level);
      far_mirror(&f, matrix, level - 1, level, up[level - 3] & mask);
      far_multiply(b, matrix, tac_far_rank(f.far, level - 1), tac_far_rank(f.far, level), a);
      memcpy(a, b, sizeof a);
    }
    far_m2l(matrix, f.far, f.dim, 2, f.part, offset);
    far_multiply(b, matrix, tac_far_rank(f.far, 2), tac_far_rank(f.far, 2), a);
    for (int level = 3; level <= 5; level++) {
      move_to_child(&f, target, level, down[level - 3] & mask);
      tac_far_l2l(matrix, f.far, level);
      far_mirror(&f, matrix, level, level - 1, down[level - 3] & mask);
      far_multiply(a, matrix, tac_far_rank(f.far, level), tac_far_rank(f.far, level - 1), b);
      memcpy(b, a, sizeof b);
    }
    tac_far_l2p(matrix, f.far, 5, 0);
    far_multiply(values, matrix, f.nodes, tac_far_rank(f.far, 5), b);
    compare_nodes(&f, values, 0, target, unit(&f, 5), source, unit(&f, 5));
  }
  far_teardown(&f);
}
END_TEST

/* Potential and gradient of a multipole at points outside. */
START_TEST(multipole_at_points) {
  static const double places[][3] = {{1.5, 0, 0}, {-0.3, 1.6, 0.2}, {4, -7, 2}, {1.5, 1.5, 1.5}};
  struct far_fixture f;
  far_setup(&f, &far_problems[_i], 1e-6, 4);
  const double zero[3] = {0};
  const int rank = tac_far_rank(f.far, 3);
  double multipole[FAR_MOST], row[FAR_MOST], value, point[1][3];
  far_form(&f, 3, multipole);
  for (f.part = 0; f.part < f.parts; f.part++)
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
      for (int component = 0; component <= f.dim; component++) {
        for (int axis = 0; axis < 3; axis++)
          point[0][axis] = axis < f.dim ? unit(&f, 3) * places[p][axis] : 0;
        far_point(row, f.far, 3, f.part, component, places[p]);
        far_multiply(&value, row, 1, rank, multipole);
        compare(&f, &value, 1, (const double(*)[3])point, component, unit(&f, 3), zero, unit(&f, 3));
      }
  far_teardown(&f);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("far");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, translations_at_every_eps, 0, FAR_PROBLEMS * DIGITS);
  tcase_add_loop_test(cases, up_over_and_down, 0, FAR_PROBLEMS * 2);
  tcase_add_loop_test(cases, multipole_at_points, 0, FAR_PROBLEMS);
  return run_cases("far", cases);
}
