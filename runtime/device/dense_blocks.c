/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/device_dense.h>

#include <stdint.h>

#include "runtime/device/dense_common.h"
#include "runtime/device/device.h"

extern const char tac_kernel_source_blocks[];

/* As in blocks.kernel, with its flags. */
struct kernel_piece {
  uint64_t to;
  int32_t row, column, rows, columns, ld;
  uint32_t first_term, terms, flags;
};
struct kernel_term {
  uint64_t from;
  int32_t ld;
  uint32_t flags;
  union {
    double in_double;
    float in_float;
  } factor;
};
_Static_assert(sizeof(struct kernel_piece) == 40 && sizeof(struct kernel_term) == 24, "the layout of blocks.kernel");
enum { ADJOINT = 1, SOURCE_SHIFT = 1, ACCUMULATE = 1, TARGET_SHIFT = 1 };
enum { TARGETS = TAC_DEVICE_BLOCKS_TARGETS, SOURCES = TAC_DEVICE_BLOCKS_SOURCES };

/* Rows and columns of a piece, at most, and work-items for it. */
#define CPU_SIDE  64
#define GPU_SIDE  32
#define GPU_ITEMS 128

struct tac_device_blocks {
  struct tac_device *device;
  enum tac_device_scalar scalar;
  enum tac_device_form form;
  const struct tac_device_kernel *kernel;
  struct tac_dense_table table; /* pieces, then terms */
  size_t pieces, terms_at;
  size_t end_target[TARGETS], end_source[SOURCES]; /* elements */
};

enum tac_status tac_device_blocks_create_form(struct tac_device_blocks **out, struct tac_device *device,
                                              enum tac_device_scalar scalar, enum tac_device_form form,
                                              struct tac_error *error) {
  enum tac_status status = tac_device_scalar_check(device, scalar, error);
  if (status)
    return status;
  struct tac_device_program *program = NULL;
  struct tac_device_kernel *kernel = NULL;
  form = tac_dense_form(device, form);
  status = tac_dense_program(&program, device, "blocks", tac_kernel_source_blocks, scalar, form, error);
  if (!status)
    status = tac_device_kernel(&kernel, program, form == TAC_FORM_CPU ? "tac_blocks_columns" : "tac_blocks_elements", error);
  if (status)
    return status;
  struct tac_device_blocks *blocks = tac_device_allocate(device, sizeof *blocks);
  if (!blocks)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for sums of blocks");
  *blocks = (struct tac_device_blocks){.device = device, .scalar = scalar, .form = form, .kernel = kernel};
  *out = blocks;
  return TAC_STATUS_OK;
}

enum tac_status tac_device_blocks_create(struct tac_device_blocks **out, struct tac_device *device,
                                         enum tac_device_scalar scalar, struct tac_error *error) {
  return tac_device_blocks_create_form(out, device, scalar, TAC_FORM_CHOSEN, error);
}

void tac_device_blocks_destroy(struct tac_device_blocks **blocks) {
  if (!blocks || !*blocks)
    return;
  tac_dense_table_release(&(*blocks)->table, (*blocks)->device);
  tac_device_free((*blocks)->device, *blocks);
  *blocks = NULL;
}

static void forget_plan(struct tac_device_blocks *blocks) {
  blocks->pieces = 0;
  for (int i = 0; i < TARGETS; i++)
    blocks->end_target[i] = 0;
  for (int i = 0; i < SOURCES; i++)
    blocks->end_source[i] = 0;
}

void tac_device_blocks_share(struct tac_device_blocks *blocks, struct tac_device_tables *tables) {
  forget_plan(blocks);
  tac_dense_table_share(&blocks->table, blocks->device, tables);
}

static enum tac_status refuse(struct tac_error *error, size_t index, const char *what) {
  tac_error_set(error, TAC_STATUS_INVALID, "tac_device_blocks_plan", "block %zu %s", index, what);
  if (error)
    error->item = index;
  return TAC_STATUS_INVALID;
}

static enum tac_status check_block(const struct tac_device_block *block, size_t index, const struct tac_device_term *term,
                                   size_t terms, struct tac_error *error) {
  if (block->m < 0 || block->n < 0)
    return refuse(error, index, "has a negative extent");
  if (block->ld < block->m)
    return refuse(error, index, "has a leading dimension below its rows");
  if (block->target < 0 || block->target >= TARGETS)
    return refuse(error, index, "has a target that there is not");
  if (block->first_term > terms || block->terms > terms - block->first_term)
    return refuse(error, index, "has terms beyond the last one");
  for (size_t t = block->first_term; t < block->first_term + (size_t)block->terms; t++) {
    if (term[t].op != 'N' && term[t].op != 'C')
      return refuse(error, index, "has a term whose op is neither 'N' nor 'C'");
    if (term[t].source < 0 || term[t].source >= SOURCES)
      return refuse(error, index, "has a term whose source there is not");
    if (term[t].ld < (term[t].op == 'N' ? block->m : block->n))
      return refuse(error, index, "has a term whose leading dimension is below its rows");
  }
  return TAC_STATUS_OK;
}

static void add_extents(struct tac_device_blocks *blocks, const struct tac_device_block *block,
                        const struct tac_device_term *term) {
  tac_dense_extend(&blocks->end_target[block->target], block->to, block->m, block->n, block->ld);
  for (size_t t = block->first_term; t < block->first_term + (size_t)block->terms; t++) {
    const int adjoint = term[t].op == 'C';
    tac_dense_extend(&blocks->end_source[(int)term[t].source], term[t].from, adjoint ? block->n : block->m,
                     adjoint ? block->m : block->n, term[t].ld);
  }
}

static int side_of(const struct tac_device_blocks *blocks) {
  return blocks->form == TAC_FORM_CPU ? CPU_SIDE : GPU_SIDE;
}

static int pieces_along(int extent, int side) {
  return extent / side + (extent % side > 0);
}

static size_t pieces_of(const struct tac_device_block *block, int side) {
  if (block->terms == 0 && block->accumulate)
    return 0;
  return (size_t)pieces_along(block->m, side) * (size_t)pieces_along(block->n, side);
}

static struct kernel_piece *write_pieces(struct kernel_piece *piece, const struct tac_device_block *block, int side) {
  if (pieces_of(block, side) == 0)
    return piece;
  const int rows = pieces_along(block->m, side), columns = pieces_along(block->n, side);
  for (int j = 0; j < columns; j++) /* row and column would overflow behind the last */
    for (int i = 0; i < rows; i++)
      *piece++ =
          (struct kernel_piece){.to = block->to,
                                .row = i * side,
                                .column = j * side,
                                .rows = i + 1 == rows ? block->m - i * side : side,
                                .columns = j + 1 == columns ? block->n - j * side : side,
                                .ld = block->ld,
                                .first_term = block->first_term,
                                .terms = block->terms,
                                .flags = (block->accumulate ? ACCUMULATE : 0U) | (uint32_t)block->target << TARGET_SHIFT};
  return piece;
}

static struct kernel_term describe(const struct tac_device_term *term, enum tac_device_scalar scalar) {
  struct kernel_term described = {.from = term->from,
                                  .ld = term->ld,
                                  .flags = (term->op == 'C' ? ADJOINT : 0U) | (uint32_t)term->source << SOURCE_SHIFT,
                                  .factor = {.in_double = 0}};
  if (tac_dense_real_bytes(scalar) == sizeof(double))
    described.factor.in_double = term->factor;
  else
    described.factor.in_float = (float)term->factor;
  return described;
}

enum tac_status tac_device_blocks_plan(struct tac_device_blocks *blocks, struct tac_queue *queue,
                                       const struct tac_device_block *block, size_t count, const struct tac_device_term *term,
                                       size_t terms, struct tac_error *error) {
  forget_plan(blocks);
  enum tac_status status = TAC_STATUS_OK;
  size_t pieces = 0;
  for (size_t i = 0; i < count && pieces <= INT32_MAX && !status; i++) {
    status = check_block(block + i, i, term, terms, error);
    if (!status)
      pieces += pieces_of(block + i, side_of(blocks));
  }
  if (status)
    return status;
  if (pieces > INT32_MAX || terms > UINT32_MAX)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "too many blocks for one plan: %zu", count);
  if (pieces == 0)
    return TAC_STATUS_OK;
  blocks->terms_at = pieces * sizeof(struct kernel_piece);
  const size_t bytes = blocks->terms_at + terms * sizeof(struct kernel_term);
  status = tac_dense_table_reserve(&blocks->table, blocks->device, bytes, error);
  if (status)
    return status;
  struct kernel_piece *piece = blocks->table.host;
  for (size_t i = 0; i < count; i++)
    piece = write_pieces(piece, block + i, side_of(blocks));
  struct kernel_term *described = (struct kernel_term *)(void *)((char *)blocks->table.host + blocks->terms_at);
  for (size_t t = 0; t < terms; t++)
    described[t] = describe(term + t, blocks->scalar);
  status = tac_dense_table_send(&blocks->table, queue, bytes, error);
  if (status)
    return status;
  for (size_t i = 0; i < count; i++)
    add_extents(blocks, block + i, term);
  blocks->pieces = pieces;
  return TAC_STATUS_OK;
}

/* Arrays that are given, as arguments; one that no block needs may have no memory. */
static enum tac_status add_arrays(const struct tac_device_blocks *blocks, struct tac_argument *arguments, size_t *count,
                                  const struct tac_device_array *arrays, const size_t *ends, int given, const char *name,
                                  struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int i = 0; i < given && !status; i++) {
    status = tac_dense_check_extent(arrays[i], ends[i], tac_device_scalar_bytes(blocks->scalar), name, error);
    const uint64_t offset = arrays[i].offset;
    arguments[(*count)++] = tac_argument_memory(arrays[i].memory ? arrays[i].memory : blocks->table.memory);
    arguments[(*count)++] = TAC_ARGUMENT_VALUE(offset);
  }
  return status;
}

enum tac_status tac_device_blocks_run_many(struct tac_device_blocks *blocks, struct tac_queue *queue,
                                           const struct tac_device_array to[TARGETS],
                                           const struct tac_device_array source[SOURCES], struct tac_error *error) {
  struct tac_argument arguments[3 + 2 * TARGETS + 2 * SOURCES];
  const uint64_t pieces_at = blocks->table.at, terms_at = pieces_at + blocks->terms_at;
  size_t count = 0;
  if (blocks->pieces == 0)
    return TAC_STATUS_OK;
  arguments[count++] = tac_argument_memory(blocks->table.memory);
  arguments[count++] = TAC_ARGUMENT_VALUE(pieces_at);
  arguments[count++] = TAC_ARGUMENT_VALUE(terms_at);
  enum tac_status status = add_arrays(blocks, arguments, &count, to, blocks->end_target, TARGETS, "a result", error);
  if (!status)
    status = add_arrays(blocks, arguments, &count, source, blocks->end_source, SOURCES, "a source", error);
  if (!status)
    status = tac_dense_table_ready(&blocks->table, queue, error);
  if (status)
    return status;
  const struct tac_launch launch = {
      .kernel = blocks->kernel,
      .groups = {blocks->pieces, 1, 1},
      .items = {blocks->form == TAC_FORM_CPU ? 1 : GPU_ITEMS, 1, 1},
      .arguments = arguments,
      .argument_count = count,
  };
  return tac_queue_launch(queue, &launch, error);
}

enum tac_status tac_device_blocks_run(struct tac_device_blocks *blocks, struct tac_queue *queue, struct tac_device_array to,
                                      struct tac_device_array source0, struct tac_device_array source1,
                                      struct tac_error *error) {
  const struct tac_device_array targets[TARGETS] = {to}, sources[SOURCES] = {source0, source1};
  return tac_device_blocks_run_many(blocks, queue, targets, sources, error);
}
