/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <string.h>
#include <unistd.h>

#include "apps/fmm/stencil_parts.h"

/* Rows of one piece's input: with a tile of targets they stay in half of the second-level cache. */
#define PIECE_ROWS 512

struct builder {
  struct tac_stencil *stencil;
  const struct tac_stencil_shape *shape;
  int types;                                                         /* 2^dim */
  struct tac_stencil_block blocks[TAC_MAX_CLASSES][TAC_MAX_CLASSES]; /* [target class][tau]; no matrix: nothing there */
  int started;                                                       /* the target class at hand has its first piece */
  int waiting;                                                       /* rows between factors not yet multiplied on */
};

static void *allocate(const struct tac_stencil *stencil, size_t bytes, struct tac_error *error) {
  void *memory = stencil->allocator.allocate(stencil->allocator.context, bytes ? bytes : 1);
  if (!memory)
    tac_error_set(error, TAC_STATUS_MEMORY, "stencil", "no memory for %zu bytes", bytes);
  return memory;
}

static void release(const struct tac_stencil *stencil, void *memory) {
  stencil->allocator.release(stencil->allocator.context, memory);
}

/* Room for one more entry at the end of an array. */
static enum tac_status make_room(struct tac_stencil *stencil, void **array, size_t count, size_t *limit, size_t size,
                                 struct tac_error *error) {
  if (count < *limit)
    return TAC_STATUS_OK;
  const size_t wanted = *limit ? 2 * *limit : 64;
  void *larger = allocate(stencil, wanted * size, error);
  if (!larger)
    return TAC_STATUS_MEMORY;
  if (*array)
    memcpy(larger, *array, count * size);
  release(stencil, *array);
  *array = larger;
  *limit = wanted;
  return TAC_STATUS_OK;
}

static int bits(unsigned mask) {
  return __builtin_popcount(mask);
}

static int class_size(const int *begin, int class) {
  return begin[class + 1] - begin[class];
}

static int has_type(const struct tac_stencil_shape *shape, int tau) {
  return tau ? (shape->reach & TAC_REACH_NEIGHBOURS) != 0 : (shape->reach & TAC_REACH_SELF) != 0;
}

static int source_class(const struct tac_stencil_shape *shape, int class, int difference) {
  return class ^ (int)shape->flip ^ difference;
}

/* Copies the rows of each class from T(offset) of type tau, source classes in the order of D. */
static enum tac_status fill_blocks(struct builder *builder, int tau, const double *matrix, struct tac_error *error) {
  const struct tac_stencil_shape *shape = builder->shape;
  const size_t targets = (size_t)shape->target_begin[builder->types];
  for (int class = 0; class < builder->types; class ++) {
    struct tac_stencil_block *block = &builder->blocks[class][tau];
    *block = (struct tac_stencil_block){.rows = class_size(shape->target_begin, class), .rank = -1};
    for (int difference = 0; difference < builder->types; difference++)
      if (!(difference & ~tau))
        block->columns += class_size(shape->source_begin, source_class(shape, class, difference));
    const size_t rows = (size_t)block->rows;
    if (!rows || !block->columns)
      continue;
    block->matrix = allocate(builder->stencil, rows * (size_t)block->columns * sizeof(double), error);
    if (!block->matrix)
      return TAC_STATUS_MEMORY;
    double *out = block->matrix;
    for (int difference = 0; difference < builder->types; difference++) {
      const int from = source_class(shape, class, difference);
      if (difference & ~tau)
        continue;
      for (int j = shape->source_begin[from]; j < shape->source_begin[from + 1]; j++, out += rows)
        memcpy(out, matrix + (size_t)j * targets + shape->target_begin[class], rows * sizeof *out);
    }
  }
  return TAC_STATUS_OK;
}

static enum tac_status get_blocks(struct builder *builder, tac_stencil_matrix_fn matrix, void *context,
                                  struct tac_error *error) {
  const struct tac_stencil_shape *shape = builder->shape;
  struct tac_stencil *stencil = builder->stencil;
  const size_t entries = (size_t)shape->target_begin[builder->types] * (size_t)shape->source_begin[builder->types];
  double *whole = allocate(stencil, entries * sizeof *whole, error);
  if (!whole)
    return TAC_STATUS_MEMORY;
  enum tac_status status = TAC_STATUS_OK;
  for (int tau = 0; tau < builder->types && status == TAC_STATUS_OK; tau++) {
    if (!has_type(shape, tau))
      continue;
    status = matrix(context, (const int[3]){tau & 1, tau >> 1 & 1, tau >> 2 & 1}, whole, error);
    if (status == TAC_STATUS_OK)
      status = fill_blocks(builder, tau, whole, error);
  }
  release(stencil, whole);
  return status;
}

static struct tac_stencil_piece *add_piece(struct builder *builder, int rows, int inner, const double *matrix, size_t lda,
                                           struct tac_error *error) {
  struct tac_stencil *stencil = builder->stencil;
  void *array = stencil->pieces;
  const enum tac_status status =
      make_room(stencil, &array, stencil->piece_count, &stencil->piece_limit, sizeof *stencil->pieces, error);
  stencil->pieces = array;
  if (status != TAC_STATUS_OK)
    return NULL;
  double *packed = allocate(stencil, tac_gemm_packed_size(stencil->kernel, rows, inner) * sizeof(double), error);
  if (!packed)
    return NULL;
  tac_gemm_pack(stencil->kernel, rows, inner, matrix, lda, packed);
  stencil->flops += 2.0 * rows * inner;
  struct tac_stencil_piece *piece = &stencil->pieces[stencil->piece_count++];
  *piece = (struct tac_stencil_piece){.rows = rows, .inner = inner, .packed = packed, .first_run = stencil->run_count};
  return piece;
}

/* The neighbours whose offset is not zero along exactly the axes of tau, with the signs that go with D. */
static void fill_run(struct tac_stencil_run *run, int tau, int difference, int dim) {
  int power = 1, middle = 0;
  for (int axis = 0; axis < dim; axis++, power *= 3)
    middle += power;
  run->terms = 0;
  for (int negative = 0; negative <= tau; negative++) {
    if (negative & ~tau)
      continue;
    int place = middle;
    power = 1;
    for (int axis = 0; axis < dim; axis++, power *= 3)
      if (tau >> axis & 1)
        place += negative >> axis & 1 ? -power : power;
    run->place[run->terms] = (unsigned char)place;
    run->sign[run->terms++] = bits((unsigned)(negative & difference)) & 1 ? -1 : 1;
  }
}

/* Rows [first, last) of the input of block (class, tau), as runs. */
static enum tac_status add_runs(struct builder *builder, struct tac_stencil_piece *piece, int class, int tau, int first,
                                int last, struct tac_error *error) {
  const struct tac_stencil_shape *shape = builder->shape;
  struct tac_stencil *stencil = builder->stencil;
  int row = 0;
  for (int difference = 0; difference < builder->types; difference++) {
    if (difference & ~tau)
      continue;
    const int from = source_class(shape, class, difference), size = class_size(shape->source_begin, from);
    const int low = first > row ? first - row : 0, high = last - row < size ? last - row : size;
    row += size;
    if (low >= high)
      continue;
    void *array = stencil->runs;
    const enum tac_status status =
        make_room(stencil, &array, stencil->run_count, &stencil->run_limit, sizeof *stencil->runs, error);
    stencil->runs = array;
    if (status != TAC_STATUS_OK)
      return status;
    struct tac_stencil_run *run = &stencil->runs[stencil->run_count++];
    *run = (struct tac_stencil_run){.length = high - low, .offset = shape->source_begin[from] + low};
    fill_run(run, tau, difference, shape->dim);
    piece->runs++;
    stencil->flops += (double)run->length * (run->terms - 1);
  }
  return TAC_STATUS_OK;
}

static void note_stride(size_t *stride, int rows) {
  /* An odd number of cache lines, so that columns do not meet in the same sets. */
  const size_t lines = ((size_t)rows + 7) / 8 | 1;
  if (rows > 0 && 8 * lines > *stride)
    *stride = 8 * lines;
}

/* Where a stretch of inputs of a class comes from: the blocks of types `from` … `to` - 1 that are left, stacked. */
struct stack {
  int class, from, to, factored;
};

static int is_member(const struct stack *stack, const struct tac_stencil_block *block) {
  return block->rows && block->columns && (block->rank >= 0) == stack->factored;
}

static enum tac_status add_input(struct builder *builder, struct tac_stencil_piece *piece, const struct stack *stack, int first,
                                 int last, struct tac_error *error) {
  const struct tac_stencil_shape *shape = builder->shape;
  if (shape->reach == TAC_REACH_SELF) {
    piece->input = TAC_END_VECTORS;
    piece->input_offset = shape->source_begin[source_class(shape, stack->class, 0)] + first;
    return TAC_STATUS_OK;
  }
  piece->input = TAC_END_COMBINED;
  note_stride(&builder->stencil->combined_stride, last - first);
  enum tac_status status = TAC_STATUS_OK;
  for (int tau = stack->from, row = 0; tau < stack->to && status == TAC_STATUS_OK; tau++) {
    const struct tac_stencil_block *block = &builder->blocks[stack->class][tau];
    if (!is_member(stack, block))
      continue;
    status = add_runs(builder, piece, stack->class, tau, first - row, last - row, error);
    row += block->columns;
  }
  return status;
}

/* matrix (rows x inner) times the stack's input, cut along the inner index. The result adds to the target's class or is new
 * between factors. */
static enum tac_status add_product(struct builder *builder, const struct stack *stack, int rows, int inner,
                                   const double *matrix, enum tac_stencil_end output, int output_offset,
                                   struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  const int pieces = inner > PIECE_ROWS ? (inner + PIECE_ROWS - 1) / PIECE_ROWS : 1;
  for (int i = 0; i < pieces && status == TAC_STATUS_OK; i++) {
    const int first = (int)((long)inner * i / pieces), last = (int)((long)inner * (i + 1) / pieces);
    struct tac_stencil_piece *piece =
        add_piece(builder, rows, last - first, matrix ? matrix + (size_t)first * (size_t)rows : NULL, (size_t)rows, error);
    if (!piece)
      return TAC_STATUS_MEMORY;
    piece->output = output;
    piece->output_offset = output_offset;
    piece->accumulate = i > 0;
    if (output == TAC_END_VECTORS) {
      piece->accumulate = builder->started;
      builder->started = 1;
    }
    status = add_input(builder, piece, stack, first, last, error);
  }
  return status;
}

/* All dense blocks of a class as one product; also of a class that has none, so that its part of the target is set. */
static enum tac_status add_dense(struct builder *builder, int class, struct tac_error *error) {
  struct tac_stencil *stencil = builder->stencil;
  const struct stack stack = {class, 0, builder->types, 0};
  const int rows = class_size(builder->shape->target_begin, class);
  size_t columns = 0, factored = 0;
  for (int tau = 0; tau < builder->types; tau++) {
    const struct tac_stencil_block *block = &builder->blocks[class][tau];
    columns += is_member(&stack, block) ? (size_t)block->columns : 0;
    factored += block->rank > 0;
  }
  if (!columns && factored)
    return TAC_STATUS_OK;
  const size_t bytes = (size_t)rows * columns * sizeof(double);
  double *matrix = allocate(stencil, bytes, error), *out = matrix;
  if (!matrix)
    return TAC_STATUS_MEMORY;
  for (int tau = 0; tau < builder->types; tau++) {
    struct tac_stencil_block *block = &builder->blocks[class][tau];
    if (!is_member(&stack, block))
      continue;
    const size_t entries = (size_t)block->rows * (size_t)block->columns;
    memcpy(out, block->matrix, entries * sizeof *out);
    out += entries;
    release(stencil, block->matrix);
    block->matrix = NULL;
  }
  const enum tac_status status =
      add_product(builder, &stack, rows, (int)columns, matrix, TAC_END_VECTORS, builder->shape->target_begin[class], error);
  release(stencil, matrix);
  return status;
}

/* The left factors of types from … to - 1, stacked, times what their right factors left. */
static enum tac_status add_left_factors(struct builder *builder, int class, int from, int to, struct tac_error *error) {
  struct tac_stencil *stencil = builder->stencil;
  const int rows = class_size(builder->shape->target_begin, class);
  if (!builder->waiting)
    return TAC_STATUS_OK;
  const size_t bytes = (size_t)rows * (size_t)builder->waiting * sizeof(double);
  double *matrix = allocate(stencil, bytes, error), *out = matrix;
  if (!matrix)
    return TAC_STATUS_MEMORY;
  for (int tau = from; tau < to; tau++) {
    const struct tac_stencil_block *block = &builder->blocks[class][tau];
    if (block->rank <= 0)
      continue;
    memcpy(out, block->left, (size_t)rows * (size_t)block->rank * sizeof *out);
    out += (size_t)rows * (size_t)block->rank;
  }
  struct tac_stencil_piece *piece = add_piece(builder, rows, builder->waiting, matrix, (size_t)rows, error);
  release(stencil, matrix);
  if (!piece)
    return TAC_STATUS_MEMORY;
  piece->input = TAC_END_FACTORED;
  piece->output = TAC_END_VECTORS;
  piece->output_offset = builder->shape->target_begin[class];
  piece->accumulate = builder->started;
  builder->started = 1;
  note_stride(&stencil->factored_stride, builder->waiting);
  builder->waiting = 0;
  return TAC_STATUS_OK;
}

static enum tac_status add_factored(struct builder *builder, int class, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  int first = 0;
  builder->waiting = 0;
  for (int tau = 0; tau < builder->types && status == TAC_STATUS_OK; tau++) {
    const struct tac_stencil_block *block = &builder->blocks[class][tau];
    if (block->rank <= 0)
      continue;
    if (builder->waiting + block->rank > PIECE_ROWS) {
      status = add_left_factors(builder, class, first, tau, error);
      first = tau;
    }
    const struct stack stack = {class, tau, tau + 1, 1};
    if (status == TAC_STATUS_OK)
      status =
          add_product(builder, &stack, block->rank, block->columns, block->right, TAC_END_FACTORED, builder->waiting, error);
    builder->waiting += block->rank;
  }
  if (status == TAC_STATUS_OK)
    status = add_left_factors(builder, class, first, builder->types, error);
  return status;
}

static enum tac_status add_class(struct builder *builder, int class, struct tac_error *error) {
  if (!class_size(builder->shape->target_begin, class))
    return TAC_STATUS_OK;
  builder->started = 0;
  enum tac_status status = add_dense(builder, class, error);
  if (status == TAC_STATUS_OK)
    status = add_factored(builder, class, error);
  return status;
}

/* Targets whose inputs and what stands between factors fill half of the second-level cache: whole groups of columns. */
static int choose_tile(const struct tac_stencil *stencil) {
  const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE), half = (cache > 0 ? cache : 512 * 1024) / 2;
  const size_t column = (stencil->combined_stride + stencil->factored_stride) * sizeof(double);
  const int columns = stencil->kernel->columns;
  long tile = column ? half / (long)column : 128;
  tile = tile < 48 ? 48 : tile > 128 ? 128 : tile;
  return (int)(tile / columns * columns);
}

static size_t count_bytes(const struct tac_stencil *stencil) {
  size_t bytes = sizeof *stencil + (size_t)stencil->source_count * sizeof *stencil->zeros;
  bytes += stencil->piece_limit * sizeof *stencil->pieces + stencil->run_limit * sizeof *stencil->runs;
  for (size_t p = 0; p < stencil->piece_count; p++)
    bytes += tac_gemm_packed_size(stencil->kernel, stencil->pieces[p].rows, stencil->pieces[p].inner) * sizeof(double);
  return bytes;
}

static enum tac_status build(struct builder *builder, tac_stencil_matrix_fn matrix, void *context, double tolerance,
                             struct tac_error *error) {
  struct tac_stencil *stencil = builder->stencil;
  stencil->kernel = tac_gemm_best();
  stencil->source_count = builder->shape->source_begin[builder->types];
  stencil->zeros = allocate(stencil, (size_t)stencil->source_count * sizeof(double), error);
  if (!stencil->zeros)
    return TAC_STATUS_MEMORY;
  memset(stencil->zeros, 0, (size_t)stencil->source_count * sizeof(double));
  enum tac_status status = get_blocks(builder, matrix, context, error);
  if (status == TAC_STATUS_OK && tolerance > 0)
    status = tac_stencil_factor(builder->blocks[0], TAC_MAX_CLASSES * TAC_MAX_CLASSES, tolerance, &stencil->allocator, error);
  for (int class = 0; class < builder->types && status == TAC_STATUS_OK; class ++)
    status = add_class(builder, class, error);
  stencil->tile = choose_tile(stencil);
  stencil->bytes = count_bytes(stencil);
  return status;
}

enum tac_status tac_stencil_create(struct tac_stencil **out, const struct tac_stencil_shape *shape,
                                   tac_stencil_matrix_fn matrix, void *context, double tolerance,
                                   const struct tac_allocator *allocator, struct tac_error *error) {
  if (!allocator)
    allocator = tac_allocator_system();
  struct tac_stencil *stencil = allocator->allocate(allocator->context, sizeof *stencil);
  if (!stencil)
    return tac_error_set(error, TAC_STATUS_MEMORY, "stencil", "no memory for a stencil");
  *stencil = (struct tac_stencil){.allocator = *allocator};
  stencil->neighbours = shape->reach == TAC_REACH_SELF ? 1 : shape->dim == 3 ? 27 : 9;
  struct builder builder = {.stencil = stencil, .shape = shape, .types = 1 << shape->dim};
  enum tac_status status = build(&builder, matrix, context, tolerance, error);
  for (int class = 0; class < builder.types; class ++)
    for (int tau = 0; tau < builder.types; tau++) {
      struct tac_stencil_block *block = &builder.blocks[class][tau];
      release(stencil, block->matrix);
      release(stencil, block->left);
      release(stencil, block->right);
    }
  if (status == TAC_STATUS_OK)
    *out = stencil;
  else
    tac_stencil_destroy(&stencil);
  return status;
}

void tac_stencil_destroy(struct tac_stencil **stencil) {
  if (!stencil || !*stencil)
    return;
  const struct tac_allocator allocator = (*stencil)->allocator;
  for (size_t p = 0; p < (*stencil)->piece_count; p++)
    allocator.release(allocator.context, (*stencil)->pieces[p].packed);
  allocator.release(allocator.context, (*stencil)->pieces);
  allocator.release(allocator.context, (*stencil)->runs);
  allocator.release(allocator.context, (*stencil)->zeros);
  allocator.release(allocator.context, *stencil);
  *stencil = NULL;
}
