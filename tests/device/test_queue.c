/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Memory, programs, kernels and queues of a device, on what the executor named by the test finds. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <tactus/runtime/clock.h>
#include <tactus/scheduler/scheduler.h>

#include "runtime/device/queue.h"
#include "tests/device/subject.h"

static const char source[] = "TAC_KERNEL(add)(TAC_GLOBAL tac_i32 *x, tac_i32 what, tac_u64 n) {\n"
                             "  const size_t i = TAC_GROUP(0) * TAC_ITEMS(0) + TAC_ITEM(0);\n"
                             "  if (i < n)\n"
                             "    x[i] += what;\n"
                             "}\n";

enum { COUNT = 1000 };

static struct tac_device_kernel *add_kernel(struct tac_device *device) {
  struct tac_error error;
  struct tac_device_program *program;
  struct tac_device_kernel *kernel;
  expect_ok(tac_device_program(&program, device, "add", source, NULL, &error), &error);
  expect_ok(tac_device_kernel(&kernel, program, "add", &error), &error);
  return kernel;
}

static void add(struct tac_queue *queue, struct tac_device_kernel *kernel, struct tac_device_memory *memory, int32_t what) {
  struct tac_error error;
  const uint64_t n = COUNT;
  const struct tac_argument arguments[] = {tac_argument_memory(memory), TAC_ARGUMENT_VALUE(what), TAC_ARGUMENT_VALUE(n)};
  const struct tac_launch launch = {
      .kernel = kernel, .groups = {(COUNT + 63) / 64, 1, 1}, .items = {64}, .arguments = arguments, .argument_count = 3};
  expect_ok(tac_queue_launch(queue, &launch, &error), &error);
}

START_TEST(commands_of_a_queue_run_in_order) {
  struct device_subject subject;
  open_subject(&subject, 1, 0);
  struct tac_error error;
  struct tac_device_memory *a, *b;
  static int32_t in[COUNT], out[COUNT];
  for (int i = 0; i < COUNT; i++)
    in[i] = i;
  expect_ok(tac_device_memory_take(&a, subject.device, sizeof in, &error), &error);
  expect_ok(tac_device_memory_take(&b, subject.device, sizeof in, &error), &error);
  struct tac_device_kernel *kernel = add_kernel(subject.device);
  expect_ok(tac_queue_write(subject.queue, a, 0, in, sizeof in, &error), &error);
  add(subject.queue, kernel, a, 5);
  expect_ok(tac_queue_copy(subject.queue, b, 0, a, 0, sizeof in, &error), &error);
  add(subject.queue, kernel, b, 7);
  expect_ok(tac_queue_clear(subject.queue, b, 4, 8, &error), &error);
  expect_ok(tac_queue_read(subject.queue, b, 0, out, sizeof out, &error), &error);
  for (int i = 0; i < COUNT; i++)
    ck_assert_int_eq(out[i], i == 1 || i == 2 ? 0 : i + 12);
  tac_device_memory_give(&a);
  tac_device_memory_give(&b);
  close_subject(&subject);
}
END_TEST

/* Several mappings and one wait: that of the last. */
START_TEST(mappings_begun_together) {
  enum { BLOCKS = 3 };
  struct device_subject subject;
  struct tac_error error;
  struct tac_device_memory *memory[BLOCKS];
  void *mapped[BLOCKS];
  static int32_t out[COUNT];
  open_subject(&subject, 1, 0);
  for (int round = 0; round < 20; round++) {
    for (int b = 0; b < BLOCKS; b++) {
      if (round == 0) {
        expect_ok(tac_device_memory_take(&memory[b], subject.device, sizeof out, &error), &error);
        expect_ok(tac_queue_clear(subject.queue, memory[b], 0, sizeof out, &error), &error);
      }
      add(subject.queue, add_kernel(subject.device), memory[b], b + 1);
    }
    expect_ok(tac_queue_map_begin(subject.queue, memory[0], 0, sizeof out, TAC_MAP_READ_WRITE, &mapped[0], &error), &error);
    expect_ok(tac_queue_map_begin(subject.queue, memory[1], 0, sizeof out, TAC_MAP_WRITE, &mapped[1], &error), &error);
    expect_ok(tac_queue_map(subject.queue, memory[2], 0, sizeof out, TAC_MAP_READ, &mapped[2], &error), &error);
    void *again;
    ck_assert_int_eq(tac_queue_map_begin(subject.queue, memory[1], 0, 4, TAC_MAP_READ, &again, &error), TAC_STATUS_INVALID);
    int32_t *both = mapped[0], *written = mapped[1];
    const int32_t *seen = mapped[2];
    for (int i = 0; i < COUNT; i++) {
      ck_assert_int_eq(both[i], round == 0 ? 1 : round + i + 1);
      ck_assert_int_eq(seen[i], 3 * (round + 1));
      both[i] = round + 1 + i;
      written[i] = round - i;
    }
    for (int b = 0; b < BLOCKS; b++)
      expect_ok(tac_queue_unmap(subject.queue, memory[b], &error), &error);
    expect_ok(tac_queue_read(subject.queue, memory[1], 0, out, sizeof out, &error), &error);
    for (int i = 0; i < COUNT; i++)
      ck_assert_int_eq(out[i], round - i);
  }
  for (int b = 0; b < BLOCKS; b++)
    tac_device_memory_give(&memory[b]);
  close_subject(&subject);
}
END_TEST

START_TEST(a_mapping_shows_and_takes_the_bytes) {
  struct device_subject subject;
  open_subject(&subject, 1, 0);
  struct tac_error error;
  struct tac_device_memory *memory;
  void *mapped;
  static int32_t out[COUNT];
  expect_ok(tac_device_memory_take(&memory, subject.device, sizeof out, &error), &error);
  expect_ok(tac_queue_clear(subject.queue, memory, 0, sizeof out, &error), &error);
  add(subject.queue, add_kernel(subject.device), memory, 3);
  expect_ok(tac_queue_map(subject.queue, memory, 40, 400, TAC_MAP_READ_WRITE, &mapped, &error), &error);
  int32_t *values = mapped;
  for (int i = 0; i < 100; i++) {
    ck_assert_int_eq(values[i], 3);
    values[i] = i;
  }
  void *again;
  ck_assert_int_eq(tac_queue_map(subject.queue, memory, 0, 4, TAC_MAP_READ, &again, &error), TAC_STATUS_INVALID);
  expect_ok(tac_queue_unmap(subject.queue, memory, &error), &error);
  ck_assert_int_eq(tac_queue_unmap(subject.queue, memory, &error), TAC_STATUS_INVALID);
  expect_ok(tac_queue_read(subject.queue, memory, 0, out, sizeof out, &error), &error);
  for (int i = 0; i < COUNT; i++)
    ck_assert_int_eq(out[i], i >= 10 && i < 110 ? i - 10 : 3);
  tac_device_memory_give(&memory);
  close_subject(&subject);
}
END_TEST

START_TEST(memory_that_was_given_back_serves_again) {
  struct device_subject subject;
  open_subject(&subject, 1, 0);
  struct tac_error error;
  struct tac_device_memory *memory;
  for (size_t bytes = 0; bytes < 100000; bytes = bytes * 3 + 1) {
    expect_ok(tac_device_memory_take(&memory, subject.device, bytes, &error), &error);
    ck_assert_uint_ge(tac_device_memory_bytes(memory), bytes);
    ck_assert_uint_le(tac_device_memory_bytes(memory), bytes < 256 ? 256 : bytes + bytes / 4);
    tac_device_memory_give(&memory);
    ck_assert_ptr_null(memory);
  }
  const struct tac_device_memory_stats before = tac_device_memory_stats(subject.device);
  ck_assert_uint_eq(before.used_bytes, 0);
  for (size_t bytes = 0; bytes < 100000; bytes = bytes * 3 + 1) {
    expect_ok(tac_device_memory_take(&memory, subject.device, bytes, &error), &error);
    tac_device_memory_give(&memory);
  }
  const struct tac_device_memory_stats after = tac_device_memory_stats(subject.device);
  ck_assert_uint_eq(after.allocations, before.allocations);
  ck_assert_uint_gt(after.reuses, before.reuses);
  tac_device_memory_trim(subject.device);
  ck_assert_uint_eq(tac_device_memory_stats(subject.device).spare_bytes, 0);
  close_subject(&subject);
}
END_TEST

START_TEST(memory_that_does_not_fit_is_refused) {
  struct device_subject subject;
  open_subject(&subject, 1, 0);
  const size_t sizes[] = {(size_t)1 << 60, SIZE_MAX, (size_t)tac_device_info(subject.device)->block_bytes + 1};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct tac_error error = {0};
    struct tac_device_memory *memory;
    ck_assert_int_eq(tac_device_memory_take(&memory, subject.device, sizes[i], &error), TAC_STATUS_MEMORY);
    ck_assert_ptr_null(memory);
    ck_assert_str_ne(error.text, "");
  }
  ck_assert_uint_eq(tac_device_memory_stats(subject.device).used_bytes, 0);
  close_subject(&subject);
}
END_TEST

START_TEST(ranges_outside_of_a_block_are_refused) {
  struct device_subject subject;
  open_subject(&subject, 1, 0);
  struct tac_error error;
  struct tac_device_memory *memory;
  static char bytes[1024];
  void *mapped;
  expect_ok(tac_device_memory_take(&memory, subject.device, 1024, &error), &error);
  const size_t beyond = tac_device_memory_bytes(memory) - 8;
  ck_assert_int_eq(tac_queue_write(subject.queue, memory, beyond, bytes, 9, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_queue_read(subject.queue, memory, SIZE_MAX, bytes, 9, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_queue_copy(subject.queue, memory, 0, memory, beyond, 9, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_queue_clear(subject.queue, memory, beyond, 9, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_queue_map(subject.queue, memory, 0, SIZE_MAX, TAC_MAP_READ, &mapped, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_queue_write(subject.queue, NULL, 0, bytes, 1, &error), TAC_STATUS_INVALID);
  tac_device_memory_give(&memory);
  close_subject(&subject);
}
END_TEST

START_TEST(what_is_missing_is_refused) {
  struct device_subject subject;
  open_subject(&subject, 1, 0);
  struct tac_error error;
  struct tac_device_memory *memory;
  struct tac_device_program *program;
  struct tac_device_kernel *kernel;
  struct tac_queue *queue = subject.queue;
  void *mapped;
  expect_ok(tac_device_memory_take(&memory, subject.device, 1024, &error), &error);
  ck_assert_int_eq(tac_queue_write(queue, memory, 0, NULL, 1, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_queue_read(queue, memory, 0, NULL, 1, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_queue_map(queue, memory, 0, 1, (enum tac_map_mode)0, &mapped, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_queue_map(queue, memory, 0, 1, (enum tac_map_mode)4, &mapped, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_queue_unmap(queue, NULL, &error), TAC_STATUS_INVALID);
  expect_ok(tac_device_program(&program, subject.device, "add", source, NULL, &error), &error);
  ck_assert_int_eq(tac_device_kernel(&kernel, program, NULL, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_kernel(&kernel, NULL, "add", &error), TAC_STATUS_INVALID);
  expect_ok(tac_device_kernel(&kernel, program, "add", &error), &error);
  const struct tac_launch no_kernel = {.groups = {1, 1, 1}};
  const struct tac_launch no_arguments = {.kernel = kernel, .groups = {1, 1, 1}, .argument_count = 3};
  ck_assert_int_eq(tac_queue_launch(queue, &no_kernel, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_queue_launch(queue, &no_arguments, &error), TAC_STATUS_INVALID);
  tac_device_memory_give(&memory);
  close_subject(&subject);
}
END_TEST

/* Every launch that is refused here follows one that was right, whose arguments the kernel may still hold. */
START_TEST(launches_that_cannot_be_are_refused) {
  struct device_subject subject;
  open_subject(&subject, 1, 0);
  struct tac_error error;
  struct tac_device_memory *memory;
  const int32_t what = 1;
  const uint64_t n = COUNT;
  expect_ok(tac_device_memory_take(&memory, subject.device, COUNT * sizeof(int32_t), &error), &error);
  struct tac_device_kernel *kernel = add_kernel(subject.device);
  add(subject.queue, kernel, memory, what);
  const struct tac_argument arguments[] = {tac_argument_memory(memory), TAC_ARGUMENT_VALUE(what), TAC_ARGUMENT_VALUE(n),
                                           TAC_ARGUMENT_VALUE(n)};
  struct tac_launch launch = {.kernel = kernel, .groups = {1, 1, 1}, .arguments = arguments, .argument_count = 3};
  launch.groups[0] = SIZE_MAX / 2 + 2;
  launch.items[0] = 2; /* wraps to 2 */
  ck_assert_int_eq(tac_queue_launch(subject.queue, &launch, &error), TAC_STATUS_INVALID);
  launch.groups[0] = launch.items[0] = 1;
  for (launch.argument_count = 0; launch.argument_count <= 4; launch.argument_count++)
    ck_assert_int_eq(tac_queue_launch(subject.queue, &launch, &error),
                     launch.argument_count == 3 ? TAC_STATUS_OK : TAC_STATUS_INVALID);
  expect_ok(tac_queue_finish(subject.queue, "test", &error), &error);
  tac_device_memory_give(&memory);
  close_subject(&subject);
}
END_TEST

START_TEST(options_that_are_no_definitions_are_refused) {
  struct device_subject subject;
  open_subject(&subject, 1, 0);
  struct tac_error error;
  struct tac_device_program *program;
  const char *const wrong[] = {"-D", "-DX=1 -D", "-D=1", "X", "-DX=1 --no-such-option", "-I."};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    ck_assert_int_eq(tac_device_program(&program, subject.device, "add", source, wrong[i], &error), TAC_STATUS_INVALID);
  expect_ok(tac_device_program(&program, subject.device, "add", source, "  -DX  -DY=-1 ", &error), &error);
  close_subject(&subject);
}
END_TEST

START_TEST(a_source_that_does_not_build_says_why) {
  struct device_subject subject;
  open_subject(&subject, 1, 0);
  struct tac_error error = {0};
  struct tac_device_program *program;
  struct tac_device_kernel *kernel;
  ck_assert_int_eq(
      tac_device_program(&program, subject.device, "broken", "TAC_KERNEL(f)(int n) { no_such_thing; }\n", "", &error),
      TAC_STATUS_INVALID);
  ck_assert_msg(strstr(error.text, "broken") && strstr(error.text, "no_such_thing"), "%s", error.text);
  expect_ok(tac_device_program(&program, subject.device, "add", source, "", &error), &error);
  ck_assert_int_eq(tac_device_kernel(&kernel, program, "subtract", &error), TAC_STATUS_INVALID);
  ck_assert_msg(strstr(error.text, "subtract") != NULL, "%s", error.text);
  close_subject(&subject);
}
END_TEST

START_TEST(programs_and_kernels_are_built_once) {
  struct device_subject subject;
  open_subject(&subject, 1, 0);
  struct tac_error error;
  struct tac_device_program *first, *second, *other;
  expect_ok(tac_device_program(&first, subject.device, "add", source, "-DX=1", &error), &error);
  expect_ok(tac_device_program(&second, subject.device, "add", source, "-DX=1", &error), &error);
  expect_ok(tac_device_program(&other, subject.device, "add", source, "-DX=2", &error), &error);
  ck_assert_ptr_eq(first, second);
  ck_assert_ptr_ne(first, other);
  ck_assert_ptr_eq(add_kernel(subject.device), add_kernel(subject.device));
  close_subject(&subject);
}
END_TEST

/* A text is what it says, wherever it stands; and may be gone once the program is built. */
START_TEST(sources_are_told_apart_by_their_text) {
  struct device_subject subject;
  open_subject(&subject, 1, 0);
  struct tac_error error;
  struct tac_device_program *program[3];
  struct tac_device_kernel *kernel;
  struct tac_device_memory *memory;
  char text[200];
  expect_ok(tac_device_memory_take(&memory, subject.device, sizeof(int32_t), &error), &error);
  for (int i = 0; i < 3; i++) {
    int32_t out = -1;
    snprintf(text, sizeof text, "TAC_KERNEL(tell)(TAC_GLOBAL tac_i32 *x) {\n  x[0] = %d;\n}\n", i % 2);
    expect_ok(tac_device_program(&program[i], subject.device, "tell", text, NULL, &error), &error);
    expect_ok(tac_device_kernel(&kernel, program[i], "tell", &error), &error);
    const struct tac_argument argument = tac_argument_memory(memory);
    const struct tac_launch launch = {.kernel = kernel, .groups = {1, 1, 1}, .arguments = &argument, .argument_count = 1};
    expect_ok(tac_queue_launch(subject.queue, &launch, &error), &error);
    expect_ok(tac_queue_read(subject.queue, memory, 0, &out, sizeof out, &error), &error);
    ck_assert_int_eq(out, i % 2);
  }
  ck_assert_ptr_eq(program[0], program[2]);
  ck_assert_int_eq(tac_device_program(&program[0], NULL, "tell", text, NULL, &error), TAC_STATUS_INVALID); /* a host's device */
  tac_device_memory_give(&memory);
  close_subject(&subject);
}
END_TEST

/* Items of a batch, each of which adds its index to every element of a common block of its lane. */
struct sums {
  struct tac_device_kernel *kernel;
  struct tac_device_memory *memory[8];
};

static enum tac_status sum_item(void *context, size_t index, struct tac_lane *lane) {
  const struct sums *sums = context;
  add(lane->queue, sums->kernel, sums->memory[index], (int32_t)index + 1);
  add(lane->queue, sums->kernel, sums->memory[index], 10);
  return index == 6 ? tac_error_set(lane->error, TAC_STATUS_ITEM, "sum", "six") : TAC_STATUS_OK;
}

static void sum_on(int lanes, int streams) {
  struct device_subject subject;
  open_subject(&subject, lanes, streams);
  struct tac_error error;
  struct sums sums = {.kernel = add_kernel(subject.device)};
  static int32_t out[COUNT];
  for (int i = 0; i < 8; i++) {
    expect_ok(tac_device_memory_take(&sums.memory[i], subject.device, sizeof out, &error), &error);
    expect_ok(tac_queue_clear(subject.queue, sums.memory[i], 0, sizeof out, &error), &error);
  }
  expect_ok(tac_queue_finish(subject.queue, NULL, &error), &error);
  const struct tac_batch batch = {.count = 8, .item = sum_item, .context = &sums, .failure_mode = TAC_RUN_ALL};
  ck_assert_int_eq(tac_run_batch(subject.scheduler, &batch, &error), TAC_STATUS_ITEM);
  ck_assert_uint_eq(error.item, 6);
  for (int i = 0; i < 8; i++) {
    expect_ok(tac_queue_read(subject.queue, sums.memory[i], 0, out, sizeof out, &error), &error);
    for (int j = 0; j < COUNT; j++)
      ck_assert_int_eq(out[j], i + 11);
    tac_device_memory_give(&sums.memory[i]);
  }
  close_subject(&subject);
}

START_TEST(a_batch_ends_when_its_commands_have) {
  sum_on(1, 0);
  sum_on(2, 0);
  sum_on(2, 5);
  sum_on(4, 4);
}
END_TEST

START_TEST(options_out_of_range_are_refused) {
  const struct {
    int lanes, streams, device, blas, solver;
  } wrong[] = {{2, 1, 0, 0, 0},  {1, -1, 0, 0, 0}, {1, 0, 77, 0, 0},  {1, 0, -1, 0, 0},
               {1, 0, 0, -1, 0}, {1, 0, 0, 0, -1}, {1, 5000, 0, 0, 0}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct tac_scheduler_options options;
    struct tac_scheduler *scheduler;
    struct tac_error error = {0};
    tac_scheduler_options_init(&options);
    options.executor = device_executor();
    options.executor_options.lanes = wrong[i].lanes;
    options.executor_options.streams = wrong[i].streams;
    options.executor_options.device = wrong[i].device;
    options.executor_options.blas_handles = wrong[i].blas;
    options.executor_options.solver_handles = wrong[i].solver;
    ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, &error), TAC_STATUS_INVALID);
    ck_assert_ptr_null(scheduler);
    ck_assert_str_ne(error.text, "");
  }
}
END_TEST

START_TEST(times_lie_inside_the_hosts) {
  struct tac_error error;
  struct tac_device *device;
  struct tac_queue *queue;
  struct tac_device_memory *memory;
  const struct tac_device_options options = {.timing = 1, .blas_handles = 1, .solver_handles = 1};
  expect_ok(tac_device_open(&device, device_backend(), &options, &error), &error);
  expect_ok(tac_queue_open(&queue, device, 3, 2, &error), &error);
  expect_ok(tac_device_memory_take(&memory, device, COUNT * sizeof(int32_t), &error), &error);
  struct tac_device_kernel *kernel = add_kernel(device);
  const struct tac_clock *clock = tac_clock_monotonic();
  const int64_t before = clock->now_ns(clock->context);
  expect_ok(tac_queue_clear(queue, memory, 0, COUNT * sizeof(int32_t), &error), &error);
  tac_queue_set_item(queue, 42);
  add(queue, kernel, memory, 1);
  tac_queue_set_item(queue, TAC_QUEUE_NO_ITEM);
  expect_ok(tac_queue_finish(queue, NULL, &error), &error);
  const int64_t after = clock->now_ns(clock->context);
  const struct tac_device_interval *intervals;
  size_t count;
  expect_ok(tac_queue_take_intervals(queue, &intervals, &count, &error), &error);
  ck_assert_uint_eq(count, 2);
  ck_assert_str_eq(intervals[0].label, "clear");
  ck_assert_str_eq(intervals[1].label, "add");
  ck_assert_uint_eq(intervals[0].item, TAC_QUEUE_NO_ITEM);
  ck_assert_uint_eq(intervals[1].item, 42);
  for (size_t i = 0; i < count; i++) {
    ck_assert_int_eq(intervals[i].lane, 3);
    ck_assert_int_ge(intervals[i].start_ns, before);
    ck_assert_int_ge(intervals[i].finish_ns, intervals[i].start_ns);
    ck_assert_int_le(intervals[i].finish_ns, after);
  }
  ck_assert_int_ge(intervals[1].start_ns, intervals[0].finish_ns);
  expect_ok(tac_queue_take_intervals(queue, &intervals, &count, &error), &error);
  ck_assert_uint_eq(count, 0);
  tac_device_memory_give(&memory);
  tac_queue_close(&queue);
  tac_device_close(&device);
}
END_TEST

int main(int argc, char **argv) {
  const TTest *const tests[] = {commands_of_a_queue_run_in_order,
                                mappings_begun_together,
                                a_mapping_shows_and_takes_the_bytes,
                                memory_that_was_given_back_serves_again,
                                memory_that_does_not_fit_is_refused,
                                ranges_outside_of_a_block_are_refused,
                                a_source_that_does_not_build_says_why,
                                programs_and_kernels_are_built_once,
                                sources_are_told_apart_by_their_text,
                                a_batch_ends_when_its_commands_have,
                                options_out_of_range_are_refused,
                                times_lie_inside_the_hosts,
                                what_is_missing_is_refused,
                                launches_that_cannot_be_are_refused,
                                options_that_are_no_definitions_are_refused};
  return run_device_suite(argc, argv, "queue", tests, sizeof tests / sizeof *tests);
}
