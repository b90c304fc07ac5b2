/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* heat [LEVEL [EXECUTOR]]: cools a rod that starts as half a sine wave, which keeps its shape: each step multiplies every
 * value by 1 - 4 ratio sin^2(pi / (2 (cells + 1))), so the number of steps is known beforehand. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <tactus/measure/report.h>

#include "heat.h"

enum { CELLS = 2000, STEP_LIMIT = 1000 };
static const double ratio = 0.5, until = 0.9999;
static const double pi = 3.14159265358979323846;

/* What the hooked level calls here; a tracer would open and close its ranges instead of counting. */
struct counters {
  unsigned long phases; /* on the driving thread only */
  atomic_ulong items;   /* from every lane */
};

static void count_phase(void *context, int event, const char *name) {
  (void)event, (void)name;
  ((struct counters *)context)->phases++;
}

static void count_item(void *context, int event, size_t index, int lane) {
  (void)event, (void)index, (void)lane;
  atomic_fetch_add(&((struct counters *)context)->items, 1);
}

static int print_piece(void *context, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, context) != bytes;
}

static enum tac_status create_scheduler(struct tac_scheduler **out, enum tac_level level, const char *executor,
                                        struct tac_error *error) {
  struct tac_scheduler_options options;
  tac_scheduler_options_init(&options);
  options.level = level;
  if (executor)
    options.executor = executor;
  return tac_scheduler_create(out, &options, error);
}

static enum tac_status create_recorder(struct tac_recorder **out, enum tac_level level, const struct tac_hooks *hooks,
                                       struct tac_error *error) {
  struct tac_recorder_options options;
  tac_recorder_options_init(&options);
  options.events = &heat_events;
  options.level = level;
  options.hooks = level == TAC_HOOKED ? hooks : NULL;
  return tac_recorder_create(out, &options, error);
}

/* The rod's start; the arrays are the caller's and hold CELLS + 2 values. */
static struct heat_rod make_rod(double *now, double *next) {
  for (int i = 1; i <= CELLS; i++)
    now[i] = sin(pi * i / (CELLS + 1));
  return (struct heat_rod){.cells = CELLS, .ratio = ratio, .now = now, .next = next, .until = until, .step_limit = STEP_LIMIT};
}

/* Steps until a half sine wave of that height has cooled, by the closed form. */
static size_t expected_steps(void) {
  double half_angle = sin(pi / (2.0 * (CELLS + 1)));
  double factor = 1 - 4 * ratio * half_angle * half_angle;
  double peak = sin(pi * (CELLS / 2) / (CELLS + 1));
  return (size_t)ceil(log(until / peak) / log(factor));
}

int main(int argc, char **argv) {
  static double now[CELLS + 2], next[CELLS + 2];
  struct heat_rod rod = make_rod(now, next);
  struct counters counters = {0, 0};
  struct tac_hooks hooks = {.context = &counters, .phase_enter = count_phase, .item_enter = count_item};
  struct tac_scheduler *scheduler = NULL;
  struct tac_recorder *recorder = NULL;
  struct tac_error error;
  enum tac_level level;
  enum tac_status status = tac_level_find(&level, argc > 1 ? argv[1] : "off", &error);
  if (status)
    goto done;
  status = create_scheduler(&scheduler, level, argc > 2 ? argv[2] : NULL, &error);
  if (status)
    goto done;
  if (level == TAC_OFF) {
    status = heat_run(&rod, scheduler, &error);
  } else {
    status = create_recorder(&recorder, level, &hooks, &error);
    if (!status)
      status = heat_run_measured(&rod, scheduler, recorder, &error);
    if (!status)
      status = tac_report_text(recorder, print_piece, stdout, &error);
  }
  if (status)
    goto done;
  if (level == TAC_HOOKED)
    printf("hooks: %lu phases, %lu items\n", counters.phases, atomic_load(&counters.items));
  printf("%s: %zu steps, by the closed form %zu, middle %.17g\n", tac_level_name(level), rod.steps, expected_steps(),
         rod.now[CELLS / 2]);
done:
  if (status)
    fprintf(stderr, "heat: %s: %s\n", error.where, error.text);
  tac_recorder_destroy(&recorder);
  tac_scheduler_destroy(&scheduler);
  return status != TAC_STATUS_OK;
}
