/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/fmm/far_set.h"
#include "tests/fmm/far_fixture.h"
#include "tests/unit/suite.h"

/* The operators as a whole: symmetries, exactness, which levels have them, limits, the cache. */

START_TEST(operators_are_symmetric) {
  struct far_fixture f;
  far_setup(&f, &far_problems[_i], 1e-3, 4);
  const int rank = tac_far_rank(f.far, 3);
  double *there = far_matrix(), *here = malloc((size_t)(rank * rank) * sizeof *here);
  ck_assert_ptr_nonnull(here);
  for (f.part = 0; f.part < f.parts; f.part++)
    for (int x = -3; x <= 3; x++)
      for (int y = -3; y <= 3; y += 2) {
        const int offset[3] = {x, y, f.dim == 3 ? 2 : 0}, back[3] = {-x, -y, -offset[2]};
        if (abs(x) <= 1 && abs(y) <= 1 && offset[2] <= 1)
          continue;
        far_m2l(here, f.far, f.dim, 3, f.part, offset);
        far_m2l(there, f.far, f.dim, 3, f.part, back);
        for (int j = 0; j < rank; j++)
          for (int i = 0; i < rank; i++)
            ck_assert_double_eq_tol(there[j + rank * i], here[i + rank * j], 1e-14);
      }
  free(here);
  far_teardown(&f);
}
END_TEST

/* m_k = integral of psi_k f~ to rounding, at accuracies whose degree is below and above that of the density. */
START_TEST(moments_are_exact) {
  struct far_fixture f;
  far_setup(&f, &far_problems[_i / 2], _i % 2 ? 1e-5 : 1e-1, 3);
  const int rank = tac_far_rank(f.far, 2);
  const double square = f.options.side[2] * f.options.side[2];
  double multipole[FAR_MOST], moments[FAR_MOST] = {0}, functions[FAR_MOST];
  far_form(&f, 2, multipole);
  for (int c = 0; c < (f.dim == 3 ? f.points : 1); c++)
    for (int b = 0; b < f.points; b++)
      for (int a = 0; a < f.points; a++) {
        tac_far_functions(functions, f.far, 2, 0, (const double[3]){f.rule[a], f.rule[b], f.rule[c]});
        for (int k = 0; k < rank; k++)
          moments[k] += square * f.weighted[c][b][a] * functions[k];
      }
  for (int k = 0; k < rank; k++)
    ck_assert_double_eq_tol(multipole[k], moments[k], 1e-11);
  far_teardown(&f);
}
END_TEST

/* The functions are orthonormal, the first one is the constant 1. */
START_TEST(functions_are_orthonormal) {
  struct far_fixture f;
  far_setup(&f, &far_problems[_i], 1e-4, 3);
  const int rank = tac_far_rank(f.far, 2);
  double weight[FAR_RULE], functions[FAR_MOST], *gram = far_matrix();
  memset(gram, 0, (size_t)(rank * rank) * sizeof *gram);
  tac_gauss_rule(f.points, f.rule, weight);
  for (int c = 0; c < (f.dim == 3 ? f.points : 1); c++)
    for (int b = 0; b < f.points; b++)
      for (int a = 0; a < f.points; a++) {
        tac_far_functions(functions, f.far, 2, 0, (const double[3]){f.rule[a], f.rule[b], f.rule[c]});
        ck_assert_double_eq_tol(functions[0], 1, 1e-14);
        for (int j = 0; j < rank; j++)
          for (int i = 0; i < rank; i++)
            gram[i + rank * j] += weight[a] * weight[b] * (f.dim == 3 ? weight[c] : 1) * functions[i] * functions[j];
      }
  for (int j = 0; j < rank; j++)
    for (int i = 0; i < rank; i++)
      ck_assert_double_eq_tol(gram[i + rank * j], i == j, 1e-12);
  far_teardown(&f);
}
END_TEST

/* A leaf 28 levels down is a point charge when seen from level 2, the logarithm of every side included. */
START_TEST(mass_survives_all_levels) {
  struct far_fixture f;
  far_setup(&f, &far_problems[_i ? 3 : 0], 1e-4, TAC_FMM_MAX_LEVELS);
  const int last = TAC_FMM_MAX_LEVELS - 1, mask = (1 << f.dim) - 1;
  double a[FAR_MOST], b[FAR_MOST], row[FAR_MOST], value, place[3] = {0}, *matrix = far_matrix();
  far_form(&f, last, a);
  for (int level = last; level > 2; level--) {
    const int child = level * 5 % 7 & mask;
    for (int axis = 0; axis < f.dim; axis++)
      place[axis] += f.options.side[level] * (child >> axis & 1 ? 0.5 : -0.5);
    tac_far_m2m(matrix, f.far, level);
    far_mirror(&f, matrix, level - 1, level, child);
    far_multiply(b, matrix, tac_far_rank(f.far, level - 1), tac_far_rank(f.far, level), a);
    memcpy(a, b, sizeof a);
  }
  const double x[3] = {1.75, 0.5, 0}, side = f.options.side[2];
  far_point(row, f.far, 2, 0, 0, x);
  far_multiply(&value, row, 1, tac_far_rank(f.far, 2), a);
  double square = 0;
  for (int axis = 0; axis < f.dim; axis++)
    square += pow(side * x[axis] - place[axis], 2);
  const double mass = f.density[0] * pow(f.options.side[last], f.dim);
  const double expected = mass * tac_fmm_kernel_value(&f.options.kernel, f.dim, 0, sqrt(square));
  ck_assert_double_eq_tol(value / expected, 1, 2e-2 * (f.dim == 3) + 2e-3);
  far_teardown(&f);
}
END_TEST

START_TEST(few_levels_have_no_expansions) {
  for (int levels = 0; levels <= 3; levels++) {
    struct far_fixture f;
    far_setup(&f, &far_problems[_i], 1e-2, levels);
    for (int level = 0; level < TAC_FMM_MAX_LEVELS; level++) {
      const int has = level == 2 && levels == 3;
      ck_assert_int_eq(tac_far_rank(f.far, level) > 0, has);
      ck_assert_int_eq(tac_far_class_begin(f.far, level)[1 << f.dim], tac_far_rank(f.far, level));
      ck_assert_int_eq(tac_far_same_operators(f.far, level, level), has);
      if (has)
        continue;
      double untouched = 42;
      const double x[3] = {2, 2, 2};
      const int offset[3] = {2, 0, 0};
      tac_far_p2m(&untouched, f.far, level);
      tac_far_l2p(&untouched, f.far, level, 0);
      tac_far_child_functions(&untouched, f.far, level, 0);
      tac_far_m2p(&untouched, f.far, level, 0, &untouched, offset);
      tac_far_child_moments(&untouched, f.far, level);
      tac_far_p2l(&untouched, f.far, level, 0, &untouched, offset);
      tac_far_functions(&untouched, f.far, level, 0, x);
      ck_assert_ptr_null(tac_far_m2l_stored(f.far, level, 0, offset));
      ck_assert_double_eq(untouched, 42);
    }
    ck_assert_int_eq(tac_far_degree(f.far) > 0, levels == 3);
    ck_assert_uint_gt(tac_far_bytes(f.far), 0);
    far_teardown(&f);
  }
}
END_TEST

static enum tac_status try(struct tac_far_options options, struct tac_error *error) {
  struct tac_far *far = NULL;
  tac_error_clear(error);
  const enum tac_status status = tac_far_create(&far, &options, error);
  ck_assert_int_eq(far != NULL, status == TAC_STATUS_OK);
  tac_far_destroy(&far);
  ck_assert_ptr_null(far);
  return status;
}

START_TEST(limits_are_checked) {
  struct tac_error error;
  struct tac_far_options options = {.dim = 2, .order = 4, .eps = 1e-3, .levels = 4, .side = {4, 2, 1, 0.5}};
  ck_assert_int_eq(try(options, &error), TAC_STATUS_OK);
  const double bad[] = {0, -1, 1e-14, 0.2, NAN, INFINITY};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    options.eps = bad[k];
    ck_assert_int_eq(try(options, &error), TAC_STATUS_INVALID);
  }
  options.eps = 1e-3;
  options.dim = 4;
  ck_assert_int_eq(try(options, &error), TAC_STATUS_INVALID);
  options.dim = 3;
  options.order = 17;
  ck_assert_int_eq(try(options, &error), TAC_STATUS_INVALID);
  options.order = 4;
  options.levels = TAC_FMM_MAX_LEVELS + 1;
  ck_assert_int_eq(try(options, &error), TAC_STATUS_INVALID);
}
END_TEST

/* A wave of too many turns over the boxes of level 2 is refused, and only there. */
START_TEST(high_frequencies_are_refused) {
  struct tac_error error;
  struct tac_far_options options = {
      .dim = 2 + _i, .order = 4, .eps = 1e-2, .levels = 3, .side = {4, 2, 1}, .kernel = {TAC_FMM_HELMHOLTZ, 8}};
  ck_assert_int_eq(try(options, &error), TAC_STATUS_OK);
  options.kernel.parameter = 60;
  ck_assert_int_eq(try(options, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "low frequencies"));
  options.levels = 2;
  ck_assert_int_eq(try(options, &error), TAC_STATUS_OK);
}
END_TEST

static void all_finite(const struct tac_far *far, int dim, int parts) {
  for (int level = 2; level <= 3; level++)
    for (int part = 0; part < parts; part++) {
      const int rank = tac_far_rank(far, level), offset[3] = {2, 1, 0};
      ck_assert_int_ge(rank, 1);
      far_m2l(far_matrix(), far, dim, level, part, offset);
      for (int k = 0; k < rank * rank; k++)
        ck_assert(isfinite(far_matrix()[k]));
      for (int component = 0; component <= dim; component++) {
        far_point(far_matrix(), far, level, part, component, (const double[3]){1.5, 0, 0});
        for (int k = 0; k < rank; k++)
          ck_assert(isfinite(far_matrix()[k]));
      }
    }
}

/* No parameter gives a value that is not finite: decays that leave nothing, and kernels that hardly differ from Laplace'. */
START_TEST(extreme_parameters_stay_finite) {
  static const struct tac_fmm_kernel kernels[] = {{TAC_FMM_YUKAWA, 1e-100},  {TAC_FMM_YUKAWA, 40},
                                                  {TAC_FMM_YUKAWA, 800},     {TAC_FMM_YUKAWA, 1e300},
                                                  {TAC_FMM_HELMHOLTZ, 1e-8}, {TAC_FMM_HELMHOLTZ, 1e-150}};
  for (int dim = 2; dim <= 3; dim++) {
    struct tac_far *far;
    const struct tac_far_options options = {
        .dim = dim, .order = 3, .eps = 1e-4, .levels = 4, .side = {4e6, 2e6, 1, 0.5}, .kernel = kernels[_i]};
    ck_assert_int_eq(tac_far_create(&far, &options, NULL), TAC_STATUS_OK);
    all_finite(far, dim, tac_fmm_kernel_parts(kernels[_i].kind));
    if (kernels[_i].kind == TAC_FMM_YUKAWA && kernels[_i].parameter > 100)
      ck_assert_int_eq(tac_far_rank(far, 2), 1);
    tac_far_destroy(&far);
  }
}
END_TEST

static uint64_t fingerprint(const struct far_fixture *f) {
  uint64_t sum = 0;
  for (int level = 2; level < f->options.levels; level++) {
    const int rank = tac_far_rank(f->far, level);
    far_m2l(far_matrix(), f->far, f->dim, level, 0, (const int[3]){1, 3, 0});
    tac_far_p2m(far_matrix() + (size_t)rank * (size_t)rank, f->far, level);
    for (size_t k = 0; k < (size_t)rank * (size_t)(rank + f->modes.count); k++) {
      uint64_t bits;
      memcpy(&bits, &far_matrix()[k], sizeof bits);
      sum = sum * 31 + bits;
    }
  }
  return sum;
}

/* What is made from a level's operators is named by the kernel there and by the functions. */
START_TEST(keys_tell_levels_apart) {
  struct far_fixture f;
  far_setup(&f, &far_problems[_i], 1e-3, 4);
  char key[3][512];
  for (int level = 1; level < 4; level++)
    tac_far_key(key[level - 1], sizeof key[0], f.far, level);
  ck_assert_str_eq(key[0], "no expansions");
  if (tac_far_same_operators(f.far, 2, 3))
    ck_assert_str_eq(key[1], key[2]);
  else
    ck_assert_str_ne(key[1], key[2]);
  double *vectors = tac_far_level_set(f.far, 3)->vectors;
  vectors[1] = -vectors[1] - 1;
  tac_far_key(key[0], sizeof key[0], f.far, 3);
  ck_assert_str_ne(key[0], key[2]);
  far_teardown(&f);
}
END_TEST

/* The same bits from the cache, for the same problem only. */
START_TEST(operators_come_from_the_cache) {
  char folder[] = "/tmp/tactus-far-XXXXXX", command[64];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  uint64_t first = 0;
  for (int run = 0; run < 3; run++) {
    struct far_fixture f;
    far_setup(&f, &far_problems[_i], 1e-3, 0);
    tac_far_destroy(&f.far);
    f.options.levels = 4;
    f.options.side[2] = 1;
    f.options.side[3] = 0.5;
    f.options.eps = run == 2 ? 1e-2 : 1e-3;
    f.options.cache_folder = folder;
    ck_assert_int_eq(tac_far_create(&f.far, &f.options, NULL), TAC_STATUS_OK);
    ck_assert_int_eq(tac_far_cached(f.far), run == 1);
    if (run == 0)
      first = fingerprint(&f);
    else
      ck_assert_int_eq(fingerprint(&f) == first, run == 1);
    far_teardown(&f);
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0); // NOLINT(cert-env33-c)
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("far set");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, operators_are_symmetric, 0, FAR_PROBLEMS);
  tcase_add_loop_test(cases, moments_are_exact, 0, 2 * FAR_PROBLEMS);
  tcase_add_loop_test(cases, functions_are_orthonormal, 0, FAR_PROBLEMS);
  tcase_add_loop_test(cases, mass_survives_all_levels, 0, 2);
  tcase_add_loop_test(cases, few_levels_have_no_expansions, 0, FAR_PROBLEMS);
  tcase_add_test(cases, limits_are_checked);
  tcase_add_loop_test(cases, high_frequencies_are_refused, 0, 2);
  tcase_add_loop_test(cases, extreme_parameters_stay_finite, 0, 6);
  tcase_add_loop_test(cases, keys_tell_levels_apart, 0, FAR_PROBLEMS);
  tcase_add_loop_test(cases, operators_come_from_the_cache, 0, FAR_PROBLEMS);
  return run_cases("far set", cases);
}
