/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* A table of one's own for the level hooked: a trace of phases as they come, and the items that each lane ran. */
#include <stdio.h>

#include <tactus/tactus.h>

enum { ITEMS = 1000, LANES = 2 };
enum { RUN, ADD, EVENTS };
static const struct tac_event events[EVENTS] = {{"run", TAC_NO_EVENT, 0}, {"add", RUN, 1}};
static const struct tac_event_set event_set = {"hooks", EVENTS, events};

struct trace {
  int depth;
  unsigned long items[LANES]; /* each is written by its own lane */
};

static void phase_enter(void *context, int event, const char *name) {
  struct trace *trace = context;
  (void)event;
  printf("%*s%s {\n", 2 * trace->depth++, "", name);
}

static void phase_leave(void *context, int event, const char *name) {
  struct trace *trace = context;
  (void)event, (void)name;
  printf("%*s}\n", 2 * --trace->depth, "");
}

static void item_enter(void *context, int event, size_t index, int lane) {
  struct trace *trace = context;
  (void)event, (void)index;
  trace->items[lane]++;
}

static enum tac_status add_item(void *context, size_t index, struct tac_lane *lane) {
  double *sum = context;
  (void)lane;
  sum[index] += (double)index;
  return TAC_STATUS_OK;
}

int main(void) {
  static double sums[ITEMS];
  struct trace trace = {0};
  const struct tac_hooks hooks = {&trace, phase_enter, phase_leave, item_enter, NULL};
  const struct tac_batch batch = {.count = ITEMS, .item = add_item, .context = sums, .event = ADD};
  struct tac_scheduler_options scheduler_options;
  struct tac_recorder_options recorder_options;
  struct tac_scheduler *scheduler = NULL;
  struct tac_recorder *recorder = NULL;
  struct tac_error error;
  tac_scheduler_options_init(&scheduler_options);
  scheduler_options.executor_options.lanes = LANES;
  scheduler_options.level = TAC_HOOKED;
  tac_recorder_options_init(&recorder_options);
  recorder_options.events = &event_set;
  recorder_options.level = TAC_HOOKED;
  recorder_options.hooks = &hooks;
  enum tac_status status = tac_scheduler_create(&scheduler, &scheduler_options, &error);
  if (!status)
    status = tac_recorder_create(&recorder, &recorder_options, &error);
  if (!status) {
    tac_recorder_enter(recorder, RUN);
    status = tac_run_batch_measured(scheduler, &batch, recorder, &error);
    tac_recorder_leave(recorder, RUN);
  }
  if (status)
    fprintf(stderr, "hooks: %s: %s\n", error.where, error.text);
  else
    printf("%lu items on %d lanes\n", trace.items[0] + trace.items[1], tac_scheduler_lanes(scheduler));
  tac_recorder_destroy(&recorder);
  tac_scheduler_destroy(&scheduler);
  return status != TAC_STATUS_OK;
}
