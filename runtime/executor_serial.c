/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/executor_options.h"
#include "runtime/executor_rows.h"

static enum tac_status probe_serial(struct tac_error *error) {
  (void)error;
  return TAC_STATUS_OK;
}

/* It has nothing to keep; the state is this one constant, so that it is never NULL. */
static const int serial_lanes = 1;

static enum tac_status create_serial(void **out, const struct tac_executor_options *options, struct tac_error *error) {
  struct tac_executor_options resolved;
  enum tac_status status = tac_executor_options_resolve(&resolved, options, __func__, error);
  if (status != TAC_STATUS_OK)
    return status;
  if (options && options->lanes > 1)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "the serial executor has one lane, %d were asked for",
                         options->lanes);
  *out = (void *)&serial_lanes;
  return TAC_STATUS_OK;
}

static void destroy_serial(void *state) {
  (void)state;
}

static int lanes_serial(const void *state) {
  return *(const int *)state;
}

static enum tac_status run_serial(void *state, struct tac_work *work, struct tac_error *error) {
  (void)state;
  (void)error;
  work->loop(work, &work->lane[0]);
  return TAC_STATUS_OK;
}

const struct tac_executor tac_executor_serial = {
    .abi = TAC_EXECUTOR_ABI,
    .name = "serial",
    .summary = "one lane, the caller's thread",
    .probe = probe_serial,
    .create = create_serial,
    .destroy = destroy_serial,
    .lanes = lanes_serial,
    .run = run_serial,
};
