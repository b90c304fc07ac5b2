/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Stands in the list where the build found no OpenMP, or was told not to use it. */
#include "runtime/executor_rows.h"

static enum tac_status refuse(struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_UNAVAILABLE, "openmp",
                       "this build has no OpenMP: configure with -Dopenmp=enabled and a compiler that has it, or use threads");
}

static enum tac_status create_absent(void **out, const struct tac_executor_options *options, struct tac_error *error) {
  (void)out;
  (void)options;
  return refuse(error);
}

static void destroy_absent(void *state) {
  (void)state;
}

static int lanes_absent(const void *state) {
  (void)state;
  return 1;
}

static enum tac_status run_absent(void *state, struct tac_work *work, struct tac_error *error) {
  (void)state;
  (void)work;
  return refuse(error);
}

const struct tac_executor tac_executor_openmp = {
    .abi = TAC_EXECUTOR_ABI,
    .name = "openmp",
    .summary = "one OpenMP parallel region a batch (not in this build)",
    .probe = refuse,
    .create = create_absent,
    .destroy = destroy_absent,
    .lanes = lanes_absent,
    .run = run_absent,
};
