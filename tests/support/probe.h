/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_PROBE_H
#define TESTS_SUPPORT_PROBE_H

#include <tactus/runtime/error.h>

/* What the probe of the executor of that name says, asked in a child process: a device runtime that has started in this process
 * would not work in the tests' forks. */
enum tac_status probe_in_child(const char *executor, struct tac_error *error);

#endif
