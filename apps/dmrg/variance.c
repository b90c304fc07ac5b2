/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/dmrg/sweep.h>

#include <math.h>

#include "apps/dmrg/block_map.h"
#include "apps/dmrg/site_maps.h"

#define LOCAL TAC_LOCAL_STATES

/* How the operators of a left part grow by one site. With B the coupling of its last site (states s, t) to the new one
 * (states r, k) and F a number, H grows to H + B + F and H^2 to
 * H^2 + {H, B} + 2 H F + (B^2 + 2 B F) + F^2. Matrices are indexed [s][r][t][k]: <s r| . |t k>. */
struct growth {
  int local, width;
  int charge[LOCAL];                           /* twice Sz */
  double shift;                                /* F */
  double coupling[LOCAL][LOCAL][LOCAL][LOCAL]; /* B */
  double square[LOCAL][LOCAL][LOCAL][LOCAL];   /* B^2 + 2 B F */
};

/* The operators of all sites left of a bond in the bond's states: norm, H and H^2, and with the local states s and t of the
 * last of the sites |s><t| and the anticommutator of H with it. At the left end of the chain the last two are empty. */
struct left_part {
  struct tac_bond_charges bond;
  struct tac_block_map norm, h, h2, edge[LOCAL][LOCAL], anti[LOCAL][LOCAL];
};

/* Local states count down from the highest Sz: S+ takes state t to t - 1. */
static double raising(int twice_spin, int to, int from) {
  return to == from - 1 ? sqrt((double)from * (twice_spin - from + 1)) : 0;
}

static double coupling_element(const struct tac_dmrg_hamiltonian *h, const int *charge, int s, int r, int t, int k) {
  const int spin = h->twice_spin;
  double exchange = raising(spin, s, t) * raising(spin, k, r) + raising(spin, t, s) * raising(spin, r, k);
  return 0.5 * h->jxy * exchange + (s == t && r == k ? 0.25 * h->jz * charge[s] * charge[r] : 0);
}

static double square_element(const struct growth *g, int s, int r, int t, int k) {
  double sum = 2 * g->shift * g->coupling[s][r][t][k];
  for (int u = 0; u < g->local; u++)
    for (int v = 0; v < g->local; v++)
      sum += g->coupling[s][r][u][v] * g->coupling[u][v][t][k];
  return sum;
}

static void prepare_growth(struct growth *g, const struct tac_dmrg_hamiltonian *h, int width) {
  *g = (struct growth){.local = h->twice_spin + 1, .width = width};
  const int n = g->local;
  for (int s = 0; s < n; s++)
    g->charge[s] = h->twice_spin - 2 * s;
  for (int i = 0; i < n * n * n * n; i++) {
    int s = i / (n * n * n), r = i / (n * n) % n, t = i / n % n, k = i % n;
    g->coupling[s][r][t][k] = coupling_element(h, g->charge, s, r, t, k);
  }
}

static void set_shift(struct growth *g, double shift) {
  const int n = g->local;
  g->shift = shift;
  for (int i = 0; i < n * n * n * n; i++) {
    int s = i / (n * n * n), r = i / (n * n) % n, t = i / n % n, k = i % n;
    g->square[s][r][t][k] = square_element(g, s, r, t, k);
  }
}

static void destroy_part(struct left_part *part) {
  tac_block_map_destroy(&part->norm);
  tac_block_map_destroy(&part->h);
  tac_block_map_destroy(&part->h2);
  for (int s = 0; s < LOCAL; s++)
    for (int t = 0; t < LOCAL; t++) {
      tac_block_map_destroy(&part->edge[s][t]);
      tac_block_map_destroy(&part->anti[s][t]);
    }
  tac_bond_charges_destroy(&part->bond);
}

/* All operators as zeros, on a bond that `part` already has. */
static enum tac_status create_operators(struct left_part *part, const struct growth *g, struct tac_error *error) {
  const struct tac_bond_charges *bond = &part->bond;
  enum tac_status status = tac_block_map_create(&part->norm, bond, bond, 0, g->width, error);
  if (status == TAC_STATUS_OK)
    status = tac_block_map_create(&part->h, bond, bond, 0, g->width, error);
  if (status == TAC_STATUS_OK)
    status = tac_block_map_create(&part->h2, bond, bond, 0, g->width, error);
  for (int s = 0; s < g->local; s++)
    for (int t = 0; t < g->local && status == TAC_STATUS_OK; t++) {
      status = tac_block_map_create(&part->edge[s][t], bond, bond, g->charge[s] - g->charge[t], g->width, error);
      if (status == TAC_STATUS_OK)
        status = tac_block_map_create(&part->anti[s][t], bond, bond, g->charge[s] - g->charge[t], g->width, error);
    }
  return status;
}

static void add_coupled(struct tac_block_map *y, const struct tac_block_map operators[LOCAL][LOCAL],
                        const double matrix[LOCAL][LOCAL][LOCAL][LOCAL], int r, int k, int local) {
  for (int s = 0; s < local; s++)
    for (int t = 0; t < local; t++)
      if (matrix[s][r][t][k] != 0)
        tac_block_map_add(y, matrix[s][r][t][k], &operators[s][t]);
}

/* The element <r| . |k> in the new site of the grown H (power 1) or H^2 (power 2), an operator on the old bond. */
static void add_element(struct tac_block_map *y, const struct left_part *part, const struct growth *g, int power, int r,
                        int k) {
  add_coupled(y, power == 1 ? part->edge : part->anti, g->coupling, r, k, g->local);
  if (power == 2)
    add_coupled(y, part->edge, g->square, r, k, g->local);
  if (r != k)
    return;
  tac_block_map_add(y, power == 1 ? g->shift : g->shift * g->shift, &part->norm);
  tac_block_map_add(y, power == 1 ? 1 : 2 * g->shift, &part->h);
  if (power == 2)
    tac_block_map_add(y, 1, &part->h2);
}

/* half[r] = sum over k of <r| grown operator |k> site[k]: the operator on the site's right states, its left side open. */
static enum tac_status open_halves(struct tac_block_map half[LOCAL], const struct left_part *part, const struct growth *g,
                                   const struct tac_block_map site[LOCAL], int power, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int r = 0; r < g->local && status == TAC_STATUS_OK; r++) {
    status = tac_block_map_create(&half[r], site[r].rows, site[r].columns, site[r].shift, g->width, error);
    for (int k = 0; k < g->local && status == TAC_STATUS_OK; k++) {
      struct tac_block_map element;
      status = tac_block_map_create(&element, &part->bond, &part->bond, g->charge[k] - g->charge[r], g->width, error);
      if (status != TAC_STATUS_OK)
        break;
      add_element(&element, part, g, power, r, k);
      tac_block_map_multiply(&half[r], &element, &site[k]);
      tac_block_map_destroy(&element);
    }
  }
  return status;
}

/* The grown norm and edge operators; the norm is what all diagonal edge operators sum up to. */
static enum tac_status grow_norm(struct left_part *next, const struct left_part *part, const struct growth *g,
                                 const struct tac_block_map site[LOCAL], struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int k = 0; k < g->local && status == TAC_STATUS_OK; k++) {
    struct tac_block_map half;
    status = tac_block_map_create(&half, site[k].rows, site[k].columns, site[k].shift, g->width, error);
    if (status != TAC_STATUS_OK)
      break;
    tac_block_map_multiply(&half, &part->norm, &site[k]);
    for (int r = 0; r < g->local; r++)
      tac_block_map_multiply_adjoint(&next->edge[r][k], &site[r], &half);
    tac_block_map_add(&next->norm, 1, &next->edge[k][k]);
    tac_block_map_destroy(&half);
  }
  return status;
}

/* With M[r][k] = site[r]^H half[k], H is the sum of M[r][r], and {H, |r><k|} is M[r][k] and the adjoint of M[k][r]. */
static enum tac_status grow_h(struct left_part *next, const struct left_part *part, const struct growth *g,
                              const struct tac_block_map site[LOCAL], struct tac_error *error) {
  struct tac_block_map half[LOCAL] = {{0}}, product;
  enum tac_status status = open_halves(half, part, g, site, 1, error);
  for (int r = 0; r < g->local; r++)
    for (int k = 0; k < g->local && status == TAC_STATUS_OK; k++) {
      status = tac_block_map_create(&product, &next->bond, &next->bond, g->charge[r] - g->charge[k], g->width, error);
      if (status != TAC_STATUS_OK)
        break;
      tac_block_map_multiply_adjoint(&product, &site[r], &half[k]);
      if (r == k)
        tac_block_map_add(&next->h, 1, &product);
      tac_block_map_add(&next->anti[r][k], 1, &product);
      tac_block_map_add_adjoint(&next->anti[k][r], &product);
      tac_block_map_destroy(&product);
    }
  for (int r = 0; r < LOCAL; r++)
    tac_block_map_destroy(&half[r]);
  return status;
}

static enum tac_status grow_h2(struct left_part *next, const struct left_part *part, const struct growth *g,
                               const struct tac_block_map site[LOCAL], struct tac_error *error) {
  struct tac_block_map half[LOCAL] = {{0}};
  enum tac_status status = open_halves(half, part, g, site, 2, error);
  for (int r = 0; r < g->local && status == TAC_STATUS_OK; r++)
    tac_block_map_multiply_adjoint(&next->h2, &site[r], &half[r]);
  for (int r = 0; r < LOCAL; r++)
    tac_block_map_destroy(&half[r]);
  return status;
}

static enum tac_status grow(struct left_part *next, const struct left_part *part, const struct growth *g,
                            const struct tac_dmrg_state *state, int number, struct tac_error *error) {
  struct tac_block_map site[LOCAL] = {{0}};
  enum tac_status status = tac_bond_charges_create(&next->bond, state, number + 1, error);
  if (status == TAC_STATUS_OK)
    status = create_operators(next, g, error);
  if (status == TAC_STATUS_OK)
    status = tac_site_maps_create(site, state, number, &part->bond, &next->bond, error);
  if (status == TAC_STATUS_OK)
    status = grow_norm(next, part, g, site, error);
  if (status == TAC_STATUS_OK)
    status = grow_h(next, part, g, site, error);
  if (status == TAC_STATUS_OK)
    status = grow_h2(next, part, g, site, error);
  tac_site_maps_destroy(site);
  return status;
}

static double trace(const struct tac_block_map *map) {
  double sum = 0;
  for (int k = 0; k < map->columns->count; k++) {
    size_t states = (size_t)map->columns->states[k];
    for (size_t i = 0; i < states; i++)
      sum += map->data[map->offset[k] + i * (states + 1) * (size_t)map->width];
  }
  return sum;
}

/* <H>, and <H^2> of H less a number, without the field. The mean of what H has grown to is taken from it site by site, so that
 * neither the operators nor the variance is the difference of large numbers. */
struct moments {
  double shift, h, h2; /* <H> = shift + h */
};

static enum tac_status find_moments(struct moments *moments, const struct tac_dmrg_state *state,
                                    const struct tac_dmrg_hamiltonian *hamiltonian, struct tac_error *error) {
  struct left_part parts[2] = {{.bond = {0}}};
  struct growth g;
  const int sites = tac_dmrg_state_sites(state);
  double total = 0;
  prepare_growth(&g, hamiltonian, tac_site_maps_width(state));
  enum tac_status status = tac_bond_charges_create(&parts[0].bond, state, 0, error);
  if (status == TAC_STATUS_OK)
    status = create_operators(&parts[0], &g, error);
  if (status == TAC_STATUS_OK)
    parts[0].norm.data[0] = 1;
  for (int number = 0; number < sites && status == TAC_STATUS_OK; number++) {
    struct left_part *part = &parts[number % 2], *next = &parts[(number + 1) % 2];
    double shift = trace(&part->h) / trace(&part->norm);
    set_shift(&g, -shift);
    total += shift;
    status = grow(next, part, &g, state, number, error);
    destroy_part(part);
    *part = (struct left_part){.bond = {0}};
  }
  const struct left_part *whole = &parts[sites % 2];
  if (status == TAC_STATUS_OK) {
    double norm = whole->norm.data[0];
    *moments = (struct moments){total, whole->h.data[0] / norm, whole->h2.data[0] / norm};
  }
  destroy_part(&parts[0]);
  destroy_part(&parts[1]);
  return status;
}

enum tac_status tac_dmrg_variance(double *variance, double *energy, const struct tac_dmrg_state *state,
                                  const struct tac_dmrg_hamiltonian *hamiltonian, struct tac_error *error) {
  struct moments moments;
  if (!variance || !energy || !state)
    return tac_error_set(error, TAC_STATUS_INVALID, "variance", "the state or a place for a result is missing");
  enum tac_status status = tac_dmrg_hamiltonian_check(hamiltonian, error);
  if (status != TAC_STATUS_OK)
    return status;
  if (hamiltonian->sites != tac_dmrg_state_sites(state) || hamiltonian->twice_spin != tac_dmrg_state_twice_spin(state))
    return tac_error_set(error, TAC_STATUS_INVALID, "variance", "state and Hamiltonian differ in their sites or spin");
  status = find_moments(&moments, state, hamiltonian, error);
  if (status != TAC_STATUS_OK)
    return status;
  const double mean = moments.shift + moments.h - 0.5 * hamiltonian->field * tac_dmrg_state_twice_sz(state);
  if (!isfinite(mean) || !isfinite(moments.h2))
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "variance", "the energy or its square is not finite");
  *energy = mean;
  *variance = fmax(0, moments.h2 - moments.h * moments.h);
  return TAC_STATUS_OK;
}
