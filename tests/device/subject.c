/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/device/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/queue.h"
#include "tests/support/host_backend.h"
#include "tests/support/probe.h"
#include "tests/unit/suite.h"

static const char *executor = "opencl";

const char *device_executor(void) {
  return executor;
}

const struct tac_backend *device_backend(void) {
  const struct tac_backend *backend = strcmp(executor, "host") == 0 ? &host_backend : &tac_backend_opencl;
  if (strcmp(executor, "cuda") == 0)
    ck_assert_int_eq(tac_backend_cuda(&backend, NULL), TAC_STATUS_OK);
  return backend;
}

int device_is_slow(void) {
#if defined(__SANITIZE_ADDRESS__)
  return strcmp(executor, "opencl") != 0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return strcmp(executor, "opencl") != 0;
#endif
#endif
  return 0;
}

void expect_ok(enum tac_status status, const struct tac_error *error) {
  ck_assert_msg(status == TAC_STATUS_OK, "%s: %s", error->where, error->text);
}

void open_subject(struct device_subject *subject, int lanes, int streams) {
  struct tac_scheduler_options options;
  struct tac_error error;
  *subject = (struct device_subject){0};
  if (device_backend() == &host_backend) {
    const struct tac_device_options of_host = {.blas_handles = 1, .solver_handles = 1};
    expect_ok(tac_device_open(&subject->device, &host_backend, &of_host, &error), &error);
    expect_ok(tac_queue_open(&subject->queue, subject->device, 0, 1, &error), &error);
    return;
  }
  tac_scheduler_options_init(&options);
  options.executor = executor;
  options.executor_options.lanes = lanes;
  options.executor_options.streams = streams;
  expect_ok(tac_scheduler_create(&subject->scheduler, &options, &error), &error);
  subject->device = tac_scheduler_device(subject->scheduler);
  subject->queue = tac_scheduler_queue(subject->scheduler);
  ck_assert_ptr_nonnull(subject->device);
  ck_assert_ptr_nonnull(subject->queue);
}

void close_subject(struct device_subject *subject) {
  if (!subject->scheduler) {
    tac_queue_close(&subject->queue);
    tac_device_close(&subject->device);
  }
  tac_scheduler_destroy(&subject->scheduler);
}

/* Whether the tests can run; else the program's exit status. */
static int find_device(int argc, char **argv, int *exit_status) {
  if (argc > 1)
    executor = argv[1];
  struct tac_error error = {0};
  const enum tac_status status = strcmp(executor, "host") == 0 ? TAC_STATUS_OK : probe_in_child(executor, &error);
  const char *required = getenv("TACTUS_REQUIRE_DEVICE");
  if (status == TAC_STATUS_UNAVAILABLE && !(required && strcmp(required, executor) == 0)) {
    printf("1..0 # SKIP %s\n", error.text);
    *exit_status = EXIT_SUCCESS;
  } else if (status != TAC_STATUS_OK) {
    printf("1..1\nnot ok 1 - %s: %s\n", executor, error.text);
    *exit_status = EXIT_FAILURE;
  }
  return status == TAC_STATUS_OK;
}

int run_device_suite(int argc, char **argv, const char *name, const TTest *const *tests, size_t count) {
  int exit_status;
  return find_device(argc, argv, &exit_status) ? run_tests(name, tests, count) : exit_status;
}

int run_device_cases(int argc, char **argv, const char *name, void (*add)(TCase *cases)) {
  int exit_status;
  if (!find_device(argc, argv, &exit_status))
    return exit_status;
  TCase *cases = tcase_create(name);
  tcase_set_timeout(cases, 60);
  add(cases);
  return run_cases(name, cases);
}
