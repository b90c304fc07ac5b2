/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_MACHINE_OPTIONS_H
#define APPS_PROGRAM_MACHINE_OPTIONS_H

#include <stdio.h>

#include <tactus/runtime/executor.h>

#include "apps/program/options.h"

/* What runs the batches. 0: not given. */
struct tac_machine_options {
  const char *executor;
  int threads;
  int device, submitters, streams, blas_handles, solver_handles; /* of device executors */
};

/* clang-format off */
/* The rows of a program's table for a `struct tac_machine_options member` of `type`. */
#define TAC_MACHINE_OPTION_ROWS(group, type, member)                                                                           \
  {"--executor", group, TAC_OPTION_TEXT, offsetof(type, member.executor), "NAME", "threads",                                   \
   "What runs the batches; --executor=help lists them and the devices of opencl and cuda. It never falls back to another.", 0, \
   0, NULL},                                                                                                                   \
  {"--threads", group, TAC_OPTION_INTEGER, offsetof(type, member.threads), "N", NULL,                                          \
   "Lanes of the executor. Left out: the processors this process may use, and 1 for serial.", 1, 4096, NULL},                  \
  {"--device", group, TAC_OPTION_INTEGER, offsetof(type, member.device), "N", NULL,                                            \
   "Of opencl and cuda: which device, as --executor=help counts them. Left out: 0, the first.", 0, 1000, NULL},                \
  {"--submitters", group, TAC_OPTION_INTEGER, offsetof(type, member.submitters), "N", NULL,                                    \
   "Of opencl and cuda: threads that submit to the device, their lanes; another word for --threads.", 1, 4096, NULL},          \
  {"--streams", group, TAC_OPTION_INTEGER, offsetof(type, member.streams), "N", NULL,                                          \
   "Of opencl and cuda: queues of the device, dealt out to the lanes. Left out: one a lane.", 1, 4096, NULL}

/* Further rows of a program that calls the vendor's libraries. */
#define TAC_HANDLE_OPTION_ROWS(group, type, member)                                                                            \
  {"--blas-handles", group, TAC_OPTION_INTEGER, offsetof(type, member.blas_handles), "N", NULL,                                \
   "Of cuda: handles of cuBLAS that the lanes share. Left out: one a lane.", 1, 4096, NULL},                                   \
  {"--solver-handles", group, TAC_OPTION_INTEGER, offsetof(type, member.solver_handles), "N", NULL,                            \
   "Of cuda: handles of cuSOLVER that the lanes share. Left out: one a lane.", 1, 4096, NULL}
/* clang-format on */

/* What no single option can see. INVALID: error->where is the option. `given` as tac_options_parse filled it. */
enum tac_status tac_machine_options_check(const struct tac_machine_options *options, const struct tac_option_table *table,
                                          uint64_t given, struct tac_error *error);

/* As the options of an executor. */
struct tac_executor_options tac_machine_executor_options(const struct tac_machine_options *options);

/* --executor=help: every executor and why it is or is not available, with its devices. */
void tac_machine_executor_help(FILE *stream);

#endif
