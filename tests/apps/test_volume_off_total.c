/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The off total of a measured run: OpenCL's functions are wrapped by the linker and tell on which queues kernels run. */
#include "apps/volume_fmm/run.h"
#include "tests/device/subject.h"
#include "tests/device/wrapped_opencl.h"

static struct {
  int plain_queues; /* open now, without profiling */
  int off, profiled, events_of_off;
  int mixed; /* launches on queues that keep times while there are some that do not */
} seen;

static int keeps_times(cl_command_queue queue) {
  cl_command_queue_properties properties = 0;
  ck_assert_int_eq(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL), CL_SUCCESS);
  return (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
}

WRAPPED_OPENCL(cl_command_queue, clCreateCommandQueue,
               (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *code)) {
  seen.plain_queues += !(properties & CL_QUEUE_PROFILING_ENABLE);
  return __real_clCreateCommandQueue(context, device, properties, code);
}

WRAPPED_OPENCL(cl_int, clReleaseCommandQueue, (cl_command_queue queue)) {
  seen.plain_queues -= !keeps_times(queue);
  return __real_clReleaseCommandQueue(queue);
}

WRAPPED_OPENCL(cl_int, clEnqueueNDRangeKernel,
               (cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *offset, const size_t *global,
                const size_t *local, cl_uint waits, const cl_event *wait, cl_event *event)) {
  if (keeps_times(queue)) {
    seen.profiled++;
    seen.mixed += seen.plain_queues > 0;
  } else {
    seen.off++;
    seen.events_of_off += event != NULL;
  }
  return __real_clEnqueueNDRangeKernel(queue, kernel, axes, offset, global, local, waits, wait, event);
}

static void evaluate(struct tac_volume_run *run, const char *level, const char *repeat) {
  char *const words[] = {"volume_fmm", "--executor=opencl", "--submitters=1",      "--levels=2",          "--order=3",
                         "--tol=1e-2", "--cache=none",      (char *)(void *)level, (char *)(void *)repeat};
  static struct tac_volume_options options;
  struct tac_error error;
  expect_ok(tac_volume_options_parse(&options, (int)(sizeof words / sizeof *words), words, &error), &error);
  expect_ok(tac_volume_options_check(&options, &error), &error);
  *run = (struct tac_volume_run){0};
  expect_ok(tac_volume_prepare(run, &options, &error), &error);
  expect_ok(tac_volume_make_tree(run, &error), &error);
  expect_ok(tac_volume_make_plan(run, &error), &error);
  expect_ok(tac_volume_evaluate(run, &error), &error);
}

/* Once to settle, once to warm up, then as often as asked; what is measured runs after all that is not, and settles, too. */
START_TEST(what_is_not_measured_runs_on_queues_without_times) {
  static char coarse[] = "--measurements=coarse", detailed[] = "--measurements=detailed";
  const char *const levels[] = {coarse, detailed};
  for (int i = 0; i < 2; i++) {
    struct tac_volume_run run;
    evaluate(&run, levels[i], "--repeat=2");
    const int each = (seen.profiled + seen.off) / 7;
    ck_assert_int_gt(each, 0);
    ck_assert_int_ge(seen.off, 4 * each);
    ck_assert_int_ge(seen.profiled, 3 * each);
    ck_assert_int_eq(seen.events_of_off, 0);
    ck_assert_int_eq(seen.mixed, 0);
    ck_assert_int_eq(seen.plain_queues, 0);
    ck_assert(run.off_seconds > 0 && run.device_seconds > 0 && run.profiled_ns > 0);
    ck_assert_uint_gt(tac_fmm_plan_info(run.plan).device_bytes, 0);
    tac_volume_destroy(&run);
    seen.off = seen.profiled = 0;
  }
}
END_TEST

/* A run at off needs no second scheduler. */
START_TEST(a_run_at_off_opens_queues_once) {
  struct tac_volume_run run;
  evaluate(&run, "--measurements=off", "--repeat=1");
  ck_assert_int_eq(seen.plain_queues, 1);
  ck_assert_int_eq(seen.profiled, 0);
  ck_assert_int_gt(seen.off, 0);
  tac_volume_destroy(&run);
}
END_TEST

int main(int argc, char **argv) {
  const TTest *const tests[] = {what_is_not_measured_runs_on_queues_without_times, a_run_at_off_opens_queues_once};
  return run_device_suite(argc, argv, "off total of volume_fmm", tests, sizeof tests / sizeof *tests);
}
