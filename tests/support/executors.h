/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_EXECUTORS_H
#define TESTS_SUPPORT_EXECUTORS_H

#include <tactus/runtime/executor.h>

/* Executors of a user's own. Each has the lanes that its options ask for (default 2). */

/* Runs the lanes' loops one after another on the calling thread: the first lane takes everything. */
extern const struct tac_executor test_executor_in_turn;

/* One position after the other, each on the next lane, all on the caller's thread. */
extern const struct tac_executor test_executor_alternating;

/* Distributes positions itself, through `one`: position p runs on lane p mod lanes, each lane on a thread of its own. */
extern const struct tac_executor test_executor_strided;

/* Broken ones. twice: runs the last position a second time. skipping: leaves the last position out. refusing: runs
 * everything, then reports SYSTEM. */
extern const struct tac_executor test_executor_twice;
extern const struct tac_executor test_executor_skipping;
extern const struct tac_executor test_executor_refusing;

/* Tables that a scheduler must refuse. */
extern const struct tac_executor test_executor_unavailable; /* its probe says no */
extern const struct tac_executor test_executor_laneless;    /* has 0 lanes */
extern const struct tac_executor test_executor_failing;     /* its creation fails */

#endif
