/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Plans that share tables: each does what it would do alone. */
#include <stdlib.h>

#include "tests/device/dense_case.h"

enum { PLANS = 5, BLOCKS_MAX = 700, SIDE = 3, ELEMENTS = BLOCKS_MAX * SIDE * SIDE };

struct scene {
  struct device_subject subject;
  struct tac_device_tables *tables;
  struct tac_device_blocks *sum[PLANS];
  struct tac_device_gemm *product[PLANS];
  struct dense_elements x, y;
  size_t blocks[PLANS]; /* of the present plans: y = (plan + 2) x over so many, or y = x x */
  struct tac_error error;
};

static void open_scene(struct scene *scene, struct dense_random *random) {
  open_subject(&scene->subject, 1, 0);
  struct tac_device *device = scene->subject.device;
  expect_ok(tac_device_tables_create(&scene->tables, device, &scene->error), &scene->error);
  for (int p = 0; p < PLANS; p++) {
    expect_ok(tac_device_blocks_create(&scene->sum[p], device, TAC_DEVICE_REAL64, &scene->error), &scene->error);
    expect_ok(tac_device_gemm_create(&scene->product[p], device, TAC_DEVICE_REAL64, &scene->error), &scene->error);
    tac_device_blocks_share(scene->sum[p], scene->tables);
    tac_device_gemm_share(scene->product[p], scene->tables);
  }
  dense_elements_create(&scene->x, device, TAC_DEVICE_REAL64, ELEMENTS);
  dense_elements_create(&scene->y, device, TAC_DEVICE_REAL64, ELEMENTS);
  dense_elements_fill(&scene->x, scene->subject.queue, random);
  dense_elements_fill(&scene->y, scene->subject.queue, random);
}

static void close_scene(struct scene *scene) {
  for (int p = 0; p < PLANS; p++) {
    tac_device_blocks_destroy(&scene->sum[p]);
    tac_device_gemm_destroy(&scene->product[p]);
  }
  tac_device_tables_destroy(&scene->tables);
  ck_assert_ptr_null(scene->tables);
  dense_elements_destroy(&scene->x);
  dense_elements_destroy(&scene->y);
  close_subject(&scene->subject);
}

static void plan(struct scene *scene, int p, size_t count) {
  static struct tac_device_block block[BLOCKS_MAX];
  static struct tac_device_term term[BLOCKS_MAX];
  static struct tac_device_product product[BLOCKS_MAX];
  for (size_t i = 0; i < count; i++) {
    const size_t at = i * SIDE * SIDE;
    block[i] = (struct tac_device_block){.m = SIDE, .n = SIDE, .ld = SIDE, .to = at, .first_term = (unsigned)i, .terms = 1};
    term[i] = (struct tac_device_term){.factor = p + 2, .from = at, .ld = SIDE, .op = 'N'};
    product[i] = (struct tac_device_product){SIDE, SIDE, SIDE, 'N', 'N', 0, SIDE, SIDE, SIDE, at, at, at, 0};
  }
  struct tac_queue *queue = scene->subject.queue;
  expect_ok(tac_device_blocks_plan(scene->sum[p], queue, block, count, term, count, &scene->error), &scene->error);
  expect_ok(tac_device_gemm_plan(scene->product[p], queue, product, count, &scene->error), &scene->error);
  scene->blocks[p] = count;
}

static enum tac_status run(struct scene *scene, int p, int product) {
  const struct tac_device_array x = dense_elements_at(&scene->x, 0), y = dense_elements_at(&scene->y, 0);
  struct tac_queue *queue = scene->subject.queue;
  return product ? tac_device_gemm_run(scene->product[p], queue, x, x, y, &scene->error)
                 : tac_device_blocks_run(scene->sum[p], queue, y, x, x, &scene->error);
}

static void check(struct scene *scene, int p, int product) {
  expect_ok(run(scene, p, product), &scene->error);
  for (size_t i = 0; i < scene->blocks[p] * SIDE * SIDE; i++) {
    const double complex *block = scene->x.host + i / (SIDE * SIDE) * (SIDE * SIDE);
    const size_t row = i % SIDE, column = i / SIDE % SIDE;
    scene->y.host[i] = (p + 2) * scene->x.host[i];
    if (product)
      scene->y.host[i] = block[row] * block[SIDE * column] + block[row + SIDE] * block[SIDE * column + 1] +
                         block[row + 2 * SIDE] * block[SIDE * column + 2];
  }
  dense_expect_near(&scene->y, scene->subject.queue, 1e-14);
}

/* Plans are made before and between runs, and tables are too small for them at first. */
START_TEST(plans_that_share_do_as_alone) {
  struct dense_random random = dense_random_start("tables");
  struct scene scene;
  open_scene(&scene, &random);
  for (int generation = 0; generation < 6; generation++) {
    expect_ok(tac_device_tables_begin(scene.tables, &scene.error), &scene.error);
    for (int p = 0; p < PLANS; p++) {
      plan(&scene, p, 1 + (size_t)dense_random_below(&random, generation & 1 ? BLOCKS_MAX : 20));
      if (p % 2)
        check(&scene, p, generation & 1);
    }
    for (int p = 0; p < 2 * PLANS; p++)
      check(&scene, p / 2, p % 2);
    plan(&scene, 1, 3); /* anew in the same tables */
    check(&scene, 1, 0);
    check(&scene, 0, 0);
  }
  close_scene(&scene);
}
END_TEST

START_TEST(plans_end_with_their_tables) {
  struct dense_random random = dense_random_start("end");
  struct scene scene;
  open_scene(&scene, &random);
  for (int p = 0; p < 2; p++)
    plan(&scene, p, 5);
  check(&scene, 0, 0);
  expect_ok(tac_device_tables_begin(scene.tables, &scene.error), &scene.error);
  ck_assert_int_eq(run(&scene, 0, 0), TAC_STATUS_INVALID);
  ck_assert_int_eq(run(&scene, 1, 0), TAC_STATUS_INVALID);
  plan(&scene, 1, 5);
  ck_assert_int_eq(run(&scene, 0, 0), TAC_STATUS_INVALID);
  check(&scene, 1, 1);
  tac_device_blocks_share(scene.sum[0], NULL);
  tac_device_gemm_share(scene.product[0], NULL);
  plan(&scene, 0, 7);
  expect_ok(tac_device_tables_begin(scene.tables, &scene.error), &scene.error);
  check(&scene, 0, 0);
  check(&scene, 0, 1);
  close_scene(&scene);
}
END_TEST

int main(int argc, char **argv) {
  const TTest *const tests[] = {plans_that_share_do_as_alone, plans_end_with_their_tables};
  return run_device_suite(argc, argv, "dense_tables", tests, sizeof tests / sizeof *tests);
}
