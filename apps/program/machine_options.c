/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/machine_options.h"

#include <string.h>

#include "apps/program/availability.h"
#include "apps/program/devices.h"

/* Options that only device executors have. */
static enum tac_status check_host(const struct tac_machine_options *options, const struct tac_option_table *table,
                                  uint64_t given, struct tac_error *error) {
  static const char *const of_devices[] = {"--device", "--submitters", "--streams", "--blas-handles", "--solver-handles"};
  for (size_t i = 0; i < sizeof of_devices / sizeof *of_devices; i++)
    if (tac_option_given(table, given, of_devices[i]))
      return tac_error_set(error, TAC_STATUS_INVALID, of_devices[i], "belongs to --executor=opencl and cuda, not to %s",
                           options->executor);
  if (strcmp(options->executor, "serial") == 0 && options->threads > 1)
    return tac_error_set(error, TAC_STATUS_INVALID, "--threads", "'%d' with --executor=serial, which has one lane",
                         options->threads);
  return TAC_STATUS_OK;
}

static enum tac_status check_device(const struct tac_machine_options *options, const struct tac_option_table *table,
                                    uint64_t given, struct tac_error *error) {
  static const char *const of_cuda[] = {"--blas-handles", "--solver-handles"};
  const int lanes = options->submitters ? options->submitters : options->threads;
  for (size_t i = 0; i < 2 && strcmp(options->executor, "cuda") != 0; i++)
    if (tac_option_given(table, given, of_cuda[i]))
      return tac_error_set(error, TAC_STATUS_INVALID, of_cuda[i], "belongs to --executor=cuda, not to %s", options->executor);
  if (options->threads && options->submitters && options->threads != options->submitters)
    return tac_error_set(error, TAC_STATUS_INVALID, "--submitters", "'%d' with --threads=%d, which is the same",
                         options->submitters, options->threads);
  if (options->streams && options->streams < (lanes ? lanes : tac_processors_allowed()))
    return tac_error_set(error, TAC_STATUS_INVALID, "--streams",
                         "'%d' is less than one for each of %d submitters (--submitters)", options->streams,
                         lanes ? lanes : tac_processors_allowed());
  return TAC_STATUS_OK;
}

enum tac_status tac_machine_options_check(const struct tac_machine_options *options, const struct tac_option_table *table,
                                          uint64_t given, struct tac_error *error) {
  const struct tac_executor *executor;
  struct tac_error reason;
  tac_error_clear(&reason);
  if (tac_executor_find(&executor, options->executor, &reason) != TAC_STATUS_OK)
    return tac_error_set(error, TAC_STATUS_INVALID, "--executor", "%s (see --executor=help)", reason.text);
  return executor->device ? check_device(options, table, given, error) : check_host(options, table, given, error);
}

struct tac_executor_options tac_machine_executor_options(const struct tac_machine_options *options) {
  struct tac_executor_options result;
  tac_executor_options_init(&result);
  result.lanes = options->submitters ? options->submitters : options->threads;
  if (strcmp(options->executor, "serial") == 0)
    result.lanes = 1;
  result.device = options->device;
  result.streams = options->streams;
  result.blas_handles = options->blas_handles;
  result.solver_handles = options->solver_handles;
  return result;
}

void tac_machine_executor_help(FILE *stream) {
  size_t count;
  const struct tac_executor *const *executors = tac_executor_list(&count);
  for (size_t i = 0; i < count; i++) {
    const struct tac_choice choice = {executors[i]->name, executors[i]->summary, executors[i]->probe};
    if (tac_availability_print(stream, 0, 10, &choice) && executors[i]->device)
      tac_devices_print(stream, executors[i]->name, "           ");
  }
}
