/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * How products become calls of cuBLAS, and that they are the right ones. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/scene.h"
#include "tests/unit/suite.h"

#define ELEMENTS ((size_t)270000)

/* The arrays a, b, c of products and what c should become. */
struct arrays {
  double *host[3];
  void *device[3];
};

static void *packed(const double *from, size_t count, enum tac_device_scalar scalar) {
  double *to = malloc(count * sizeof(double));
  for (size_t k = 0; k < count; k++)
    if (scalar == TAC_DEVICE_REAL64)
      to[k] = from[k];
    else
      ((float *)to)[k] = (float)from[k];
  return to;
}

static size_t width(enum tac_device_scalar scalar) {
  return scalar == TAC_DEVICE_REAL64 ? sizeof(double) : sizeof(float);
}

static void make_arrays(struct scene *scene, struct arrays *arrays, enum tac_device_scalar scalar) {
  for (int k = 0; k < 3; k++) {
    arrays->host[k] = malloc(ELEMENTS * sizeof(double));
    scene_random(arrays->host[k], ELEMENTS);
    void *sent = packed(arrays->host[k], ELEMENTS, scalar);
    arrays->device[k] = scene_send(scene, sent, ELEMENTS * width(scalar));
    free(sent);
  }
}

static void free_arrays(struct scene *scene, struct arrays *arrays) {
  for (int k = 0; k < 3; k++) {
    free(arrays->host[k]);
    scene->backend->release(scene->context, arrays->device[k]);
  }
}

/* The same by three loops; `from` and `to`: where each array begins. */
static void multiply(const struct arrays *arrays, const struct tac_device_product *p, const size_t at[3]) {
  const double *a = arrays->host[0] + at[0] + p->a, *b = arrays->host[1] + at[1] + p->b;
  double *c = arrays->host[2] + at[2] + p->c;
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->m; i++) {
      double sum = p->accumulate ? c[i + j * p->ldc] : 0;
      for (int l = 0; l < p->k; l++)
        sum +=
            (p->op_a == 'N' ? a[i + l * p->lda] : a[l + i * p->lda]) * (p->op_b == 'N' ? b[l + j * p->ldb] : b[j + l * p->ldb]);
      c[i + j * p->ldc] = sum;
    }
}

static void expect_c(struct scene *scene, const struct arrays *arrays, enum tac_device_scalar scalar) {
  const double tolerance = scalar == TAC_DEVICE_REAL64 ? 1e-12 : 1e-3;
  void *got = malloc(ELEMENTS * sizeof(double));
  scene_receive(scene, got, arrays->device[2], ELEMENTS * width(scalar));
  for (size_t k = 0; k < ELEMENTS; k++) {
    const double value = scalar == TAC_DEVICE_REAL64 ? ((double *)got)[k] : (double)((float *)got)[k];
    if (!(fabs(value - arrays->host[2][k]) <= tolerance)) /* an assertion each takes longer than all else */
      ck_abort_msg("element %zu is %g and should be %g", k, value, arrays->host[2][k]);
  }
  free(got);
}

/* Plans, and runs `runs` times from different places. */
static void check(struct scene *scene, enum tac_device_scalar scalar, const struct tac_device_product *products, size_t count,
                  int runs) {
  const struct tac_backend_dense *dense = scene->backend->dense;
  struct arrays arrays;
  void *plan;
  make_arrays(scene, &arrays, scalar);
  scene_expect_ok(scene, dense->gemm_plan(scene->context, scene->stream, scalar, products, count, &plan, NULL, &scene->error));
  for (size_t run = 0; run < (size_t)runs; run++) {
    const size_t at[3] = {3 * run, 5 * run, 7 * run};
    const struct tac_backend_array a = {arrays.device[0], at[0]}, b = {arrays.device[1], at[1]}, c = {arrays.device[2], at[2]};
    scene_expect_ok(scene, dense->gemm_run(scene->context, scene->stream, plan, a, b, c, NULL, NULL, &scene->error));
    for (size_t k = 0; k < count; k++)
      multiply(&arrays, &products[k], at);
  }
  expect_c(scene, &arrays, scalar);
  dense->gemm_release(scene->context, plan);
  free_arrays(scene, &arrays);
}

static const struct tac_device_product mixed[] = {
    {.m = 3, .n = 4, .k = 5, .op_a = 'N', .op_b = 'N', .lda = 3, .ldb = 5, .ldc = 6, .a = 10, .b = 20, .c = 0},
    {.m = 3, .n = 4, .k = 5, .op_a = 'N', .op_b = 'N', .lda = 3, .ldb = 5, .ldc = 6, .a = 100, .b = 40, .c = 30},
    {.m = 3, .n = 4, .k = 5, .op_a = 'N', .op_b = 'N', .lda = 3, .ldb = 5, .ldc = 6, .a = 50, .b = 700, .c = 60},
    {.m = 7,
     .n = 1,
     .k = 9,
     .op_a = 'C',
     .op_b = 'N',
     .accumulate = 1,
     .lda = 11,
     .ldb = 9,
     .ldc = 7,
     .a = 1,
     .b = 2,
     .c = 100},
    {.m = 1, .n = 8, .k = 2, .op_a = 'N', .op_b = 'C', .lda = 1, .ldb = 8, .ldc = 1, .a = 3, .b = 4, .c = 200},
    {.m = 6, .n = 6, .k = 6, .op_a = 'C', .op_b = 'C', .accumulate = 1, .lda = 7, .ldb = 8, .ldc = 9, .a = 5, .b = 6, .c = 300},
    {.m = 5, .n = 3, .k = 0, .op_a = 'N', .op_b = 'N', .lda = 5, .ldb = 0, .ldc = 8, .c = 400},
    {.m = 5, .n = 3, .k = 0, .op_a = 'N', .op_b = 'N', .accumulate = 1, .lda = 5, .ldb = 0, .ldc = 8, .c = 500},
    {.m = 0, .n = 3, .k = 4, .op_a = 'N', .op_b = 'N', .lda = 0, .ldb = 4, .ldc = 0, .c = 600},
};

START_TEST(many_shapes_share_one_call) {
  struct scene scene;
  scene_open(&scene, 0, 0, 1);
  check(&scene, TAC_DEVICE_REAL64, mixed, sizeof(mixed) / sizeof(mixed[0]), 3);
  ck_assert_int_eq(fake_calls("cublasDgemmGroupedBatched"), 3);
  ck_assert_int_eq(fake_calls("cublasDgemmStridedBatched"), 0);
  check(&scene, TAC_DEVICE_REAL32, mixed, sizeof(mixed) / sizeof(mixed[0]), 2);
  ck_assert_int_eq(fake_calls("cublasSgemmGroupedBatched"), 2);
  scene_close(&scene);
}
END_TEST

/* Given in no order. */
static void regular(struct tac_device_product *products, size_t count) {
  for (size_t k = 0; k < count; k++) {
    const size_t place = (k * 7) % count;
    products[k] = (struct tac_device_product){.m = 4,
                                              .n = 5,
                                              .k = 6,
                                              .op_a = 'N',
                                              .op_b = 'C',
                                              .lda = 4,
                                              .ldb = 5,
                                              .ldc = 4,
                                              .a = 24 * place,
                                              .b = 3,
                                              .c = 20 * place};
  }
}

START_TEST(regular_products_need_no_addresses) {
  struct scene scene;
  struct tac_device_product products[50];
  scene_open(&scene, 0, 0, 1);
  regular(products, 50);
  check(&scene, TAC_DEVICE_REAL64, products, 50, 2);
  ck_assert_int_eq(fake_calls("cublasDgemmStridedBatched"), 2);
  check(&scene, TAC_DEVICE_REAL32, products, 50, 1);
  ck_assert_int_eq(fake_calls("cublasSgemmStridedBatched"), 1);
  ck_assert_int_eq(fake_calls("cublasDgemmGroupedBatched"), 0);
  products[17].a += 1;
  check(&scene, TAC_DEVICE_REAL64, products, 50, 1);
  ck_assert_int_eq(fake_calls("cublasDgemmStridedBatched"), 2);
  ck_assert_int_eq(fake_calls("cublasDgemmGroupedBatched"), 1);
  scene_close(&scene);
}
END_TEST

START_TEST(a_large_product_has_a_call_of_its_own) {
  struct scene scene;
  struct tac_device_product products[3] = {mixed[3], mixed[0], mixed[4]};
  scene_open(&scene, 0, 0, 1);
  products[1] = (struct tac_device_product){
      .m = 512, .n = 512, .k = 512, .op_a = 'N', .op_b = 'C', .lda = 512, .ldb = 512, .ldc = 512, .c = 1000};
  check(&scene, TAC_DEVICE_REAL64, products, 3, 1);
  ck_assert_int_eq(fake_calls("cublasDgemmStridedBatched"), 1);
  ck_assert_int_eq(fake_calls("cublasDgemmGroupedBatched"), 1);
  scene_close(&scene);
}
END_TEST

START_TEST(no_products_are_no_call) {
  struct scene scene;
  scene_open(&scene, 0, 0, 1);
  check(&scene, TAC_DEVICE_REAL64, NULL, 0, 1);
  check(&scene, TAC_DEVICE_REAL64, &mixed[6], 3, 1);
  ck_assert_int_eq(fake_calls("cublasCreate"), 0);
  scene_close(&scene);
}
END_TEST

START_TEST(memory_of_plans_is_kept) {
  struct scene scene;
  scene_open(&scene, 0, 0, 1);
  check(&scene, TAC_DEVICE_REAL64, mixed, 6, 1);
  const int before = fake_calls("cudaMalloc"), arrays = 3; /* the arrays of a check */
  ck_assert_int_gt(before, arrays);
  ck_assert_uint_eq(scene.backend->own_allocations(scene.context), (uint64_t)(before - arrays));
  check(&scene, TAC_DEVICE_REAL64, mixed, 6, 1);
  ck_assert_int_eq(fake_calls("cudaMalloc"), before + arrays);
  ck_assert_uint_eq(scene.backend->own_allocations(scene.context), (uint64_t)(before - arrays));
  scene_close(&scene);
}
END_TEST

START_TEST(complex_products_are_not_served) {
  const struct tac_backend_dense *dense = tac_backend_cuda_table.dense;
  for (int scalar = 0; scalar < 4; scalar++) {
    const int is_real = scalar == TAC_DEVICE_REAL64 || scalar == TAC_DEVICE_REAL32;
    ck_assert_int_eq(dense->gemm_supports((enum tac_device_scalar)scalar), is_real);
    ck_assert_int_eq(dense->svd_supports((enum tac_device_scalar)scalar), is_real);
  }
}
END_TEST

/* One plan from two streams in turn: the second's addresses must not be written before the first has used its own. */
START_TEST(a_plan_serves_streams_in_turn) {
  struct scene scene;
  struct arrays arrays;
  void *other, *plan;
  scene_open(&scene, 0, 0, 1);
  const struct tac_backend_dense *dense = scene.backend->dense;
  make_arrays(&scene, &arrays, TAC_DEVICE_REAL64);
  scene_expect_ok(&scene, scene.backend->open_stream(scene.context, &other, &scene.error));
  scene_expect_ok(&scene,
                  dense->gemm_plan(scene.context, scene.stream, TAC_DEVICE_REAL64, mixed, 6, &plan, NULL, &scene.error));
  for (size_t run = 0; run < 4; run++) {
    const size_t at[3] = {run, 2 * run, 1000 * run};
    const struct tac_backend_array a = {arrays.device[0], at[0]}, b = {arrays.device[1], at[1]}, c = {arrays.device[2], at[2]};
    void *stream = run % 2 ? other : scene.stream;
    scene_expect_ok(&scene, dense->gemm_run(scene.context, stream, plan, a, b, c, NULL, NULL, &scene.error));
    for (size_t k = 0; k < 6; k++)
      multiply(&arrays, &mixed[k], at);
  }
  scene_expect_ok(&scene, scene.backend->finish(scene.context, other, &scene.error));
  expect_c(&scene, &arrays, TAC_DEVICE_REAL64);
  dense->gemm_release(scene.context, plan);
  free_arrays(&scene, &arrays);
  scene.backend->close_stream(scene.context, other);
  scene_close(&scene);
}
END_TEST

#define THREADS 4
#define TURNS   20

struct submitter {
  struct scene scene;
  struct arrays arrays;
  pthread_t thread;
};

static void *submit(void *given) {
  struct submitter *own = given;
  struct scene *scene = &own->scene;
  const struct tac_backend_dense *dense = scene->backend->dense;
  void *plan;
  scene_expect_ok(scene,
                  dense->gemm_plan(scene->context, scene->stream, TAC_DEVICE_REAL64, mixed, 6, &plan, NULL, &scene->error));
  for (size_t turn = 0; turn < TURNS; turn++) {
    const size_t at[3] = {3 * turn, 5 * turn, 1000 * turn};
    const struct tac_backend_array a = {own->arrays.device[0], at[0]}, b = {own->arrays.device[1], at[1]},
                                   c = {own->arrays.device[2], at[2]};
    scene_expect_ok(scene, dense->gemm_run(scene->context, scene->stream, plan, a, b, c, NULL, NULL, &scene->error));
    for (size_t k = 0; k < 6; k++)
      multiply(&own->arrays, &mixed[k], at);
  }
  scene_expect_ok(scene, scene->backend->finish(scene->context, scene->stream, &scene->error));
  dense->gemm_release(scene->context, plan);
  return NULL;
}

START_TEST(handles_are_shared_and_waited_for) {
  struct scene scene;
  struct submitter submitters[THREADS];
  scene_open(&scene, 1, 0, 2);
  for (int k = 0; k < THREADS; k++) {
    struct scene *own = &submitters[k].scene;
    *own = scene;
    scene_expect_ok(own, own->backend->open_stream(own->context, &own->stream, &own->error));
    make_arrays(own, &submitters[k].arrays, TAC_DEVICE_REAL64);
  }
  for (int k = 0; k < THREADS; k++)
    ck_assert_int_eq(pthread_create(&submitters[k].thread, NULL, submit, &submitters[k]), 0);
  for (int k = 0; k < THREADS; k++)
    ck_assert_int_eq(pthread_join(submitters[k].thread, NULL), 0);
  ck_assert_int_le(fake_calls("cublasCreate"), 2);
  for (int k = 0; k < THREADS; k++) {
    expect_c(&submitters[k].scene, &submitters[k].arrays, TAC_DEVICE_REAL64);
    free_arrays(&submitters[k].scene, &submitters[k].arrays);
    scene.backend->close_stream(scene.context, submitters[k].scene.stream);
  }
  scene_close(&scene);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {many_shapes_share_one_call,
                                regular_products_need_no_addresses,
                                a_large_product_has_a_call_of_its_own,
                                no_products_are_no_call,
                                memory_of_plans_is_kept,
                                complex_products_are_not_served,
                                a_plan_serves_streams_in_turn,
                                handles_are_shared_and_waited_for};
  return RUN_SUITE("gemm", tests);
}
