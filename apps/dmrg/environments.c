/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/environments.h"

#include <string.h>

#include "apps/dmrg/engine.h"

enum tac_status tac_environments_allocate(struct tac_dmrg_environments **out, const struct tac_dmrg_hamiltonian *hamiltonian,
                                          struct tac_dmrg_state *state, struct tac_error *error) {
  struct tac_pool pool;
  tac_pool_init(&pool, &state->pool.allocator);
  struct tac_dmrg_environments *made = pool.allocator.allocate(pool.allocator.context, sizeof *made);
  if (!made)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for environments");
  memset(made, 0, sizeof *made);
  made->pool = pool;
  made->hamiltonian = *hamiltonian;
  made->hamiltonian.field = 0;
  made->field_energy = -0.5 * hamiltonian->field * state->twice_sz;
  made->state = state;
  made->bond.pool = &made->pool;
  made->bond.engine = &tac_engine_host;
  made->bond.kernels = state->kernels;
  made->bond.hamiltonian = &made->hamiltonian;
  made->bond.state = state;
  made->bond.svd_divide = state->kernels->svd_divide;
  made->bond.svd_qr = state->kernels->svd_qr;
  size_t bonds = (size_t)state->sites + 1;
  enum tac_status status = tac_buffer_reserve(&made->parts, &made->pool, bonds * sizeof *made->part, error);
  if (!status)
    status = tac_buffer_reserve(&made->guards, &made->pool, bonds * sizeof *made->guard.bond, error);
  if (!status)
    status = tac_buffer_reserve(&made->hint_memory, &made->pool, bonds * sizeof *made->hints, error);
  if (!status) {
    made->guard.bond = memset(made->guards.data, 0, bonds * sizeof *made->guard.bond);
    made->hints = memset(made->hint_memory.data, 0, bonds * sizeof *made->hints);
    made->part = memset(made->parts.data, 0, bonds * sizeof *made->part);
    status = tac_part_empty(&made->part[0], &made->pool, state->kernels, error);
  }
  if (!status)
    status = tac_part_empty(&made->part[state->sites], &made->pool, state->kernels, error);
  if (status)
    tac_dmrg_environments_destroy(&made);
  *out = made;
  return status;
}

void tac_dmrg_environments_destroy(struct tac_dmrg_environments **environments) {
  if (!environments || !*environments)
    return;
  struct tac_dmrg_environments *e = *environments;
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
                                                 .inline_below = TAC_BOND_INLINE_BELOW},
                             error);
  }
  return status;
}
