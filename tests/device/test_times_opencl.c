/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* That no time is kept where nobody measures: OpenCL's functions are wrapped by the linker and tell who asks for events. */
#include <stdint.h>

#include <tactus/measure/recorder.h>

#include "runtime/device/queue.h"
#include "tests/device/subject.h"
#include "tests/device/wrapped_opencl.h"

static struct { int queues, profiling_queues, commands, events; } seen;

#define WRAPPED(function, parameters, arguments)                                                                               \
  WRAPPED_OPENCL(cl_int, function, parameters) {                                                                               \
    seen.commands++;                                                                                                           \
    seen.events += event != NULL;                                                                                              \
    return __real_##function arguments;                                                                                        \
  }

WRAPPED(clEnqueueNDRangeKernel,
        (cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *offset, const size_t *global,
         const size_t *local, cl_uint waits, const cl_event *wait, cl_event *event),
        (queue, kernel, axes, offset, global, local, waits, wait, event))
WRAPPED(clEnqueueWriteBuffer,
        (cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t bytes, const void *from, cl_uint waits,
         const cl_event *wait, cl_event *event),
        (queue, memory, blocking, offset, bytes, from, waits, wait, event))
WRAPPED(clEnqueueReadBuffer,
        (cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t bytes, void *to, cl_uint waits,
         const cl_event *wait, cl_event *event),
        (queue, memory, blocking, offset, bytes, to, waits, wait, event))
WRAPPED(clEnqueueCopyBuffer,
        (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t bytes, cl_uint waits,
         const cl_event *wait, cl_event *event),
        (queue, from, to, from_offset, to_offset, bytes, waits, wait, event))
WRAPPED(clEnqueueFillBuffer,
        (cl_command_queue queue, cl_mem memory, const void *pattern, size_t pattern_bytes, size_t offset, size_t bytes,
         cl_uint waits, const cl_event *wait, cl_event *event),
        (queue, memory, pattern, pattern_bytes, offset, bytes, waits, wait, event))
WRAPPED(clEnqueueMarkerWithWaitList, (cl_command_queue queue, cl_uint waits, const cl_event *wait, cl_event *event),
        (queue, waits, wait, event))

WRAPPED_OPENCL(cl_command_queue, clCreateCommandQueue,
               (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *code)) {
  seen.queues++;
  seen.profiling_queues += (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
  return __real_clCreateCommandQueue(context, device, properties, code);
}

static const char source[] = "TAC_KERNEL(set)(TAC_GLOBAL tac_i32 *x) {\n"
                             "  x[TAC_GROUP(0)] = 1;\n"
                             "}\n";

struct work {
  struct tac_device_kernel *kernel;
  struct tac_device_memory *memory;
};

static enum tac_status work_item(void *context, size_t index, struct tac_lane *lane) {
  const struct work *work = context;
  int32_t value = (int32_t)index;
  const struct tac_argument arguments[] = {tac_argument_memory(work->memory)};
  const struct tac_launch launch = {.kernel = work->kernel, .groups = {1, 1, 1}, .arguments = arguments, .argument_count = 1};
  enum tac_status status = tac_queue_launch(lane->queue, &launch, lane->error);
  if (!status)
    status = tac_queue_write(lane->queue, work->memory, 64, &value, sizeof value, lane->error);
  if (!status)
    status = tac_queue_copy(lane->queue, work->memory, 128, work->memory, 64, 4, lane->error);
  if (!status)
    status = tac_queue_clear(lane->queue, work->memory, 256, 8, lane->error);
  return status ? status : tac_queue_read(lane->queue, work->memory, 64, &value, sizeof value, lane->error);
}

static const struct tac_event event = {"work", TAC_NO_EVENT, 1};
static const struct tac_event_set event_set = {"times", 1, &event};

/* Two items on one lane, at a level; what OpenCL was asked for meanwhile stands in `seen`. */
static void run_at(enum tac_level level) {
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler;
  struct tac_recorder *recorder = NULL;
  struct tac_device_program *program;
  struct tac_error error;
  struct work work;
  tac_scheduler_options_init(&options);
  options.executor = "opencl";
  options.executor_options.lanes = 1;
  options.level = level;
  expect_ok(tac_scheduler_create(&scheduler, &options, &error), &error);
  expect_ok(tac_device_program(&program, tac_scheduler_device(scheduler), "times", source, NULL, &error), &error);
  expect_ok(tac_device_kernel(&work.kernel, program, "set", &error), &error);
  expect_ok(tac_device_memory_take(&work.memory, tac_scheduler_device(scheduler), 1024, &error), &error);
  const struct tac_batch batch = {.count = 2, .item = work_item, .context = &work};
  if (level == TAC_OFF) {
    expect_ok(tac_run_batch(scheduler, &batch, &error), &error);
  } else {
    struct tac_recorder_options recorder_options;
    tac_recorder_options_init(&recorder_options);
    recorder_options.events = &event_set;
    recorder_options.level = level;
    expect_ok(tac_recorder_create(&recorder, &recorder_options, &error), &error);
    expect_ok(tac_run_batch_measured(scheduler, &batch, recorder, &error), &error);
    ck_assert_uint_eq(tac_recorder_device_stats(recorder, 0).commands, 10);
  }
  cl_command_queue_properties properties = 0;
  struct tac_queue *queue = tac_scheduler_queue(scheduler);
  ck_assert_int_eq(clGetCommandQueueInfo(tac_queue_native(queue), CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL),
                   CL_SUCCESS);
  ck_assert_int_eq((properties & CL_QUEUE_PROFILING_ENABLE) != 0, level != TAC_OFF);
  ck_assert_int_eq(tac_queue_keeps_times(queue), level != TAC_OFF);
  tac_device_memory_give(&work.memory);
  tac_recorder_destroy(&recorder);
  tac_scheduler_destroy(&scheduler);
}

START_TEST(off_opens_no_profiling_queue_and_makes_no_event) {
  run_at(TAC_OFF);
  ck_assert_int_eq(seen.queues, 1);
  ck_assert_int_eq(seen.profiling_queues, 0);
  ck_assert_int_eq(seen.commands, 10);
  ck_assert_int_eq(seen.events, 0);
}
END_TEST

/* The wrapping sees what it must: one event a command, beside those that place the device's clock. */
START_TEST(measured_levels_make_an_event_for_each_command) {
  run_at(TAC_COARSE);
  ck_assert_int_ge(seen.profiling_queues, 1);
  ck_assert_int_eq(seen.profiling_queues, seen.queues);
  ck_assert_int_gt(seen.commands, 10);
  ck_assert_int_eq(seen.events, seen.commands);
}
END_TEST

int main(int argc, char **argv) {
  const TTest *const tests[] = {off_opens_no_profiling_queue_and_makes_no_event,
                                measured_levels_make_an_event_for_each_command};
  return run_device_suite(argc, argv, "times_opencl", tests, sizeof tests / sizeof *tests);
}
