/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Every call of the CUDA libraries fails once, and the device is lost at every call: each time the story of a device ends in an
 * error that names the call, and nothing is left. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cublas_v2.h>
#include <cusolverDn.h>
#include <nvrtc.h>

#include "tests/cuda/scene.h"
#include "tests/unit/suite.h"

#define CALLS_MOST 12 /* of one function */
#define N          40

static const char *const functions[] = {"cudaGetDeviceCount",
                                        "cudaSetDevice",
                                        "cudaDeviceGetAttribute",
                                        "cudaMalloc",
                                        "cudaFree",
                                        "cudaStreamCreateWithFlags",
                                        "cudaStreamDestroy",
                                        "cudaStreamSynchronize",
                                        "cudaStreamWaitEvent",
                                        "cudaEventCreate",
                                        "cudaEventCreateWithFlags",
                                        "cudaEventDestroy",
                                        "cudaEventRecord",
                                        "cudaEventSynchronize",
                                        "cudaEventElapsedTime",
                                        "cudaMemcpyAsync",
                                        "cudaMemsetAsync",
                                        "cudaMemset2DAsync",
                                        "cudaLibraryLoadData",
                                        "cudaLibraryUnload",
                                        "cudaLibraryGetKernel",
                                        "cudaFuncGetParamInfo",
                                        "cudaLaunchKernel",
                                        "nvrtcGetNumSupportedArchs",
                                        "nvrtcCreateProgram",
                                        "nvrtcCompileProgram",
                                        "nvrtcGetCUBINSize",
                                        "cublasCreate",
                                        "cublasSetStream",
                                        "cublasSetWorkspace",
                                        "cublasDgemmStridedBatched",
                                        "cublasDgemmGroupedBatched",
                                        "cusolverDnCreate",
                                        "cusolverDnCreateGesvdjInfo",
                                        "cusolverDnSetStream",
                                        "cusolverDnDgesvdjBatched_bufferSize",
                                        "cusolverDnDgesvdj_bufferSize",
                                        "cusolverDnXgesvdp_bufferSize",
                                        "cusolverDnDgesvdjBatched",
                                        "cusolverDnXgesvdp",
                                        "cusolverDnDgesvdj"};
#define FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

static int code_of(const char *function) {
  return strncmp(function, "cublas", 6) == 0     ? CUBLAS_STATUS_EXECUTION_FAILED
         : strncmp(function, "cusolver", 8) == 0 ? CUSOLVER_STATUS_EXECUTION_FAILED
         : strncmp(function, "nvrtc", 5) == 0    ? NVRTC_ERROR_INTERNAL_ERROR
                                                 : cudaErrorLaunchFailure;
}

/* What a story uses; NULL: not made. */
struct story {
  const struct tac_backend *backend;
  void *context, *stream, *other, *program, *kernel, *block, *info, *gemm, *svd;
  struct tac_error error;
};

static const char source[] = "TAC_KERNEL(nothing)(TAC_GLOBAL tac_i32 *x) { (void)x; }\n";

static enum tac_status make(struct story *story, const char *kernels) {
  const struct tac_backend *backend = story->backend;
  const struct tac_backend_options options = {.timing = 1, .blas_handles = 1, .solver_handles = 1};
  enum tac_status status = backend->open(&story->context, 0, &options, &story->error);
  if (status == TAC_STATUS_OK)
    status = backend->open_stream(story->context, &story->stream, &story->error);
  if (status == TAC_STATUS_OK)
    status = backend->open_stream(story->context, &story->other, &story->error);
  if (status == TAC_STATUS_OK)
    status = backend->build(story->context, "nothing", kernels, "", &story->program, NULL, &story->error);
  if (status == TAC_STATUS_OK)
    status = backend->kernel(story->context, story->program, "nothing", &story->kernel, &story->error);
  if (status == TAC_STATUS_OK)
    status = backend->allocate(story->context, (size_t)8 * N * N, &story->block, &story->error);
  if (status == TAC_STATUS_OK)
    status = backend->allocate(story->context, 64, &story->info, &story->error);
  return status;
}

static enum tac_status copy_about(struct story *story) {
  const struct tac_backend *backend = story->backend;
  struct tac_backend_event *event = NULL;
  static double values[N * N];
  int64_t start, finish;
  enum tac_status status =
      backend->write(story->context, story->stream, story->block, 0, values, sizeof(values), NULL, &story->error);
  if (status == TAC_STATUS_OK)
    status = backend->wait(story->context, story->other, story->stream, &story->error);
  if (status == TAC_STATUS_OK)
    status = backend->copy(story->context, story->other, story->block, 0, story->block, 800, 80, NULL, &story->error);
  if (status == TAC_STATUS_OK)
    status = backend->clear(story->context, story->other, story->block, 0, 80, &event, &story->error);
  if (status == TAC_STATUS_OK)
    status = backend->finish(story->context, story->other, &story->error);
  if (status == TAC_STATUS_OK)
    status = backend->times(story->context, event, &start, &finish, &story->error);
  else if (event)
    backend->discard(story->context, event);
  event = NULL;
  if (status == TAC_STATUS_OK)
    status = backend->read(story->context, story->stream, story->block, 0, values, sizeof(values), &event, &story->error);
  if (event)
    backend->discard(story->context, event);
  return status;
}

static enum tac_status launch(struct story *story) {
  const struct tac_backend *backend = story->backend;
  struct tac_backend_event *event = NULL;
  const struct tac_backend_argument argument = {story->block, NULL, 0};
  static const size_t one[3] = {1, 1, 1};
  const enum tac_status status =
      backend->launch(story->context, story->stream, story->kernel, one, one, &argument, 1, &event, &story->error);
  if (event)
    backend->discard(story->context, event);
  return status;
}

/* Products of every kind: cleared, in a call of their own, in a group. */
static enum tac_status multiply(struct story *story) {
  static const struct tac_device_product products[] = {
      {.m = 2, .n = 2, .k = 0, .op_a = 'N', .op_b = 'N', .lda = 2, .ldb = 2, .ldc = 2, .c = 100},
      {.m = 2, .n = 3, .k = 4, .op_a = 'N', .op_b = 'N', .lda = 2, .ldb = 4, .ldc = 2, .c = 200},
      {.m = 3, .n = 3, .k = 4, .op_a = 'N', .op_b = 'N', .lda = 3, .ldb = 4, .ldc = 3, .c = 300}};
  const struct tac_backend_dense *dense = story->backend->dense;
  const struct tac_backend_array array = {story->block, 0};
  enum tac_status status = TAC_STATUS_OK;
  for (size_t count = 2; status == TAC_STATUS_OK && count < 4; count++) {
    status =
        dense->gemm_plan(story->context, story->stream, TAC_DEVICE_REAL64, products, count, &story->gemm, NULL, &story->error);
    if (status == TAC_STATUS_OK)
      status = dense->gemm_run(story->context, story->stream, story->gemm, array, array, array, NULL, NULL, &story->error);
    if (status == TAC_STATUS_OK)
      status = story->backend->finish(story->context, story->stream, &story->error);
    if (status == TAC_STATUS_OK) {
      dense->gemm_release(story->context, story->gemm);
      story->gemm = NULL;
    }
  }
  return status;
}

static enum tac_status decompose(struct story *story) {
  static const struct tac_device_svd_problem problems[] = {
      {.m = 3, .n = 2, .lda = 3, .ldu = 3, .ldv = 2},
      {.m = N, .n = 2, .lda = N, .ldu = N, .ldv = 2, .a = 100, .u = 200, .v = 300, .s = 400}};
  const struct tac_backend_dense *dense = story->backend->dense;
  const struct tac_backend_array array = {story->block, 0};
  static double values[N * N];
  for (int k = 0; k < N * N; k++)
    values[k] = (k * 7919) % 101;
  fake_set_shift(1e-3);
  enum tac_status status =
      story->backend->write(story->context, story->stream, story->block, 0, values, sizeof(values), NULL, &story->error);
  if (status == TAC_STATUS_OK)
    status = dense->svd_plan(story->context, story->stream, TAC_DEVICE_REAL64, problems, 2, &story->svd, NULL, &story->error);
  if (status == TAC_STATUS_OK)
    status = dense->svd_run(story->context, story->stream, story->svd, array, array, array, array, story->info, NULL, NULL,
                            &story->error);
  if (status == TAC_STATUS_OK)
    status = story->backend->finish(story->context, story->stream, &story->error);
  return status;
}

static void end(struct story *story) {
  const struct tac_backend *backend = story->backend;
  if (story->stream)
    backend->finish(story->context, story->stream, NULL);
  if (story->gemm)
    backend->dense->gemm_release(story->context, story->gemm);
  if (story->svd)
    backend->dense->svd_release(story->context, story->svd);
  if (story->info)
    backend->release(story->context, story->info);
  if (story->block)
    backend->release(story->context, story->block);
  if (story->kernel)
    backend->release_kernel(story->context, story->kernel);
  if (story->program)
    backend->release_program(story->context, story->program);
  if (story->other)
    backend->close_stream(story->context, story->other);
  if (story->stream)
    backend->close_stream(story->context, story->stream);
  if (story->context)
    backend->close(story->context);
}

/* calls[k] receives how often functions[k] was called before the end began. */
static enum tac_status tell(struct tac_error *error, const char *kernels, int *calls) {
  struct story story = {.backend = &tac_backend_cuda_table};
  enum tac_status status = make(&story, kernels);
  if (status == TAC_STATUS_OK)
    status = copy_about(&story);
  if (status == TAC_STATUS_OK)
    status = launch(&story);
  if (status == TAC_STATUS_OK)
    status = multiply(&story);
  if (status == TAC_STATUS_OK)
    status = decompose(&story);
  for (size_t k = 0; calls && k < FUNCTIONS; k++)
    calls[k] = fake_calls(functions[k]);
  end(&story);
  *error = story.error;
  return status;
}

extern const char tac_kernel_source_cuda_names[];

static char *whole_source(void) {
  const size_t room = strlen(tac_kernel_source_cuda_names) + sizeof(source);
  char *text = malloc(room);
  snprintf(text, room, "%s%s", tac_kernel_source_cuda_names, source);
  return text;
}

/* Releases that fail change nothing that anybody could do better. */
static bool may_be_ignored(const char *function) {
  return strcmp(function, "cudaFree") == 0 || strcmp(function, "cudaEventDestroy") == 0 ||
         strcmp(function, "cudaStreamDestroy") == 0 || strcmp(function, "cudaLibraryUnload") == 0;
}

static void fail_everywhere(bool is_lost) {
  char *kernels = whole_source();
  struct tac_error error = {0};
  int calls[FUNCTIONS];
  ck_assert_msg(tell(&error, kernels, calls) == TAC_STATUS_OK, "%s", error.text);
  ck_assert_int_eq(fake_live_in_all(), 0);
  for (size_t k = 0; k < FUNCTIONS; k++) {
    ck_assert_msg(calls[k] > 0 || may_be_ignored(functions[k]), "%s is not called", functions[k]);
    for (int call = 1; call <= calls[k] && call <= CALLS_MOST; call++) {
      fake_fail(functions[k], call, is_lost ? cudaErrorLaunchFailure : code_of(functions[k]), is_lost);
      const enum tac_status status = tell(&error, kernels, NULL);
      fake_forgive();
      ck_assert_msg(fake_live_in_all() == 0, "%s, call %d: something is left", functions[k], call);
      if (may_be_ignored(functions[k]))
        continue;
      ck_assert_msg(status == TAC_STATUS_DEVICE, "%s, call %d: %s", functions[k], call, tac_status_name(status));
      ck_assert_msg(strncmp(error.text, functions[k], strlen(functions[k])) == 0, "%s, call %d: '%s'", functions[k], call,
                    error.text);
      ck_assert_int_ne(error.native_code, 0);
    }
  }
  free(kernels);
}

START_TEST(a_call_that_fails_ends_in_its_error) {
  fail_everywhere(false);
}
END_TEST

START_TEST(a_lost_device_leaves_nothing) {
  fail_everywhere(true);
}
END_TEST

START_TEST(a_kernel_that_loses_the_device_is_noticed_at_the_finish) {
  struct scene scene;
  char *kernels = whole_source();
  scene_open(&scene, 0, 0, 1);
  struct story story = {.backend = scene.backend, .context = scene.context, .stream = scene.stream};
  scene_expect_ok(&scene, scene.backend->build(scene.context, "nothing", kernels, "", &story.program, NULL, &scene.error));
  scene_expect_ok(&scene, scene.backend->kernel(scene.context, story.program, "nothing", &story.kernel, &scene.error));
  const struct tac_backend_argument argument = {(void *)64, NULL, 0}; /* no block */
  static const size_t one[3] = {1, 1, 1};
  scene_expect_ok(&scene,
                  scene.backend->launch(scene.context, scene.stream, story.kernel, one, one, &argument, 1, NULL, &scene.error));
  scene_expect_error(&scene, scene.backend->finish(scene.context, scene.stream, &scene.error), TAC_STATUS_DEVICE,
                     "cudaStreamSynchronize: cudaErrorIllegalAddress");
  void *block = NULL;
  scene_expect_error(&scene, scene.backend->allocate(scene.context, 64, &block, &scene.error), TAC_STATUS_DEVICE,
                     "cudaErrorIllegalAddress");
  scene.backend->release_kernel(scene.context, story.kernel);
  scene.backend->release_program(scene.context, story.program);
  scene_close(&scene);
  free(kernels);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_call_that_fails_ends_in_its_error, a_lost_device_leaves_nothing,
                                a_kernel_that_loses_the_device_is_noticed_at_the_finish};
  return RUN_SUITE("failures", tests);
}
