/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/dmrg/chain.h"

#include <string.h>

#include <check.h>

#include "runtime/arena.h"

void chain_init(struct chain *chain, int sites) {
  memset(chain, 0, sizeof *chain);
  tac_dmrg_hamiltonian_init(&chain->hamiltonian, sites);
  tac_dmrg_state_options_init(&chain->start, sites);
  tac_dmrg_options_init(&chain->options);
  tac_scheduler_options_init(&chain->scheduling);
  chain->options.decomposition = TAC_DMRG_EXACT;
  chain->scheduling.executor = "serial";
}

void chain_set_spin(struct chain *chain, int twice_spin) {
  chain->hamiltonian.twice_spin = chain->start.twice_spin = twice_spin;
  if (twice_spin == 2)
    chain->start.twice_sz = 0;
}

void chain_create(struct chain *chain) {
  enum tac_status status = tac_scheduler_create(&chain->scheduler, &chain->scheduling, &chain->error);
  if (!status)
    status = tac_dmrg_state_create(&chain->state, &chain->start, &chain->error);
  if (!status)
    status =
        tac_dmrg_environments_create(&chain->environments, &chain->hamiltonian, chain->state, chain->scheduler, &chain->error);
  ck_assert_msg(!status, "%s", chain->error.text);
}

void chain_destroy(struct chain *chain) {
  tac_dmrg_environments_destroy(&chain->environments);
  tac_dmrg_state_destroy(&chain->state);
  tac_scheduler_destroy(&chain->scheduler);
}

double chain_sweep(struct chain *chain) {
  const enum tac_status status =
      tac_dmrg_sweep(chain->state, chain->environments, chain->scheduler, &chain->options, &chain->summary, &chain->error);
  ck_assert_msg(!status, "%s: %s", chain->error.where, chain->error.text);
  return chain->summary.energy;
}

double chain_sweeps(struct chain *chain, int count) {
  double energy = 0;
  for (int i = 0; i < count; i++)
    energy = chain_sweep(chain);
  return energy;
}

static int stop_at(void *context, int site, int done, int bonds, double energy) {
  (void)done, (void)bonds, (void)energy;
  return site == *(const int *)context;
}

void chain_stop_after(struct chain *chain, int site) {
  const enum tac_status status = tac_dmrg_sweep_progress(chain->state, chain->environments, chain->scheduler, &chain->options,
                                                         &chain->summary, stop_at, &site, &chain->error);
  ck_assert_msg(!status, "%s: %s", chain->error.where, chain->error.text);
}

enum tac_status chain_run_items(struct tac_bond *bond, size_t count, enum tac_status (*item)(void *, size_t, struct tac_lane *),
                                struct tac_error *error) {
  struct tac_arena *arena;
  struct tac_error ours;
  tac_error_clear(&ours);
  ck_assert_int_eq(tac_arena_create(&arena, NULL, NULL), TAC_STATUS_OK);
  struct tac_lane lane = {.count = 1, .arena = arena, .error = error ? error : &ours};
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < count && !status; i++) {
    const size_t mark = tac_arena_mark(arena);
    status = item(bond, i, &lane);
    tac_arena_release(arena, mark);
  }
  tac_arena_destroy(&arena);
  return status;
}

void chain_center(struct chain *chain, int site, int direction) {
  struct tac_dmrg_environments *e = chain->environments;
  struct tac_bond *bond = &e->bond;
  bond->hints = &e->hints[site];
  ck_assert_int_eq(tac_bond_layout(bond, site, direction, &e->part[site], &e->part[site + 2], &chain->error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_center_plan(bond, &chain->error), TAC_STATUS_OK);
  ck_assert_int_eq(chain_run_items(bond, bond->center_tasks.count, tac_center_item, NULL), TAC_STATUS_OK);
}

static uint64_t mix(uint64_t hash, const void *data, size_t bytes) { /* FNV-1a */
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211u;
  return hash;
}

uint64_t chain_fingerprint(const struct tac_dmrg_state *state) {
  uint64_t hash = 14695981039346656037u;
  for (int site = 0; site < tac_dmrg_state_sites(state); site++) {
    size_t count;
    const void *data;
    const struct tac_dmrg_block *block = tac_dmrg_state_blocks(state, site, &count, &data);
    const size_t size = state->kernels->size;
    for (size_t i = 0; i < count; i++) {
      const int shape[] = {block[i].charge, block[i].rows, block[i].columns};
      hash = mix(hash, shape, sizeof shape);
      hash = mix(hash, (const char *)data + block[i].offset * size, (size_t)block[i].rows * (size_t)block[i].columns * size);
    }
  }
  return hash;
}
