/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_TESTING_BATTERY_H
#define TACTUS_TESTING_BATTERY_H

#include <tactus/measure/level.h>
#include <tactus/runtime/executor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The conformance battery: what every executor must do, at every measurement level. Tactus' own executors pass it; run it
 * on a table of your own. It is a static library that needs Check:
 *
 *   int main(void) {
 *     const struct tac_battery battery = {.executor = &my_executor, .lanes = 4, .lanes_at_once = 1, .level = TAC_DETAILED};
 *     return tac_battery_run(&battery);
 *   }
 *
 * Beyond the contract in <tactus/runtime/executor.h> it asks that each lane takes its positions in rising order. */
struct tac_battery {
  const struct tac_executor *executor;
  int lanes;         /* to ask for at creation, at least 1 */
  int lanes_at_once; /* 1: lanes run on threads of their own, and items of different lanes can wait for each other */
  enum tac_level level;
};

/* Runs every case in a process of its own and prints as Check does (CK_TAP_LOG_FILE_NAME=- and CK_VERBOSITY=silent give TAP).
 * Returns EXIT_SUCCESS or EXIT_FAILURE. Make no threads before calling it. */
int tac_battery_run(const struct tac_battery *battery);

#ifdef __cplusplus
}
#endif
#endif
