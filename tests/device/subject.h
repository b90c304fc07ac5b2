/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_DEVICE_SUBJECT_H
#define TESTS_DEVICE_SUBJECT_H

#include <check.h>

#include <tactus/runtime/device.h>
#include <tactus/scheduler/scheduler.h>

#include "runtime/device/backend.h"

/* A scheduler on the device executor that the test program was started for, with its device and the caller's queue. Made inside
 * the test: a device runtime does not survive a fork. */
struct device_subject {
  struct tac_scheduler *scheduler;
  struct tac_device *device;
  struct tac_queue *queue;
};

void open_subject(struct device_subject *subject, int lanes, int streams);
void close_subject(struct device_subject *subject);

/* "opencl", "cuda", or "host": the backend of tests/support/host_backend.h, which has no executor and so no scheduler. */
const char *device_executor(void);
const struct tac_backend *device_backend(void);

/* 1: kernels may run as instrumented fibers of the address sanitizer: a few cases must do. */
int device_is_slow(void);

void expect_ok(enum tac_status status, const struct tac_error *error);

/* The main of a test program: PROGRAM EXECUTOR. Skips, with the reason, where the runtime says that there is no device, unless
 * TACTUS_REQUIRE_DEVICE names the executor; fails on any other refusal. */
int run_device_suite(int argc, char **argv, const char *name, const TTest *const *tests, size_t count);
/* The same with tests that `add` adds, loop tests among them. */
int run_device_cases(int argc, char **argv, const char *name, void (*add)(TCase *cases));

#endif
