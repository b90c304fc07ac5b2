/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
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
  double *storage;                                                   /* of all blocks, where they come from the cache */
  double *packed;                                                    /* where the next piece goes */
  int started[TAC_MAX_CLASSES]; /* a target class has its first piece: the others add to it */
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

static int class_size(const int *begin, int class) {
  return begin[class + 1] - begin[class];
}

static int has_type(const struct tac_stencil_shape *shape, int tau) {
  return tau ? (shape->reach & TAC_REACH_NEIGHBOURS) != 0 : (shape->reach & TAC_REACH_SELF) != 0;
}

static int source_class(const struct tac_stencil_shape *shape, int class, int difference) {
  return class ^ (int)shape->flip ^ difference;
}

static void shape_blocks(struct builder *builder) {
  const struct tac_stencil_shape *shape = builder->shape;
  for (int class = 0; class < builder->types; class ++)
    for (int tau = 0; tau < builder->types; tau++) {
      struct tac_stencil_block *block = &builder->blocks[class][tau];
      block->rank = -1;
      if (!has_type(shape, tau))
        continue;
      block->rows = class_size(shape->target_begin, class);
      for (int difference = 0; difference < builder->types; difference++)
        if (!(difference & ~tau))
          block->columns += class_size(shape->source_begin, source_class(shape, class, difference));
    }
}

static int is_finite(const double *entries, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(entries[i]))
      return 0;
  return 1;
}

/* Copies the rows of each class from T(offset) of type tau, source classes in the order of D. */
static enum tac_status fill_blocks(struct builder *builder, int tau, const double *matrix, struct tac_error *error) {
  const struct tac_stencil_shape *shape = builder->shape;
  const size_t targets = (size_t)shape->target_begin[builder->types];
  for (int class = 0; class < builder->types; class ++) {
    struct tac_stencil_block *block = &builder->blocks[class][tau];
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
    if (!is_finite(block->matrix, rows * (size_t)block->columns))
      return tac_error_set(error, TAC_STATUS_NUMERICAL, "stencil", "an operator has an entry that is not finite");
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

/* Takes the next place for a packed matrix. */
static struct tac_stencil_piece *add_piece(struct builder *builder, int rows, int inner, const double *matrix,
                                           struct tac_error *error) {
  struct tac_stencil *stencil = builder->stencil;
  void *array = stencil->pieces;
  const enum tac_status status =
      make_room(stencil, &array, stencil->piece_count, &stencil->piece_limit, sizeof *stencil->pieces, error);
  stencil->pieces = array;
  if (status != TAC_STATUS_OK)
    return NULL;
  struct tac_stencil_piece *piece = &stencil->pieces[stencil->piece_count++];
  *piece = (struct tac_stencil_piece){.rows = rows, .inner = inner, .packed = builder->packed, .first_run = stencil->run_count};
  tac_gemm_pack(stencil->kernel, rows, inner, matrix, (size_t)rows, builder->packed);
  builder->packed += tac_gemm_packed_size(stencil->kernel, rows, inner);
  stencil->flops += 2.0 * rows * inner;
  return piece;
}

/* The neighbours whose offset is not zero along exactly the axes of tau. Unless D is empty, half of them have the sign -1. */
static void fill_run(struct tac_stencil_run *run, int tau, int difference, int dim) {
  int added = 0, subtracted = 0;
  run->mixed = difference != 0;
  for (int negative = 0; negative <= tau; negative++) {
    if (negative & ~tau)
      continue;
    int place = 0;
    for (int axis = 0, power = 1; axis < dim; axis++, power *= 3)
      place += power * (1 + (tau >> axis & 1) - 2 * (negative >> axis & 1));
    if (!run->mixed)
      run->place[added++] = (unsigned char)place;
    else if (__builtin_parity((unsigned)(negative & difference)))
      run->place[1 + 2 * subtracted++] = (unsigned char)place;
    else
      run->place[2 * added++] = (unsigned char)place;
  }
  run->terms = added + subtracted;
}

static void note_stride(size_t *stride, int rows) {
  /* An odd number of cache lines, so that columns do not meet in the same sets. */
  const size_t lines = ((size_t)rows + 7) / 8 | 1;
  if (rows > 0 && 8 * lines > *stride)
    *stride = 8 * lines;
}

/* The columns of a block that belong to one D, that is, to one source class. */
struct segment {
  int tau, difference, source, length; /* source: where the class begins */
  const double *columns;
};

/* `matrix` has the block's columns; rows: its leading dimension. */
static struct segment find_segment(const struct builder *builder, int class, int tau, int difference, const double *matrix,
                                   int rows) {
  const int *begin = builder->shape->source_begin;
  size_t before = 0;
  for (int other = 0; other < difference; other++)
    if (!(other & ~tau))
      before += (size_t)class_size(begin, source_class(builder->shape, class, other));
  const int from = source_class(builder->shape, class, difference);
  return (struct segment){tau, difference, begin[from], class_size(begin, from), matrix + before * (size_t)rows};
}

/* Columns [first, last) of a segment as input of a piece. */
static enum tac_status add_run(struct builder *builder, struct tac_stencil_piece *piece, const struct segment *segment,
                               int first, int last, struct tac_error *error) {
  struct tac_stencil *stencil = builder->stencil;
  if (builder->shape->reach == TAC_REACH_SELF) {
    piece->input = TAC_END_VECTORS;
    piece->input_offset = segment->source + first;
    return TAC_STATUS_OK;
  }
  void *array = stencil->runs;
  const enum tac_status status =
      make_room(stencil, &array, stencil->run_count, &stencil->run_limit, sizeof *stencil->runs, error);
  stencil->runs = array;
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_stencil_run *run = &stencil->runs[stencil->run_count++];
  *run = (struct tac_stencil_run){.length = last - first, .offset = segment->source + first};
  fill_run(run, segment->tau, segment->difference, builder->shape->dim);
  piece->runs++;
  stencil->flops += (double)run->length * (run->terms - 1);
  return TAC_STATUS_OK;
}

/* What a product gives: the target's own numbers, or what stands between factors. */
struct output {
  enum tac_stencil_end end;
  int offset, *started; /* 1 once something is there to add to */
};

static void set_output(struct tac_stencil_piece *piece, const struct output *output) {
  piece->output = output->end;
  piece->output_offset = output->offset;
  piece->accumulate = *output->started;
  *output->started = 1;
}

/* Part [first, last) of the segments' columns, side by side, as one piece. */
static enum tac_status add_cut(struct builder *builder, int rows, const struct segment *segments, int count, int first,
                               int last, const struct output *output, struct tac_error *error) {
  struct tac_stencil *stencil = builder->stencil;
  enum tac_status status = TAC_STATUS_MEMORY;
  double *matrix = allocate(stencil, (size_t)rows * (size_t)(last - first) * sizeof *matrix, error), *out = matrix;
  if (!matrix)
    goto done;
  int low[TAC_MAX_CLASSES * TAC_MAX_CLASSES], high[TAC_MAX_CLASSES * TAC_MAX_CLASSES];
  for (int s = 0, before = 0; s < count; before += segments[s++].length) {
    low[s] = first > before ? first - before : 0;
    high[s] = last - before < segments[s].length ? last - before : segments[s].length;
    if (low[s] >= high[s])
      continue;
    const size_t entries = (size_t)(high[s] - low[s]) * (size_t)rows;
    memcpy(out, segments[s].columns + (size_t)low[s] * (size_t)rows, entries * sizeof *out);
    out += entries;
  }
  struct tac_stencil_piece *piece = add_piece(builder, rows, last - first, matrix, error);
  if (!piece)
    goto done;
  set_output(piece, output);
  piece->input = builder->shape->reach == TAC_REACH_SELF || first == last ? TAC_END_VECTORS : TAC_END_COMBINED;
  if (piece->input == TAC_END_COMBINED)
    note_stride(&stencil->combined_stride, last - first);
  status = TAC_STATUS_OK;
  for (int s = 0; s < count && status == TAC_STATUS_OK; s++)
    if (low[s] < high[s])
      status = add_run(builder, piece, &segments[s], low[s], high[s], error);
done:
  release(stencil, matrix);
  return status;
}

/* The product of the segments' columns, side by side, with their input; cut along the inner index. */
static enum tac_status add_product(struct builder *builder, int rows, const struct segment *segments, int count,
                                   const struct output *output, struct tac_error *error) {
  int inner = 0;
  for (int s = 0; s < count; s++)
    inner += segments[s].length;
  enum tac_status status = TAC_STATUS_OK;
  const int cuts = inner > PIECE_ROWS ? (inner + PIECE_ROWS - 1) / PIECE_ROWS : 1;
  for (int cut = 0; cut < cuts && status == TAC_STATUS_OK; cut++)
    status = add_cut(builder, rows, segments, count, (int)((long)inner * cut / cuts), (int)((long)inner * (cut + 1) / cuts),
                     output, error);
  return status;
}

static int is_dense(const struct tac_stencil_block *block) {
  return block->matrix != NULL;
}

static struct output target_output(struct builder *builder, int class) {
  return (struct output){TAC_END_VECTORS, builder->shape->target_begin[class], &builder->started[class]};
}

/* All dense blocks of a class as one product; also of a class that has nothing at all, so that its part of the target is set.
 * Sorted by source class: the mirror images of one class of the neighbours are read in one go. */
static enum tac_status add_dense(struct builder *builder, int class, struct tac_error *error) {
  struct segment segments[TAC_MAX_CLASSES * TAC_MAX_CLASSES];
  const int rows = class_size(builder->shape->target_begin, class);
  int count = 0, factored = 0;
  for (int difference = 0; difference < builder->types; difference++)
    for (int tau = 0; tau < builder->types; tau++) {
      const struct tac_stencil_block *block = &builder->blocks[class][tau];
      factored += block->rank > 0;
      if (is_dense(block) && !(difference & ~tau))
        segments[count++] = find_segment(builder, class, tau, difference, block->matrix, rows);
    }
  if (!rows || (!count && factored))
    return TAC_STATUS_OK;
  const struct output output = target_output(builder, class);
  return add_product(builder, rows, segments, count, &output, error);
}

/* Right factors of all blocks that have them. What they give of one class stands together: its place is counted first. Sorted
 * by source class, as above. */
static enum tac_status add_right_factors(struct builder *builder, struct tac_error *error) {
  int place[TAC_MAX_CLASSES][TAC_MAX_CLASSES], started[TAC_MAX_CLASSES][TAC_MAX_CLASSES] = {{0}}, total = 0;
  for (int class = 0; class < builder->types; class ++)
    for (int tau = 0; tau < builder->types; tau++) {
      place[class][tau] = total;
      total += builder->blocks[class][tau].rank > 0 ? builder->blocks[class][tau].rank : 0;
    }
  note_stride(&builder->stencil->factored_stride, total);
  enum tac_status status = TAC_STATUS_OK;
  for (int tau = 0; tau < builder->types; tau++)
    for (int from = 0; from < builder->types; from++)
      for (int difference = 0; difference < builder->types && status == TAC_STATUS_OK; difference++) {
        const int class = source_class(builder->shape, from, difference);
        const struct tac_stencil_block *block = &builder->blocks[class][tau];
        if (difference & ~tau || block->rank <= 0)
          continue;
        const struct segment segment = find_segment(builder, class, tau, difference, block->right, block->rank);
        const struct output output = {TAC_END_FACTORED, place[class][tau], &started[class][tau]};
        if (segment.length)
          status = add_product(builder, block->rank, &segment, 1, &output, error);
      }
  return status;
}

/* The left factors of a class, side by side, times what its right factors left at `place`. */
static enum tac_status add_left_factors(struct builder *builder, int class, int *place, struct tac_error *error) {
  struct tac_stencil *stencil = builder->stencil;
  const size_t rows = (size_t)class_size(builder->shape->target_begin, class);
  int inner = 0;
  for (int tau = 0; tau < builder->types; tau++)
    inner += builder->blocks[class][tau].rank > 0 ? builder->blocks[class][tau].rank : 0;
  if (!inner)
    return TAC_STATUS_OK;
  double *matrix = allocate(stencil, rows * (size_t)inner * sizeof *matrix, error), *out = matrix;
  if (!matrix)
    return TAC_STATUS_MEMORY;
  for (int tau = 0; tau < builder->types; tau++) {
    const struct tac_stencil_block *block = &builder->blocks[class][tau];
    if (block->rank <= 0)
      continue;
    memcpy(out, block->left, rows * (size_t)block->rank * sizeof *out);
    out += rows * (size_t)block->rank;
  }
  struct tac_stencil_piece *piece = add_piece(builder, (int)rows, inner, matrix, error);
  release(stencil, matrix);
  if (!piece)
    return TAC_STATUS_MEMORY;
  const struct output output = target_output(builder, class);
  set_output(piece, &output);
  piece->input = TAC_END_FACTORED;
  piece->input_offset = *place;
  *place += inner;
  return TAC_STATUS_OK;
}

/* Doubles of all packed matrices. */
static size_t packed_size(const struct builder *builder) {
  const struct tac_gemm_kernel *kernel = builder->stencil->kernel;
  size_t size = 0;
  for (int class = 0; class < builder->types; class ++)
    for (int tau = 0; tau < builder->types; tau++) {
      const struct tac_stencil_block *block = &builder->blocks[class][tau];
      if (is_dense(block))
        size += tac_gemm_packed_size(kernel, block->rows, block->columns);
      else if (block->rank > 0)
        size +=
            tac_gemm_packed_size(kernel, block->rank, block->columns) + tac_gemm_packed_size(kernel, block->rows, block->rank);
    }
  return size;
}

static enum tac_status add_pieces(struct builder *builder, struct tac_error *error) {
  struct tac_stencil *stencil = builder->stencil;
  const size_t bytes = packed_size(builder) * sizeof(double);
  stencil->packed = builder->packed = allocate(stencil, bytes, error);
  if (!stencil->packed)
    return TAC_STATUS_MEMORY;
  stencil->bytes += bytes;
  enum tac_status status = TAC_STATUS_OK;
  for (int class = 0; class < builder->types && status == TAC_STATUS_OK; class ++)
    status = add_dense(builder, class, error);
  if (status == TAC_STATUS_OK)
    status = add_right_factors(builder, error);
  int place = 0;
  for (int class = 0; class < builder->types && status == TAC_STATUS_OK; class ++)
    status = add_left_factors(builder, class, &place, error);
  stencil->bytes += stencil->piece_limit * sizeof *stencil->pieces + stencil->run_limit * sizeof *stencil->runs;
  return status;
}

/* Targets whose inputs fill half of the second-level cache: whole groups of columns. */
static int choose_tile(const struct tac_stencil *stencil) {
  const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE), half = (cache > 0 ? cache : 512 * 1024) / 2;
  const size_t column = stencil->combined_stride * sizeof(double);
  const int columns = stencil->kernel->columns;
  long tile = column ? half / (long)column : 96;
  tile = tile < 48 ? 48 : tile > 96 ? 96 : tile;
  return (int)(tile / columns * columns);
}

static enum tac_status get_factored(struct builder *builder, tac_stencil_matrix_fn matrix, void *context, double tolerance,
                                    struct tac_error *error) {
  struct tac_stencil *stencil = builder->stencil;
  const size_t count = TAC_MAX_CLASSES * TAC_MAX_CLASSES;
  stencil->cached = tac_stencil_load(&builder->storage, builder->blocks[0], count, builder->shape, &stencil->allocator);
  if (stencil->cached)
    return TAC_STATUS_OK;
  enum tac_status status = get_blocks(builder, matrix, context, error);
  if (status == TAC_STATUS_OK)
    status = tac_stencil_factor(builder->blocks[0], count, tolerance, &stencil->allocator, error);
  if (status == TAC_STATUS_OK)
    tac_stencil_store(builder->blocks[0], count, builder->shape, &stencil->allocator);
  return status;
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
  stencil->bytes = sizeof *stencil + (size_t)stencil->source_count * sizeof(double);
  enum tac_status status =
      tolerance > 0 ? get_factored(builder, matrix, context, tolerance, error) : get_blocks(builder, matrix, context, error);
  if (status == TAC_STATUS_OK)
    status = add_pieces(builder, error);
  stencil->tile = choose_tile(stencil);
  return status;
}

static void release_blocks(struct builder *builder) {
  for (int class = 0; class < builder->types && !builder->stencil->cached; class ++)
    for (int tau = 0; tau < builder->types; tau++) {
      struct tac_stencil_block *block = &builder->blocks[class][tau];
      release(builder->stencil, block->matrix);
      release(builder->stencil, block->left);
      release(builder->stencil, block->right);
    }
  release(builder->stencil, builder->storage);
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
  shape_blocks(&builder);
  enum tac_status status = build(&builder, matrix, context, tolerance, error);
  release_blocks(&builder);
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
  allocator.release(allocator.context, (*stencil)->packed);
  allocator.release(allocator.context, (*stencil)->pieces);
  allocator.release(allocator.context, (*stencil)->runs);
  allocator.release(allocator.context, (*stencil)->zeros);
  allocator.release(allocator.context, *stencil);
  *stencil = NULL;
}
