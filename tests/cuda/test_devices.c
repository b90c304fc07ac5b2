/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Which devices there are, and opening them. */
#include "runtime/device/cuda/cuda.h"
#include "tests/cuda/scene.h"
#include "tests/unit/suite.h"

START_TEST(devices_are_described) {
  struct scene scene = {.backend = &tac_backend_cuda_table};
  struct tac_device_info infos[3] = {{0}};
  size_t count = 7;
  scene_expect_ok(&scene, scene.backend->list(infos, 3, &count, &scene.error));
  ck_assert_uint_eq(count, 2);
  ck_assert_str_eq(infos[1].executor, "cuda");
  ck_assert_int_eq(infos[1].number, 1);
  ck_assert_int_eq(infos[1].kind, TAC_DEVICE_GPU);
  ck_assert_str_eq(infos[1].name, "an emulated CUDA device on the host, number 1");
  ck_assert_str_eq(infos[1].driver, "CUDA 13.0");
  ck_assert_int_eq(infos[1].fp64, 1);
  ck_assert_int_eq(infos[1].shares_memory, 0);
  ck_assert_int_eq(infos[1].has_svd, 1);
  ck_assert_uint_eq(infos[1].memory_bytes, (uint64_t)3 << 30);
  ck_assert_ptr_null(infos[2].executor);
  scene_expect_ok(&scene, scene.backend->list(NULL, 0, &count, &scene.error));
  ck_assert_uint_eq(count, 2);
}
END_TEST

START_TEST(no_driver_or_device_is_no_failure) {
  static const struct {
    int code;
    const char *words;
  } cases[] = {{35, "cudaErrorInsufficientDriver"}, {34, "cudaErrorStubLibrary"}, {100, "cudaErrorNoDevice"}};
  struct scene scene = {.backend = &tac_backend_cuda_table};
  for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
    size_t count = 7;
    fake_fail("cudaGetDeviceCount", 1, cases[k].code, false);
    const enum tac_status status = scene.backend->list(NULL, 0, &count, &scene.error);
    scene_expect_error(&scene, status, TAC_STATUS_UNAVAILABLE, cases[k].words);
    ck_assert_int_eq(scene.error.native_code, cases[k].code);
    ck_assert_uint_eq(count, 0);
  }
}
END_TEST

START_TEST(another_answer_is_a_failure) {
  struct scene scene = {.backend = &tac_backend_cuda_table};
  size_t count = 7;
  fake_fail("cudaGetDeviceCount", 1, cudaErrorInitializationError, false);
  enum tac_status status = scene.backend->list(NULL, 0, &count, &scene.error);
  scene_expect_error(&scene, status, TAC_STATUS_DEVICE, "cudaGetDeviceCount: cudaErrorInitializationError");
  ck_assert_int_eq(scene.error.native_code, cudaErrorInitializationError);
  struct tac_device_info info;
  fake_fail("cudaGetDeviceProperties", 1, cudaErrorLaunchFailure, false);
  status = scene.backend->list(&info, 1, &count, &scene.error);
  scene_expect_error(&scene, status, TAC_STATUS_DEVICE, "cudaGetDeviceProperties: cudaErrorLaunchFailure");
}
END_TEST

START_TEST(a_device_that_is_not_there_is_refused) {
  struct scene scene = {.backend = &tac_backend_cuda_table};
  const struct tac_backend_options options = {.blas_handles = 1, .solver_handles = 1};
  for (int number = -1; number < 3; number += 3) {
    const enum tac_status status = scene.backend->open(&scene.context, number, &options, &scene.error);
    scene_expect_error(&scene, status, TAC_STATUS_INVALID, "CUDA has 2");
  }
}
END_TEST

START_TEST(the_best_architecture_is_chosen) {
  static const int known[] = {100, 75, 90, 80, 86};
  static const struct {
    int device, best;
    bool is_found, is_binary;
  } cases[] = {{90, 90, true, true},    {89, 86, true, true}, {80, 80, true, true}, {103, 100, true, true},
               {120, 100, true, false}, {75, 75, true, true}, {70, 0, false, false}};
  for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
    int best = -1;
    bool is_binary = true;
    ck_assert_int_eq(tac_cuda_architecture(cases[k].device, known, 5, &best, &is_binary), cases[k].is_found);
    ck_assert_int_eq(best, cases[k].best);
    ck_assert_int_eq(is_binary, cases[k].is_binary);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {devices_are_described, no_driver_or_device_is_no_failure, another_answer_is_a_failure,
                                a_device_that_is_not_there_is_refused, the_best_architecture_is_chosen};
  return RUN_SUITE("devices", tests);
}
