/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* What a phase or an item, entered and left, costs in each ready table of hooks, beside two clock reads. */
#include <stdio.h>
#include <string.h>

#include <tactus/hooks.h>

#include "bench/options.h"
#include "bench/sample.h"

enum { CALLS = 100, SUBJECTS = 3 };

static const struct tac_event event = {.name = "event", .parent = TAC_NO_EVENT, .batched = 1};
static const struct tac_event_set events = {.name = "bench", .count = 1, .events = &event};

static void run_two_reads(void *context) {
  static volatile int64_t sink;
  (void)context;
  const struct tac_clock *clock = tac_clock_monotonic();
  for (int i = 0; i < CALLS; i++) {
    const int64_t start = clock->now_ns(clock->context);
    sink = clock->now_ns(clock->context) - start;
  }
  (void)sink;
}

static void run_phases(void *context) {
  const struct tac_hooks *hooks = context;
  for (int i = 0; i < CALLS; i++) {
    hooks->phase_enter(hooks->context, 0, event.name);
    hooks->phase_leave(hooks->context, 0, event.name);
  }
}

static void run_items(void *context) {
  const struct tac_hooks *hooks = context;
  for (size_t i = 0; i < CALLS; i++) {
    hooks->item_enter(hooks->context, 0, i, 0);
    hooks->item_leave(hooks->context, 0, i, 0, TAC_STATUS_OK);
  }
}

/* The time that hooks take is that of the thread, the kernel's part of it included. */
static int measure(const char *name, const struct bench_plan *plan) {
  struct tac_hook_tool_options options;
  struct tac_hook_tool *tool;
  struct tac_error error;
  tac_hook_tool_options_init(&options);
  options.hooks = name;
  options.events = &events;
  const enum tac_status status = tac_hook_tool_create(&tool, &options, &error);
  if (status == TAC_STATUS_UNAVAILABLE) {
    printf("%-36s %s\n", name, error.text);
    return 0;
  }
  if (status != TAC_STATUS_OK) {
    fprintf(stderr, "hooks_cost: %s\n", error.text);
    return -1;
  }
  struct tac_hooks hooks = *tac_hook_tool_hooks(tool);
  const struct bench_subject subjects[SUBJECTS] = {
      {"phase", run_phases, &hooks}, {"item", run_items, &hooks}, {"reads", run_two_reads, NULL}};
  double ns[SUBJECTS];
  const int failed = bench_times(ns, subjects, SUBJECTS, plan);
  if (!failed)
    printf("%-36s %10.1f %10.1f %14.2f\n", name, ns[0] / CALLS, ns[1] / CALLS, ns[1] / ns[2]);
  tac_hook_tool_destroy(&tool);
  return failed;
}

int main(int argc, char **argv) {
  struct bench_options options;
  const int read = bench_options_read(&options, argc, argv, "The cost of the ready tables of hooks.\n");
  if (read)
    return read == 1 ? 0 : read;
  struct bench_plan plan = {.rounds = 51, .cpu_time = 1, .sample_ns = 2000000, .warm_ns = 200000};
  if (options.quick)
    plan = (struct bench_plan){.rounds = 3, .sample_ns = 20000};
  plan.least = options.least;
  if (options.rounds)
    plan.rounds = options.rounds;
  static const char *const names[] = {"nvtx", "perf:task-clock",       "perf:task-clock,page-faults",
                                      "perf", "papi:perf::TASK-CLOCK", "papi"};
  printf("Entered and left on one thread, nanoseconds; no profiler takes nvtx's ranges.\n\n");
  printf("%-36s %10s %10s %14s\n", "hooks", "phase", "item", "item/2 reads");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (measure(names[i], &plan))
      return 1;
  return 0;
}
