/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Stencils and operators for pairs as tables: the host's matrices in the kernels' packing. */
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/device/build.h"
#include "apps/fmm/stencil_parts.h"

static int shorter(int a, int b) {
  return a < b ? a : b;
}

/* The host's packed matrix, column-major, in scratch. */
static const double *unpacked(struct tac_device_build *build, const struct tac_gemm_kernel *kernel, int rows, int inner,
                              const double *packed, struct tac_error *error) {
  const size_t entries = (size_t)rows * (size_t)inner + 1;
  if (entries > build->matrix_room) {
    double *larger = realloc(build->matrix, entries * sizeof *larger);
    if (!larger) {
      tac_error_set(error, TAC_STATUS_MEMORY, "device plan", "no memory for a matrix of %d by %d", rows, inner);
      return NULL;
    }
    build->matrix = larger;
    build->matrix_room = entries;
  }
  tac_gemm_unpack(kernel, rows, inner, packed, build->matrix, (size_t)rows);
  return build->matrix;
}

static enum tac_status pack(tac_u64 *out, struct tac_device_build *build, const struct tac_gemm_kernel *kernel, int rows,
                            int inner, const double *packed, struct tac_error *error) {
  const double *matrix = unpacked(build, kernel, rows, inner, packed, error);
  const int panels = (rows + TAC_FMM_PANEL - 1) / TAC_FMM_PANEL;
  *out = build->table[TAC_TABLE_PACKED].count;
  double *to = matrix ? tac_build_add(build, TAC_TABLE_PACKED, (size_t)(panels * TAC_FMM_PANEL) * (size_t)inner, error) : NULL;
  if (!to)
    return TAC_STATUS_MEMORY;
  for (int done = 0; done < inner; done += TAC_FMM_DEPTH)
    for (int row = 0; row < rows; row += TAC_FMM_PANEL)
      for (int p = done; p < shorter(inner, done + TAC_FMM_DEPTH); p++, to += TAC_FMM_PANEL)
        memcpy(to, matrix + (size_t)p * (size_t)rows + row, (size_t)shorter(TAC_FMM_PANEL, rows - row) * sizeof *to);
  return TAC_STATUS_OK;
}

static enum tac_status add_runs(struct tac_device_build *build, const struct tac_stencil *stencil,
                                const struct tac_stencil_piece *piece, struct tac_error *error) {
  struct tac_fmm_run *run = tac_build_add(build, TAC_TABLE_RUNS, piece->runs, error);
  for (size_t r = 0; run && r < piece->runs; r++) {
    const struct tac_stencil_run *from = &stencil->runs[piece->first_run + r];
    run[r] = (struct tac_fmm_run){.terms = from->terms, .mixed = from->mixed, .length = from->length, .offset = from->offset};
    memcpy(run[r].place, from->place, sizeof run[r].place);
  }
  return run ? TAC_STATUS_OK : TAC_STATUS_MEMORY;
}

/* Where each row of a piece's input comes from. A piece that reads the box's own vector gets a run of one term for it. */
static enum tac_status add_rows(struct tac_device_build *build, const struct tac_fmm_piece *piece, struct tac_error *error) {
  tac_u32 first = piece->first_run;
  if (piece->input == TAC_FMM_VECTORS) {
    first = tac_build_count(build, TAC_TABLE_RUNS);
    struct tac_fmm_run *itself = tac_build_add(build, TAC_TABLE_RUNS, 1, error);
    if (!itself)
      return TAC_STATUS_MEMORY;
    *itself = (struct tac_fmm_run){.terms = 1, .length = piece->inner, .offset = piece->input_offset};
  }
  struct tac_fmm_row *row = tac_build_add(build, TAC_TABLE_ROWS, (size_t)piece->inner, error);
  if (!row)
    return TAC_STATUS_MEMORY;
  const struct tac_fmm_run *run = tac_build_at(build, TAC_TABLE_RUNS, first);
  for (int k = 0, r = 0; k < piece->inner; r++)
    for (int i = 0; i < run[r].length; i++, k++)
      row[k] = (struct tac_fmm_row){run[r].offset + i, first + (tac_u32)r};
  return TAC_STATUS_OK;
}

static enum tac_status add_piece(struct tac_device_build *build, const struct tac_stencil *stencil,
                                 const struct tac_stencil_piece *from, struct tac_error *error) {
  static const tac_i32 ends[] = {
      [TAC_END_COMBINED] = TAC_FMM_COMBINED, [TAC_END_VECTORS] = TAC_FMM_VECTORS, [TAC_END_FACTORED] = TAC_FMM_FACTORED};
  const struct tac_fmm_piece piece = {.rows = from->rows,
                                      .inner = from->inner,
                                      .accumulate = from->accumulate,
                                      .input = ends[from->input],
                                      .output = ends[from->output],
                                      .input_offset = from->input_offset,
                                      .output_offset = from->output_offset,
                                      .first_run = tac_build_count(build, TAC_TABLE_RUNS),
                                      .runs = (tac_u32)from->runs,
                                      .first_row = tac_build_count(build, TAC_TABLE_ROWS)};
  struct tac_fmm_piece *place = tac_build_add(build, TAC_TABLE_PIECES, 1, error);
  if (!place)
    return TAC_STATUS_MEMORY;
  *place = piece;
  enum tac_status status = pack(&place->packed, build, stencil->kernel, from->rows, from->inner, from->packed, error);
  if (!status)
    status = add_runs(build, stencil, from, error);
  if (!status && build->device->form == TAC_FMM_FORM_TILES && piece.input != TAC_FMM_FACTORED)
    status = add_rows(build, &piece, error);
  return status;
}

static enum tac_status add_strips(struct tac_device_build *build, tac_u32 first_piece, int rows, struct tac_error *error) {
  const tac_u32 pieces = tac_build_count(build, TAC_TABLE_PIECES) - first_piece;
  for (int row = 0; row < rows; row += TAC_FMM_BLOCK) {
    struct tac_fmm_strip *strip = tac_build_add(build, TAC_TABLE_STRIPS, 1, error);
    if (!strip)
      return TAC_STATUS_MEMORY;
    *strip = (struct tac_fmm_strip){first_piece, pieces, row};
  }
  return TAC_STATUS_OK;
}

static int gives_the_same(const struct tac_stencil_piece *a, const struct tac_stencil_piece *b) {
  return a->output == b->output && a->output_offset == b->output_offset &&
         (a->input == TAC_END_FACTORED) == (b->input == TAC_END_FACTORED);
}

/* Tiles: the pieces of a stage that give the same rows stand together, in their order; a strip goes through all of them. */
static enum tac_status add_stage(struct tac_device_build *build, const struct tac_stencil *stencil, int stage,
                                 struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t p = 0; p < stencil->piece_count && !status; p++) {
    const struct tac_stencil_piece *head = &stencil->pieces[p];
    size_t earlier = 0;
    while (earlier < p && !gives_the_same(&stencil->pieces[earlier], head))
      earlier++;
    if (earlier < p || (head->input == TAC_END_FACTORED) != stage)
      continue;
    const tac_u32 first = tac_build_count(build, TAC_TABLE_PIECES);
    for (size_t q = p; q < stencil->piece_count && !status; q++)
      if (gives_the_same(&stencil->pieces[q], head))
        status = add_piece(build, stencil, &stencil->pieces[q], error);
    if (!status)
      status = add_strips(build, first, head->rows, error);
  }
  return status;
}

static enum tac_status add_pieces(struct tac_device_build *build, struct tac_fmm_stencil *out,
                                  const struct tac_stencil *stencil, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  if (build->device->form == TAC_FMM_FORM_PANELS)
    for (size_t p = 0; p < stencil->piece_count && !status; p++)
      status = add_piece(build, stencil, &stencil->pieces[p], error);
  for (int stage = 0; build->device->form == TAC_FMM_FORM_TILES && stage < 2 && !status; stage++) {
    out->first_strip[stage] = tac_build_count(build, TAC_TABLE_STRIPS);
    status = add_stage(build, stencil, stage, error);
    out->strips[stage] = tac_build_count(build, TAC_TABLE_STRIPS) - out->first_strip[stage];
  }
  return status;
}

enum tac_status tac_build_stencil(tac_u32 *out, struct tac_device_build *build, const struct tac_stencil *stencil,
                                  struct tac_error *error) {
  const int64_t known = tac_build_find(build, stencil);
  if (known >= 0) {
    *out = (tac_u32)known;
    return TAC_STATUS_OK;
  }
  struct tac_fmm_stencil made = {.first_piece = tac_build_count(build, TAC_TABLE_PIECES),
                                 .pieces = (tac_u32)stencil->piece_count,
                                 .neighbours = (tac_u32)stencil->neighbours,
                                 .combined_stride = (tac_u32)stencil->combined_stride,
                                 .factored_stride = (tac_u32)stencil->factored_stride};
  *out = tac_build_count(build, TAC_TABLE_STENCILS);
  enum tac_status status = add_pieces(build, &made, stencil, error);
  struct tac_fmm_stencil *place = status ? NULL : tac_build_add(build, TAC_TABLE_STENCILS, 1, error);
  if (!place)
    return status ? status : TAC_STATUS_MEMORY;
  *place = made;
  return tac_build_remember(build, stencil, *out, error);
}

static enum tac_status pack_field(struct tac_device_build *build, struct tac_fmm_operator *made,
                                  const struct tac_plain_operator *op, int field, struct tac_error *error) {
  made->packed[field] = -1;
  for (int other = 0; op->matrix[field] && other < field; other++)
    if (op->matrix[other] == op->matrix[field])
      made->packed[field] = made->packed[other];
  if (!op->matrix[field] || made->packed[field] >= 0)
    return TAC_STATUS_OK;
  tac_u64 place = 0;
  const enum tac_status status = pack(&place, build, build->plan->kernel, op->targets, op->sources, op->matrix[field], error);
  made->packed[field] = (tac_i64)place;
  return status;
}

enum tac_status tac_build_operator(tac_u32 *out, struct tac_device_build *build, const struct tac_plain_operator *op,
                                   struct tac_error *error) {
  const int64_t known = tac_build_find(build, op);
  if (known >= 0) {
    *out = (tac_u32)known;
    return TAC_STATUS_OK;
  }
  struct tac_fmm_operator made = {.targets = op->targets, .sources = op->sources};
  const size_t classes = (size_t)build->plan->children + 1;
  memcpy(made.target_begin, op->target_begin, classes * sizeof *made.target_begin);
  memcpy(made.source_begin, op->source_begin, classes * sizeof *made.source_begin);
  enum tac_status status = TAC_STATUS_OK;
  for (int field = 0; field < TAC_MAX_FIELDS && !status; field++)
    status = pack_field(build, &made, op, field, error);
  *out = tac_build_count(build, TAC_TABLE_OPERATORS);
  struct tac_fmm_operator *place = status ? NULL : tac_build_add(build, TAC_TABLE_OPERATORS, 1, error);
  if (!place)
    return status ? status : TAC_STATUS_MEMORY;
  *place = made;
  return tac_build_remember(build, op, *out, error);
}
