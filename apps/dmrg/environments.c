/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/environments.h"

#include <string.h>

#include "apps/dmrg/engine.h"

static void init_bond(struct tac_dmrg_environments *e) {
  const struct tac_kernels *kernels = e->state->kernels;
  e->bond.pool = &e->pool;
  e->bond.engine = e->pool.queue ? &tac_engine_device : &tac_engine_host;
  e->bond.kernels = kernels;
  e->bond.hamiltonian = &e->hamiltonian;
  e->bond.state = e->state;
  e->bond.svd_divide = kernels->svd_divide;
  e->bond.svd_qr = kernels->svd_qr;
}

static enum tac_status reserve_parts(struct tac_dmrg_environments *e, struct tac_error *error) {
  const size_t bonds = (size_t)e->state->sites + 1;
  enum tac_status status = tac_buffer_reserve(&e->parts, &e->pool, bonds * sizeof *e->part, error);
  if (!status)
    status = tac_buffer_reserve(&e->guards, &e->pool, bonds * sizeof *e->guard.bond, error);
  if (!status)
    status = tac_buffer_reserve(&e->hint_memory, &e->pool, bonds * sizeof *e->hints, error);
  if (status)
    return status;
  e->guard.bond = memset(e->guards.data, 0, bonds * sizeof *e->guard.bond);
  e->hints = memset(e->hint_memory.data, 0, bonds * sizeof *e->hints);
  e->part = memset(e->parts.data, 0, bonds * sizeof *e->part);
  status = tac_part_empty(&e->part[0], &e->pool, e->state->kernels, error);
  return status ? status : tac_part_empty(&e->part[e->state->sites], &e->pool, e->state->kernels, error);
}

/* The state's numbers to where the environments live. */
static enum tac_status take_state(struct tac_dmrg_environments *e, struct tac_error *error) {
  struct tac_dmrg_state *state = e->state;
  if (!e->pool.queue)
    return TAC_STATUS_OK;
  enum tac_status status = TAC_STATUS_OK;
  state->pool.queue = e->pool.queue;
  for (int site = 0; site < state->sites && !status; site++) {
    struct tac_tensor *tensor = &state->tensor[site];
    status = tac_buffer_to_device(&tensor->data, &state->pool, tac_tensor_bytes(tensor, state->kernels), error);
  }
  const enum tac_status finished = tac_queue_finish(e->pool.queue, "state", status ? NULL : error);
  return status ? status : finished;
}

static void return_state(struct tac_dmrg_environments *e) {
  struct tac_dmrg_state *state = e->state;
  if (!e->pool.queue || state->pool.queue != e->pool.queue)
    return;
  for (int site = 0; site < state->sites; site++) {
    struct tac_tensor *tensor = &state->tensor[site];
    if (tac_buffer_to_host(&tensor->data, &state->pool, tac_tensor_bytes(tensor, state->kernels), NULL))
      state->lost = 1;
  }
  state->pool.queue = NULL;
}

enum tac_status tac_environments_allocate(struct tac_dmrg_environments **out, const struct tac_dmrg_hamiltonian *hamiltonian,
                                          struct tac_dmrg_state *state, struct tac_queue *queue, struct tac_error *error) {
  struct tac_pool pool;
  tac_pool_init(&pool, &state->pool.allocator);
  pool.queue = queue;
  struct tac_dmrg_environments *made = pool.allocator.allocate(pool.allocator.context, sizeof *made);
  if (!made)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for environments");
  memset(made, 0, sizeof *made);
  made->pool = pool;
  made->hamiltonian = *hamiltonian;
  made->hamiltonian.field = 0;
  made->field_energy = -0.5 * hamiltonian->field * state->twice_sz;
  made->state = state;
  init_bond(made);
  enum tac_status status = made->bond.engine->create(&made->bond, error);
  if (!status)
    status = reserve_parts(made, error);
  if (!status)
    status = take_state(made, error);
  if (status)
    tac_dmrg_environments_destroy(&made);
  *out = made;
  return status;
}

void tac_dmrg_environments_destroy(struct tac_dmrg_environments **environments) {
  if (!environments || !*environments)
    return;
  struct tac_dmrg_environments *e = *environments;
  return_state(e);
  e->bond.engine->destroy(&e->bond);
  for (int bond = 0; e->part && bond <= e->state->sites; bond++) {
    tac_part_release(&e->part[bond], &e->pool);
    tac_tensor_release(&e->hints[bond], &e->pool);
  }
  tac_bond_release(&e->bond);
  tac_buffer_release(&e->parts, &e->pool);
  tac_buffer_release(&e->guards, &e->pool);
  tac_buffer_release(&e->hint_memory, &e->pool);
  struct tac_allocator allocator = e->pool.allocator;
  allocator.release(allocator.context, e);
  *environments = NULL;
}

size_t tac_dmrg_environments_bytes(const struct tac_dmrg_environments *environments) {
  return environments->pool.bytes + sizeof *environments;
}

uint64_t tac_dmrg_environments_allocations(const struct tac_dmrg_environments *environments) {
  return environments->pool.allocations + environments->state->pool.allocations;
}

enum tac_status tac_environments_build(struct tac_dmrg_environments *environments, struct tac_scheduler *scheduler,
                                       struct tac_error *error) {
  struct tac_bond *bond = &environments->bond;
  enum tac_status status = TAC_STATUS_OK;
  for (int site = environments->state->sites - 1; site >= 2 && !status; site--) {
    status = tac_bond_layout_part(bond, site, &environments->part[site + 1], error);
    if (!status)
      status = bond->engine->enlarge_right(bond, error);
    if (!status)
      status = bond->engine->plan_part(bond, &environments->state->tensor[site], &environments->part[site], error);
    if (!status)
      status = tac_run_batch(scheduler,
                             &(struct tac_batch){.count = bond->part_tasks.count,
                                                 .item = bond->engine->part_item,
                                                 .cost = tac_part_cost,
                                                 .context = bond,
                                                 .inline_below = bond->part_tasks.inline_below},
                             error);
  }
  return status;
}
