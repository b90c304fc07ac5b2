/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <string.h>

#include "apps/fmm/stencil.h"
#include "tests/unit/suite.h"

static const struct {
  int dim, size[8];
} shapes[] = {
    {2, {3, 2, 2, 1}}, {2, {0, 1, 0, 5}}, {3, {20, 10, 10, 10, 5, 5, 5, 4}}, {3, {1}}, {3, {70, 65, 64, 63, 1, 0, 2, 130}},
};
enum { MOST = 400 };

static double child[8][MOST], joined[8 * MOST];
static int begin[9];

static int class_of(int entry) {
  int class = 0;
  while (entry >= begin[class + 1])
    class ++;
  return class;
}

/* Random children; those of `absent` are NULL. */
static void make_children(int shape, unsigned absent, const double **children) {
  printf("# seed %d\n", shape + 1);
  srand((unsigned)shape + 1);
  const int types = 1 << shapes[shape].dim;
  for (int class = 0; class < types; class ++)
    begin[class + 1] = begin[class] + shapes[shape].size[class];
  for (int s = 0; s < types; s++) {
    children[s] = absent >> s & 1 ? NULL : child[s];
    for (int e = 0; e < begin[types]; e++)
      child[s][e] = rand() / (double)RAND_MAX - 0.5;
  }
}

/* The header's definition, term by term. */
static double definition(int dim, int sigma, int entry, const double *const *children) {
  const int class = class_of(entry);
  double sum = 0;
  for (int s = 0; s < 1 << dim; s++) {
    int sign = 1;
    for (int axis = 0; axis < dim; axis++)
      if (!(s >> axis & 1)) {
        sign = class >> axis & 1 ? -sign : sign; /* R_s */
        sign = sigma >> axis & 1 ? -sign : sign; /* chi_sigma(s) */
      }
    sum += children[s] ? sign * children[s][entry] : 0;
  }
  return sum;
}

START_TEST(join_follows_its_definition) {
  const int shape = _i / 2, dim = shapes[shape].dim;
  const double *children[8];
  make_children(shape, _i & 1 ? 0x25 : 0, children);
  tac_super_join(dim, begin, children, joined);
  const int size = begin[1 << dim];
  for (int sigma = 0; sigma < 1 << dim; sigma++)
    for (int e = 0; e < size; e++)
      ck_assert_double_eq_tol(joined[sigma * size + e], definition(dim, sigma, e, children), 1e-14);
}
END_TEST

START_TEST(split_is_the_inverse) {
  const int shape = _i / 2, dim = shapes[shape].dim;
  const unsigned absent = _i & 1 ? 0x25 : 0;
  const double *children[8];
  make_children(shape, absent, children);
  tac_super_join(dim, begin, children, joined);
  static double back[8][MOST];
  double *to[8];
  for (int s = 0; s < 1 << dim; s++) {
    to[s] = absent >> s & 1 ? NULL : back[s];
    memset(back[s], 0xff, sizeof back[s]);
  }
  tac_super_split(dim, begin, joined, to);
  for (int s = 0; s < 1 << dim; s++)
    for (int e = 0; to[s] && e < begin[1 << dim]; e++)
      ck_assert_double_eq_tol(back[s][e], child[s][e], 1e-14);
}
END_TEST

/* The mirror image of a box: children change places and each is reflected; class sigma keeps or changes its sign as a whole. */
START_TEST(classes_have_definite_parity) {
  const int shape = _i, dim = shapes[shape].dim;
  const double *children[8], *images[8];
  make_children(shape, 0, children);
  tac_super_join(dim, begin, children, joined);
  const int size = begin[1 << dim];
  for (int axis = 0; axis < dim; axis++) {
    static double image[8][MOST], mirrored[8 * MOST];
    for (int s = 0; s < 1 << dim; s++) {
      images[s] = image[s];
      for (int e = 0; e < size; e++)
        image[s][e] = class_of(e) >> axis & 1 ? -child[s ^ 1 << axis][e] : child[s ^ 1 << axis][e];
    }
    tac_super_join(dim, begin, images, mirrored);
    for (int sigma = 0; sigma < 1 << dim; sigma++)
      for (int e = 0; e < size; e++)
        ck_assert_double_eq_tol(mirrored[sigma * size + e], (sigma >> axis & 1 ? -1 : 1) * joined[sigma * size + e], 1e-14);
  }
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("super");
  tcase_set_timeout(cases, 60);
  const int count = sizeof shapes / sizeof *shapes;
  tcase_add_loop_test(cases, join_follows_its_definition, 0, 2 * count);
  tcase_add_loop_test(cases, split_is_the_inverse, 0, 2 * count);
  tcase_add_loop_test(cases, classes_have_definite_parity, 0, count);
  return run_cases("super", cases);
}
