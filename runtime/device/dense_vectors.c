/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/device_dense.h>

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "runtime/device/dense_vectors.h"
#include "runtime/device/device.h"

extern const char tac_kernel_source_vectors[];

/* Reals of a stretch that one work-item (CPU form) or one work-group (GPU form) updates. */
#define UPDATE_STRETCH   4096
#define TERMS_PER_LAUNCH 5
#define COLUMNS_PER_CALL 4
#define PARTIAL_LEAST    1024
#define SUM_CHAINS       8

static enum tac_status find_kernels(struct tac_device_vectors *vectors, struct tac_error *error) {
  struct {
    struct tac_device_kernel **kernel;
    const char *name;
  } const wanted[] = {
      {&vectors->combine, "tac_vectors_combine"},       {&vectors->dot, "tac_vectors_dot"},
      {&vectors->update_dot, "tac_vectors_update_dot"}, {&vectors->largest, "tac_vectors_largest"},
      {&vectors->columns, "tac_vectors_columns"},       {&vectors->update_dot_kept, "tac_vectors_update_dot_kept"},
  };
  struct tac_device_program *program = NULL;
  enum tac_status status =
      tac_dense_program(&program, vectors->device, "vectors", tac_kernel_source_vectors, vectors->scalar, vectors->form, error);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !status; i++)
    status = tac_device_kernel(wanted[i].kernel, program, wanted[i].name, error);
  return status;
}

enum tac_status tac_device_vectors_create_form(struct tac_device_vectors **out, struct tac_device *device,
                                               enum tac_device_scalar scalar, enum tac_device_form form,
                                               struct tac_error *error) {
  enum tac_status status = tac_device_scalar_check(device, scalar, error);
  if (status)
    return status;
  struct tac_device_vectors *vectors = tac_device_allocate(device, sizeof *vectors);
  if (!vectors)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for vector operations");
  *vectors = (struct tac_device_vectors){.device = device,
                                         .scalar = scalar,
                                         .form = tac_dense_form(device, form),
                                         .sum_bytes = tac_device_info(device)->fp64 ? sizeof(double) : sizeof(float)};
  status = find_kernels(vectors, error);
  if (!status)
    status = tac_device_memory_take(&vectors->partial, device, TAC_VECTORS_PARTIALS_MAX * vectors->sum_bytes, error);
  if (status) {
    tac_device_vectors_destroy(&vectors);
    return status;
  }
  *out = vectors;
  return TAC_STATUS_OK;
}

enum tac_status tac_device_vectors_create(struct tac_device_vectors **out, struct tac_device *device,
                                          enum tac_device_scalar scalar, struct tac_error *error) {
  return tac_device_vectors_create_form(out, device, scalar, TAC_FORM_CHOSEN, error);
}

void tac_device_vectors_destroy(struct tac_device_vectors **vectors) {
  if (!vectors || !*vectors)
    return;
  tac_device_memory_give(&(*vectors)->partial);
  tac_device_memory_give(&(*vectors)->kept);
  tac_device_free((*vectors)->device, (*vectors)->read);
  tac_device_free((*vectors)->device, *vectors);
  *vectors = NULL;
}

enum tac_status tac_vectors_check(const struct tac_device_vectors *vectors, struct tac_device_array array, size_t n,
                                  const char *which, struct tac_error *error) {
  return tac_dense_check_extent(array, n, tac_device_scalar_bytes(vectors->scalar), which, error);
}

struct tac_launch tac_vectors_launch(const struct tac_device_vectors *vectors, const struct tac_device_kernel *kernel,
                                     size_t groups, const struct tac_argument *arguments, size_t count) {
  return (struct tac_launch){.kernel = kernel,
                             .groups = {groups, 1, 1},
                             .items = {vectors->form == TAC_FORM_CPU ? 1 : TAC_DENSE_TEAM, 1, 1},
                             .arguments = arguments,
                             .argument_count = count};
}

/* ---- Updates. */

static struct tac_argument real_argument(const struct tac_device_vectors *vectors, double value) {
  const float single = (float)value;
  return tac_dense_real_bytes(vectors->scalar) == sizeof(double) ? TAC_ARGUMENT_VALUE(value) : TAC_ARGUMENT_VALUE(single);
}

/* y = [y +] a sum of up to TERMS_PER_LAUNCH terms. */
static enum tac_status combine_some(struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n, uint32_t add,
                                    int terms, const double *factor, const struct tac_device_array *x,
                                    struct tac_device_array y, struct tac_error *error) {
  struct tac_argument arguments[5 + 3 * TERMS_PER_LAUNCH + 1];
  const uint64_t parts = tac_vectors_parts(vectors), reals = n * parts, y_offset = y.offset * parts;
  const uint32_t stretch = UPDATE_STRETCH, given = (uint32_t)terms;
  size_t count = 0;
  arguments[count++] = tac_argument_memory(y.memory);
  arguments[count++] = TAC_ARGUMENT_VALUE(y_offset);
  arguments[count++] = TAC_ARGUMENT_VALUE(reals);
  arguments[count++] = TAC_ARGUMENT_VALUE(stretch);
  arguments[count++] = TAC_ARGUMENT_VALUE(given);
  for (int j = 0; j < TERMS_PER_LAUNCH; j++) {
    const struct tac_device_array from = j < terms ? x[j] : y;
    const uint64_t offset = from.offset * parts;
    arguments[count++] = tac_argument_memory(from.memory);
    arguments[count++] = TAC_ARGUMENT_VALUE(offset);
    arguments[count++] = real_argument(vectors, j < terms ? factor[j] : 0);
  }
  arguments[count++] = TAC_ARGUMENT_VALUE(add);
  const size_t groups = (size_t)((reals + UPDATE_STRETCH - 1) / UPDATE_STRETCH);
  const struct tac_launch launch = tac_vectors_launch(vectors, vectors->combine, groups, arguments, count);
  return tac_queue_launch(queue, &launch, error);
}

enum tac_status tac_device_axpy(struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n, double alpha,
                                struct tac_device_array x, struct tac_device_array y, struct tac_error *error) {
  enum tac_status status = tac_vectors_check(vectors, x, n, "x", error);
  if (!status)
    status = tac_vectors_check(vectors, y, n, "y", error);
  return status || n == 0 ? status : combine_some(vectors, queue, n, 1, 1, &alpha, &x, y, error);
}

enum tac_status tac_device_scale(struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n, double alpha,
                                 struct tac_device_array x, struct tac_error *error) {
  enum tac_status status = tac_vectors_check(vectors, x, n, "x", error);
  return status || n == 0 ? status : combine_some(vectors, queue, n, 0, 1, &alpha, &x, x, error);
}

/* Terms that are y itself come first, as one: the launches after the first would find y changed. */
enum tac_status tac_device_combine(struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n, int terms,
                                   const double *factor, const struct tac_device_array *x, struct tac_device_array y,
                                   struct tac_error *error) {
  double self = 0, some_factor[TERMS_PER_LAUNCH];
  struct tac_device_array some[TERMS_PER_LAUNCH];
  int has_self = 0;
  enum tac_status status = tac_vectors_check(vectors, y, n, "y", error);
  for (int j = 0; j < terms && !status; j++) {
    status = tac_vectors_check(vectors, x[j], n, "a term", error);
    if (x[j].memory == y.memory && x[j].offset == y.offset) {
      self += factor[j];
      has_self = 1;
    }
  }
  if (status || n == 0)
    return status;
  int held = 0;
  uint32_t add = 0;
  if (has_self) {
    some_factor[held] = self;
    some[held++] = y;
  }
  for (int j = 0; j < terms && !status; j++) {
    if (x[j].memory == y.memory && x[j].offset == y.offset)
      continue;
    if (held == TERMS_PER_LAUNCH) {
      status = combine_some(vectors, queue, n, add, held, some_factor, some, y, error);
      held = 0;
      add = 1;
    }
    some_factor[held] = factor[j];
    some[held++] = x[j];
  }
  return status ? status : combine_some(vectors, queue, n, add, held, some_factor, some, y, error);
}

/* ---- Reductions. */

struct tac_vectors_partition tac_vectors_partition(uint64_t reals) {
  uint64_t partials = (reals + PARTIAL_LEAST - 1) / PARTIAL_LEAST;
  if (partials > TAC_VECTORS_PARTIALS_MAX)
    partials = TAC_VECTORS_PARTIALS_MAX;
  const uint64_t stretch = (reals + partials - 1) / partials;
  return (struct tac_vectors_partition){stretch, (uint32_t)partials};
}

static double sum_value(const struct tac_device_vectors *vectors, const void *memory, size_t index) {
  return vectors->sum_bytes == sizeof(double) ? ((const double *)memory)[index] : (double)((const float *)memory)[index];
}

/* Chains side by side, as the kernels add what is kept. Sums of floats are rounded as such. */
double tac_vectors_add_partials(const struct tac_device_vectors *vectors, const void *partial, size_t count) {
  double chain[SUM_CHAINS] = {0};
  const int single = vectors->sum_bytes != sizeof(double);
  for (size_t i = 0; i < count; i++) {
    const double sum = chain[i % SUM_CHAINS] + sum_value(vectors, partial, i);
    chain[i % SUM_CHAINS] = single ? (double)(float)sum : sum;
  }
  for (int width = SUM_CHAINS / 2; width > 0; width /= 2)
    for (int c = 0; c < width; c++) {
      const double sum = chain[c] + chain[c + width];
      chain[c] = single ? (double)(float)sum : sum;
    }
  return chain[0];
}

static struct tac_argument sum_argument(const struct tac_device_vectors *vectors, double value) {
  const float single = (float)value;
  return vectors->sum_bytes == sizeof(double) ? TAC_ARGUMENT_VALUE(value) : TAC_ARGUMENT_VALUE(single);
}

static enum tac_status add_partials(double *out, struct tac_device_vectors *vectors, struct tac_queue *queue, uint32_t partials,
                                    struct tac_error *error) {
  double values[TAC_VECTORS_PARTIALS_MAX];
  const enum tac_status status = tac_queue_read(queue, vectors->partial, 0, values, partials * vectors->sum_bytes, error);
  if (!status)
    *out = tac_vectors_add_partials(vectors, values, partials);
  return status;
}

enum tac_status tac_vectors_reduce(struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                   struct tac_device_array x, struct tac_device_array y, double scale,
                                   struct tac_device_memory *to, uint64_t first, struct tac_error *error) {
  const uint64_t parts = tac_vectors_parts(vectors), reals = n * parts, x_offset = x.offset * parts,
                 y_offset = y.offset * parts;
  const struct tac_vectors_partition cut = tac_vectors_partition(reals);
  const struct tac_argument arguments[] = {
      tac_argument_memory(to),       TAC_ARGUMENT_VALUE(first),     TAC_ARGUMENT_VALUE(cut.stretch),
      TAC_ARGUMENT_VALUE(reals),     tac_argument_memory(x.memory), TAC_ARGUMENT_VALUE(x_offset),
      tac_argument_memory(y.memory), TAC_ARGUMENT_VALUE(y_offset),  sum_argument(vectors, scale),
  };
  const struct tac_launch launch = tac_vectors_launch(vectors, vectors->dot, cut.partials, arguments, 9);
  return tac_queue_launch(queue, &launch, error);
}

/* The sum of (scale x) (scale y) over all reals, n > 0. */
static enum tac_status reduce(double *out, struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                              struct tac_device_array x, struct tac_device_array y, double scale, struct tac_error *error) {
  const enum tac_status status = tac_vectors_reduce(vectors, queue, n, x, y, scale, vectors->partial, 0, error);
  return status ? status
                : add_partials(out, vectors, queue, tac_vectors_partition(n * tac_vectors_parts(vectors)).partials, error);
}

enum tac_status tac_device_dot(double *out, struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                               struct tac_device_array x, struct tac_device_array y, struct tac_error *error) {
  enum tac_status status = tac_vectors_check(vectors, x, n, "x", error);
  if (!status)
    status = tac_vectors_check(vectors, y, n, "y", error);
  if (status)
    return status;
  if (n > 0)
    return reduce(out, vectors, queue, n, x, y, 1, error);
  *out = 0;
  return TAC_STATUS_OK;
}

enum tac_status tac_device_axpy_dot(double *out, struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                    double alpha, struct tac_device_array x, struct tac_device_array y,
                                    struct tac_device_array z, struct tac_error *error) {
  const struct {
    struct tac_device_array array;
    const char *name;
  } operands[] = {{x, "x"}, {y, "y"}, {z, "z"}};
  enum tac_status status = TAC_STATUS_OK;
  for (int i = 0; i < 3 && !status; i++)
    status = tac_vectors_check(vectors, operands[i].array, n, operands[i].name, error);
  if (status)
    return status;
  *out = 0;
  if (n == 0)
    return TAC_STATUS_OK;
  const uint64_t parts = tac_vectors_parts(vectors), reals = n * parts;
  const uint64_t x_offset = x.offset * parts, y_offset = y.offset * parts, z_offset = z.offset * parts;
  const struct tac_vectors_partition cut = tac_vectors_partition(reals);
  const struct tac_argument arguments[] = {
      tac_argument_memory(vectors->partial), TAC_ARGUMENT_VALUE(cut.stretch), TAC_ARGUMENT_VALUE(reals),
      real_argument(vectors, alpha),         tac_argument_memory(x.memory),   TAC_ARGUMENT_VALUE(x_offset),
      tac_argument_memory(y.memory),         TAC_ARGUMENT_VALUE(y_offset),    tac_argument_memory(z.memory),
      TAC_ARGUMENT_VALUE(z_offset),
  };
  const struct tac_launch launch = tac_vectors_launch(vectors, vectors->update_dot, cut.partials, arguments, 10);
  status = tac_queue_launch(queue, &launch, error);
  return status ? status : add_partials(out, vectors, queue, cut.partials, error);
}

static enum tac_status largest(double *out, struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                               struct tac_device_array x, struct tac_error *error) {
  const uint64_t parts = tac_vectors_parts(vectors), reals = n * parts, offset = x.offset * parts;
  const struct tac_vectors_partition cut = tac_vectors_partition(reals);
  const struct tac_argument arguments[] = {
      tac_argument_memory(vectors->partial), TAC_ARGUMENT_VALUE(cut.stretch), TAC_ARGUMENT_VALUE(reals),
      tac_argument_memory(x.memory),         TAC_ARGUMENT_VALUE(offset),
  };
  const struct tac_launch launch = {
      .kernel = vectors->largest, .groups = {cut.partials, 1, 1}, .arguments = arguments, .argument_count = 5};
  double values[TAC_VECTORS_PARTIALS_MAX];
  enum tac_status status = tac_queue_launch(queue, &launch, error);
  if (!status)
    status = tac_queue_read(queue, vectors->partial, 0, values, cut.partials * vectors->sum_bytes, error);
  *out = 0;
  for (uint32_t i = 0; i < cut.partials && !status; i++)
    *out = fmax(*out, sum_value(vectors, values, i));
  return status;
}

int tac_device_squares_exact(const struct tac_device_vectors *vectors, size_t n, double squares) {
  const double least = vectors->sum_bytes == sizeof(double) ? DBL_MIN / DBL_EPSILON : (double)(FLT_MIN / FLT_EPSILON);
  return isfinite(squares) && squares >= least * (double)n;
}

/* The norm, from the plain sum of squares unless that is not exact; then the
 * vector is scaled by a power of two that makes its largest element about 1. */
static enum tac_status norm_from(double *out, double squares, struct tac_device_vectors *vectors, struct tac_queue *queue,
                                 size_t n, struct tac_device_array x, struct tac_error *error) {
  const int in_double = vectors->sum_bytes == sizeof(double);
  double most = 0;
  *out = sqrt(squares);
  if (n == 0 || isnan(squares) || tac_device_squares_exact(vectors, n, squares))
    return TAC_STATUS_OK;
  enum tac_status status = largest(&most, vectors, queue, n, x, error);
  *out = most;
  if (status || most == 0 || isinf(most))
    return status;
  int exponent = 0;
  frexp(most, &exponent);
  const int bound = in_double ? DBL_MAX_EXP - 1 : FLT_MAX_EXP - 1;
  exponent = exponent < -bound ? -bound : exponent > bound ? bound : exponent;
  status = reduce(&squares, vectors, queue, n, x, x, ldexp(1, -exponent), error);
  *out = ldexp(sqrt(squares), exponent);
  return status;
}

enum tac_status tac_device_norm(double *out, struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                struct tac_device_array x, struct tac_error *error) {
  enum tac_status status = tac_vectors_check(vectors, x, n, "x", error);
  double squares = 0;
  if (!status && n > 0)
    status = reduce(&squares, vectors, queue, n, x, x, 1, error);
  return status ? status : norm_from(out, squares, vectors, queue, n, x, error);
}

enum tac_status tac_device_axpy_norm(double *out, struct tac_device_vectors *vectors, struct tac_queue *queue, size_t n,
                                     double alpha, struct tac_device_array x, struct tac_device_array y,
                                     struct tac_error *error) {
  double squares = 0;
  const enum tac_status status = tac_device_axpy_dot(&squares, vectors, queue, n, alpha, x, y, y, error);
  return status ? status : norm_from(out, squares, vectors, queue, n, y, error);
}

/* Four matrices a launch, described by its arguments, so that nothing is left to be kept until the queue has finished. */
static enum tac_status some_columns(struct tac_device_vectors *vectors, struct tac_queue *queue,
                                    const struct tac_device_columns *matrix, size_t count, struct tac_device_array x,
                                    struct tac_device_array out, struct tac_error *error) {
  struct tac_argument arguments[2 + 5 * COLUMNS_PER_CALL];
  const uint64_t parts = tac_vectors_parts(vectors);
  size_t given = 0, columns = 0;
  arguments[given++] = tac_argument_memory(x.memory);
  arguments[given++] = tac_argument_memory(out.memory);
  for (size_t i = 0; i < COLUMNS_PER_CALL; i++) {
    const struct tac_device_columns none = {0};
    const struct tac_device_columns *of = i < count ? matrix + i : &none;
    const uint64_t from = (x.offset + of->from) * parts, to = out.offset + of->to;
    const int32_t rows = of->m * (int32_t)parts, n = of->n, ld = of->ld * (int32_t)parts;
    arguments[given++] = TAC_ARGUMENT_VALUE(from);
    arguments[given++] = TAC_ARGUMENT_VALUE(to);
    arguments[given++] = TAC_ARGUMENT_VALUE(rows);
    arguments[given++] = TAC_ARGUMENT_VALUE(n);
    arguments[given++] = TAC_ARGUMENT_VALUE(ld);
    if (of->n > 0 && (size_t)of->n > columns)
      columns = (size_t)of->n;
  }
  struct tac_launch launch = tac_vectors_launch(vectors, vectors->columns, columns, arguments, given);
  launch.groups[1] = count;
  return tac_queue_launch(queue, &launch, error);
}

static enum tac_status check_columns(const struct tac_device_vectors *vectors, const struct tac_device_columns *of,
                                     struct tac_device_array x, struct tac_device_array out, struct tac_error *error) {
  if (of->m < 0 || of->n < 0 || of->ld < of->m || of->ld > INT32_MAX / 2)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_device_column_squares", "a matrix is %d x %d of leading dimension %d",
                         of->m, of->n, of->ld);
  if (of->n == 0)
    return TAC_STATUS_OK;
  size_t end = 0, out_end = 0;
  tac_dense_extend(&end, of->from, of->m, of->n, of->ld);
  tac_dense_extend(&out_end, of->to, of->n, 1, of->n);
  enum tac_status status = tac_vectors_check(vectors, x, end, "the matrices", error);
  if (!status)
    status = tac_dense_check_extent(out, out_end, vectors->sum_bytes, "the result", error);
  return status;
}

enum tac_status tac_device_column_squares(struct tac_device_vectors *vectors, struct tac_queue *queue,
                                          const struct tac_device_columns *matrix, size_t count, struct tac_device_array x,
                                          struct tac_device_array out, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < count && !status; i++)
    status = check_columns(vectors, matrix + i, x, out, error);
  for (size_t i = 0; i < count && !status; i += COLUMNS_PER_CALL)
    status =
        some_columns(vectors, queue, matrix + i, count - i < COLUMNS_PER_CALL ? count - i : COLUMNS_PER_CALL, x, out, error);
  return status;
}
