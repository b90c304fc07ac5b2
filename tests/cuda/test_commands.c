/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Memory, programs, streams and times. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/cuda/scene.h"
#include "tests/unit/suite.h"

#define COUNT 1000

extern const char tac_kernel_source_cuda_names[]; /* the module's own copy of names.h */

static const char add_source[] = "TAC_KERNEL(add)(TAC_GLOBAL tac_i32 *x, tac_i32 what, tac_u64 n) {\n"
                                 "  const size_t i = TAC_GROUP(0) * TAC_ITEMS(0) + TAC_ITEM(0);\n"
                                 "  if (i < n)\n"
                                 "    x[i] += what;\n"
                                 "}\n";

struct kernel {
  void *program, *kernel;
};

static enum tac_status try_build(struct scene *scene, const char *source, void **program, char **log) {
  const size_t room = strlen(tac_kernel_source_cuda_names) + strlen(source) + 1;
  char *text = malloc(room);
  snprintf(text, room, "%s%s", tac_kernel_source_cuda_names, source);
  const enum tac_status status =
      scene->backend->build(scene->context, "test", text, "-DTAC_REAL=double -DUNUSED=1", program, log, &scene->error);
  free(text);
  return status;
}

static struct kernel build_add(struct scene *scene) {
  struct kernel built;
  scene_expect_ok(scene, try_build(scene, add_source, &built.program, NULL));
  scene_expect_ok(scene, scene->backend->kernel(scene->context, built.program, "add", &built.kernel, &scene->error));
  return built;
}

static void release(struct scene *scene, const struct kernel *built) {
  scene->backend->release_kernel(scene->context, built->kernel);
  scene->backend->release_program(scene->context, built->program);
}

static enum tac_status add(struct scene *scene, void *stream, const struct kernel *built, void *block, int what,
                           struct tac_backend_event **event) {
  const int32_t value = what;
  const uint64_t n = COUNT;
  const struct tac_backend_argument arguments[] = {{block, NULL, 0}, {NULL, &value, sizeof(value)}, {NULL, &n, sizeof(n)}};
  const size_t groups[3] = {(COUNT + 63) / 64, 1, 1}, items[3] = {64, 1, 1};
  return scene->backend->launch(scene->context, stream, built->kernel, groups, items, arguments, 3, event, &scene->error);
}

START_TEST(commands_run_in_order) {
  struct scene scene;
  scene_open(&scene, 0, 0, 1);
  static int32_t in[COUNT], out[COUNT];
  for (int k = 0; k < COUNT; k++)
    in[k] = k;
  const struct kernel built = build_add(&scene);
  void *a = scene_send(&scene, in, sizeof(in)), *b = scene_allocate(&scene, sizeof(in));
  scene_expect_ok(&scene, add(&scene, scene.stream, &built, a, 5, NULL));
  scene_expect_ok(&scene, scene.backend->copy(scene.context, scene.stream, b, 40, a, 80, 400, NULL, &scene.error));
  scene_expect_ok(&scene, scene.backend->clear(scene.context, scene.stream, b, 0, 40, NULL, &scene.error));
  scene_receive(&scene, out, b, 440);
  for (int k = 0; k < 110; k++)
    ck_assert_int_eq(out[k], k < 10 ? 0 : k - 10 + 20 + 5);
  scene.backend->release(scene.context, a);
  scene.backend->release(scene.context, b);
  release(&scene, &built);
  scene_close(&scene);
}
END_TEST

/* The emulation's streams are lazy: without the wait the copy takes what was there before. */
START_TEST(a_stream_waits_for_another) {
  struct scene scene;
  scene_open(&scene, 0, 0, 1);
  static int32_t in[COUNT], out[COUNT];
  const struct kernel built = build_add(&scene);
  void *other, *a = scene_send(&scene, in, sizeof(in)), *b = scene_allocate(&scene, sizeof(in));
  scene_expect_ok(&scene, scene.backend->open_stream(scene.context, &other, &scene.error));
  for (int turn = 0; turn < 2; turn++) {
    scene_expect_ok(&scene, add(&scene, scene.stream, &built, a, 1, NULL));
    if (turn == 1)
      scene_expect_ok(&scene, scene.backend->wait(scene.context, other, scene.stream, &scene.error));
    scene_expect_ok(&scene, scene.backend->copy(scene.context, other, b, 0, a, 0, sizeof(in), NULL, &scene.error));
    scene_expect_ok(&scene, scene.backend->read(scene.context, other, b, 0, out, sizeof(out), NULL, &scene.error));
    ck_assert_int_eq(out[COUNT - 1], turn == 0 ? 0 : 2);
  }
  scene.backend->close_stream(scene.context, other);
  scene.backend->release(scene.context, a);
  scene.backend->release(scene.context, b);
  release(&scene, &built);
  scene_close(&scene);
}
END_TEST

static void *use_device(void *given) {
  struct scene *scene = given;
  static int32_t in[COUNT], out[COUNT];
  const struct kernel built = build_add(scene);
  void *a = scene_send(scene, in, sizeof(in));
  scene_expect_ok(scene, add(scene, scene->stream, &built, a, 9, NULL));
  scene_receive(scene, out, a, sizeof(out));
  scene->backend->release(scene->context, a);
  release(scene, &built);
  return out[0] == 9 ? scene : NULL;
}

START_TEST(threads_use_the_device_that_was_opened) {
  struct scene scene;
  scene_open(&scene, 1, 1, 1);
  pthread_t thread;
  void *result;
  ck_assert_int_eq(pthread_create(&thread, NULL, use_device, &scene), 0);
  ck_assert_int_eq(pthread_join(thread, &result), 0);
  ck_assert_ptr_eq(result, &scene);
  scene_close(&scene);
}
END_TEST

START_TEST(memory_that_does_not_fit_is_refused) {
  struct scene scene;
  scene_open(&scene, 0, 0, 1);
  void *block = NULL;
  const size_t bytes = (size_t)4 << 30;
  enum tac_status status = scene.backend->allocate(scene.context, bytes, &block, &scene.error);
  scene_expect_error(&scene, status, TAC_STATUS_MEMORY, "cudaMalloc: cudaErrorMemoryAllocation: no room for 4294967296 bytes");
  ck_assert_int_eq(scene.error.native_code, cudaErrorMemoryAllocation);
  fake_fail("cudaMalloc", 1, cudaErrorMemoryAllocation, false);
  scene.backend->release(scene.context, scene_allocate(&scene, 8)); /* asks twice */
  fake_fail("cudaMalloc", 1, cudaErrorLaunchFailure, false);
  status = scene.backend->allocate(scene.context, 8, &block, &scene.error);
  scene_expect_error(&scene, status, TAC_STATUS_DEVICE, "cudaMalloc: cudaErrorLaunchFailure");
  scene_close(&scene);
}
END_TEST

START_TEST(what_does_not_compile_says_why) {
  struct scene scene;
  scene_open(&scene, 0, 0, 1);
  void *program = NULL, *kernel = NULL;
  char *log = NULL;
  enum tac_status status = try_build(&scene, "TAC_KERNEL(bad)(tac_i32 x) { nonsense; }\n", &program, &log);
  scene_expect_error(&scene, status, TAC_STATUS_INVALID, "test does not compile:");
  ck_assert_ptr_nonnull(strstr(scene.error.text, "nonsense"));
  ck_assert_ptr_nonnull(strstr(log, "nonsense"));
  free(log);
  const struct kernel built = build_add(&scene);
  status = scene.backend->kernel(scene.context, built.program, "subtract", &kernel, &scene.error);
  scene_expect_error(&scene, status, TAC_STATUS_INVALID, "no kernel subtract");
  release(&scene, &built);
  scene_close(&scene);
}
END_TEST

/* More than a pipe holds. */
START_TEST(a_long_log_is_no_obstacle) {
  static char source[16 * 1024];
  struct scene scene;
  void *program = NULL;
  char *log = NULL;
  size_t used = (size_t)snprintf(source, sizeof(source), "TAC_KERNEL(bad)(tac_i32 x) {\n");
  for (int k = 0; k < 1000; k++)
    used += (size_t)snprintf(source + used, sizeof(source) - used, "bad%d;\n", k);
  snprintf(source + used, sizeof(source) - used, "}\n");
  scene_open(&scene, 0, 0, 1);
  const enum tac_status status = try_build(&scene, source, &program, &log);
  scene_expect_error(&scene, status, TAC_STATUS_INVALID, "test does not compile:");
  ck_assert_ptr_nonnull(strstr(log, "bad0"));
  free(log);
  scene_close(&scene);
}
END_TEST

START_TEST(an_old_compiler_gives_what_the_driver_translates) {
  static const int old[] = {75, 80}, newer[] = {100};
  struct scene scene;
  scene_open(&scene, 0, 0, 1); /* compute capability 9.0 */
  fake_set_architectures(old, 2);
  const int before = fake_calls("nvrtcGetPTXSize");
  const struct kernel built = build_add(&scene);
  ck_assert_int_eq(fake_calls("nvrtcGetPTXSize"), before + 1);
  release(&scene, &built);
  fake_set_architectures(newer, 1);
  void *program;
  const enum tac_status status = try_build(&scene, add_source, &program, NULL);
  scene_expect_error(&scene, status, TAC_STATUS_UNAVAILABLE, "compute capability 9.0");
  scene_close(&scene);
}
END_TEST

START_TEST(launches_that_no_device_takes_are_refused) {
  struct scene scene;
  scene_open(&scene, 0, 0, 1);
  const struct kernel built = build_add(&scene);
  static const size_t shapes[][6] = {{(size_t)1 << 31, 1, 1, 1, 1, 1},
                                     {1, 65536, 1, 1, 1, 1},
                                     {1, 1, 65536, 1, 1, 1},
                                     {1, 1, 1, 1025, 1, 1},
                                     {1, 1, 1, 1, 1, 65}};
  for (size_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++)
    scene_expect_error(
        &scene,
        scene.backend->launch(scene.context, scene.stream, built.kernel, shapes[k], &shapes[k][3], NULL, 0, NULL, &scene.error),
        TAC_STATUS_INVALID, k < 3 ? "a grid has at most" : "a group has at most");
  static const size_t one[3] = {1, 1, 1}, too_many[3] = {1024, 2, 1};
  static const uint64_t zeros[2] = {0, 0};
  const struct tac_backend_argument none[] = {{NULL, zeros, 8}, {NULL, zeros, 4}, {NULL, zeros, 8}};
  scene_expect_error(
      &scene, scene.backend->launch(scene.context, scene.stream, built.kernel, one, too_many, none, 3, NULL, &scene.error),
      TAC_STATUS_INVALID, "cudaLaunchKernel: cudaErrorInvalidConfiguration");
  release(&scene, &built);
  scene_close(&scene);
}
END_TEST

START_TEST(arguments_that_the_kernel_does_not_take_are_refused) {
  struct scene scene;
  scene_open(&scene, 0, 0, 1);
  const struct kernel built = build_add(&scene);
  static const size_t one[3] = {1, 1, 1};
  static const uint64_t zeros[4] = {0, 0, 0, 0};
  struct tac_backend_argument arguments[] = {{NULL, zeros, 8}, {NULL, zeros, 4}, {NULL, zeros, 8}, {NULL, zeros, 8}};
  for (size_t count = 0; count <= 4; count++)
    if (count != 3)
      scene_expect_error(
          &scene,
          scene.backend->launch(scene.context, scene.stream, built.kernel, one, one, arguments, count, NULL, &scene.error),
          TAC_STATUS_INVALID, "arguments for a kernel of 3");
  for (size_t k = 0; k < 3; k++) {
    const size_t right = arguments[k].bytes;
    arguments[k].bytes = right + 8;
    scene_expect_error(
        &scene, scene.backend->launch(scene.context, scene.stream, built.kernel, one, one, arguments, 3, NULL, &scene.error),
        TAC_STATUS_INVALID, "bytes, and the kernel's has");
    arguments[k].bytes = right;
  }
  release(&scene, &built);
  scene_close(&scene);
}
END_TEST

START_TEST(a_kernel_that_is_found_leaves_the_error_alone) {
  struct scene scene;
  scene_open(&scene, 0, 0, 1);
  tac_error_set(&scene.error, TAC_STATUS_IO, "before", "as it was");
  const struct kernel built = build_add(&scene);
  ck_assert_int_eq(scene.error.status, TAC_STATUS_IO);
  ck_assert_str_eq(scene.error.text, "as it was");
  release(&scene, &built);
  scene_close(&scene);
}
END_TEST

/* It still takes what is right. */
START_TEST(an_old_driver_does_not_tell_of_arguments) {
  struct scene scene;
  static int32_t in[COUNT], out[COUNT];
  static const size_t one[3] = {1, 1, 1};
  scene_open(&scene, 0, 0, 1);
  fake_fail("cudaFuncGetParamInfo", 1, cudaErrorCallRequiresNewerDriver, false);
  const struct kernel built = build_add(&scene);
  void *a = scene_send(&scene, in, sizeof(in));
  scene_expect_ok(&scene, add(&scene, scene.stream, &built, a, 3, NULL));
  scene_receive(&scene, out, a, sizeof(out));
  ck_assert_int_eq(out[COUNT - 1], 3);
  const struct tac_backend_argument many[TAC_LAUNCH_ARGUMENTS_MAX + 1] = {{NULL, in, 4}};
  scene_expect_error(&scene,
                     scene.backend->launch(scene.context, scene.stream, built.kernel, one, one, many,
                                           TAC_LAUNCH_ARGUMENTS_MAX + 1, NULL, &scene.error),
                     TAC_STATUS_INVALID, "25 arguments: at most 24");
  scene.backend->release(scene.context, a);
  release(&scene, &built);
  scene_close(&scene);
}
END_TEST

/* Here its end cannot be recorded: the copy is on its way, and the caller may take the memory away. */
START_TEST(a_read_that_failed_writes_nothing_later) {
  struct scene scene;
  struct tac_backend_event *event = NULL;
  int32_t number = 1;
  scene_open(&scene, 0, 1, 1);
  void *a = scene_send(&scene, &number, sizeof(number));
  fake_fail("cudaEventRecord", 2, cudaErrorLaunchFailure, false);
  const enum tac_status status =
      scene.backend->read(scene.context, scene.stream, a, 0, &number, sizeof(number), &event, &scene.error);
  scene_expect_error(&scene, status, TAC_STATUS_DEVICE, "cudaEventRecord: cudaErrorLaunchFailure");
  ck_assert_ptr_null(event);
  number = 2;
  scene_expect_ok(&scene, scene.backend->finish(scene.context, scene.stream, &scene.error));
  ck_assert_int_eq(number, 2);
  scene.backend->release(scene.context, a);
  scene_close(&scene);
}
END_TEST

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The emulated device's clock is hours ahead and runs fast; here the module renews its base at every finish, so what is asked
 * for late is placed by an old base. Placed by a wrong one, both ends would be cut to the same bound. */
START_TEST(times_are_on_the_hosts_clock) {
  struct scene scene;
  scene_open(&scene, 0, 1, 1);
  static int32_t in[COUNT];
  const struct kernel built = build_add(&scene);
  void *a = scene_send(&scene, in, sizeof(in));
  struct tac_backend_event *events[4] = {NULL};
  int64_t before[4], start[4], finish[4];
  for (int k = 0; k < 4; k++) {
    before[k] = now_ns();
    scene_expect_ok(&scene, add(&scene, scene.stream, &built, a, 1, &events[k]));
    ck_assert_ptr_nonnull(events[k]);
    if (k != 1) /* two commands before one finish */
      scene_expect_ok(&scene, scene.backend->finish(scene.context, scene.stream, &scene.error));
  }
  for (int k = 0; k < 4; k++) {
    scene_expect_ok(&scene, scene.backend->times(scene.context, events[k], &start[k], &finish[k], &scene.error));
    ck_assert_int_ge(start[k], before[k]);
    ck_assert_int_gt(finish[k], start[k]);
    ck_assert_int_le(finish[k], now_ns());
  }
  ck_assert_int_ge(start[2], finish[1]); /* by one base */
  scene_expect_ok(&scene, add(&scene, scene.stream, &built, a, 1, &events[0]));
  scene.backend->discard(scene.context, events[0]);
  scene.backend->release(scene.context, a);
  release(&scene, &built);
  scene_close(&scene);
}
END_TEST

START_TEST(without_timing_no_event_has_a_time) {
  struct scene scene;
  const int before = fake_calls("cudaEventCreate");
  scene_open(&scene, 0, 0, 1);
  static int32_t in[COUNT];
  const struct kernel built = build_add(&scene);
  void *a = scene_send(&scene, in, sizeof(in));
  scene_expect_ok(&scene, add(&scene, scene.stream, &built, a, 1, NULL));
  scene_expect_ok(&scene, scene.backend->finish(scene.context, scene.stream, &scene.error));
  ck_assert_int_eq(fake_calls("cudaEventCreate"), before);
  ck_assert_int_eq(fake_calls("cudaEventRecord"), 0);
  scene.backend->release(scene.context, a);
  release(&scene, &built);
  scene_close(&scene);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {commands_run_in_order,
                                a_stream_waits_for_another,
                                threads_use_the_device_that_was_opened,
                                memory_that_does_not_fit_is_refused,
                                what_does_not_compile_says_why,
                                a_long_log_is_no_obstacle,
                                an_old_compiler_gives_what_the_driver_translates,
                                launches_that_no_device_takes_are_refused,
                                arguments_that_the_kernel_does_not_take_are_refused,
                                a_kernel_that_is_found_leaves_the_error_alone,
                                an_old_driver_does_not_tell_of_arguments,
                                a_read_that_failed_writes_nothing_later,
                                times_are_on_the_hosts_clock,
                                without_timing_no_event_has_a_time};
  return RUN_SUITE("commands", tests);
}
