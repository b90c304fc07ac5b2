/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tactus/testing/battery.h>

#include "tests/support/executors.h"
#include "tests/support/probe.h"

/* The tests' own executors beside the library's. */
static const struct {
  const struct tac_executor *executor;
  int lanes_at_once;
} own[] = {{&test_executor_in_turn, 0},
           {&test_executor_strided, 1},
           {&test_executor_twice, 0},
           {&test_executor_skipping, 0},
           {&test_executor_refusing, 0}};

/* 1: the executor is one of the library's that cannot run here. */
static int is_unavailable(const struct tac_battery *battery, struct tac_error *error) {
  const struct tac_executor *found;
  if (tac_executor_find(&found, battery->executor->name, NULL) != TAC_STATUS_OK)
    return 0;
  const char *required = getenv("TACTUS_REQUIRE_DEVICE");
  return probe_in_child(found->name, error) == TAC_STATUS_UNAVAILABLE && !(required && strcmp(required, found->name) == 0);
}

static enum tac_status choose(struct tac_battery *battery, const char *name, struct tac_error *error) {
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp(own[i].executor->name, name) == 0) {
      battery->executor = own[i].executor;
      battery->lanes_at_once = own[i].lanes_at_once;
      return TAC_STATUS_OK;
    }
  battery->lanes_at_once = 1;
  return tac_executor_find(&battery->executor, name, error);
}

/* driver EXECUTOR LANES LEVEL: the battery on one executor at one level. */
int main(int argc, char **argv) {
  struct tac_battery battery = {.lanes = argc == 4 ? (int)strtol(argv[2], NULL, 10) : 0};
  struct tac_error error = {.text = "usage: driver EXECUTOR LANES LEVEL"};
  if (battery.lanes < 1 || choose(&battery, argv[1], &error) != TAC_STATUS_OK ||
      tac_level_find(&battery.level, argv[3], &error) != TAC_STATUS_OK) {
    fprintf(stderr, "%s\n", error.text);
    return EXIT_FAILURE;
  }
  if (is_unavailable(&battery, &error)) {
    printf("1..0 # SKIP %s\n", error.text);
    return EXIT_SUCCESS;
  }
  return tac_battery_run(&battery);
}
