/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/sector.h"

#include <math.h>
#include <stdlib.h>

/* A sector holds the states that are `lowered` steps of Sz below the one with every spin up. tail(k, r) is the number of
 * ways in which the sites from k on can share r steps, `limit` + 1 standing for more than `limit`. */
struct tac_sector {
  struct tac_dmrg_hamiltonian hamiltonian;
  int lowered;
  size_t size;
  size_t *tail;   /* (sites + 1) rows of lowered + 1 */
  int *local;     /* the current state: steps of each site, 0 … twice_spin */
  int *remaining; /* steps left for the sites from k on */
  struct tac_sector_row row;
};

static size_t add_up_to(size_t a, size_t b, size_t limit) {
  return a > limit || b > limit - a ? limit + 1 : a + b;
}

/* next[r] = sum over s = 0 … twice_spin of tail[r - s]: one site more. */
static void extend_tail(size_t *next, const size_t *tail, int lowered, int twice_spin, size_t limit) {
  for (int r = 0; r <= lowered; r++) {
    next[r] = 0;
    for (int s = 0; s <= twice_spin && s <= r; s++)
      next[r] = add_up_to(next[r], tail[r - s], limit);
  }
}

/* Steps below the state with every spin up; -1 when there is no such sector. */
static int steps_lowered(int sites, int twice_spin, int twice_sz) {
  int highest = sites * twice_spin;
  if (twice_sz > highest || twice_sz < -highest || (highest - twice_sz) % 2)
    return -1;
  return (highest - twice_sz) / 2;
}

size_t tac_sector_dimension(int sites, int twice_spin, int twice_sz, size_t limit) {
  size_t rows[2][TAC_SECTOR_SITES + 1] = {{1}};
  int lowered = steps_lowered(sites, twice_spin, twice_sz);
  if (lowered < 0)
    return 0;
  if (lowered > sites * twice_spin - lowered)
    lowered = sites * twice_spin - lowered; /* turning every spin over maps the sectors onto each other */
  if (lowered == 0)
    return 1;
  if (sites > TAC_SECTOR_SITES)
    return limit + 1;
  for (int k = 0; k < sites; k++)
    extend_tail(rows[(k + 1) % 2], rows[k % 2], lowered, twice_spin, limit);
  return rows[sites % 2][lowered];
}

static const size_t *tail_of(const struct tac_sector *sector, int site) {
  return sector->tail + (size_t)site * (size_t)(sector->lowered + 1);
}

enum tac_status tac_sector_create(struct tac_sector **out, const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz,
                                  size_t limit, struct tac_error *error) {
  const int sites = hamiltonian->sites, twice_spin = hamiltonian->twice_spin;
  size_t size = tac_sector_dimension(sites, twice_spin, twice_sz, limit);
  *out = NULL;
  if (size == 0 || size > limit || sites > TAC_SECTOR_SITES)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "the sector has %s", size ? "too many states" : "no state");
  struct tac_sector *sector = calloc(1, sizeof *sector);
  if (!sector)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a sector");
  sector->hamiltonian = *hamiltonian;
  sector->lowered = steps_lowered(sites, twice_spin, twice_sz);
  sector->size = size;
  size_t n = (size_t)sites, width = (size_t)sector->lowered + 1;
  sector->tail = calloc((n + 1) * width, sizeof *sector->tail);
  sector->local = calloc(n, sizeof *sector->local);
  sector->remaining = calloc(n + 1, sizeof *sector->remaining);
  sector->row.columns = calloc(2 * n, sizeof *sector->row.columns);
  sector->row.values = calloc(2 * n, sizeof *sector->row.values);
  if (!sector->tail || !sector->local || !sector->remaining || !sector->row.columns || !sector->row.values) {
    tac_sector_destroy(&sector);
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a sector of %d sites", sites);
  }
  sector->tail[n * width] = 1;
  for (int k = sites - 1; k >= 0; k--)
    extend_tail(sector->tail + (size_t)k * width, tail_of(sector, k + 1), sector->lowered, twice_spin, limit);
  *out = sector;
  return TAC_STATUS_OK;
}

void tac_sector_destroy(struct tac_sector **sector) {
  if (!sector || !*sector)
    return;
  free((*sector)->tail);
  free((*sector)->local);
  free((*sector)->remaining);
  free((*sector)->row.columns);
  free((*sector)->row.values);
  free(*sector);
  *sector = NULL;
}

size_t tac_sector_size(const struct tac_sector *sector) {
  return sector->size;
}

/* States that come before every state with `steps` at `site` and the same sites to the left. */
static size_t states_before(const struct tac_sector *sector, int site, int remaining, int steps) {
  const size_t *tail = tail_of(sector, site + 1);
  size_t sum = 0;
  for (int s = 0; s < steps; s++)
    sum += tail[remaining - s];
  return sum;
}

static size_t pair_before(const struct tac_sector *sector, int site, int left, int right) {
  int remaining = sector->remaining[site];
  return states_before(sector, site, remaining, left) + states_before(sector, site + 1, remaining - left, right);
}

/* Sz counts down from S by steps; S- takes step s to s + 1 with the square root of (s + 1)(2S - s). */
static double lowering(int twice_spin, int steps) {
  return sqrt((double)(steps + 1) * (twice_spin - steps));
}

static void add_exchange(struct tac_sector *sector, int site, int change) {
  const struct tac_dmrg_hamiltonian *h = &sector->hamiltonian;
  int left = sector->local[site], right = sector->local[site + 1];
  int new_left = left + change, new_right = right - change;
  if (new_left < 0 || new_right < 0 || new_left > h->twice_spin || new_right > h->twice_spin)
    return;
  struct tac_sector_row *row = &sector->row;
  row->columns[row->count] = row->row - pair_before(sector, site, left, right) + pair_before(sector, site, new_left, new_right);
  row->values[row->count++] = 0.5 * h->jxy * lowering(h->twice_spin, left < new_left ? left : new_left) *
                              lowering(h->twice_spin, right < new_right ? right : new_right);
}

static const struct tac_sector_row *fill_row(struct tac_sector *sector) {
  const struct tac_dmrg_hamiltonian *h = &sector->hamiltonian;
  struct tac_sector_row *row = &sector->row;
  row->diagonal = 0;
  row->count = 0;
  for (int k = 0; k < h->sites; k++) {
    double sz = 0.5 * h->twice_spin - sector->local[k];
    if (k + 1 == h->sites)
      break;
    row->diagonal += h->jz * sz * (0.5 * h->twice_spin - sector->local[k + 1]);
    add_exchange(sector, k, +1);
    add_exchange(sector, k, -1);
  }
  return row;
}

/* The first state in the order with `steps` left for the sites from `site` on: the last sites take what they can. */
static void fill_tail(struct tac_sector *sector, int site, int steps) {
  const int sites = sector->hamiltonian.sites, twice_spin = sector->hamiltonian.twice_spin;
  for (int k = site; k < sites; k++) {
    int room = twice_spin * (sites - k - 1);
    sector->remaining[k] = steps;
    sector->local[k] = steps > room ? steps - room : 0;
    steps -= sector->local[k];
  }
  sector->remaining[sites] = steps;
}

const struct tac_sector_row *tac_sector_first_row(struct tac_sector *sector) {
  fill_tail(sector, 0, sector->lowered);
  sector->row.row = 0;
  return fill_row(sector);
}

const struct tac_sector_row *tac_sector_next_row(struct tac_sector *sector) {
  int k = sector->hamiltonian.sites - 1;
  while (k >= 0 && (sector->local[k] == sector->hamiltonian.twice_spin || sector->remaining[k + 1] == 0))
    k--;
  if (k < 0)
    return NULL;
  sector->local[k]++;
  fill_tail(sector, k + 1, sector->remaining[k + 1] - 1);
  sector->row.row++;
  return fill_row(sector);
}
