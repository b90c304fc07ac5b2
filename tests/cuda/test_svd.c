/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Decompositions by cuSOLVER's calls, judged by what a decomposition must be and by the host's LAPACK. */
#include <lapacke.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/scene.h"
#include "tests/unit/suite.h"

#define ELEMENTS ((size_t)60000)
#define MOST     16

/* Arrays of a call; what the host has of a, u, s, v. */
struct arrays {
  double *host[4];
  void *device[4], *info;
  int32_t report[MOST];
};

static size_t width(enum tac_device_scalar scalar) {
  return scalar == TAC_DEVICE_REAL64 ? sizeof(double) : sizeof(float);
}

static void convert(double *values, void *raw, enum tac_device_scalar scalar, int to_device) {
  for (size_t k = 0; k < ELEMENTS; k++)
    if (scalar == TAC_DEVICE_REAL64 && to_device)
      ((double *)raw)[k] = values[k];
    else if (scalar == TAC_DEVICE_REAL64)
      values[k] = ((double *)raw)[k];
    else if (to_device)
      values[k] = ((float *)raw)[k] = (float)values[k];
    else
      values[k] = (double)((float *)raw)[k];
}

static void make_arrays(struct scene *scene, struct arrays *arrays, enum tac_device_scalar scalar) {
  void *raw = malloc(ELEMENTS * sizeof(double));
  for (int k = 0; k < 4; k++) {
    arrays->host[k] = malloc(ELEMENTS * sizeof(double));
    scene_random(arrays->host[k], ELEMENTS);
    convert(arrays->host[k], raw, scalar, 1);
    arrays->device[k] = scene_send(scene, raw, ELEMENTS * width(scalar));
  }
  free(raw);
  arrays->info = scene_allocate(scene, MOST * sizeof(int32_t));
}

/* `a` as the host has it now. */
static void send_a(struct scene *scene, const struct arrays *arrays, enum tac_device_scalar scalar) {
  void *raw = malloc(ELEMENTS * sizeof(double));
  convert(arrays->host[0], raw, scalar, 1);
  scene_expect_ok(scene, scene->backend->write(scene->context, scene->stream, arrays->device[0], 0, raw,
                                               ELEMENTS * width(scalar), NULL, &scene->error));
  scene_expect_ok(scene, scene->backend->finish(scene->context, scene->stream, &scene->error));
  free(raw);
}

static void free_arrays(struct scene *scene, struct arrays *arrays) {
  for (int k = 0; k < 4; k++) {
    free(arrays->host[k]);
    scene->backend->release(scene->context, arrays->device[k]);
  }
  scene->backend->release(scene->context, arrays->info);
}

static void run(struct scene *scene, struct arrays *arrays, enum tac_device_scalar scalar,
                const struct tac_device_svd_problem *problems, size_t count) {
  const struct tac_backend_dense *dense = scene->backend->dense;
  void *plan, *raw = malloc(ELEMENTS * sizeof(double));
  const struct tac_backend_array a = {arrays->device[0], 0}, u = {arrays->device[1], 1}, s = {arrays->device[2], 2},
                                 v = {arrays->device[3], 3};
  scene_expect_ok(scene, dense->svd_plan(scene->context, scene->stream, scalar, problems, count, &plan, NULL, &scene->error));
  scene_expect_ok(scene,
                  dense->svd_run(scene->context, scene->stream, plan, a, u, s, v, arrays->info, NULL, NULL, &scene->error));
  scene_expect_ok(scene, scene->backend->finish(scene->context, scene->stream, &scene->error));
  dense->svd_release(scene->context, plan);
  for (int k = 1; k < 4; k++) {
    scene_receive(scene, raw, arrays->device[k], ELEMENTS * width(scalar));
    convert(arrays->host[k], raw, scalar, 0);
  }
  if (count > 0)
    scene_receive(scene, arrays->report, arrays->info, count * sizeof(int32_t));
  free(raw);
}

static void expect_orthonormal(const double *x, int rows, int columns, int ld, double tolerance) {
  for (int i = 0; i < columns; i++)
    for (int j = 0; j <= i; j++) {
      double sum = i == j ? -1 : 0;
      for (int k = 0; k < rows; k++)
        sum += x[k + i * ld] * x[k + j * ld];
      if (!(fabs(sum) <= tolerance))
        ck_abort_msg("columns %d and %d of %d x %d: %g", i, j, rows, columns, sum);
    }
}

static void expect_values(const double *a, const double *s, int m, int n, int lda, double tolerance) {
  const int r = m < n ? m : n;
  double *copy = malloc((size_t)m * (size_t)n * sizeof(double)), *values = malloc((size_t)r * sizeof(double)), unused;
  for (int j = 0; j < n; j++)
    memcpy(copy + j * m, a + j * lda, (size_t)m * sizeof(double));
  ck_assert_int_eq(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, copy, m, values, &unused, 1, &unused, 1), 0);
  for (int k = 0; k < r; k++)
    ck_assert_msg(fabs(values[k] - s[k]) <= tolerance * values[0], "value %d of %d x %d: %g, and %g by LAPACK", k, m, n, s[k],
                  values[k]);
  free(copy);
  free(values);
}

/* a = u s v^T, u and v orthonormal, s that of LAPACK. */
static void expect_decomposed(const struct arrays *arrays, const struct tac_device_svd_problem *p, double tolerance) {
  const double *a = arrays->host[0] + p->a, *u = arrays->host[1] + 1 + p->u, *s = arrays->host[2] + 2 + p->s,
               *v = arrays->host[3] + 3 + p->v;
  const int r = p->m < p->n ? p->m : p->n;
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->m; i++) {
      double sum = -a[i + j * p->lda];
      for (int k = 0; k < r; k++)
        sum += u[i + k * p->ldu] * s[k] * v[j + k * p->ldv];
      if (!(fabs(sum) <= tolerance * s[0]))
        ck_abort_msg("element (%d, %d) of %d x %d: %g", i, j, p->m, p->n, sum);
    }
  expect_orthonormal(u, p->m, r, p->ldu, tolerance);
  expect_orthonormal(v, p->n, r, p->ldv, tolerance);
  expect_values(a, s, p->m, p->n, p->lda, tolerance);
}

/* Of these shapes, one behind the other, with some room between columns. */
static size_t place(struct tac_device_svd_problem *problems, const int shapes[][2], size_t count) {
  size_t a = 0, u = 0, v = 0, s = 0;
  for (size_t k = 0; k < count; k++) {
    const int m = shapes[k][0], n = shapes[k][1], r = m < n ? m : n, gap = (int)(k % 3);
    problems[k] = (struct tac_device_svd_problem){
        .m = m, .n = n, .lda = m + gap, .ldu = m + 2 * gap, .ldv = n + gap, .a = a, .u = u, .v = v, .s = s};
    a += (size_t)(m + gap) * (size_t)n;
    u += (size_t)(m + 2 * gap) * (size_t)r;
    v += (size_t)(n + gap) * (size_t)r;
    s += (size_t)r;
  }
  ck_assert_uint_lt(a, ELEMENTS);
  return count;
}

static const int shapes[][2] = {{5, 3}, {40, 40}, {3, 5},   {5, 3},   {32, 32}, {33, 2}, {2, 33}, {1, 1},
                                {5, 3}, {0, 4},   {70, 50}, {50, 70}, {1, 7},   {4, 0},  {32, 1}};
#define SHAPES (sizeof(shapes) / sizeof(shapes[0]))

static void check_shapes(enum tac_device_scalar scalar, double tolerance) {
  struct scene scene;
  struct arrays arrays;
  struct tac_device_svd_problem problems[MOST];
  scene_open(&scene, 0, 0, 1);
  make_arrays(&scene, &arrays, scalar);
  run(&scene, &arrays, scalar, problems, place(problems, shapes, SHAPES));
  for (size_t k = 0; k < SHAPES; k++) {
    ck_assert_int_eq(arrays.report[k], 0);
    if (problems[k].m > 0 && problems[k].n > 0)
      expect_decomposed(&arrays, &problems[k], tolerance);
  }
  free_arrays(&scene, &arrays);
  scene_close(&scene);
}

START_TEST(every_shape_is_decomposed) {
  check_shapes(TAC_DEVICE_REAL64, 1e-13);
  ck_assert_int_eq(fake_calls("cusolverDnDgesvdjBatched"), 6); /* the different small shapes */
  ck_assert_int_eq(fake_calls("cusolverDnXgesvdp"), 5);
  ck_assert_int_eq(fake_calls("cusolverDnDgesvdj"), 0);
}
END_TEST

START_TEST(single_precision_is_served) {
  check_shapes(TAC_DEVICE_REAL32, 1e-5);
  ck_assert_int_eq(fake_calls("cusolverDnSgesvdjBatched"), 6);
}
END_TEST

START_TEST(values_shifted_too_far_are_found_again) {
  struct scene scene;
  struct arrays arrays;
  struct tac_device_svd_problem problems[MOST];
  static const int large[][2] = {{40, 35}, {35, 40}, {4, 4}};
  scene_open(&scene, 0, 0, 1);
  make_arrays(&scene, &arrays, TAC_DEVICE_REAL64);
  const size_t count = place(problems, large, 3);
  fake_set_shift(1e-14);
  run(&scene, &arrays, TAC_DEVICE_REAL64, problems, count);
  ck_assert_int_eq(fake_calls("cusolverDnDgesvdj"), 0);
  for (size_t k = 0; k < count; k++)
    expect_decomposed(&arrays, &problems[k], 1e-13);
  fake_set_shift(1e-10);
  run(&scene, &arrays, TAC_DEVICE_REAL64, problems, count);
  ck_assert_int_eq(fake_calls("cusolverDnDgesvdj"), 2);
  for (size_t k = 0; k < count; k++)
    expect_decomposed(&arrays, &problems[k], 1e-13);
  free_arrays(&scene, &arrays);
  scene_close(&scene);
}
END_TEST

START_TEST(what_is_not_finite_is_reported) {
  struct scene scene;
  struct arrays arrays;
  struct tac_device_svd_problem problems[MOST];
  static const int few[][2] = {{4, 3}, {40, 35}, {4, 3}, {40, 35}};
  scene_open(&scene, 0, 0, 1);
  make_arrays(&scene, &arrays, TAC_DEVICE_REAL64);
  const size_t count = place(problems, few, 4);
  arrays.host[0][problems[0].a + 2] = NAN;
  arrays.host[0][problems[1].a + 77] = INFINITY;
  send_a(&scene, &arrays, TAC_DEVICE_REAL64);
  run(&scene, &arrays, TAC_DEVICE_REAL64, problems, count);
  ck_assert_int_eq(arrays.report[0], 4);
  ck_assert_int_eq(arrays.report[1], 36);
  ck_assert_int_eq(arrays.report[2], 0);
  ck_assert_int_eq(arrays.report[3], 0);
  expect_decomposed(&arrays, &problems[2], 1e-13);
  expect_decomposed(&arrays, &problems[3], 1e-13);
  free_arrays(&scene, &arrays);
  scene_close(&scene);
}
END_TEST

START_TEST(no_problems_are_no_call) {
  struct scene scene;
  struct arrays arrays;
  struct tac_device_svd_problem problems[MOST];
  static const int empty[][2] = {{0, 3}, {5, 0}};
  scene_open(&scene, 0, 0, 1);
  make_arrays(&scene, &arrays, TAC_DEVICE_REAL64);
  run(&scene, &arrays, TAC_DEVICE_REAL64, problems, 0);
  run(&scene, &arrays, TAC_DEVICE_REAL64, problems, place(problems, empty, 2));
  ck_assert_int_eq(arrays.report[0], 0);
  ck_assert_int_eq(arrays.report[1], 0);
  ck_assert_int_eq(fake_calls("cusolverDnCreate"), 0);
  free_arrays(&scene, &arrays);
  scene_close(&scene);
}
END_TEST

/* Two calls for one handle: the first, which has it, waits for the device until the second is told to wait for the handle. */
struct caller {
  struct scene scene;
  struct arrays arrays;
  pthread_t thread;
  struct tac_backend_watcher watcher;
  struct caller *other;
  sem_t waits;
  int begun, ended;
};

static void *call(void *given) {
  struct caller *caller = given;
  struct scene *scene = &caller->scene;
  const struct tac_backend_dense *dense = scene->backend->dense;
  static const int large[][2] = {{40, 35}};
  const struct arrays *arrays = &caller->arrays;
  const struct tac_backend_array a = {arrays->device[0], 0}, u = {arrays->device[1], 1}, s = {arrays->device[2], 2},
                                 v = {arrays->device[3], 3};
  struct tac_device_svd_problem problem;
  void *plan;
  place(&problem, large, 1);
  scene_expect_ok(scene, dense->svd_plan(scene->context, scene->stream, TAC_DEVICE_REAL64, &problem, 1, &plan, &caller->watcher,
                                         &scene->error));
  scene_expect_ok(scene, dense->svd_run(scene->context, scene->stream, plan, a, u, s, v, arrays->info, NULL, &caller->watcher,
                                        &scene->error));
  scene_expect_ok(scene, scene->backend->finish(scene->context, scene->stream, &scene->error));
  dense->svd_release(scene->context, plan);
  return NULL;
}

static void no_copy(void *context, enum tac_copy_direction direction, size_t bytes) {
  (void)context, (void)direction, (void)bytes;
}

static void first_waits(void *context) {
  struct caller *caller = context;
  if (caller->begun++ == 0) {
    ck_assert_int_eq(pthread_create(&caller->other->thread, NULL, call, caller->other), 0);
    sem_wait(&caller->other->waits);
  }
}

static void second_waits(void *context) {
  struct caller *caller = context;
  caller->begun++;
  sem_post(&caller->waits);
}

static void wait_ends(void *context) {
  struct caller *caller = context;
  caller->ended++;
  ck_assert_int_eq(caller->begun, caller->ended);
}

START_TEST(a_taken_handle_is_a_wait) {
  struct scene scene;
  struct caller callers[2] = {{.begun = 0}, {.begun = 0}};
  scene_open(&scene, 0, 0, 1);
  for (int k = 0; k < 2; k++) {
    callers[k].scene = scene;
    callers[k].other = &callers[1 - k];
    callers[k].watcher = (struct tac_backend_watcher){&callers[k], no_copy, k ? second_waits : first_waits, wait_ends};
    ck_assert_int_eq(sem_init(&callers[k].waits, 0, 0), 0);
    scene_expect_ok(&scene, scene.backend->open_stream(scene.context, &callers[k].scene.stream, &scene.error));
    make_arrays(&callers[k].scene, &callers[k].arrays, TAC_DEVICE_REAL64);
  }
  call(&callers[0]);
  ck_assert_int_eq(pthread_join(callers[1].thread, NULL), 0);
  ck_assert_int_eq(callers[0].ended, 1);
  ck_assert_int_ge(callers[1].ended, 2); /* the handle, by the plan; the device */
  for (int k = 0; k < 2; k++) {
    free_arrays(&callers[k].scene, &callers[k].arrays);
    scene.backend->close_stream(scene.context, callers[k].scene.stream);
    sem_destroy(&callers[k].waits);
  }
  scene_close(&scene);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      every_shape_is_decomposed,      single_precision_is_served, values_shifted_too_far_are_found_again,
      what_is_not_finite_is_reported, no_problems_are_no_call,    a_taken_handle_is_a_wait};
  return RUN_SUITE("svd", tests);
}
