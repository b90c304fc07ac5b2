/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Compiled once for each instruction set: TAC_GEMM_NAME and TAC_GEMM_LANES come from the build file together with the
 * compiler's flags. Nothing here may be an inline function of a common header: the linker could keep this file's copy. */
#include "apps/fmm/points_kernel.h"

#define LANES TAC_GEMM_LANES
#define GROUP 4 /* vectors that are worked on together */

typedef double vector __attribute__((vector_size(8 * LANES)));
typedef long long integers __attribute__((vector_size(8 * LANES)));
typedef double in_memory __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")

INLINE vector load(const double *from) {
  return *(const in_memory *)from;
}

INLINE void store(double *to, vector value) {
  *(in_memory *)to = value;
}

INLINE vector fill(double value) {
  return (vector){0} + value;
}

INLINE vector choose(integers which, vector yes, vector no) {
  return (vector)((which & (integers)yes) | (~which & (integers)no));
}

INLINE double add_lanes(vector value) {
  double sum = 0;
  for (int i = 0; i < LANES; i++)
    sum += value[i];
  return sum;
}

/* exp(x) for x <= 0, to two units in the last place; 0 below -690. 2^n comes from the bits of n; exp(r), |r| <= ln(2)/2, from
 * its Taylor polynomial. Adding 3*2^51 leaves the nearest integer in the lowest bits. */
INLINE vector exponential(vector x) {
  static const double term[] = {
      1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
      1.0 / 120,       1.0 / 24,       1.0 / 6,       0.5,          1,           1};
  const vector magic = fill(6755399441055744.0);
  const integers small = x < -690.0;
  x = choose(small, fill(-690), x);
  const vector shifted = x * 1.4426950408889634074 + magic;
  const vector n = shifted - magic;
  const vector r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
  vector sum = fill(1.0 / 6227020800);
  UNROLL for (int i = 0; i < 13; i++) sum = sum * r + term[i];
  const vector power = (vector)((((integers)shifted - (integers)magic) + 1023) << 52);
  return choose(small, (vector){0}, sum * power);
}

/* Adds `factor` times P_n(z) to sum[n]. */
INLINE void add_legendre(vector *sum, int order, vector z, vector factor) {
  static const double ahead[] = {1,       3. / 2,   5. / 3,   7. / 4,   9. / 5,   11. / 6,  13. / 7,  15. / 8,
                                 17. / 9, 19. / 10, 21. / 11, 23. / 12, 25. / 13, 27. / 14, 29. / 15, 31. / 16};
  static const double behind[] = {0,      1. / 2,  2. / 3,   3. / 4,   4. / 5,   5. / 6,   6. / 7,   7. / 8,
                                  8. / 9, 9. / 10, 10. / 11, 11. / 12, 12. / 13, 13. / 14, 14. / 15, 15. / 16};
  vector p = factor, before = {0};
  for (int n = 0; n < order; n++) {
    sum[n] += p;
    const vector next = ahead[n] * z * p - behind[n] * before;
    before = p;
    p = next;
  }
}

/* The part of the box that the Gaussians reach, by a rule that suits the widest of them in units of its width. */
INLINE void by_legendre(vector *sum, const struct tac_point_rules *rules, vector exponent, vector root, vector x) {
  const vector reach = rules->reach / (root + 1e-300);
  vector from = x - reach, to = x + reach;
  from = choose(from > fill(-0.5), from, fill(-0.5));
  to = choose(to < fill(0.5), to, fill(0.5));
  const vector length = choose(to > from, to - from, (vector){0}), middle = 0.5 * (from + to);
  double widest = 0;
  for (int i = 0; i < LANES; i++)
    widest = length[i] * root[i] > widest ? length[i] * root[i] : widest;
  int count = (int)(rules->base + rules->slope * widest);
  count = count < 64 ? count : 64;
  const double *node = rules->node[count], *weight = rules->weight[count];
  for (int q = 0; q < count; q++) {
    const vector y = middle + length * node[q], u = x - y;
    add_legendre(sum, rules->order, 2 * y, length * weight[q] * exponential(-exponent * u * u));
  }
}

INLINE void by_hermite(vector *sum, const struct tac_point_rules *rules, vector root, vector x) {
  const vector width = 1 / root;
  for (int q = 0; q < rules->hermite_count; q++)
    add_legendre(sum, rules->order, 2 * (x + rules->hermite_node[q] * width), rules->hermite_weight[q] * width);
}

/* With g the Gaussian and M_n the moments: M_n' = -[P_n g] + integral of P_n' g; P'_{n+1} = P'_{n-1} + (2n+1) P_n, and P_{n+1}
 * and P_{n-1} are equal at the ends. */
INLINE void store_slopes(double *slope, size_t stride, const vector *moment, int order, vector exponent, vector x) {
  const vector above = x + 0.5, below = x - 0.5;
  const vector lower = exponential(-exponent * above * above), upper = exponential(-exponent * below * below);
  vector before = lower - upper, now = 2 * moment[0] - (lower + upper);
  for (int n = 0; n < order; n++) {
    store(slope + (size_t)n * stride, before);
    const vector next = before + (4 * n + 6) * moment[n + 1 < order ? n + 1 : n];
    before = now;
    now = next;
  }
}

static void moments(double *moment, double *slope, size_t stride, const struct tac_point_rules *rules,
                    const struct tac_point_sum *sum, int count, double at) {
  const double inside = 0.5 - (at < 0 ? -at : at);
  const vector x = fill(at);
  for (int k = 0; k < count; k += LANES) {
    vector total[TAC_FMM_MAX_ORDER] = {{0}};
    const vector exponent = load(sum->exponent + k), root = load(sum->root + k);
    if (sum->root[k] * inside > rules->reach)
      by_hermite(total, rules, root, x);
    else
      by_legendre(total, rules, exponent, root, x);
    for (int n = 0; n < rules->order; n++)
      store(moment + (size_t)n * stride + k, total[n]);
    if (slope)
      store_slopes(slope + k, stride, total, rules->order, exponent, x);
  }
}

/* out[k] = sum over i of factor[i] in[i][k], for `vectors` vectors. */
INLINE void combine_constants(double *out, const double *factor, int length, const double *in, size_t stride,
                              const int vectors) {
  vector sum[GROUP];
  UNROLL for (int v = 0; v < vectors; v++) sum[v] = (vector){0};
  for (int i = 0; i < length; i++, in += stride) {
    UNROLL for (int v = 0; v < vectors; v++) sum[v] += factor[i] * load(in + v * LANES);
  }
  UNROLL for (int v = 0; v < vectors; v++) store(out + v * LANES, sum[v]);
}

/* Along the last axis. */
static void contract_rows(double *out, const struct tac_point_product *product, const double *moment, int count) {
  const struct tac_point_shape *shape = product->shape;
  const size_t stride = product->stride;
  for (int row = 0; row < shape->rows; row++, out += stride) {
    const double *factor = product->coefficient + shape->row_begin[row];
    const int length = shape->row_begin[row + 1] - shape->row_begin[row];
    int k = 0;
    for (; k + GROUP * LANES <= count; k += GROUP * LANES)
      combine_constants(out + k, factor, length, moment + k, stride, GROUP);
    for (; k < count; k += LANES)
      combine_constants(out + k, factor, length, moment + k, stride, 1);
  }
}

/* Along the middle axis: products term by term. */
static void contract_columns(double *out, const struct tac_point_product *product, const double *in, const double *moment,
                             int count) {
  const struct tac_point_shape *shape = product->shape;
  const size_t stride = product->stride;
  for (int a = 0; a < shape->order; a++, out += stride) {
    const int length = shape->column_begin[a + 1] - shape->column_begin[a];
    const double *rows = in + (size_t)shape->column_begin[a] * stride;
    for (int k = 0; k < count; k += LANES) {
      vector sum = {0};
      for (int b = 0; b < length; b++)
        sum += load(rows + (size_t)b * stride + k) * load(moment + (size_t)b * stride + k);
      store(out + k, sum);
    }
  }
}

/* Along x, and the sum over terms: sums[part]. */
INLINE void contract_terms(double *sums, const struct tac_point_product *product, const double *in, const double *moment,
                           int count) {
  vector total[2] = {{0}};
  for (int k = 0; k < count; k += LANES) {
    vector sum = {0};
    for (int a = 0; a < product->shape->order; a++)
      sum += load(in + (size_t)a * product->stride + k) * load(moment + (size_t)a * product->stride + k);
    total[0] += sum * load(product->sum->weight[0] + k);
    if (product->shape->parts == 2)
      total[1] += sum * load(product->sum->weight[1] + k);
  }
  sums[0] = add_lanes(total[0]);
  sums[1] = add_lanes(total[1]);
}

static void add_field(const struct tac_point_product *product, int component, int point, const double *in,
                      const double *moment) {
  double sums[2] = {0, 0};
  contract_terms(sums, product, in, moment, product->count[point]);
  for (int part = 0; part < 2 && part < product->shape->parts; part++)
    product->values[component * product->shape->parts + part][point] +=
        component ? product->slope_scale * sums[part] : sums[part];
}

/* Points begin … end-1 differ along x only. in: by component; the first is for the derivative along x, too. */
static void add_line(const struct tac_point_product *product, int begin, int end, double *const *in) {
  const struct tac_point_shape *shape = product->shape;
  for (int i = begin; i < end; i++) {
    const size_t at = (size_t)product->index[0][i] * (size_t)shape->order * product->stride;
    add_field(product, 0, i, in[0], product->moment[0] + at);
    if (!shape->gradient)
      continue;
    add_field(product, 1, i, in[0], product->slope[0] + at);
    for (int axis = 1; axis < 3 && axis < shape->dim; axis++)
      add_field(product, 1 + axis, i, in[axis], product->moment[0] + at);
  }
}

/* The end of the points that have the coordinate of point `begin` along an axis, and how many terms matter for them. */
static int end_of_run(const struct tac_point_product *product, int axis, int begin, int limit, int *count) {
  int end = begin;
  *count = 0;
  for (; end < limit && product->index[axis][end] == product->index[axis][begin]; end++)
    *count = product->count[end] > *count ? product->count[end] : *count;
  return end;
}

/* Points of one plane in 3D. rows: contracted with moments and with slopes along z. */
static void add_plane(const struct tac_point_product *product, int begin, int end, double *const *rows, double *const *lines) {
  const struct tac_point_shape *shape = product->shape;
  for (int i = begin, next, count; i < end; i = next) {
    next = end_of_run(product, 1, i, end, &count);
    const size_t at = (size_t)product->index[1][i] * (size_t)shape->order * product->stride;
    contract_columns(lines[0], product, rows[0], product->moment[1] + at, count);
    if (shape->gradient) {
      contract_columns(lines[1], product, rows[0], product->slope[1] + at, count);
      contract_columns(lines[2], product, rows[1], product->moment[1] + at, count);
    }
    add_line(product, i, next, lines);
  }
}

static void add_product(const struct tac_point_product *product) {
  const struct tac_point_shape *shape = product->shape;
  const int last = shape->dim - 1;
  const size_t size = (size_t)shape->rows * product->stride, line = (size_t)shape->order * product->stride;
  double *rows[2] = {product->scratch, product->scratch + size};
  double *lines[3] = {product->scratch + 2 * size, product->scratch + 2 * size + line, product->scratch + 2 * size + 2 * line};
  for (int i = 0, next, count; i < product->points; i = next) {
    next = end_of_run(product, last, i, product->points, &count);
    const size_t at = (size_t)product->index[last][i] * (size_t)shape->order * product->stride;
    if (count == 0)
      continue;
    contract_rows(rows[0], product, product->moment[last] + at, count);
    if (shape->gradient)
      contract_rows(rows[1], product, product->slope[last] + at, count);
    if (shape->dim == 2)
      add_line(product, i, next, rows);
    else
      add_plane(product, i, next, rows, lines);
  }
}

static void multiply(double *out, const double *matrix, const double *in, int rows, int columns) {
  const int whole = rows / LANES * LANES;
  for (int j = 0; j < columns; j++, matrix += rows) {
    const vector factor = fill(in[j]);
    for (int i = 0; i < whole; i += LANES)
      store(out + i, load(out + i) + factor * load(matrix + i));
    for (int i = whole; i < rows; i++)
      out[i] += in[j] * matrix[i];
  }
}

#define NAME_2(name) tac_point_kernel_##name
#define NAME_1(name) NAME_2(name)
extern const struct tac_point_kernel NAME_1(TAC_GEMM_NAME);
const struct tac_point_kernel NAME_1(TAC_GEMM_NAME) = {LANES, moments, add_product, multiply};
