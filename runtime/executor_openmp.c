/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * One parallel region a batch; the loop's own shared index distributes the items, since a relaxed fetch-and-add is what
 * the best OpenMP runtime does for schedule(dynamic,1) and the others are far from it. */
#include <omp.h>

#include "runtime/executor_options.h"
#include "runtime/executor_rows.h"

struct openmp {
  int lanes;
  const struct tac_allocator *allocator;
};

static enum tac_status probe_openmp(struct tac_error *error) {
  (void)error;
  return TAC_STATUS_OK;
}

static enum tac_status create_openmp(void **out, const struct tac_executor_options *options, struct tac_error *error) {
  struct tac_executor_options resolved;
  enum tac_status status = tac_executor_options_resolve(&resolved, options, __func__, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct openmp *state = resolved.allocator->allocate(resolved.allocator->context, sizeof *state);
  if (!state)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for the openmp executor");
  *state = (struct openmp){.lanes = resolved.lanes, .allocator = resolved.allocator};
  *out = state;
  return TAC_STATUS_OK;
}

static void destroy_openmp(void *state) {
  struct openmp *openmp = state;
  if (openmp)
    openmp->allocator->release(openmp->allocator->context, openmp);
}

static int lanes_openmp(const void *state) {
  return ((const struct openmp *)state)->lanes;
}

static enum tac_status run_openmp(void *state, struct tac_work *work, struct tac_error *error) {
  (void)state;
  (void)error;
#pragma omp parallel num_threads(work->lanes)
  work->loop(work, &work->lane[omp_get_thread_num()]);
  return TAC_STATUS_OK;
}

const struct tac_executor tac_executor_openmp = {
    .abi = TAC_EXECUTOR_ABI,
    .name = "openmp",
    .summary = "one OpenMP parallel region a batch",
    .probe = probe_openmp,
    .create = create_openmp,
    .destroy = destroy_openmp,
    .lanes = lanes_openmp,
    .run = run_openmp,
};
