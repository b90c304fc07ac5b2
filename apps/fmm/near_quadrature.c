/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "apps/fmm/near_block.h"

/* Gauss nodes of the source box along one axis, as seen from one target coordinate. */
struct line {
  int count;
  double offset[2 * TAC_NEAR_MOST_NODES]; /* x - y */
  double *weighted;                       /* [node][degree]: weight times polynomial */
  double *weighted_offset;                /* the same times x - y */
};

struct quadrature {
  const struct tac_near_space *space;
  const struct tac_near_rule *rule;
  int components;
  struct line line[3][TAC_FMM_MAX_ORDER]; /* axis, target node */
  double *polynomials;                    /* all `weighted` */
  double *square, *value, *slope;         /* at the nodes of the box */
  double *first, *second, *third;         /* contracted along one, two, three axes */
};

static void append_nodes(struct line *line, const struct quadrature *quadrature, double x, double from, double to) {
  double nodes[TAC_NEAR_MOST_NODES], weights[TAC_NEAR_MOST_NODES];
  const int count = quadrature->rule->nodes, order = quadrature->space->order;
  tac_gauss_rule(count, nodes, weights);
  for (int q = 0; q < count; q++) {
    /* Offsets from their own interval, so that small ones are exact. */
    const double offset = 0.5 * ((x - from) + (x - to)) - (to - from) * nodes[q];
    double *row = line->weighted + line->count * order;
    tac_legendre(row, NULL, order, x - offset);
    for (int n = 0; n < order; n++) {
      row[n] *= weights[q] * (to - from);
      line->weighted_offset[line->count * order + n] = row[n] * offset;
    }
    line->offset[line->count++] = offset;
  }
}

static void set_lines(struct quadrature *quadrature, const struct tac_near_shape *shape) {
  const int order = quadrature->space->order;
  double nodes[TAC_FMM_MAX_ORDER], weights[TAC_FMM_MAX_ORDER];
  tac_gauss_rule(order, nodes, weights);
  double *next = quadrature->polynomials;
  for (int axis = 0; axis < quadrature->space->dim; axis++)
    for (int i = 0; i < order; i++) {
      struct line *line = &quadrature->line[axis][i];
      const double x = shape->center[axis] + shape->side * nodes[i];
      line->count = 0;
      line->weighted = next;
      next += 2 * quadrature->rule->nodes * order;
      line->weighted_offset = next;
      next += 2 * quadrature->rule->nodes * order;
      if (quadrature->rule->cut && fabs(x) < 0.5) {
        append_nodes(line, quadrature, x, -0.5, x);
        append_nodes(line, quadrature, x, x, 0.5);
      } else {
        append_nodes(line, quadrature, x, -0.5, 0.5);
      }
    }
}

static int prepare(struct quadrature *quadrature) {
  const size_t order = (size_t)quadrature->space->order, most = 2 * (size_t)quadrature->rule->nodes;
  const int three = quadrature->space->dim == 3;
  const size_t points = most * most * (three ? most : 1) + TAC_RADIAL_TILE;
  quadrature->polynomials = malloc(2 * (size_t)quadrature->space->dim * order * most * order * sizeof(double));
  quadrature->square = malloc(points * sizeof(double));
  quadrature->value = malloc(points * sizeof(double));
  quadrature->slope = malloc(points * sizeof(double));
  quadrature->first = malloc(order * most * (three ? most : 1) * sizeof(double));
  quadrature->second = malloc(order * order * most * sizeof(double));
  quadrature->third = malloc(order * order * order * sizeof(double));
  return quadrature->polynomials && quadrature->square && quadrature->value && quadrature->slope && quadrature->first &&
         quadrature->second && quadrature->third;
}

static void release(struct quadrature *quadrature) {
  free(quadrature->polynomials);
  free(quadrature->square);
  free(quadrature->value);
  free(quadrature->slope);
  free(quadrature->first);
  free(quadrature->second);
  free(quadrature->third);
}

/* The function at all nodes of the source, x fastest. */
static void evaluate(const struct quadrature *quadrature, const struct tac_radial *radial, const struct line *const line[3]) {
  const int planes = quadrature->space->dim == 3 ? line[2]->count : 1;
  int count = 0;
  for (int k = 0; k < planes; k++)
    for (int j = 0; j < line[1]->count; j++) {
      const double z = quadrature->space->dim == 3 ? line[2]->offset[k] : 0;
      const double others = line[1]->offset[j] * line[1]->offset[j] + z * z;
      for (int i = 0; i < line[0]->count; i++)
        quadrature->square[count++] = line[0]->offset[i] * line[0]->offset[i] + others;
    }
  const int padded = (count + TAC_RADIAL_TILE - 1) / TAC_RADIAL_TILE * TAC_RADIAL_TILE;
  for (; count < padded; count++)
    quadrature->square[count] = 1;
  tac_radial_evaluate(radial, padded, quadrature->square, quadrature->value,
                      quadrature->components > 1 ? quadrature->slope : NULL);
}

/* Contracts the axis that is fastest with its polynomials: out[rest][degree] … with the new axis slowest, so that after dim
 * turns the degrees stand in their first order. */
static void contract(double *out, const double *in, int count, int rest, int order, const double *weighted) {
  cblas_dgemm(CblasColMajor, CblasTrans, CblasTrans, rest, order, count, 1, in, count, weighted, order, 0, out, rest);
}

/* Integrals against all products of polynomials, [z][y][x]; with component > 0 the slope times that axis' offset. */
static const double *integrate(const struct quadrature *quadrature, const struct line *const line[3], int component) {
  const int order = quadrature->space->order, three = quadrature->space->dim == 3;
  const int planes = three ? line[2]->count : 1;
  const double *weighted[3] = {NULL, NULL, NULL};
  for (int axis = 0; axis < quadrature->space->dim; axis++)
    weighted[axis] = component == 1 + axis ? line[axis]->weighted_offset : line[axis]->weighted;
  contract(quadrature->first, component ? quadrature->slope : quadrature->value, line[0]->count, line[1]->count * planes, order,
           weighted[0]);
  contract(quadrature->second, quadrature->first, line[1]->count, planes * order, order, weighted[1]);
  if (!three)
    return quadrature->second;
  contract(quadrature->third, quadrature->second, line[2]->count, order * order, order, weighted[2]);
  return quadrature->third;
}

static void add_row(double *matrix, const struct tac_near_space *space, int node, double scale, const double *integrals) {
  for (int mode = 0; mode < space->modes.count; mode++) {
    const unsigned char *degree = space->modes.degree[mode];
    matrix[(size_t)mode * (size_t)space->nodes + (size_t)node] +=
        scale * integrals[degree[0] + space->order * (degree[1] + space->order * degree[2])];
  }
}

/* Rows of the nodes that stand for themselves: matrices of all components in a row. */
static void integrate_rows(double *matrices, const struct quadrature *quadrature, const struct tac_radial *radial, double side,
                           const unsigned short *representative) {
  const struct tac_near_space *space = quadrature->space;
  const int order = space->order;
  for (int node = 0; node < space->nodes; node++) {
    if (representative[node] != node)
      continue;
    const struct line *line[3] = {&quadrature->line[0][node % order], &quadrature->line[1][node / order % order],
                                  &quadrature->line[2][node / order / order]};
    evaluate(quadrature, radial, line);
    for (int component = 0; component < quadrature->components; component++)
      add_row(matrices + (size_t)component * tac_near_matrix_size(space), space, node, component ? side : 1,
              integrate(quadrature, line, component));
  }
}

/* The other rows are images of these; adds all to the set. */
static void add_images(double *set, const double *matrices, const struct quadrature *quadrature,
                       const unsigned short *representative, const unsigned char *image) {
  const struct tac_near_space *space = quadrature->space;
  const size_t size = tac_near_matrix_size(space), nodes = (size_t)space->nodes;
  for (int component = 0; component < quadrature->components; component++)
    for (int mode = 0; mode < space->modes.count; mode++)
      for (int node = 0; node < space->nodes; node++) {
        const int g = image[node], axis = component - 1;
        const int from = component ? 1 + space->from[g][axis] : 0, at = g * space->modes.count + mode;
        const int sign = space->mode_sign[at] * (component ? space->sign[g][axis] : 1);
        set[(size_t)component * size + (size_t)mode * nodes + (size_t)node] +=
            sign * matrices[(size_t)from * size + space->mode_from[at] * nodes + representative[node]];
      }
}

enum tac_status tac_near_add_radial(double *set, const struct tac_near_space *space, tac_near_radial_fn make,
                                    const void *context, const struct tac_near_rule *rule, int components,
                                    struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  struct quadrature *quadrature = calloc(1, sizeof *quadrature);
  const size_t block = (size_t)components * tac_near_matrix_size(space);
  double *matrices = malloc(block * sizeof *matrices);
  unsigned short *representative = malloc((size_t)space->nodes * sizeof *representative);
  unsigned char *image = malloc((size_t)space->nodes);
  if (quadrature)
    *quadrature = (struct quadrature){.space = space, .rule = rule, .components = components};
  if (!quadrature || !matrices || !representative || !image || !prepare(quadrature)) {
    status = tac_error_set(error, TAC_STATUS_MEMORY, "near field", "no memory for quadrature with %d nodes", rule->nodes);
    goto done;
  }
  for (int relation = 0; relation < space->relations; relation++) {
    const struct tac_near_shape *shape = &space->shape[relation];
    double limit = 0; /* the largest distance between target and source, squared */
    for (int axis = 0; axis < space->dim; axis++)
      limit += pow(shape->center[axis] + 0.5 * (1 + shape->side), 2);
    struct tac_radial radial = {.dim = space->dim};
    make(context, limit, &radial);
    tac_radial_finish(&radial);
    set_lines(quadrature, shape);
    tac_near_representatives(space, relation, representative, image);
    memset(matrices, 0, block * sizeof *matrices);
    integrate_rows(matrices, quadrature, &radial, shape->side, representative);
    add_images(set + tac_near_matrix_at(space, components, relation, 0), matrices, quadrature, representative, image);
  }
done:
  if (quadrature)
    release(quadrature);
  free(image);
  free(representative);
  free(matrices);
  free(quadrature);
  return status;
}
