/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/stencil.h"

#include "apps/fmm/stencil_parts.h"

size_t tac_stencil_bytes(const struct tac_stencil *stencil) {
  return stencil->bytes;
}

int tac_stencil_cached(const struct tac_stencil *stencil) {
  return stencil->cached;
}

double tac_stencil_flops(const struct tac_stencil *stencil) {
  return stencil->flops;
}

int tac_stencil_tile(const struct tac_stencil *stencil) {
  return stencil->tile;
}

/* Scratch of one tile. */
struct tile {
  size_t count;
  const double **table; /* sources[t*neighbours + n] without NULL */
  const double **input; /* columns of the piece that runs */
  double **output;
  double *combined, *factored;
};

static void *take(struct tac_arena *arena, size_t count, size_t size) {
  return tac_arena_take(arena, count * size);
}

static enum tac_status tile_create(struct tile *tile, const struct tac_stencil *stencil, size_t most, struct tac_arena *arena,
                                   struct tac_error *error) {
  tile->table = take(arena, most * (size_t)stencil->neighbours, sizeof *tile->table);
  tile->input = take(arena, most, sizeof *tile->input);
  tile->output = take(arena, most, sizeof *tile->output);
  tile->combined = take(arena, most * stencil->combined_stride, sizeof(double));
  tile->factored = take(arena, most * stencil->factored_stride, sizeof(double));
  if (!tile->table || !tile->input || !tile->output || !tile->combined || !tile->factored)
    return tac_error_set(error, TAC_STATUS_MEMORY, "stencil", "no memory for a tile of %zu targets", most);
  return TAC_STATUS_OK;
}

/* A few targets at a time, which share most of their neighbours: a source class of them all stays in the first-level cache
 * while one run after the other reads it. */
#define FLOCK 16

void tac_stencil_combine(const struct tac_stencil *stencil, const struct tac_stencil_piece *piece, size_t count,
                         const double *const *table, double *combined) {
  for (size_t first = 0; first < count; first += FLOCK, table += FLOCK * (size_t)stencil->neighbours) {
    const size_t flock = count - first < FLOCK ? count - first : FLOCK;
    double *out = combined + first * stencil->combined_stride;
    for (size_t r = piece->first_run; r < piece->first_run + piece->runs; r++) {
      const struct tac_stencil_run *run = &stencil->runs[r];
      stencil->kernel->combine(run->terms, run->mixed, run->length, flock, table, (size_t)stencil->neighbours, run->place,
                               (size_t)run->offset, out, stencil->combined_stride);
      out += run->length;
    }
  }
}

static void run_piece(const struct tac_stencil *stencil, const struct tac_stencil_piece *piece, const struct tile *tile,
                      double *const *target) {
  const size_t middle = (size_t)stencil->neighbours / 2;
  if (piece->input == TAC_END_COMBINED)
    tac_stencil_combine(stencil, piece, tile->count, tile->table, tile->combined);
  for (size_t t = 0; t < tile->count; t++) {
    if (piece->input == TAC_END_COMBINED)
      tile->input[t] = tile->combined + t * stencil->combined_stride;
    else if (piece->input == TAC_END_VECTORS)
      tile->input[t] = tile->table[t * (size_t)stencil->neighbours + middle] + piece->input_offset;
    else
      tile->input[t] = tile->factored + t * stencil->factored_stride + piece->input_offset;
    tile->output[t] = piece->output == TAC_END_VECTORS ? target[t] : tile->factored + t * stencil->factored_stride;
    tile->output[t] += piece->output_offset;
  }
  tac_gemm_packed(stencil->kernel, piece->rows, piece->inner, piece->packed, tile->count, tile->input, tile->output,
                  piece->accumulate);
}

enum tac_status tac_stencil_apply(const struct tac_stencil *stencil, size_t targets, const double *const *sources,
                                  double *const *target, struct tac_arena *arena, struct tac_error *error) {
  const size_t neighbours = (size_t)stencil->neighbours, most = (size_t)stencil->tile;
  struct tile tile;
  enum tac_status status = tile_create(&tile, stencil, targets < most ? targets : most, arena, error);
  for (size_t first = 0; status == TAC_STATUS_OK && first < targets; first += tile.count) {
    tile.count = targets - first < most ? targets - first : most;
    for (size_t entry = 0; entry < tile.count * neighbours; entry++) {
      const double *source = sources[first * neighbours + entry];
      tile.table[entry] = source ? source : stencil->zeros;
    }
    for (size_t p = 0; p < stencil->piece_count; p++)
      run_piece(stencil, &stencil->pieces[p], &tile, target + first);
  }
  return status;
}
