/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_UNIT_REPLAYED_BATCH_H
#define TESTS_UNIT_REPLAYED_BATCH_H

/* Measured batches on a device whose commands take the times that the test gives. */
#include "tests/support/fake_backend.h"
#include "tests/unit/measured.h"

enum { MOST_COMMANDS = 4 };

/* What an item submits: so many commands with these times, alternately launches of "gemm" and clears of 8 bytes. */
struct script {
  struct {
    int64_t start_ns, finish_ns;
  } command[MOST_COMMANDS];
  int commands;
  int fails;
};

/* Items 0 and 2 on lane 0, 1 and 3 on lane 1; item 3 submits nothing. */
static const struct script replay_of_four[] = {
    {{{100, 110}, {110, 150}}, 2, 0}, {{{120, 180}}, 1, 0}, {{{150, 155}, {160, 175}, {175, 175}}, 3, 0}, {.commands = 0}};

struct subject {
  struct tac_recorder *recorder;
  struct tac_scheduler *scheduler;
  struct tac_device_kernel *kernel;
  struct tac_device_memory *memory;
  const struct script *script;
};

/* Two lanes, without a recorder. */
static inline void open_device(struct subject *subject, enum tac_level level) {
  struct tac_scheduler_options options;
  struct tac_device_program *program;
  *subject = (struct subject){0};
  fake_reset();
  tac_scheduler_options_init(&options);
  options.table = &fake_executor_one_thread;
  options.executor_options.lanes = 2;
  options.level = level;
  ck_assert_int_eq(tac_scheduler_create(&subject->scheduler, &options, NULL), TAC_STATUS_OK);
  struct tac_device *device = tac_scheduler_device(subject->scheduler);
  ck_assert_int_eq(tac_device_program(&program, device, "replayed", "", "", NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_device_kernel(&subject->kernel, program, "gemm", NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_device_memory_take(&subject->memory, device, 64, NULL), TAC_STATUS_OK);
}

static inline void open_with(struct subject *subject, const struct tac_recorder_options *options) {
  open_device(subject, options->level);
  subject->recorder = create_recorder(options);
}

static inline void open_at(struct subject *subject, enum tac_level level) {
  const struct tac_recorder_options options = recorder_options(level);
  open_with(subject, &options);
}

static inline void close_all(struct subject *subject) {
  tac_device_memory_give(&subject->memory);
  tac_scheduler_destroy(&subject->scheduler);
  tac_recorder_destroy(&subject->recorder);
  ck_assert_int_eq(fake_state.live, 0);
}

static inline void submit(const struct subject *subject, struct tac_queue *queue, const struct script *script) {
  for (int i = 0; i < script->commands; i++) {
    fake_replay(script->command[i].start_ns, script->command[i].finish_ns);
    const struct tac_launch launch = {.kernel = subject->kernel, .groups = {1, 1, 1}};
    ck_assert_int_eq(i % 2 ? tac_queue_clear(queue, subject->memory, 0, 8, NULL) : tac_queue_launch(queue, &launch, NULL),
                     TAC_STATUS_OK);
  }
}

static inline enum tac_status submit_item(void *context, size_t index, struct tac_lane *lane) {
  const struct subject *subject = context;
  submit(subject, lane->queue, &subject->script[index]);
  driven_clock_advance(&driven, 2);
  return subject->script[index].fails ? TAC_STATUS_ITEM : TAC_STATUS_OK;
}

static inline enum tac_status run(struct subject *subject, const struct script *script, size_t count) {
  subject->script = script;
  const struct tac_batch batch = {
      .count = count, .item = submit_item, .context = subject, .event = WORK, .failure_mode = TAC_RUN_ALL};
  return tac_run_batch_measured(subject->scheduler, &batch, subject->recorder, NULL);
}

#endif
