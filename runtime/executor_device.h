/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_EXECUTOR_DEVICE_H
#define RUNTIME_EXECUTOR_DEVICE_H

#include <tactus/runtime/executor.h>

#include "runtime/device/queue.h"

/* The entries of a device executor's table, for any backend. */
enum tac_status tac_submitters_create(void **out, const struct tac_backend *backend, const struct tac_executor_options *options,
                                      struct tac_error *error);
void tac_submitters_destroy(void *state);
int tac_submitters_lanes(const void *state);
enum tac_status tac_submitters_run(void *state, struct tac_work *work, struct tac_error *error);
struct tac_device *tac_submitters_device(void *state);
struct tac_queue *tac_submitters_queue(void *state, int lane);

#endif
