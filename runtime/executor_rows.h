/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Every executor, in the order of --help: X(suffix) for the table tac_executor_<suffix>. One that is not built still has
 * its row and a table whose probe says why. */
#ifndef RUNTIME_EXECUTOR_ROWS_H
#define RUNTIME_EXECUTOR_ROWS_H

#include <tactus/runtime/executor.h>

#define TAC_EXECUTOR_ROWS(X)                                                                                                   \
  X(serial)                                                                                                                    \
  X(threads)                                                                                                                   \
  X(openmp)                                                                                                                    \
  X(opencl)                                                                                                                    \
  X(cuda)

#define TAC_EXECUTOR_DECLARE(suffix) extern const struct tac_executor tac_executor_##suffix;
TAC_EXECUTOR_ROWS(TAC_EXECUTOR_DECLARE)
#undef TAC_EXECUTOR_DECLARE

#endif
