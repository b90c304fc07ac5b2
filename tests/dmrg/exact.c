/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/dmrg/exact.h"

#include <math.h>
#include <stdlib.h>

#include <lapacke.h>

#include "tests/dmrg/scalars.h"

static void *zeros(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory)
    abort();
  return memory;
}

size_t exact_dimension(int sites, int twice_spin) {
  size_t dimension = 1;
  for (int i = 0; i < sites; i++)
    dimension *= (size_t)twice_spin + 1;
  return dimension;
}

int exact_twice_sz(int sites, int twice_spin, size_t number) {
  int sum = 0;
  for (int i = 0; i < sites; i++, number /= (size_t)twice_spin + 1)
    sum += twice_spin - 2 * (int)(number % ((size_t)twice_spin + 1));
  return sum;
}

/* <m+1| S+ |m> of local state `from`. */
static double raise(int twice_spin, int from) {
  const double s = 0.5 * twice_spin, m = s - from;
  return sqrt(s * (s + 1) - m * (m + 1));
}

/* What H makes of the product state `number`, times x, added to y. */
static void apply_column(const struct tac_dmrg_hamiltonian *h, size_t number, double complex x, double complex *y) {
  const size_t d = (size_t)h->twice_spin + 1;
  size_t place = 1; /* weight of the right site of a bond */
  for (int site = h->sites - 1; site >= 0; site--, place *= d) {
    const int right = (int)(number / place % d), left = (int)(number / (place * d) % d);
    const double m = 0.5 * h->twice_spin - right, k = 0.5 * h->twice_spin - left;
    y[number] -= h->field * m * x;
    if (site == 0)
      continue;
    y[number] += h->jz * m * k * x;
    if (left > 0 && right < h->twice_spin) /* left goes up, right goes down */
      y[number - place * d + place] += 0.5 * h->jxy * raise(h->twice_spin, left) * raise(h->twice_spin, right + 1) * x;
    if (right > 0 && left < h->twice_spin)
      y[number + place * d - place] += 0.5 * h->jxy * raise(h->twice_spin, right) * raise(h->twice_spin, left + 1) * x;
  }
}

void exact_apply(const struct tac_dmrg_hamiltonian *h, const double complex *x, double complex *y) {
  const size_t dimension = exact_dimension(h->sites, h->twice_spin);
  for (size_t i = 0; i < dimension; i++)
    y[i] = 0;
  for (size_t i = 0; i < dimension; i++)
    if (x[i] != 0)
      apply_column(h, i, x[i], y);
}

double exact_ground_energy(const struct tac_dmrg_hamiltonian *h, int twice_sz) {
  const size_t dimension = exact_dimension(h->sites, h->twice_spin);
  size_t *member = zeros(dimension, sizeof *member), n = 0;
  for (size_t i = 0; i < dimension; i++)
    if (exact_twice_sz(h->sites, h->twice_spin, i) == twice_sz)
      member[n++] = i;
  double *matrix = zeros(n * n, sizeof *matrix), *values = zeros(n, sizeof *values);
  double complex *column = zeros(dimension, sizeof *column);
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < dimension; i++)
      column[i] = 0;
    apply_column(h, member[j], 1, column);
    for (size_t i = 0; i < n; i++)
      matrix[j * n + i] = creal(column[member[i]]);
  }
  const int info = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', (int)n, matrix, (int)n, values);
  const double energy = info ? NAN : values[0];
  free(column);
  free(values);
  free(matrix);
  free(member);
  return energy;
}

static struct exact_basis make_basis(int sites, int twice_spin, int count) {
  struct exact_basis basis = {.sites = sites, .dimension = exact_dimension(sites, twice_spin), .count = count};
  basis.charge = zeros((size_t)count, sizeof *basis.charge);
  basis.vector = zeros((size_t)count, sizeof *basis.vector);
  for (int i = 0; i < count; i++)
    basis.vector[i] = zeros(basis.dimension, sizeof **basis.vector);
  return basis;
}

void exact_basis_destroy(struct exact_basis *basis) {
  for (int i = 0; i < basis->count; i++)
    free(basis->vector[i]);
  free(basis->vector);
  free(basis->charge);
}

int exact_basis_first(const struct exact_basis *basis, int charge) {
  for (int i = 0; i < basis->count; i++)
    if (basis->charge[i] == charge)
      return i;
  return -1;
}

/* One column of a site tensor as a vector of one more site: rows are local states, each with the inner states of the charge
 * that is left. The new site stands last in left forms and first, with everything conjugated, in right forms. */
static void grow_vector(double complex *out, const struct exact_basis *inner, const struct tac_dmrg_state *state, int site,
                        const struct tac_dmrg_block *block, int column, int left) {
  const int spin = tac_dmrg_state_twice_spin(state);
  const struct tac_kernels *kernels = scalars_plain(tac_dmrg_state_scalar(state));
  const void *data;
  size_t row = (size_t)column * (size_t)block->rows + block->offset;
  tac_dmrg_state_blocks(state, site, NULL, &data);
  for (int local = 0; local <= spin; local++)
    for (int i = 0; i < inner->count; i++) {
      if (inner->charge[i] != block->charge - (spin - 2 * local))
        continue;
      double complex value = scalars_get(kernels, data, row++);
      value = left ? value : conj(value);
      for (size_t k = 0; k < inner->dimension; k++)
        out[left ? k * ((size_t)spin + 1) + (size_t)local : (size_t)local * inner->dimension + k] +=
            value * inner->vector[i][k];
    }
}

static struct exact_basis grow_basis(const struct exact_basis *inner, const struct tac_dmrg_state *state, int site, int left) {
  size_t count;
  const struct tac_dmrg_block *block = tac_dmrg_state_blocks(state, site, &count, NULL);
  int columns = 0, number = 0;
  for (size_t i = 0; i < count; i++)
    columns += block[i].columns;
  struct exact_basis basis = make_basis(inner->sites + 1, tac_dmrg_state_twice_spin(state), columns);
  for (size_t i = 0; i < count; i++)
    for (int j = 0; j < block[i].columns; j++, number++) {
      basis.charge[number] = block[i].charge;
      grow_vector(basis.vector[number], inner, state, site, &block[i], j, left);
    }
  return basis;
}

static struct exact_basis edge_basis(const struct tac_dmrg_state *state) {
  struct exact_basis basis = make_basis(0, tac_dmrg_state_twice_spin(state), 1);
  basis.vector[0][0] = 1;
  return basis;
}

struct exact_basis exact_left_basis(const struct tac_dmrg_state *state, int bond) {
  struct exact_basis basis = edge_basis(state);
  for (int site = 0; site < bond; site++) {
    struct exact_basis next = grow_basis(&basis, state, site, 1);
    exact_basis_destroy(&basis);
    basis = next;
  }
  return basis;
}

struct exact_basis exact_right_basis(const struct tac_dmrg_state *state, int bond) {
  struct exact_basis basis = edge_basis(state);
  for (int site = tac_dmrg_state_sites(state) - 1; site >= bond; site--) {
    struct exact_basis next = grow_basis(&basis, state, site, 0);
    exact_basis_destroy(&basis);
    basis = next;
  }
  return basis;
}

double complex *exact_amplitudes(const struct tac_dmrg_state *state) {
  int bond = 0;
  while (bond < tac_dmrg_state_sites(state) && tac_dmrg_state_form(state, bond) == TAC_DMRG_LEFT_FORM)
    bond++;
  struct exact_basis left = exact_left_basis(state, bond), right = exact_right_basis(state, bond);
  double complex *out = zeros(left.dimension * right.dimension, sizeof *out);
  for (int i = 0; i < left.count; i++) {
    const int first = exact_basis_first(&left, left.charge[i]);
    const int partner = exact_basis_first(&right, tac_dmrg_state_twice_sz(state) - left.charge[i]);
    if (partner < 0)
      continue;
    for (size_t a = 0; a < left.dimension; a++)
      for (size_t b = 0; b < right.dimension; b++)
        out[a * right.dimension + b] += left.vector[i][a] * right.vector[partner + i - first][b];
  }
  exact_basis_destroy(&left);
  exact_basis_destroy(&right);
  return out;
}

double complex exact_dot(size_t count, const double complex *x, const double complex *y) {
  double complex sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += conj(x[i]) * y[i];
  return sum;
}

double exact_norm(size_t count, const double complex *x) {
  return sqrt(creal(exact_dot(count, x, x)));
}
