/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/densities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/suite.h"

static const double pi = 3.14159265358979323846;

static enum tac_status create(struct tac_density *density, const char *text, int dim, enum tac_fmm_kernel_kind kind,
                              struct tac_error *error) {
  const struct tac_density_request request = {
      .text = text, .dim = dim, .kernel = {kind, kind == TAC_FMM_LAPLACE ? 0 : 3}, .lower = -0.5, .upper = 0.5};
  tac_error_clear(error);
  return tac_density_create(density, &request, error);
}

static void create_well(struct tac_density *density, const char *text, int dim, enum tac_fmm_kernel_kind kind) {
  struct tac_error error;
  ck_assert_msg(create(density, text, dim, kind, &error) == TAC_STATUS_OK, "%s: %s: %s", text, error.where, error.text);
}

static double value_at(struct tac_density *density, const double *x) {
  double value = NAN;
  ck_assert_int_eq(tac_density_values(density, 1, x, &value, NULL), TAC_STATUS_OK);
  return value;
}

/* (c - Delta) u = f by sixth-order differences of the gradient, and the gradient by those of u: the answer belongs to the
 * values, wherever centers and parameters put them. */
static void check_equation(struct tac_density *density, const double *x, double size) {
  static const double weight[] = {3. / 4, -3. / 20, 1. / 60};
  const int dim = density->dim, parts = tac_fmm_kernel_parts(density->kernel.kind);
  const double p = density->kernel.parameter, step = 0.002;
  const double c = density->kernel.kind == TAC_FMM_YUKAWA ? p * p : density->kernel.kind == TAC_FMM_HELMHOLTZ ? -p * p : 0;
  double u[8], laplacian[2] = {0};
  tac_density_answer(u, density, x);
  for (int axis = 0; axis < dim; axis++)
    for (int part = 0; part < parts; part++) {
      double slope = 0;
      for (int k = -3; k <= 3; k++) {
        double at[3], near[8];
        memcpy(at, x, sizeof at);
        if (k == 0)
          continue;
        at[axis] += k * step;
        tac_density_answer(near, density, at);
        const double w = (k > 0 ? 1 : -1) * weight[abs(k) - 1] / step;
        slope += w * near[part];
        laplacian[part] += w * near[part + parts * (1 + axis)];
      }
      ck_assert_double_eq_tol(slope, u[part + parts * (1 + axis)], 1e-9 * size);
    }
  ck_assert_double_eq_tol(c * u[0] - laplacian[0], value_at(density, x), 1e-8 * size);
  if (parts == 2)
    ck_assert_double_eq_tol(c * u[1] - laplacian[1], 0, 1e-8 * size);
}

START_TEST(answers_belong_to_values) {
  const char *const texts[] = {"gaussian:a=40,x=0.1,y=-0.05",
                               "charged-gaussian:a=30,x=-0.1",
                               "two-gaussians:w1=0.07,w2=0.1,d=0.4",
                               "constant:c=-2.5",
                               "disk:r=0.21,x=0.1",
                               "ball:r=0.25,z=-0.1"};
  const double points[][3] = {{0.03, 0.11, 0.07}, {-0.21, 0.17, -0.13}, {0.31, -0.29, 0.4}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (int kind = 0; kind < TAC_FMM_KERNEL_KINDS; kind++)
      for (int dim = 2; dim <= 3; dim++) {
        struct tac_density density;
        if ((texts[i][0] == 'd' && dim == 3) || (texts[i][0] == 'b' && dim == 2))
          continue;
        create_well(&density, texts[i], dim, (enum tac_fmm_kernel_kind)kind);
        for (int k = 0; k < 3 && tac_density_is_known(&density); k++)
          check_equation(&density, points[k], 200);
        tac_density_destroy(&density);
      }
}
END_TEST

START_TEST(which_answers_are_known) {
  const struct {
    const char *text;
    int dim, laplace, yukawa, helmholtz;
  } cases[] = {{"gaussian", 2, 1, 1, 1},
               {"gaussian", 3, 1, 1, 1},
               {"charged-gaussian", 2, 1, 1, 0},
               {"charged-gaussian", 3, 1, 1, 0},
               {"two-gaussians", 3, 1, 1, 1},
               {"disk", 2, 1, 1, 1},
               {"ball", 3, 1, 1, 1},
               {"constant", 2, 1, 0, 0},
               {"constant", 3, 1, 0, 0},
               {"polynomial", 2, 0, 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int known[] = {cases[i].laplace, cases[i].yukawa, cases[i].helmholtz};
    for (int kind = 0; kind < TAC_FMM_KERNEL_KINDS; kind++) {
      struct tac_density density;
      create_well(&density, cases[i].text, cases[i].dim, (enum tac_fmm_kernel_kind)kind);
      ck_assert_msg(tac_density_is_known(&density) == known[kind], "%s, kernel %d", cases[i].text, kind);
      tac_density_destroy(&density);
    }
  }
}
END_TEST

START_TEST(values_and_defaults) {
  struct tac_density density;
  const double middle[] = {0, 0, 0}, corner[] = {0.5, -0.25, 0.5};
  create_well(&density, "gaussian", 3, TAC_FMM_LAPLACE);
  ck_assert_double_eq_tol(value_at(&density, middle), 960, 1e-12); /* 2 dim a */
  tac_density_destroy(&density);
  create_well(&density, "charged-gaussian:x=0.5,y=-0.25,z=0.5,a=2", 3, TAC_FMM_LAPLACE);
  ck_assert_double_eq(value_at(&density, corner), 1);
  ck_assert_uint_eq(density.seed_count, 1);
  ck_assert_double_eq(density.seeds[0].center[1], -0.25);
  tac_density_destroy(&density);
  create_well(&density, "polynomial:i=2,j=1", 2, TAC_FMM_LAPLACE);
  ck_assert_double_eq(value_at(&density, corner), -0.5); /* X = 1, Y = -1/2 */
  tac_density_destroy(&density);
  create_well(&density, "disk:r=0.1", 2, TAC_FMM_LAPLACE);
  ck_assert_double_eq(value_at(&density, middle), 1);
  ck_assert_double_eq(value_at(&density, corner), 0);
  ck_assert(density.depth > 0);
  tac_density_destroy(&density);
}
END_TEST

/* Defaults are those of the unit box, scaled. */
START_TEST(defaults_scale_with_the_domain) {
  const struct tac_density_request request = {
      .text = "gaussian", .dim = 2, .kernel = {TAC_FMM_LAPLACE, 0}, .lower = 10, .upper = 14};
  struct tac_density density;
  ck_assert_int_eq(tac_density_create(&density, &request, NULL), TAC_STATUS_OK);
  ck_assert_double_eq(density.gaussians[0].exponent, 10);
  ck_assert(density.gaussians[0].center[0] == 12 && density.gaussians[0].center[1] == 12);
  ck_assert(density.lower[0] == 10 && density.side == 4);
  tac_density_destroy(&density);
}
END_TEST

/* Points of a box that few of many Gaussians reach get the same values as one by one. */
START_TEST(many_gaussians_are_a_sum) {
  enum { COUNT = 300, POINTS = 64 };
  struct tac_gaussian *gaussians = calloc(COUNT, sizeof *gaussians);
  struct tac_density density = {.dim = 3};
  double points[3 * POINTS], values[POINTS];
  const unsigned seed = 20251;
  unsigned state = seed;
  for (int i = 0; i < COUNT; i++) {
    for (int axis = 0; axis < 3; axis++)
      gaussians[i].center[axis] = rand_r(&state) / (double)RAND_MAX - 0.5;
    gaussians[i].exponent = 50 + rand_r(&state) % 5000;
    gaussians[i].amplitude = rand_r(&state) / (double)RAND_MAX - 0.5;
  }
  for (int i = 0; i < 3 * POINTS; i++)
    points[i] = 0.1 * (rand_r(&state) / (double)RAND_MAX);
  ck_assert_int_eq(tac_density_take_gaussians(&density, &tac_density_charged, gaussians, COUNT, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_density_values(&density, POINTS, points, values, NULL), TAC_STATUS_OK);
  for (int i = 0; i < POINTS; i++) {
    double sum = 0;
    for (int k = 0; k < COUNT; k++) {
      double square = 0;
      for (int axis = 0; axis < 3; axis++)
        square += pow(points[3 * i + axis] - gaussians[k].center[axis], 2);
      sum += gaussians[k].amplitude * exp(-gaussians[k].exponent * square);
    }
    ck_assert_msg(fabs(values[i] - sum) < 1e-14 * COUNT, "seed %u: %.17g for %.17g", seed, values[i], sum);
  }
  tac_density_destroy(&density);
}
END_TEST

/* Shares of what lies outside, from the error function and from geometry. */
START_TEST(what_lies_outside) {
  struct tac_density density;
  create_well(&density, "charged-gaussian:a=9", 2, TAC_FMM_LAPLACE);
  ck_assert_double_eq_tol(tac_density_outside(&density), 4 * 0.5 * erfc(1.5), 1e-15);
  tac_density_destroy(&density);
  create_well(&density, "charged-gaussian:a=160", 3, TAC_FMM_LAPLACE);
  ck_assert(tac_density_outside(&density) < 1e-17);
  tac_density_destroy(&density);
  create_well(&density, "gaussian:a=20", 2, TAC_FMM_LAPLACE); /* exp(-5) at the border */
  ck_assert(tac_density_outside(&density) > exp(-5) && tac_density_outside(&density) < 1);
  tac_density_destroy(&density);
  create_well(&density, "gaussian:x=2", 2, TAC_FMM_LAPLACE);
  ck_assert(tac_density_outside(&density) >= 1);
  tac_density_destroy(&density);
  create_well(&density, "disk:r=0.3,x=0.1", 2, TAC_FMM_LAPLACE);
  ck_assert_double_eq(tac_density_outside(&density), 0);
  tac_density_destroy(&density);
  create_well(&density, "disk:r=0.3,x=0.21", 2, TAC_FMM_LAPLACE);
  ck_assert_double_eq(tac_density_outside(&density), 1);
  tac_density_destroy(&density);
}
END_TEST

START_TEST(boxes_at_a_jump_are_refined) {
  struct tac_density density;
  create_well(&density, "disk:r=0.3,depth=4", 2, TAC_FMM_LAPLACE);
  ck_assert(tac_density_refine(&density, 3, (const double[]){0.25, -0.1}, 0.125));
  ck_assert(!tac_density_refine(&density, 4, (const double[]){0.25, -0.1}, 0.125));
  ck_assert(!tac_density_refine(&density, 1, (const double[]){-0.1, -0.1}, 0.2)); /* inside */
  ck_assert(!tac_density_refine(&density, 1, (const double[]){0.3, 0.3}, 0.2));   /* outside */
  ck_assert(tac_density_refine(&density, 0, (const double[]){-0.5, -0.5}, 1));    /* all of it inside the box */
  tac_density_destroy(&density);
}
END_TEST

static const struct {
  const char *text;
  int dim;
  const char *message;
} refused[] = {
    {"gausian", 2, "'gausian' is no density; did you mean gaussian?"},
    {"molecule", 2, "'molecule' is no built-in density"},
    {"", 2, "'' is no built-in density"},
    {"gaussian:b=3", 2, "'b=3' sets no parameter of gaussian in 2D; there are a, x, y"},
    {"gaussian:z=0.1", 2, "'z=0.1' sets no parameter of gaussian in 2D"},
    {"gaussian:a=", 2, "'a=': a finite number is needed"},
    {"gaussian:a", 2, "'a': a finite number is needed"},
    {"gaussian:a=1x", 2, "'a=1x': a finite number"},
    {"gaussian:a=inf", 2, "'a=inf': a finite number"},
    {"gaussian:a=1e999", 2, "'a=1e999': a finite number"},
    {"gaussian:a=0", 2, "'a=0' is out of range"},
    {"gaussian:a=-2", 2, "'a=-2' is out of range"},
    {"gaussian:", 2, "'' sets no parameter"},
    {"gaussian:a=1,,x=2", 2, "'' sets no parameter"},
    {"disk", 3, "'disk' is 2D, and --dim=3"},
    {"ball", 2, "'ball' is 3D, and --dim=2"},
    {"disk:depth=2.5", 2, "'depth=2.5' is out of range: a whole number"},
    {"disk:depth=31", 2, "'depth=31' is out of range"},
    {"polynomial:i=16", 2, "'i=16' is out of range"},
    {"polynomial:k=1", 2, "'k=1' sets no parameter of polynomial in 2D; there are i, j"},
    {"gaussians:", 2, "'gaussians:' needs a file"},
};

START_TEST(refusals_say_what_is_wrong) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    struct tac_density density;
    struct tac_error error;
    ck_assert_msg(create(&density, refused[i].text, refused[i].dim, TAC_FMM_LAPLACE, &error) == TAC_STATUS_INVALID, "%s",
                  refused[i].text);
    ck_assert_str_eq(error.where, "--density");
    ck_assert_msg(strncmp(error.text, refused[i].message, strlen(refused[i].message)) == 0, "%s: %s", refused[i].text,
                  error.text);
  }
  struct tac_density density;
  struct tac_error error;
  ck_assert_int_eq(create(&density, "/no/such/file.npy", 2, TAC_FMM_LAPLACE, &error), TAC_STATUS_IO);
  ck_assert_str_eq(error.where, "--density");
}
END_TEST

/* A long text of any bytes ends in one line. */
START_TEST(wild_texts_stay_one_line) {
  char text[4000] = "gaussian:";
  struct tac_density density;
  struct tac_error error;
  memset(text + 9, 'q', sizeof text - 10);
  text[20] = '\n';
  text[sizeof text - 1] = '\0';
  ck_assert_int_eq(create(&density, text, 2, TAC_FMM_LAPLACE, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_null(strchr(error.text, '\n'));
  ck_assert_int_eq(create(&density, text + 9, 2, TAC_FMM_LAPLACE, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_null(strchr(error.text, '\n'));
}
END_TEST

START_TEST(gaussians_from_a_file) {
  char path[] = "/tmp/densities.XXXXXX", text[64];
  const int file = mkstemp(path);
  const char lines[] = "# two\n0.1 0 20 1\n-0.1 0.05 30 -2 # the other\n";
  struct tac_density density;
  double u[3];
  ck_assert_int_eq(write(file, lines, sizeof lines - 1), (int)sizeof lines - 1);
  close(file);
  snprintf(text, sizeof text, "gaussians:%s", path);
  create_well(&density, text, 2, TAC_FMM_LAPLACE);
  unlink(path);
  ck_assert_uint_eq(density.gaussian_count, 2);
  ck_assert_double_eq_tol(value_at(&density, (const double[]){0.1, 0}), 1 - 2 * exp(-30 * 0.0425), 1e-15);
  tac_density_answer(u, &density, (const double[]){30, 40}); /* from afar: all mass at distance 50, with its moments small */
  ck_assert_double_eq_tol(u[0], -log(50) / (2 * pi) * pi * (1. / 20 - 2. / 30), 1e-4);
  ck_assert_uint_eq(tac_density_terms(&density), 2);
  tac_density_destroy(&density);
}
END_TEST

START_TEST(help_lists_the_cases) {
  const char *const needed[] = {"gaussian",   "charged-gaussian", "two-gaussians", "disk",     "ball",        "constant",
                                "polynomial", "gaussians:FILE",   "FILE.cube",     "FILE.npy", "closed form", "depth",
                                "w1"};
  char *text = NULL;
  size_t bytes = 0;
  FILE *stream = open_memstream(&text, &bytes);
  tac_density_help(stream);
  fclose(stream);
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    ck_assert_msg(strstr(text, needed[i]) != NULL, "--density=help lacks %s", needed[i]);
  for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
    ck_assert_msg(strcspn(line, "\n") <= 110, "long line: %.120s", line);
  free(text);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      answers_belong_to_values, which_answers_are_known, values_and_defaults,         defaults_scale_with_the_domain,
      many_gaussians_are_a_sum, what_lies_outside,       boxes_at_a_jump_are_refined, refusals_say_what_is_wrong,
      wild_texts_stay_one_line, gaussians_from_a_file,   help_lists_the_cases,
  };
  return RUN_SUITE("densities", tests);
}
