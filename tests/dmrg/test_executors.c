/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/dmrg.h>

#include <stdatomic.h>
#include <string.h>

#include <tactus/measure/recorder.h>

#include "tests/dmrg/chain.h"
#include "tests/unit/suite.h"

/* Neither executor, lanes nor level changes a bit of a result. */
enum { SWEEPS = 14 };

struct outcome {
  struct tac_dmrg_sweep_summary summary[SWEEPS];
  uint64_t state;
};

static struct chain chain;
static atomic_int items;

static void count_item(void *context, int event, size_t index, int lane) {
  (void)context, (void)event, (void)index, (void)lane;
  atomic_fetch_add(&items, 1);
}

static struct tac_recorder *recorder_of(enum tac_level level) {
  static const struct tac_hooks hooks = {.item_enter = count_item};
  struct tac_recorder_options options;
  struct tac_recorder *recorder;
  tac_recorder_options_init(&options);
  options.events = &tac_dmrg_events;
  options.level = level;
  options.hooks = level == TAC_HOOKED ? &hooks : NULL;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  return recorder;
}

/* m=48 in the middle of 20 sites: batches are large enough to be shared. */
static void prepare(int which, const char *executor, int lanes, enum tac_level level) {
  chain_init(&chain, 20);
  chain.options.max_states = 48;
  chain.options.decomposition = which % 2 ? TAC_DMRG_GUARDED : TAC_DMRG_EXACT;
  chain.start.scalar = which / 2 ? TAC_DMRG_COMPLEX64 : TAC_DMRG_REAL64;
  chain.start.start = TAC_DMRG_RANDOM;
  chain.start.random_states = 40;
  chain.hamiltonian.jz = 1.1;
  chain.scheduling.executor = executor;
  chain.scheduling.executor_options.lanes = lanes;
  chain.scheduling.level = level;
}

static int go_on(void *context, int site, int done, int bonds, double energy) {
  (void)context, (void)site, (void)done, (void)bonds, (void)energy;
  return 0;
}

/* With a progress function in every other sweep, through the entry that the level asks for. */
static void sweep_once(struct tac_recorder *recorder, int progress) {
  struct chain *c = &chain;
  enum tac_status status;
  if (recorder && progress)
    status = tac_dmrg_sweep_progress_measured(c->state, c->environments, c->scheduler, &c->options, &c->summary, go_on, NULL,
                                              recorder, &c->error);
  else if (recorder)
    status = tac_dmrg_sweep_measured(c->state, c->environments, c->scheduler, &c->options, &c->summary, recorder, &c->error);
  else if (progress)
    status = tac_dmrg_sweep_progress(c->state, c->environments, c->scheduler, &c->options, &c->summary, go_on, NULL, &c->error);
  else
    status = tac_dmrg_sweep(c->state, c->environments, c->scheduler, &c->options, &c->summary, &c->error);
  ck_assert_msg(!status, "%s: %s", c->error.where, c->error.text);
}

static struct outcome run(int which, const char *executor, int lanes, enum tac_level level) {
  struct outcome outcome;
  memset(&outcome, 0, sizeof outcome);
  prepare(which, executor, lanes, level);
  chain_create(&chain);
  struct tac_recorder *recorder = level == TAC_OFF ? NULL : recorder_of(level);
  if (recorder) { /* measured from the start */
    tac_dmrg_environments_destroy(&chain.environments);
    ck_assert_int_eq(tac_dmrg_environments_create_measured(&chain.environments, &chain.hamiltonian, chain.state,
                                                           chain.scheduler, recorder, &chain.error),
                     TAC_STATUS_OK);
  }
  for (int i = 0; i < SWEEPS; i++) {
    sweep_once(recorder, i % 2 && level != TAC_OFF);
    outcome.summary[i] = chain.summary;
  }
  if (recorder) {
    ck_assert_uint_eq(tac_recorder_stats(recorder, TAC_DMRG_EVENT_SWEEP).count, SWEEPS);
    ck_assert_uint_eq(tac_recorder_stats(recorder, TAC_DMRG_EVENT_BOND).count, SWEEPS * 19);
    ck_assert_uint_eq(tac_recorder_mismatches(recorder), 0);
    tac_recorder_destroy(&recorder);
  }
  outcome.state = chain_fingerprint(chain.state);
  chain_destroy(&chain);
  return outcome;
}

static void assert_same(const struct outcome *a, const struct outcome *b) {
  for (int i = 0; i < SWEEPS; i++) {
    ck_assert_double_eq(a->summary[i].energy, b->summary[i].energy);
    ck_assert_double_eq(a->summary[i].energy_ritz, b->summary[i].energy_ritz);
    ck_assert_double_eq(a->summary[i].max_discarded, b->summary[i].max_discarded);
    ck_assert_double_eq(a->summary[i].max_residual, b->summary[i].max_residual);
    ck_assert_uint_eq(a->summary[i].products, b->summary[i].products);
    ck_assert_uint_eq(a->summary[i].svd_items, b->summary[i].svd_items);
    ck_assert_uint_eq(a->summary[i].warm_bonds, b->summary[i].warm_bonds);
    ck_assert_int_eq(a->summary[i].max_bond, b->summary[i].max_bond);
  }
  ck_assert(a->state == b->state);
}

START_TEST(executors_and_lanes_agree) {
  const struct outcome serial = run(_i, "serial", 1, TAC_OFF);
  ck_assert_int_eq(serial.summary[SWEEPS - 1].warm_bonds > 0, _i % 2); /* the guarded ones include warm decompositions */
  const int lanes[] = {1, 2, 4};
  for (int i = 0; i < 3; i++) {
    const struct outcome threads = run(_i, "threads", lanes[i], TAC_OFF);
    assert_same(&serial, &threads);
  }
  const struct tac_executor *openmp;
  ck_assert_int_eq(tac_executor_find(&openmp, "openmp", NULL), TAC_STATUS_OK);
  for (int i = 1; i < 3 && openmp->probe(NULL) == TAC_STATUS_OK; i++) {
    const struct outcome parallel = run(_i, "openmp", lanes[i], TAC_OFF);
    assert_same(&serial, &parallel);
  }
}
END_TEST

START_TEST(levels_agree) {
  const struct outcome off = run(_i, "serial", 1, TAC_OFF);
  for (int level = TAC_COARSE; level <= TAC_HOOKED; level++) {
    atomic_store(&items, 0);
    const struct outcome measured = run(_i, "threads", 2, (enum tac_level)level);
    assert_same(&off, &measured);
    ck_assert_int_eq(atomic_load(&items) > 1000, level == TAC_HOOKED);
  }
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("executors");
  tcase_set_timeout(cases, 600);
  tcase_add_loop_test(cases, executors_and_lanes_agree, 0, 4);
  tcase_add_loop_test(cases, levels_agree, 0, 4);
  return run_cases("executors", cases);
}
