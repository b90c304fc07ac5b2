/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* What the host sends may be read long after the call returns: it stays as it was until it has arrived. On a device runtime
 * whose writes take their bytes as late as they may. */
#include <stdlib.h>
#include <string.h>

#include <tactus/runtime/device_dense.h>
#include <tactus/scheduler/scheduler.h>

#include "runtime/device/queue.h"
#include "tests/support/fake_backend.h"
#include "tests/unit/suite.h"

enum { BYTES = 1000 };

struct scene {
  struct tac_scheduler *scheduler;
  struct tac_device *device;
  struct tac_queue *queue;
  struct tac_error error;
};

#define EXPECT_OK(scene, call) ck_assert_msg((call) == TAC_STATUS_OK, "%s: %s", (scene)->error.where, (scene)->error.text)

static void open_scene(struct scene *scene, int streams) {
  fake_reset();
  fake_state.writes_late = 1;
  struct tac_scheduler_options options;
  tac_scheduler_options_init(&options);
  options.table = &fake_executor;
  options.executor_options.lanes = 1;
  options.executor_options.streams = streams;
  EXPECT_OK(scene, tac_scheduler_create(&scene->scheduler, &options, &scene->error));
  scene->device = tac_scheduler_device(scene->scheduler);
  scene->queue = tac_scheduler_queue(scene->scheduler);
}

static void close_scene(struct scene *scene) {
  tac_scheduler_destroy(&scene->scheduler);
  ck_assert_int_eq(atomic_load(&fake_state.live), 0);
}

static int finishes(void) {
  return atomic_load(&fake_state.calls[FAKE_FINISH]);
}

START_TEST(what_was_sent_is_waited_for_once) {
  struct scene scene;
  struct tac_device_memory *memory;
  struct tac_sent sent = {0};
  unsigned char bytes[BYTES], out[BYTES];
  open_scene(&scene, 0);
  EXPECT_OK(&scene, tac_device_memory_take(&memory, scene.device, BYTES, &scene.error));
  EXPECT_OK(&scene, tac_sent_settle(&sent, "test", &scene.error));
  ck_assert_int_eq(finishes(), 0); /* nothing was sent */
  memset(bytes, 1, BYTES);
  EXPECT_OK(&scene, tac_queue_send(scene.queue, memory, 0, bytes, BYTES, &sent, &scene.error));
  EXPECT_OK(&scene, tac_sent_settle(&sent, "test", &scene.error));
  EXPECT_OK(&scene, tac_sent_settle(&sent, "test", &scene.error));
  ck_assert_int_eq(finishes(), 1);
  memset(bytes, 2, BYTES);
  EXPECT_OK(&scene, tac_queue_read(scene.queue, memory, 0, out, BYTES, &scene.error));
  ck_assert_int_eq(out[BYTES - 1], 1);
  EXPECT_OK(&scene, tac_queue_send(scene.queue, memory, 0, bytes, BYTES, &sent, &scene.error));
  EXPECT_OK(&scene, tac_queue_read(scene.queue, memory, 0, out, BYTES, &scene.error)); /* waits for it */
  EXPECT_OK(&scene, tac_sent_settle(&sent, "test", &scene.error));
  ck_assert_int_eq(finishes(), 1);
  ck_assert_int_eq(out[BYTES - 1], 2);
  tac_device_memory_give(&memory);
  close_scene(&scene);
}
END_TEST

/* A read waits for its own stream alone. */
START_TEST(another_stream_does_not_count) {
  struct scene scene;
  struct tac_device_memory *memory;
  struct tac_sent sent = {0};
  unsigned char bytes[BYTES] = {0}, out[BYTES];
  open_scene(&scene, 2);
  EXPECT_OK(&scene, tac_device_memory_take(&memory, scene.device, BYTES, &scene.error));
  EXPECT_OK(&scene, tac_queue_send(scene.queue, memory, 0, bytes, BYTES, &sent, &scene.error));
  tac_queue_rotate(scene.queue);
  EXPECT_OK(&scene, tac_queue_read(scene.queue, memory, 0, out, BYTES, &scene.error));
  ck_assert_int_eq(finishes(), 0);
  EXPECT_OK(&scene, tac_sent_settle(&sent, "test", &scene.error));
  ck_assert_int_eq(finishes(), 2);
  tac_device_memory_give(&memory);
  close_scene(&scene);
}
END_TEST

/* What is unmapped comes back to the device, whatever becomes of the block after. */
START_TEST(mappings_arrive) {
  struct scene scene;
  struct tac_device_memory *memory;
  void *mapped;
  unsigned char out[BYTES];
  open_scene(&scene, 0);
  EXPECT_OK(&scene, tac_device_memory_take(&memory, scene.device, BYTES, &scene.error));
  for (int round = 0; round < 3; round++) { /* the same place, then another that needs more memory on the host */
    const size_t bytes = round < 2 ? BYTES / 4 : 3 * BYTES / 4;
    EXPECT_OK(&scene,
              tac_queue_map(scene.queue, memory, round < 2 ? 0 : BYTES / 4, bytes, TAC_MAP_WRITE, &mapped, &scene.error));
    memset(mapped, round + 1, bytes);
    EXPECT_OK(&scene, tac_queue_unmap(scene.queue, memory, &scene.error));
  }
  EXPECT_OK(&scene, tac_queue_read(scene.queue, memory, 0, out, BYTES, &scene.error));
  ck_assert_int_eq(out[0], 2);
  ck_assert_int_eq(out[BYTES / 4 - 1], 2);
  ck_assert_int_eq(out[BYTES / 4], 3);
  ck_assert_int_eq(out[BYTES - 1], 3);
  EXPECT_OK(&scene, tac_queue_map(scene.queue, memory, 0, BYTES, TAC_MAP_WRITE, &mapped, &scene.error));
  memset(mapped, 9, BYTES);
  EXPECT_OK(&scene, tac_queue_unmap(scene.queue, memory, &scene.error));
  tac_device_memory_give(&memory);
  EXPECT_OK(&scene, tac_device_memory_take(&memory, scene.device, BYTES, &scene.error)); /* the same block */
  EXPECT_OK(&scene, tac_queue_read(scene.queue, memory, 0, out, BYTES, &scene.error));
  ck_assert_int_eq(out[BYTES - 1], 9);
  tac_device_memory_give(&memory);
  close_scene(&scene);
}
END_TEST

static const struct tac_device_product product = {
    .m = 3, .n = 3, .k = 3, .op_a = 'N', .op_b = 'N', .lda = 3, .ldb = 3, .ldc = 3};
static const struct tac_device_svd_problem problem = {.m = 3, .n = 3, .lda = 3, .ldu = 3, .ldv = 3};
static const struct tac_device_block block = {.m = 3, .n = 3, .ld = 3, .terms = 1};
static const struct tac_device_term term = {.factor = 1, .ld = 3, .op = 'N'};

enum { FEW = 1, MANY = 64 };

/* Descriptors of plans that are made anew, or destroyed, at once: in place and with more room. */
START_TEST(plans_wait_for_their_descriptors) {
  struct scene scene;
  struct tac_device_gemm *gemm;
  struct tac_device_svd *svd;
  struct tac_device_blocks *blocks;
  struct tac_device_product products[MANY];
  struct tac_device_svd_problem problems[MANY];
  struct tac_device_block sums[MANY];
  for (int i = 0; i < MANY; i++) {
    products[i] = product;
    problems[i] = problem;
    sums[i] = block;
  }
  open_scene(&scene, 0);
  EXPECT_OK(&scene, tac_device_gemm_create(&gemm, scene.device, TAC_DEVICE_REAL64, &scene.error));
  EXPECT_OK(&scene, tac_device_svd_create(&svd, scene.device, TAC_DEVICE_REAL64, &scene.error));
  EXPECT_OK(&scene, tac_device_blocks_create(&blocks, scene.device, TAC_DEVICE_REAL64, &scene.error));
  const size_t counts[] = {FEW, FEW, FEW, MANY};
  for (int i = 0; i < 4; i++) {
    EXPECT_OK(&scene, tac_device_gemm_plan(gemm, scene.queue, products, counts[i], &scene.error));
    ck_assert_int_eq(finishes(), i);
    EXPECT_OK(&scene, tac_device_svd_plan(svd, scene.queue, problems, counts[i], &scene.error));
    EXPECT_OK(&scene, tac_device_blocks_plan(blocks, scene.queue, sums, counts[i], &term, 1, &scene.error));
    if (i == 0)
      EXPECT_OK(&scene, tac_queue_finish(scene.queue, "test", &scene.error));
  }
  tac_device_gemm_destroy(&gemm);
  ck_assert_int_eq(finishes(), 4);
  tac_device_svd_destroy(&svd);
  tac_device_blocks_destroy(&blocks);
  close_scene(&scene);
}
END_TEST

/* Tables that plans share: one write for those made since the last; the begin after next waits for it, unless somebody has. */
START_TEST(plans_that_share_are_sent_together) {
  enum { PLANS = 3 };
  struct scene scene;
  struct tac_device_tables *tables;
  struct tac_device_blocks *blocks[PLANS];
  struct tac_device_memory *memory;
  open_scene(&scene, 0);
  EXPECT_OK(&scene, tac_device_memory_take(&memory, scene.device, BYTES, &scene.error));
  const struct tac_device_array at = {memory, 0};
  EXPECT_OK(&scene, tac_device_tables_create(&tables, scene.device, &scene.error));
  for (int p = 0; p < PLANS; p++) {
    EXPECT_OK(&scene, tac_device_blocks_create(&blocks[p], scene.device, TAC_DEVICE_REAL64, &scene.error));
    tac_device_blocks_share(blocks[p], tables);
  }
  enum { ROUNDS = 5 };
  static const int waits[ROUNDS] = {0, 1, 1, 2, 2}; /* the first round's end waits, then the fourth begin for the second's */
  int writes = 0;
  for (int round = 0; round < ROUNDS; round++) {
    EXPECT_OK(&scene, tac_device_tables_begin(tables, &scene.error));
    ck_assert_int_eq(finishes(), waits[round]);
    for (int p = 0; p < 2; p++)
      EXPECT_OK(&scene, tac_device_blocks_plan(blocks[p], scene.queue, &block, 1, &term, 1, &scene.error));
    ck_assert_int_eq(atomic_load(&fake_state.calls[FAKE_WRITE]), writes);
    EXPECT_OK(&scene, tac_device_blocks_run(blocks[1], scene.queue, at, at, at, &scene.error));
    EXPECT_OK(&scene, tac_device_blocks_run(blocks[0], scene.queue, at, at, at, &scene.error));
    ck_assert_int_eq(atomic_load(&fake_state.calls[FAKE_WRITE]), ++writes);
    EXPECT_OK(&scene, tac_device_blocks_plan(blocks[2], scene.queue, &block, 1, &term, 1, &scene.error));
    EXPECT_OK(&scene, tac_device_blocks_run(blocks[2], scene.queue, at, at, at, &scene.error));
    ck_assert_int_eq(atomic_load(&fake_state.calls[FAKE_WRITE]), ++writes);
    if (round == 0)
      EXPECT_OK(&scene, tac_queue_finish(scene.queue, "test", &scene.error));
  }
  for (int p = 0; p < PLANS; p++)
    tac_device_blocks_destroy(&blocks[p]);
  tac_device_tables_destroy(&tables);
  ck_assert_int_eq(finishes(), waits[ROUNDS - 1] + 1);
  tac_device_memory_give(&memory);
  close_scene(&scene);
}
END_TEST

/* A vendor's library, of which only this counts: its plans are sent from memory of their own, which is gone with them. */
struct vendor_plan {
  void *block;
  unsigned char bytes[64];
};
static int plans_early;                  /* released before what they sent had arrived */
static int copies_told, plans_left = -1; /* that may be made; below 0: any number */

static int supports(enum tac_device_scalar scalar) {
  return scalar == TAC_DEVICE_REAL64;
}

static enum tac_status make_plan(void *context, void *stream, void **out, const struct tac_backend_watcher *watcher,
                                 struct tac_error *error) {
  if (plans_left == 0)
    return tac_error_set(error, TAC_STATUS_MEMORY, "vendor", "no more plans");
  plans_left -= plans_left > 0;
  struct vendor_plan *plan = calloc(1, sizeof *plan);
  enum tac_status status = fake_backend.allocate(context, sizeof plan->bytes, &plan->block, error);
  memset(plan->bytes, 5, sizeof plan->bytes);
  if (!status)
    status = fake_backend.write(context, stream, plan->block, 0, plan->bytes, sizeof plan->bytes, NULL, error);
  if (!status)
    tac_backend_copied(watcher, TAC_COPY_TO_DEVICE, sizeof plan->bytes);
  *out = plan;
  return status;
}

static enum tac_status plan_products(void *context, void *stream, enum tac_device_scalar scalar,
                                     const struct tac_device_product *products, size_t count, void **plan,
                                     const struct tac_backend_watcher *watcher, struct tac_error *error) {
  (void)scalar, (void)products, (void)count;
  return make_plan(context, stream, plan, watcher, error);
}

static enum tac_status plan_problems(void *context, void *stream, enum tac_device_scalar scalar,
                                     const struct tac_device_svd_problem *problems, size_t count, void **plan,
                                     const struct tac_backend_watcher *watcher, struct tac_error *error) {
  (void)scalar, (void)problems, (void)count;
  return make_plan(context, stream, plan, watcher, error);
}

static void release_plan(void *context, void *released) {
  struct vendor_plan *plan = released;
  unsigned char there[sizeof plan->bytes];
  void *copy = NULL;
  ck_assert_int_eq(fake_backend.allocate(context, sizeof there, &copy, NULL), TAC_STATUS_OK);
  fake_backend.copy(context, NULL, copy, 0, plan->block, 0, sizeof there, NULL, NULL); /* as it is: a read waits */
  fake_backend.read(context, NULL, copy, 0, there, sizeof there, NULL, NULL);
  plans_early += memcmp(there, plan->bytes, sizeof there) != 0;
  fake_backend.release(context, copy);
  fake_backend.release(context, plan->block);
  free(plan);
}

static const struct tac_backend_dense vendor = {.gemm_supports = supports,
                                                .gemm_plan = plan_products,
                                                .gemm_release = release_plan,
                                                .svd_supports = supports,
                                                .svd_plan = plan_problems,
                                                .svd_release = release_plan};

static void ignore_begin(void *context, int lane, const char *label, uint64_t *handle) {
  (void)context, (void)lane, (void)label;
  *handle = 0;
}

static void ignore_end(void *context, int lane, uint64_t handle) {
  (void)context, (void)lane, (void)handle;
}

static void count_copy(void *context, int lane, enum tac_copy_direction direction, uint64_t bytes) {
  (void)context;
  ck_assert_int_eq(lane, 3);
  copies_told += direction == TAC_COPY_TO_DEVICE && bytes == sizeof((struct vendor_plan *)NULL)->bytes;
}

static const struct tac_device_observer copy_counter = {ignore_begin, ignore_end, ignore_begin, ignore_end, count_copy};

/* What they send is told of, where somebody asks. */
static void check_plans_of_a_library(const struct tac_device_observer *observer) {
  struct tac_device *device;
  struct tac_queue *queue;
  struct tac_device_gemm *gemm;
  struct tac_device_svd *svd;
  struct scene scene;
  struct tac_backend backend = fake_backend;
  const struct tac_device_options options = {.blas_handles = 1, .solver_handles = 1, .observer = observer};
  backend.dense = &vendor;
  fake_reset();
  fake_state.writes_late = 1;
  plans_early = copies_told = 0;
  EXPECT_OK(&scene, tac_device_open(&device, &backend, &options, &scene.error));
  EXPECT_OK(&scene, tac_queue_open(&queue, device, 3, 1, &scene.error));
  EXPECT_OK(&scene, tac_device_gemm_create(&gemm, device, TAC_DEVICE_REAL64, &scene.error));
  EXPECT_OK(&scene, tac_device_svd_create(&svd, device, TAC_DEVICE_REAL64, &scene.error));
  for (int i = 0; i < 3; i++) {
    EXPECT_OK(&scene, tac_device_gemm_plan(gemm, queue, &product, 1, &scene.error));
    EXPECT_OK(&scene, tac_device_svd_plan(svd, queue, &problem, 1, &scene.error));
  }
  tac_device_gemm_destroy(&gemm);
  EXPECT_OK(&scene, tac_device_svd_plan(svd, queue, &problem, 1, &scene.error));
  tac_device_svd_destroy(&svd);
  ck_assert_int_eq(plans_early, 0);
  ck_assert_int_eq(copies_told, observer ? 7 : 0);
  tac_queue_close(&queue);
  tac_device_close(&device);
  ck_assert_int_eq(atomic_load(&fake_state.live), 0);
}

/* Products that continue others are a second plan: when it is not made the first one has been sent, and goes. */
START_TEST(a_second_plan_that_fails_leaves_none) {
  struct scene scene;
  struct tac_device *device;
  struct tac_queue *queue;
  struct tac_device_gemm *gemm;
  struct tac_backend backend = fake_backend;
  const struct tac_device_options options = {.blas_handles = 1, .solver_handles = 1};
  struct tac_device_product pair[] = {product, product};
  pair[1].continues = 1;
  backend.dense = &vendor;
  fake_reset();
  fake_state.writes_late = 1;
  plans_early = 0;
  EXPECT_OK(&scene, tac_device_open(&device, &backend, &options, &scene.error));
  EXPECT_OK(&scene, tac_queue_open(&queue, device, 0, 1, &scene.error));
  EXPECT_OK(&scene, tac_device_gemm_create(&gemm, device, TAC_DEVICE_REAL64, &scene.error));
  for (plans_left = 0; plans_left < 2; plans_left++) {
    const int made = plans_left;
    ck_assert_int_eq(tac_device_gemm_plan(gemm, queue, pair, 2, &scene.error), TAC_STATUS_MEMORY);
    ck_assert_int_eq(plans_early, 0);
    plans_left = made;
  }
  plans_left = -1;
  EXPECT_OK(&scene, tac_device_gemm_plan(gemm, queue, pair, 2, &scene.error));
  tac_device_gemm_destroy(&gemm);
  ck_assert_int_eq(plans_early, 0);
  tac_queue_close(&queue);
  tac_device_close(&device);
  ck_assert_int_eq(atomic_load(&fake_state.live), 0);
}
END_TEST

START_TEST(plans_of_a_library_are_waited_for) {
  check_plans_of_a_library(NULL);
  check_plans_of_a_library(&copy_counter);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      what_was_sent_is_waited_for_once,    another_stream_does_not_count,      mappings_arrive,
      plans_wait_for_their_descriptors,    plans_that_share_are_sent_together, plans_of_a_library_are_waited_for,
      a_second_plan_that_fails_leaves_none};
  return RUN_SUITE("device_sent", tests);
}
