/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/executor_options.h"

void tac_executor_options_init(struct tac_executor_options *options) {
  *options = (struct tac_executor_options){.size = sizeof *options, .spin_ns = -1};
}

enum tac_status tac_executor_options_resolve(struct tac_executor_options *out, const struct tac_executor_options *options,
                                             const char *where, struct tac_error *error) {
  if (options && options->size != sizeof *options)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "executor options of size %zu, not %zu: fill them with their init",
                         options->size, sizeof *options);
  if (options)
    *out = *options;
  else
    tac_executor_options_init(out);
  if (out->lanes < 0 || out->lanes > TAC_EXECUTOR_LANES_MAX)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "%d lanes: choose 1 to %d, or 0 for the processors allowed",
                         out->lanes, TAC_EXECUTOR_LANES_MAX);
  if (out->spin_ns < -1)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "spin_ns %d: choose 0 or more, or -1 for the default", out->spin_ns);
  if (out->lanes == 0) {
    int allowed = tac_processors_allowed();
    out->lanes = allowed < TAC_EXECUTOR_LANES_MAX ? allowed : TAC_EXECUTOR_LANES_MAX;
  }
  if (!out->allocator)
    out->allocator = tac_allocator_system();
  return TAC_STATUS_OK;
}
