/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/correlation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#define MAX_NODES  64
#define MAX_DEGREE 63

/* Pairs a <= b of degrees whose sum is even or odd, ordered by their sum. */
struct pairs {
  int count;
  int *sum;      /* of each pair */
  double *table; /* table[node*count + pair]: Gauss weight times C_ab(node) */
};

struct tac_correlation {
  const struct tac_modes *modes;
  struct tac_allocator allocator;
  int nodes;
  double node[MAX_NODES];
  struct pairs pairs[2];
  short *index;                   /* index[a*order + b]: pair of its parity */
  double *grid;                   /* 2^dim orthants of kernel values, then of mirror sums */
  double *first, *second, *third; /* after the contraction of one, two, three axes */
};

/* C_ab(z) for z in [0, 1] by a rule that is exact on the overlap [z - 1/2, 1/2]. */
static void correlate(double *out, int order, double z) {
  double x[MAX_NODES], w[MAX_NODES], left[MAX_NODES], right[MAX_NODES];
  tac_gauss_rule(order, x, w);
  memset(out, 0, (size_t)order * (size_t)order * sizeof *out);
  for (int k = 0; k < order; k++) {
    const double point = 0.5 * z + (1 - z) * x[k];
    tac_legendre(left, NULL, order, point);
    tac_legendre(right, NULL, order, point - z);
    for (int a = 0; a < order; a++)
      for (int b = 0; b < order; b++)
        out[a * order + b] += (1 - z) * w[k] * left[a] * right[b];
  }
}

static void list_pairs(struct tac_correlation *c) {
  const int order = c->modes->order;
  for (int sum = 0; sum <= 2 * (order - 1); sum++) {
    struct pairs *pairs = &c->pairs[sum & 1];
    for (int a = sum < order ? 0 : sum - order + 1; 2 * a <= sum; a++) {
      c->index[a * order + sum - a] = c->index[(sum - a) * order + a] = (short)pairs->count;
      pairs->sum[pairs->count++] = sum;
    }
  }
}

static void fill_tables(struct tac_correlation *c, double *scratch) {
  const int order = c->modes->order;
  double x[MAX_NODES], w[MAX_NODES];
  tac_gauss_rule(c->nodes, x, w);
  for (int k = 0; k < c->nodes; k++) {
    c->node[k] = x[k] + 0.5;
    correlate(scratch, order, c->node[k]);
    for (int a = 0; a < order; a++)
      for (int b = a; b < order; b++) {
        struct pairs *pairs = &c->pairs[(a + b) & 1];
        pairs->table[k * pairs->count + c->index[a * order + b]] = w[k] * scratch[a * order + b];
      }
  }
}

static void *take(const struct tac_correlation *c, size_t count, size_t size) {
  return c->allocator.allocate(c->allocator.context, count * size);
}

static int allocate(struct tac_correlation *c, double **scratch) {
  const size_t order = (size_t)c->modes->order, n = (size_t)c->nodes, dim = (size_t)c->modes->dim;
  const size_t even = (order + 1) / 2 * (order / 2 + 1); /* pairs a <= b of even sum; there are fewer of odd sum */
  for (int parity = 0; parity < 2; parity++) {
    c->pairs[parity].sum = take(c, even, sizeof(int));
    c->pairs[parity].table = take(c, n * even, sizeof(double));
    if (!c->pairs[parity].sum || !c->pairs[parity].table)
      return 0;
  }
  c->index = take(c, order * order, sizeof *c->index);
  c->grid = take(c, dim == 3 ? 8 * n * n * n : 4 * n * n, sizeof(double));
  c->first = take(c, (dim == 3 ? n * n : n) * even, sizeof(double));
  c->second = take(c, (dim == 3 ? n : 1) * even * even, sizeof(double));
  c->third = dim == 3 ? take(c, even * even * even, sizeof(double)) : NULL;
  *scratch = take(c, order * order, sizeof(double));
  return c->index && c->grid && c->first && c->second && (dim == 2 || c->third) && *scratch;
}

enum tac_status tac_correlation_create(struct tac_correlation **out, const struct tac_modes *modes, int nodes,
                                       const struct tac_allocator *allocator, struct tac_error *error) {
  *out = NULL;
  const struct tac_allocator memory = allocator ? *allocator : *tac_allocator_system();
  if (modes->order > MAX_DEGREE || nodes < modes->order || nodes > MAX_NODES)
    return tac_error_set(error, TAC_STATUS_INVALID, "correlations", "degree %d with %d nodes is out of range", modes->order - 1,
                         nodes);
  struct tac_correlation *c = memory.allocate(memory.context, sizeof *c);
  if (!c)
    return tac_error_set(error, TAC_STATUS_MEMORY, "correlations", "out of memory");
  *c = (struct tac_correlation){.modes = modes, .allocator = memory, .nodes = nodes};
  double *scratch = NULL;
  enum tac_status status = TAC_STATUS_OK;
  if (allocate(c, &scratch)) {
    list_pairs(c);
    fill_tables(c, scratch);
    *out = c;
  } else {
    status = tac_error_set(error, TAC_STATUS_MEMORY, "correlations", "no memory for degree %d", modes->order - 1);
    tac_correlation_destroy(&c);
  }
  memory.release(memory.context, scratch);
  return status;
}

void tac_correlation_destroy(struct tac_correlation **correlation) {
  struct tac_correlation *c = *correlation;
  if (!c)
    return;
  const struct tac_allocator memory = c->allocator;
  void *const parts[] = {c->pairs[0].sum, c->pairs[0].table, c->pairs[1].sum, c->pairs[1].table, c->index,
                         c->grid,         c->first,          c->second,       c->third,          c};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    memory.release(memory.context, parts[i]);
  *correlation = NULL;
}

/* Kernel values in the orthant whose bit `axis` tells z < 0 along it. */
static void evaluate_orthant(struct tac_correlation *c, const struct tac_fmm_kernel *kernel, int part, const int offset[3],
                             int orthant, double *values) {
  const int n = c->nodes, dim = c->modes->dim, planes = dim == 3 ? n : 1;
  double square[3][MAX_NODES] = {{0}};
  for (int axis = 0; axis < dim; axis++)
    for (int k = 0; k < n; k++) {
      const double z = (orthant >> axis & 1 ? -c->node[k] : c->node[k]) - offset[axis];
      square[axis][k] = z * z;
    }
  for (int z = 0; z < planes; z++)
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++)
        *values++ = tac_fmm_kernel_value(kernel, dim, part, sqrt(square[0][x] + square[1][y] + square[2][z]));
}

/* Sums and differences along every axis: block sigma becomes the part of the kernel that is odd along the axes in sigma. */
static void fold(double *grid, int dim, size_t block) {
  for (int axis = 0; axis < dim; axis++)
    for (int even = 0; even < 1 << dim; even++) {
      if (even >> axis & 1)
        continue;
      double *a = grid + (size_t)even * block, *b = grid + (size_t)(even | 1 << axis) * block;
      for (size_t k = 0; k < block; k++) {
        const double plus = a[k], minus = b[k];
        a[k] = plus + minus;
        b[k] = plus - minus;
      }
    }
}

static int pairs_up_to(const struct pairs *pairs, int sum) {
  int count = pairs->count;
  while (count && pairs->sum[count - 1] > sum)
    count--;
  return count;
}

/* third[pz][py][px], entries that a matrix of that total degree can ask for. Gives the result of the last contraction. */
static const double *contract(struct tac_correlation *c, int sigma, const double *values) {
  const int n = c->nodes, dim = c->modes->dim, rows = dim == 3 ? n * n : n, most = 2 * (c->modes->order - 1);
  const struct pairs *x = &c->pairs[sigma & 1], *y = &c->pairs[sigma >> 1 & 1], *z = &c->pairs[sigma >> 2 & 1];
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, x->count, n, 1, values, n, x->table, x->count, 0, c->first,
              x->count);
  for (int plane = 0; plane < (dim == 3 ? n : 1); plane++)
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, y->count, x->count, n, 1, y->table, y->count,
                c->first + (size_t)plane * (size_t)(n * x->count), x->count, 0,
                c->second + (size_t)plane * (size_t)(y->count * x->count), x->count);
  if (dim == 2)
    return c->second;
  const int stride = y->count * x->count;
  for (int py = 0; py < y->count; py++)
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, pairs_up_to(z, most - y->sum[py]), pairs_up_to(x, most - y->sum[py]),
                n, 1, z->table, z->count, c->second + (size_t)py * (size_t)x->count, stride, 0,
                c->third + (size_t)py * (size_t)x->count, stride);
  return c->third;
}

/* Entries between class `row` and class row^sigma. */
static void scatter(const struct tac_correlation *c, int sigma, int row, const double *in, double *out) {
  const struct tac_modes *modes = c->modes;
  const int order = modes->order, column = row ^ sigma;
  const int nx = c->pairs[sigma & 1].count, ny = c->pairs[sigma >> 1 & 1].count;
  for (int j = modes->class_begin[column]; j < modes->class_begin[column + 1]; j++) {
    const unsigned char *b = modes->degree[j];
    for (int i = modes->class_begin[row]; i < modes->class_begin[row + 1]; i++) {
      const unsigned char *a = modes->degree[i];
      const size_t px = (size_t)c->index[a[0] * order + b[0]], py = (size_t)c->index[a[1] * order + b[1]],
                   pz = (size_t)c->index[a[2] * order + b[2]];
      const int swapped = (a[0] > b[0] && sigma & 1) ^ (a[1] > b[1] && sigma & 2) ^ (a[2] > b[2] && sigma & 4);
      const double value = in[(pz * (size_t)ny + py) * (size_t)nx + px];
      out[(size_t)i + (size_t)modes->count * (size_t)j] = swapped ? -value : value;
    }
  }
}

static void clear(const struct tac_modes *modes, int row, int column, double *out) {
  const int first = modes->class_begin[row], rows = modes->class_begin[row + 1] - first;
  for (int j = modes->class_begin[column]; j < modes->class_begin[column + 1]; j++)
    memset(out + (size_t)first + (size_t)modes->count * (size_t)j, 0, (size_t)rows * sizeof *out);
}

void tac_correlation_matrix(double *out, struct tac_correlation *c, const struct tac_fmm_kernel *kernel, int part,
                            const int offset[3]) {
  const int n = c->nodes, dim = c->modes->dim;
  const size_t block = (size_t)n * (size_t)n * (size_t)(dim == 3 ? n : 1);
  for (int orthant = 0; orthant < 1 << dim; orthant++)
    evaluate_orthant(c, kernel, part, offset, orthant, c->grid + (size_t)orthant * block);
  fold(c->grid, dim, block);
  for (int sigma = 0; sigma < 1 << dim; sigma++) {
    int vanishes = 0; /* the kernel is even along an axis without displacement */
    for (int axis = 0; axis < dim; axis++)
      vanishes |= sigma >> axis & 1 && offset[axis] == 0;
    const double *entries = vanishes ? NULL : contract(c, sigma, c->grid + (size_t)sigma * block);
    for (int row = 0; row < 1 << dim; row++)
      if (entries)
        scatter(c, sigma, row, entries, out);
      else
        clear(c->modes, row, row ^ sigma, out);
  }
}
