/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/support/executors.h"

#include <pthread.h>
#include <stdlib.h>

/* The state is the number of lanes. */
static enum tac_status probe(struct tac_error *error) {
  (void)error;
  return TAC_STATUS_OK;
}

static enum tac_status create(void **out, const struct tac_executor_options *options, struct tac_error *error) {
  int *lanes = malloc(sizeof *lanes);
  if (!lanes)
    return tac_error_set(error, TAC_STATUS_MEMORY, "create", "no memory");
  *lanes = options->lanes > 0 ? options->lanes : 2;
  *out = lanes;
  return TAC_STATUS_OK;
}

static int lanes(const void *state) {
  return *(const int *)state;
}

static enum tac_status run_in_turn(void *state, struct tac_work *work, struct tac_error *error) {
  (void)state, (void)error;
  for (int k = 0; k < work->lanes; k++)
    work->loop(work, &work->lane[k]);
  return TAC_STATUS_OK;
}

static void run_one_by_one(struct tac_work *work, size_t count) {
  for (size_t position = 0; position < count; position++)
    work->one(work, position, &work->lane[position % (size_t)work->lanes]);
}

static enum tac_status run_alternating(void *state, struct tac_work *work, struct tac_error *error) {
  (void)state, (void)error;
  run_one_by_one(work, work->count);
  return TAC_STATUS_OK;
}

static enum tac_status run_twice(void *state, struct tac_work *work, struct tac_error *error) {
  (void)state, (void)error;
  run_one_by_one(work, work->count);
  work->one(work, work->count - 1, &work->lane[0]);
  return TAC_STATUS_OK;
}

static enum tac_status run_skipping(void *state, struct tac_work *work, struct tac_error *error) {
  (void)state, (void)error;
  run_one_by_one(work, work->count - 1);
  return TAC_STATUS_OK;
}

static enum tac_status run_refusing(void *state, struct tac_work *work, struct tac_error *error) {
  (void)state;
  run_one_by_one(work, work->count);
  return tac_error_set(error, TAC_STATUS_SYSTEM, "run_refusing", "a worker was lost");
}

struct stride {
  struct tac_work *work;
  int lane;
};

static void *run_stride(void *argument) {
  const struct stride *stride = argument;
  struct tac_work *work = stride->work;
  for (size_t position = (size_t)stride->lane; position < work->count; position += (size_t)work->lanes)
    work->one(work, position, &work->lane[stride->lane]);
  return NULL;
}

static enum tac_status run_strided(void *state, struct tac_work *work, struct tac_error *error) {
  (void)state;
  enum { LANES_MAX = 64 };
  pthread_t threads[LANES_MAX];
  struct stride strides[LANES_MAX];
  enum tac_status status = TAC_STATUS_OK;
  int started = 1;
  if (work->lanes > LANES_MAX)
    return tac_error_set(error, TAC_STATUS_INVALID, "run_strided", "more than %d lanes", LANES_MAX);
  for (; started < work->lanes && status == TAC_STATUS_OK; started++) {
    strides[started] = (struct stride){work, started};
    if (pthread_create(&threads[started], NULL, run_stride, &strides[started]) != 0)
      status = tac_error_set(error, TAC_STATUS_SYSTEM, "run_strided", "no thread");
  }
  if (status != TAC_STATUS_OK)
    started--;
  strides[0] = (struct stride){work, 0};
  run_stride(&strides[0]);
  for (int k = 1; k < started; k++)
    pthread_join(threads[k], NULL);
  return status;
}

static enum tac_status probe_unavailable(struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_UNAVAILABLE, "probe", "no such machine here; plug one in");
}

static int no_lanes(const void *state) {
  (void)state;
  return 0;
}

static enum tac_status create_failing(void **out, const struct tac_executor_options *options, struct tac_error *error) {
  (void)out, (void)options;
  return tac_error_set(error, TAC_STATUS_SYSTEM, "create", "no threads today");
}

#define EXECUTOR(id, probe_function, create_function, lanes_function, run_function)                                            \
  const struct tac_executor test_executor_##id = {.abi = TAC_EXECUTOR_ABI,                                                     \
                                                  .name = #id,                                                                 \
                                                  .summary = "of the tests",                                                   \
                                                  .probe = probe_function,                                                     \
                                                  .create = create_function,                                                   \
                                                  .destroy = free,                                                             \
                                                  .lanes = lanes_function,                                                     \
                                                  .run = run_function}

EXECUTOR(in_turn, probe, create, lanes, run_in_turn);
EXECUTOR(alternating, probe, create, lanes, run_alternating);
EXECUTOR(strided, probe, create, lanes, run_strided);
EXECUTOR(twice, probe, create, lanes, run_twice);
EXECUTOR(skipping, probe, create, lanes, run_skipping);
EXECUTOR(refusing, probe, create, lanes, run_refusing);
EXECUTOR(unavailable, probe_unavailable, create, lanes, run_in_turn);
EXECUTOR(laneless, probe, create, no_lanes, run_in_turn);
EXECUTOR(failing, probe, create_failing, lanes, run_in_turn);
