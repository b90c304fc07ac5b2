/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/state.h"

#include <math.h>

/* Local state of `site` in the start: up first and as alternating as the sector allows. The chain's total is made of
 * `steps` of 2 in twice Sz above the lowest state; they are dealt evenly, rounded half up, in lots of a whole spin, and what
 * is left of a lot is dealt among the remaining lowest sites. */
static int product_local(const struct tac_dmrg_state *state, int site) {
  long long sites = state->sites, spin = state->twice_spin;
  long long steps = (state->twice_sz + sites * spin) / 2;
  long long whole = steps / spin, rest = steps % spin;
  long long before = (2 * site * whole + sites) / (2 * sites), after = (2 * (site + 1) * whole + sites) / (2 * sites);
  int raised = after > before ? (int)spin : 0;
  if (rest && !raised) { /* spin 1 with an odd number of steps: the first site that stayed down takes the one left */
    int first = 1;
    for (int other = 0; other < site && first; other++) {
      long long b = (2 * other * whole + sites) / (2 * sites), a = (2 * (other + 1) * whole + sites) / (2 * sites);
      first = a > b;
    }
    raised = first ? (int)rest : 0;
  }
  return state->twice_spin - raised;
}

/* One row and one column of one charge: the tensor of a product state. */
static enum tac_status place_product(struct tac_dmrg_state *state, int site, int charge, struct tac_error *error) {
  struct tac_tensor *tensor = &state->tensor[site];
  enum tac_status status = tac_buffer_reserve(&tensor->blocks, &state->pool, sizeof *tensor->block, error);
  if (!status)
    status = tac_buffer_reserve(&tensor->data, &state->pool, TAC_ALIGNMENT, error);
  if (status)
    return status;
  tensor->form = site == 0 ? TAC_DMRG_LEFT_FORM : TAC_DMRG_RIGHT_FORM;
  tensor->block = tensor->blocks.data;
  tensor->count = 1;
  tensor->block[0] = (struct tac_dmrg_block){.charge = charge, .rows = 1, .columns = 1, .offset = 0};
  state->kernels->from_double(1, &(double){1}, tensor->data.data);
  return TAC_STATUS_OK;
}

enum tac_status tac_state_start_product(struct tac_dmrg_state *state, struct tac_error *error) {
  int charge = 0; /* of the sites right of the bond */
  enum tac_status status = TAC_STATUS_OK;
  for (int site = state->sites - 1; site >= 0 && !status; site--) {
    int local = tac_local_charge(state->twice_spin, product_local(state, site));
    charge += local;
    status = place_product(state, site, site == 0 ? local : charge, error);
  }
  return status;
}

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014) and the Box-Muller transform. */
static double uniform(uint64_t *seed) {
  uint64_t z = *seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return ((double)(z >> 11) + 0.5) * 0x1p-53;
}

static void fill_normal(const struct tac_kernels *kernels, uint64_t *seed, size_t elements, void *to) {
  size_t reals = kernels->is_complex ? 2 * elements : elements;
  const struct tac_kernels *real = kernels->epsilon > 1e-10 ? &tac_kernels_real32 : &tac_kernels_real64;
  for (size_t i = 0; i < reals; i++) {
    double value = sqrt(-2 * log(uniform(seed))) * cos(2 * M_PI * uniform(seed));
    real->from_double(1, &value, (char *)to + i * real->size);
  }
}

/* States of charge c that `sites` spins have, capped: enough to know how many a bond may keep. */
static int multiplicity(int sites, int twice_spin, int charge) {
  int most = sites * twice_spin;
  if (charge > most || charge < -most)
    return 0;
  int distance = (most - (charge < 0 ? -charge : charge)) / 2; /* steps from the nearer end of the ladder */
  double states = 1;                                           /* spins 1/2; spin 1 has at least as many */
  for (int i = 0; i < distance && states < 1e6; i++)
    states *= (double)(sites - i) / (i + 1);
  if (twice_spin == 2 && distance == 1)
    states = sites;
  return states < 1 ? 1 : states < 1e6 ? (int)states : 1000000;
}

/* Deals at most `most` states to the charges of a bond, those nearest the even share of the total first, one each a round. */
static void deal_states(struct tac_space *space, const struct tac_enlarged *rows, const struct tac_dmrg_state *state, int bond,
                        int most) {
  double target = (double)state->twice_sz * (state->sites - bond) / state->sites;
  int total = 0, dealt = 1;
  while (total < most && dealt) {
    dealt = 0;
    for (int step = 0; step < 2 * space->count && total < most; step++) {
      /* Charges in the order of their distance from the target: nearest, then alternately below and above. */
      int nearest = (int)lrint((target - space->low) / 2);
      int number = nearest + (step % 2 ? (step + 1) / 2 : -(step / 2));
      if (number < 0 || number >= space->count)
        continue;
      int charge = space->low + 2 * number;
      int left = multiplicity(bond, state->twice_spin, state->twice_sz - charge);
      int right = tac_enlarged_sector(rows, charge)->rows;
      if (space->dimension[number] >= (left < right ? left : right))
        continue;
      space->dimension[number]++;
      total++;
      dealt = 1;
    }
  }
  tac_space_trim(space);
}

/* Random columns made orthonormal by Cholesky factors of their Gram matrix, twice (Yamamoto et al., ETNA 44, 2015); a draw
 * that happens to be too ill-conditioned for that is drawn again. */
static enum tac_status fill_isometry(struct tac_dmrg_state *state, struct tac_tensor *tensor, uint64_t *seed,
                                     struct tac_buffer *gram, struct tac_error *error) {
  const struct tac_kernels *kernels = state->kernels;
  for (size_t i = 0; i < tensor->count; i++) {
    const struct tac_dmrg_block *block = &tensor->block[i];
    int m = block->rows, n = block->columns, failed = n > 0;
    enum tac_status status = tac_buffer_reserve(gram, &state->pool, (size_t)n * (size_t)n * kernels->size, error);
    if (status)
      return status;
    void *columns = tac_element(kernels, tensor->data.data, block->offset);
    for (int draw = 0; draw < 8 && failed; draw++) {
      fill_normal(kernels, seed, (size_t)m * (size_t)n, columns);
      failed = 0;
      for (int pass = 0; pass < 2 && !failed; pass++) {
        kernels->gram('C', n, m, columns, m, gram->data, n);
        failed = kernels->cholesky(n, gram->data, n);
        if (!failed)
          kernels->solve_right(m, n, gram->data, n, columns, m);
      }
    }
    if (failed)
      return tac_error_set(error, TAC_STATUS_NUMERICAL, "random start", "%d random columns of %d rows are dependent", n, m);
  }
  return TAC_STATUS_OK;
}

static enum tac_status fill_center(struct tac_dmrg_state *state, const struct tac_space *right, uint64_t *seed,
                                   struct tac_space *left, struct tac_enlarged *rows, struct tac_error *error) {
  struct tac_space *edge = left; /* nothing stands left of site 0: one state of charge 0 */
  enum tac_status status = tac_space_resize(edge, &state->pool, 0, 1, error);
  if (status)
    return status;
  edge->dimension[0] = 1;
  status = tac_enlarged_make(rows, &state->pool, edge, state->twice_spin, error);
  if (!status) /* the left charges of bond 1 in rising order are its right charges in falling order */
    status = tac_space_resize(left, &state->pool, state->twice_sz - (right->low + 2 * (right->count - 1)), right->count, error);
  if (status)
    return status;
  for (int i = 0; i < right->count; i++)
    left->dimension[i] = right->dimension[right->count - 1 - i];
  struct tac_tensor *tensor = &state->tensor[0];
  status = tac_tensor_layout(tensor, &state->pool, state->kernels, TAC_DMRG_LEFT_FORM, left, rows, error);
  double square = 0;
  for (int pass = 0; pass < 2 && !status; pass++)
    for (size_t i = 0; i < tensor->count; i++) {
      const struct tac_dmrg_block *block = &tensor->block[i];
      size_t elements = (size_t)block->rows * (size_t)block->columns;
      void *data = tac_element(state->kernels, tensor->data.data, block->offset);
      if (pass == 0) {
        fill_normal(state->kernels, seed, elements, data);
        square += state->kernels->dot(elements, data, data);
      } else {
        state->kernels->scale(elements, 1 / sqrt(square), data);
      }
    }
  return status;
}

enum tac_status tac_state_start_random(struct tac_dmrg_state *state, int most_states, uint64_t seed, struct tac_error *error) {
  struct tac_space space = {0}, next = {0};
  struct tac_enlarged rows = {0};
  struct tac_buffer gram = {0};
  enum tac_status status = tac_space_resize(&space, &state->pool, 0, 1, error);
  if (status)
    goto done;
  space.dimension[0] = 1;
  for (int site = state->sites - 1; site >= 1 && !status; site--) {
    status = tac_enlarged_make(&rows, &state->pool, &space, state->twice_spin, error);
    if (!status)
      status = tac_space_resize(&next, &state->pool, rows.low, rows.count, error);
    if (status)
      break;
    deal_states(&next, &rows, state, site, most_states);
    struct tac_tensor *tensor = &state->tensor[site];
    status = tac_tensor_layout(tensor, &state->pool, state->kernels, TAC_DMRG_RIGHT_FORM, &next, &rows, error);
    if (!status)
      status = fill_isometry(state, tensor, &seed, &gram, error);
    struct tac_space swap = space;
    space = next;
    next = swap;
  }
  if (!status)
    status = fill_center(state, &space, &seed, &next, &rows, error);
done:
  tac_buffer_release(&space.memory, &state->pool);
  tac_buffer_release(&next.memory, &state->pool);
  tac_buffer_release(&rows.memory, &state->pool);
  tac_buffer_release(&gram, &state->pool);
  return status;
}
