/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_EXECUTOR_OPTIONS_H
#define RUNTIME_EXECUTOR_OPTIONS_H

#include <tactus/runtime/executor.h>

#define TAC_EXECUTOR_LANES_MAX 4096 /* more is a mistake, not a machine */

/* Checks the options every executor shares and fills in the defaults: lanes at least 1 and the allocator set, spin_ns kept
 * as given. NULL options are all defaults. */
enum tac_status tac_executor_options_resolve(struct tac_executor_options *out, const struct tac_executor_options *options,
                                             const char *where, struct tac_error *error);

#endif
