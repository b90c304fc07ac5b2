/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/block_map.h"

#include <stdlib.h>

#include <cblas.h>

int tac_bond_charges_place(const struct tac_bond_charges *bond, int charge) {
  int low = 0, high = bond->count - 1;
  while (low <= high) {
    int middle = (low + high) / 2;
    if (bond->charge[middle] == charge)
      return middle;
    if (bond->charge[middle] < charge)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

int tac_bond_charges_states(const struct tac_bond_charges *bond, int charge) {
  int place = tac_bond_charges_place(bond, charge);
  return place < 0 ? 0 : bond->states[place];
}

int tac_block_map_rows(const struct tac_block_map *map, int place) {
  return tac_bond_charges_states(map->rows, map->columns->charge[place] + map->shift);
}

enum tac_status tac_block_map_create(struct tac_block_map *map, const struct tac_bond_charges *rows,
                                     const struct tac_bond_charges *columns, int shift, int width, struct tac_error *error) {
  *map = (struct tac_block_map){.rows = rows, .columns = columns, .shift = shift, .width = width};
  map->offset = calloc((size_t)columns->count + 1, sizeof *map->offset);
  if (!map->offset)
    return tac_error_set(error, TAC_STATUS_MEMORY, "block map", "no memory for %d blocks", columns->count);
  for (int k = 0; k < columns->count; k++)
    map->offset[k + 1] = map->offset[k] + (size_t)tac_block_map_rows(map, k) * (size_t)columns->states[k] * (size_t)width;
  size_t length = map->offset[columns->count];
  map->data = calloc(length ? length : 1, sizeof *map->data);
  if (map->data)
    return TAC_STATUS_OK;
  tac_block_map_destroy(map);
  return tac_error_set(error, TAC_STATUS_MEMORY, "block map", "no memory for %zu numbers", length);
}

void tac_block_map_destroy(struct tac_block_map *map) {
  free(map->offset);
  free(map->data);
  map->offset = NULL;
  map->data = NULL;
}

void tac_block_map_add(struct tac_block_map *y, double factor, const struct tac_block_map *x) {
  size_t length = y->offset[y->columns->count];
  for (size_t i = 0; i < length; i++)
    y->data[i] += factor * x->data[i];
}

static void add_adjoint_block(double *y, const double *x, int rows, int columns, int width) {
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++) {
      size_t to = ((size_t)j * (size_t)rows + (size_t)i) * (size_t)width;
      size_t from = ((size_t)i * (size_t)columns + (size_t)j) * (size_t)width;
      y[to] += x[from];
      if (width == 2)
        y[to + 1] -= x[from + 1];
    }
}

void tac_block_map_add_adjoint(struct tac_block_map *y, const struct tac_block_map *x) {
  for (int k = 0; k < y->columns->count; k++) {
    int rows = tac_block_map_rows(y, k);
    int place = tac_bond_charges_place(x->columns, y->columns->charge[k] + y->shift);
    if (rows > 0 && place >= 0)
      add_adjoint_block(y->data + y->offset[k], x->data + x->offset[place], rows, y->columns->states[k], y->width);
  }
}

static void add_product(double *c, int rows, int columns, int inner, CBLAS_TRANSPOSE transpose, const double *a, int a_rows,
                        const double *b, int width) {
  const double one[2] = {1, 0};
  if (rows == 0 || columns == 0 || inner == 0)
    return;
  if (width == 2)
    cblas_zgemm(CblasColMajor, transpose, CblasNoTrans, rows, columns, inner, one, a, a_rows, b, inner, one, c, rows);
  else
    cblas_dgemm(CblasColMajor, transpose, CblasNoTrans, rows, columns, inner, 1, a, a_rows, b, inner, 1, c, rows);
}

/* The block of `a` that meets block k of `b`: its columns, or under the adjoint its rows, have the charge of b's rows. */
static void multiply(struct tac_block_map *c, CBLAS_TRANSPOSE transpose, const struct tac_block_map *a,
                     const struct tac_block_map *b) {
  for (int k = 0; k < b->columns->count; k++) {
    int middle = b->columns->charge[k] + b->shift;
    int place = tac_bond_charges_place(a->columns, transpose == CblasNoTrans ? middle : middle - a->shift);
    if (place < 0)
      continue;
    int inner = tac_block_map_rows(b, k), a_rows = tac_block_map_rows(a, place);
    add_product(c->data + c->offset[k], tac_block_map_rows(c, k), c->columns->states[k], inner, transpose,
                a->data + a->offset[place], a_rows, b->data + b->offset[k], c->width);
  }
}

void tac_block_map_multiply(struct tac_block_map *c, const struct tac_block_map *a, const struct tac_block_map *b) {
  multiply(c, CblasNoTrans, a, b);
}

void tac_block_map_multiply_adjoint(struct tac_block_map *c, const struct tac_block_map *a, const struct tac_block_map *b) {
  multiply(c, CblasConjTrans, a, b);
}
