/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/bond.h"

#include <math.h>
#include <stdlib.h>

#include "tests/dmrg/chain.h"
#include "tests/dmrg/exact.h"
#include "tests/dmrg/scalars.h"
#include "tests/unit/suite.h"

/* The centre's space of a bond as vectors of the whole chain. */
struct embedding {
  const struct chain *chain;
  const struct tac_bond *bond;
  struct exact_basis left, right; /* of the parts beside the two sites */
  size_t dimension;
};

static struct embedding embed(const struct chain *chain) {
  const struct tac_bond *bond = &chain->environments->bond;
  return (struct embedding){.chain = chain,
                            .bond = bond,
                            .left = exact_left_basis(chain->state, bond->site),
                            .right = exact_right_basis(chain->state, bond->site + 2),
                            .dimension = exact_dimension(chain->start.sites, chain->start.twice_spin)};
}

static void release(struct embedding *e) {
  exact_basis_destroy(&e->left);
  exact_basis_destroy(&e->right);
}

/* Calls `visit` for each element of a centre with the local states and the two basis vectors that it stands for. */
typedef void (*visit_fn)(const struct embedding *, size_t element, size_t first, const double complex *left,
                         const double complex *right, double complex *element_value, double complex *full);

static void visit_blocks(const struct embedding *e, visit_fn visit, double complex *theta, double complex *full) {
  const int spin = e->chain->start.twice_spin;
  const size_t d = (size_t)spin + 1;
  for (int b = 0; b < e->bond->blocks; b++) {
    const struct tac_center_block *block = &e->bond->block[b];
    size_t element = block->offset;
    for (int t = 0; t <= spin; t++) {
      const int inner_right = block->right_charge - (spin - 2 * t);
      for (int j = 0; j < e->right.count; j++) {
        if (e->right.charge[j] != inner_right)
          continue;
        for (int s = 0; s <= spin; s++)
          for (int i = 0; i < e->left.count; i++)
            if (e->left.charge[i] == block->charge - (spin - 2 * s)) {
              visit(e, element, (size_t)s * d + (size_t)t, e->left.vector[i], e->right.vector[j], theta, full);
              element++;
            }
      }
    }
    ck_assert_uint_eq(element - block->offset, (size_t)block->rows * (size_t)block->columns);
  }
}

static size_t full_index(const struct embedding *e, size_t left, size_t locals, size_t right) {
  const size_t d = (size_t)e->chain->start.twice_spin + 1;
  return (left * d * d + locals) * e->right.dimension + right;
}

static void add_element(const struct embedding *e, size_t element, size_t locals, const double complex *left,
                        const double complex *right, double complex *theta, double complex *full) {
  for (size_t a = 0; a < e->left.dimension; a++)
    for (size_t b = 0; b < e->right.dimension; b++)
      full[full_index(e, a, locals, b)] += theta[element] * left[a] * right[b];
}

static void project_element(const struct embedding *e, size_t element, size_t locals, const double complex *left,
                            const double complex *right, double complex *theta, double complex *full) {
  double complex sum = 0;
  for (size_t a = 0; a < e->left.dimension; a++)
    for (size_t b = 0; b < e->right.dimension; b++)
      sum += conj(left[a] * right[b]) * full[full_index(e, a, locals, b)];
  theta[element] = sum;
}

struct counted {
  struct chain *chain;
  uint64_t random;
  int bonds;
};

/* y = H x by the library's items, in double complex. */
static void apply(struct tac_bond *bond, const double complex *x, double complex *y) {
  const struct tac_kernels *kernels = bond->kernels;
  struct tac_buffer in = {.data = tac_allocator_system()->allocate(NULL, bond->length * kernels->size)};
  struct tac_buffer out = {.data = tac_allocator_system()->allocate(NULL, bond->length * kernels->size)};
  const struct tac_vector x_before = bond->x, y_before = bond->y;
  for (size_t i = 0; i < bond->length; i++) {
    scalars_set(kernels, in.data, i, x[i]);
    scalars_set(kernels, out.data, i, NAN);
  }
  bond->x = (struct tac_vector){&in, 0};
  bond->y = (struct tac_vector){&out, 0};
  ck_assert_int_eq(chain_run_items(bond, bond->apply_tasks.count, tac_apply_item, NULL), TAC_STATUS_OK);
  for (int b = 0; b < bond->blocks; b++)
    for (size_t i = 0; i < (size_t)bond->block[b].rows * (size_t)bond->block[b].columns; i++)
      y[bond->block[b].offset + i] = scalars_get(kernels, out.data, bond->block[b].offset + i);
  bond->x = x_before;
  bond->y = y_before;
  tac_allocator_system()->release(NULL, in.data);
  tac_allocator_system()->release(NULL, out.data);
}

static double complex *random_center(const struct tac_bond *bond, uint64_t *random) {
  double complex *x = calloc(bond->length, sizeof *x);
  for (int b = 0; b < bond->blocks; b++)
    for (size_t i = 0; i < (size_t)bond->block[b].rows * (size_t)bond->block[b].columns; i++) {
      const double re = scalars_uniform(random), im = scalars_uniform(random);
      x[bond->block[b].offset + i] = bond->kernels->is_complex ? re + im * I : re;
    }
  return x;
}

/* After each bond of a sweep: H of the bond that was just passed against the projection of the whole chain's H, both without
 * the field, which is one number in a sector. */
static int check_bond(void *context, int site, int done, int bonds, double energy) {
  struct counted *counted = context;
  struct chain *chain = counted->chain;
  struct tac_bond *bond = &chain->environments->bond;
  struct embedding e = embed(chain);
  const double tolerance = 2000 * bond->kernels->epsilon;
  ck_assert_int_eq(bond->site, site);
  ck_assert_int_eq(done, counted->bonds % bonds + 1);
  ck_assert_int_eq(bonds, chain->start.sites - 1);
  ck_assert(isfinite(energy));
  counted->bonds++;
  double complex *x = random_center(bond, &counted->random), *z = random_center(bond, &counted->random);
  double complex *y = calloc(bond->length, sizeof *y), *hz = calloc(bond->length, sizeof *hz);
  double complex *expected = calloc(bond->length, sizeof *expected);
  double complex *full = calloc(e.dimension, sizeof *full), *h_full = calloc(e.dimension, sizeof *h_full);
  apply(bond, x, y);
  visit_blocks(&e, add_element, x, full);
  struct tac_dmrg_hamiltonian without_field = chain->hamiltonian;
  without_field.field = 0;
  exact_apply(&without_field, full, h_full);
  visit_blocks(&e, project_element, expected, h_full);
  for (size_t i = 0; i < bond->length; i++)
    ck_assert_msg(cabs(y[i] - expected[i]) <= tolerance, "bond %d element %zu: %g%+gi instead of %g%+gi", site, i, creal(y[i]),
                  cimag(y[i]), creal(expected[i]), cimag(expected[i]));
  apply(bond, z, hz);
  ck_assert_double_le(cabs(exact_dot(bond->length, z, y) - conj(exact_dot(bond->length, x, hz))), tolerance * 10);
  double complex *all[] = {x, z, y, hz, expected, full, h_full};
  for (int i = 0; i < 7; i++)
    free(all[i]);
  release(&e);
  return 0;
}

/* 2 Sz, Jxy, Jz, field */
static void check_chain(int sites, int twice_spin, int twice_sz, const double *couplings, enum tac_dmrg_scalar scalar,
                        int max_states) {
  struct chain chain;
  struct counted counted = {.chain = &chain, .random = 88172645463325252u + (uint64_t)scalar};
  chain_init(&chain, sites);
  chain_set_spin(&chain, twice_spin);
  chain.hamiltonian.jxy = couplings[0];
  chain.hamiltonian.jz = couplings[1];
  chain.hamiltonian.field = couplings[2];
  chain.start.twice_sz = twice_sz;
  chain.start.scalar = scalar;
  chain.start.start = TAC_DMRG_RANDOM;
  chain.start.random_states = 6;
  chain.options.max_states = max_states;
  chain_create(&chain);
  for (int sweep = 0; sweep < 3; sweep++)
    ck_assert_int_eq(tac_dmrg_sweep_progress(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary,
                                             check_bond, &counted, &chain.error),
                     TAC_STATUS_OK);
  ck_assert_int_eq(counted.bonds, 3 * (sites - 1));
  double complex *psi = exact_amplitudes(chain.state), *h_psi = calloc(exact_dimension(sites, twice_spin), sizeof *h_psi);
  exact_apply(&chain.hamiltonian, psi, h_psi);
  const double square = creal(exact_dot(exact_dimension(sites, twice_spin), psi, psi));
  const double energy = creal(exact_dot(exact_dimension(sites, twice_spin), psi, h_psi)) / square;
  ck_assert_double_eq_tol(chain.summary.energy, energy, 500 * chain.environments->bond.kernels->epsilon);
  free(psi);
  free(h_psi);
  chain_destroy(&chain);
}

static const double couplings[][3] = {{1, 1, 0}, {1, 0.6, 0.35}, {0.7, -1.3, -0.8}, {0, 1, 0.5}, {1.2, 0, 0}};

START_TEST(effective_hamiltonian_of_spin_half) {
  const enum tac_dmrg_scalar scalar = (enum tac_dmrg_scalar)(_i % 4);
  const double *j = couplings[_i / 4];
  check_chain(6, 1, 0, j, scalar, 5);
  check_chain(7, 1, 3, j, scalar, 4);
  check_chain(8, 1, -2, j, scalar, 9);
  check_chain(2, 1, 0, j, scalar, 4);
  check_chain(3, 1, -1, j, scalar, 4);
  check_chain(4, 1, 4, j, scalar, 4); /* one state */
}
END_TEST

START_TEST(effective_hamiltonian_of_spin_one) {
  const enum tac_dmrg_scalar scalar = (enum tac_dmrg_scalar)(_i % 4);
  const double *j = couplings[_i / 4];
  check_chain(2, 2, 0, j, scalar, 4);
  check_chain(4, 2, 2, j, scalar, 7);
  check_chain(5, 2, 0, j, scalar, 6);
  check_chain(3, 2, -6, j, scalar, 6); /* one state */
}
END_TEST

/* Output groups cover every column of every block once, also where a block is cut into several. */
static int check_groups(void *context, int site, int done, int bonds, double energy) {
  const struct tac_bond *bond = &((struct chain *)context)->environments->bond;
  size_t task = 0;
  (void)site, (void)energy;
  for (int b = 0; b < bond->blocks; b++) {
    int next = 0;
    for (; task < bond->apply_tasks.count && bond->apply_tasks.task[task].block == b; task++) {
      ck_assert_int_eq(bond->apply_tasks.task[task].column, next);
      ck_assert_int_gt(bond->apply_tasks.task[task].columns, 0);
      ck_assert_double_gt(tac_apply_cost(bond, task), 0);
      next += bond->apply_tasks.task[task].columns;
    }
    ck_assert_int_eq(next, bond->block[b].columns);
  }
  ck_assert_uint_eq(task, bond->apply_tasks.count);
  return done == bonds;
}

START_TEST(groups_cover_the_centre) {
  struct chain chain;
  chain_init(&chain, 18);
  chain.options.max_states = 300;
  chain.options.local_matvecs = 1;
  chain.start.start = TAC_DMRG_RANDOM;
  chain.start.random_states = 300;
  chain_create(&chain);
  ck_assert_int_eq(tac_dmrg_sweep_progress(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary,
                                           check_groups, &chain, &chain.error),
                   TAC_STATUS_OK);
  ck_assert_int_eq(chain.summary.max_bond, 300);
  chain_destroy(&chain);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("apply");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, effective_hamiltonian_of_spin_half, 0, 20);
  tcase_add_loop_test(cases, effective_hamiltonian_of_spin_one, 0, 20);
  tcase_add_test(cases, groups_cover_the_centre);
  return run_cases("apply", cases);
}
