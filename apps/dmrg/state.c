/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/state.h"

#include <string.h>

#include <tactus/dmrg/hamiltonian.h>
#include <tactus/runtime/dense.h>

void tac_dmrg_state_options_init(struct tac_dmrg_state_options *options, int sites) {
  memset(options, 0, sizeof *options);
  options->size = sizeof *options;
  options->sites = sites;
  options->twice_spin = 1;
  options->twice_sz = sites % 2;
  options->random_states = 16;
  options->seed = 1;
}

static enum tac_status check_options(const struct tac_dmrg_state_options *options, struct tac_error *error) {
  if (!options || options->size != sizeof *options)
    return tac_error_set(error, TAC_STATUS_INVALID, "state", "options not made by tac_dmrg_state_options_init of this version");
  if ((unsigned)options->scalar > TAC_DMRG_COMPLEX32)
    return tac_error_set(error, TAC_STATUS_INVALID, "state", "scalar is %d: unknown", (int)options->scalar);
  if ((unsigned)options->start > TAC_DMRG_RANDOM)
    return tac_error_set(error, TAC_STATUS_INVALID, "state", "start is %d: unknown", (int)options->start);
  if (options->start == TAC_DMRG_RANDOM && options->random_states < 1)
    return tac_error_set(error, TAC_STATUS_INVALID, "state", "random_states is %d: at least 1", options->random_states);
  return tac_dmrg_sector_check(options->sites, options->twice_spin, options->twice_sz, error);
}

enum tac_status tac_dmrg_state_create(struct tac_dmrg_state **out, const struct tac_dmrg_state_options *options,
                                      struct tac_error *error) {
  if (!out)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no place for the state");
  *out = NULL;
  enum tac_status status = check_options(options, error);
  if (status)
    return status;
  struct tac_pool pool;
  tac_pool_init(&pool, options->allocator);
  struct tac_dmrg_state *state = pool.allocator.allocate(pool.allocator.context, sizeof *state);
  if (!state)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a state");
  memset(state, 0, sizeof *state);
  state->pool = pool;
  state->scalar = options->scalar;
  state->kernels = tac_kernels_of(options->scalar, tac_blas_info().kernel);
  state->sites = options->sites;
  state->twice_spin = options->twice_spin;
  state->twice_sz = options->twice_sz;
  size_t bytes = (size_t)state->sites * sizeof *state->tensor;
  status = tac_buffer_reserve(&state->tensors, &state->pool, bytes, error);
  if (status)
    goto done;
  state->tensor = memset(state->tensors.data, 0, bytes);
  status = options->start == TAC_DMRG_NEEL ? tac_state_start_product(state, error)
                                           : tac_state_start_random(state, options->random_states, options->seed, error);
  if (status)
    goto done;
  *out = state;
  return TAC_STATUS_OK;
done:
  tac_dmrg_state_destroy(&state);
  return status;
}

void tac_dmrg_state_destroy(struct tac_dmrg_state **state) {
  if (!state || !*state)
    return;
  struct tac_dmrg_state *s = *state;
  for (int site = 0; s->tensor && site < s->sites; site++)
    tac_tensor_release(&s->tensor[site], &s->pool);
  tac_buffer_release(&s->tensors, &s->pool);
  struct tac_allocator allocator = s->pool.allocator;
  allocator.release(allocator.context, s);
  *state = NULL;
}

int tac_dmrg_state_sites(const struct tac_dmrg_state *state) {
  return state->sites;
}

int tac_dmrg_state_twice_spin(const struct tac_dmrg_state *state) {
  return state->twice_spin;
}

int tac_dmrg_state_twice_sz(const struct tac_dmrg_state *state) {
  return state->twice_sz;
}

enum tac_dmrg_scalar tac_dmrg_state_scalar(const struct tac_dmrg_state *state) {
  return state->scalar;
}

int tac_dmrg_state_center(const struct tac_dmrg_state *state) {
  return state->center;
}

static int columns_of(const struct tac_tensor *tensor) {
  int columns = 0;
  for (size_t i = 0; i < tensor->count; i++)
    columns += tensor->block[i].columns;
  return columns;
}

/* A tensor in left form shows the bond on its right, one in right form the bond on its left. */
int tac_dmrg_state_bond_dimension(const struct tac_dmrg_state *state, int bond) {
  if (bond <= 0 || bond >= state->sites)
    return bond == 0 || bond == state->sites ? 1 : 0;
  const struct tac_tensor *left = &state->tensor[bond - 1];
  return columns_of(left->form == TAC_DMRG_LEFT_FORM ? left : &state->tensor[bond]);
}

int tac_dmrg_state_max_bond_dimension(const struct tac_dmrg_state *state) {
  int most = 1;
  for (int bond = 1; bond < state->sites; bond++) {
    int dimension = tac_dmrg_state_bond_dimension(state, bond);
    most = dimension > most ? dimension : most;
  }
  return most;
}

size_t tac_dmrg_state_bytes(const struct tac_dmrg_state *state) {
  return state->pool.bytes + sizeof *state;
}

enum tac_dmrg_form tac_dmrg_state_form(const struct tac_dmrg_state *state, int site) {
  return site >= 0 && site < state->sites ? state->tensor[site].form : TAC_DMRG_LEFT_FORM;
}

const struct tac_dmrg_block *tac_dmrg_state_blocks(const struct tac_dmrg_state *state, int site, size_t *count,
                                                   const void **data) {
  struct tac_tensor *tensor = site >= 0 && site < state->sites ? &state->tensor[site] : NULL;
  if (count)
    *count = tensor ? tensor->count : 0;
  if (data)
    *data = NULL;
  if (data && tensor && !state->lost &&
      !tac_buffer_map(&tensor->data, state->pool.queue, tac_tensor_bytes(tensor, state->kernels), TAC_MAP_READ, NULL))
    *data = tensor->data.data;
  return tensor ? tensor->block : NULL;
}
