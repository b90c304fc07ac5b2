/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/near_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const signed char permutations_2d[2][3] = {{0, 1, 2}, {1, 0, 2}};
static const signed char permutations_3d[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static void set_images(struct tac_near_space *space) {
  const int reflections = 1 << space->dim;
  space->images = (space->dim == 3 ? 6 : 2) * reflections;
  for (int image = 0; image < space->images; image++) {
    const int permutation = image / reflections;
    memcpy(space->from[image], space->dim == 3 ? permutations_3d[permutation] : permutations_2d[permutation], 3);
    for (int axis = 0; axis < 3; axis++)
      space->sign[image][axis] = image % reflections >> axis & 1 ? -1 : 1;
  }
}

static void add_shapes(struct tac_near_space *space, enum tac_list list, double side, double inner, double outer) {
  for (int outside = list == TAC_LIST1_SAME ? 0 : 1; outside <= space->dim; outside++) {
    struct tac_near_shape *shape = &space->shape[space->relations++];
    *shape = (struct tac_near_shape){.list = list, .side = side};
    for (int axis = 0; axis < space->dim; axis++)
      shape->center[axis] = axis < outside ? outer : inner;
  }
}

static int mode_index(const struct tac_modes *modes, const unsigned char degree[3]) {
  for (int mode = 0; mode < modes->count; mode++)
    if (memcmp(modes->degree[mode], degree, 3) == 0)
      return mode;
  return -1;
}

static void map_nodes(struct tac_near_space *space, int image) {
  const int order = space->order;
  for (int node = 0; node < space->nodes; node++) {
    const int index[3] = {node % order, node / order % order, node / order / order};
    int from[3] = {0};
    for (int axis = 0; axis < 3; axis++)
      from[space->from[image][axis]] = space->sign[image][axis] > 0 ? index[axis] : order - 1 - index[axis];
    space->node_from[image * space->nodes + node] = (unsigned short)(from[0] + order * (from[1] + order * from[2]));
  }
}

static void map_modes(struct tac_near_space *space, int image) {
  const int count = space->modes.count;
  for (int mode = 0; mode < count; mode++) {
    unsigned char degree[3] = {0};
    int sign = 1;
    for (int axis = 0; axis < space->dim; axis++) {
      degree[space->from[image][axis]] = space->modes.degree[mode][axis];
      sign = space->modes.degree[mode][axis] % 2 ? sign * space->sign[image][axis] : sign;
    }
    space->mode_from[image * count + mode] = (unsigned short)mode_index(&space->modes, degree);
    space->mode_sign[image * count + mode] = (signed char)sign;
  }
}

enum tac_status tac_near_space_create(struct tac_near_space *out, int dim, int order, enum tac_fmm_basis basis,
                                      struct tac_error *error) {
  *out = (struct tac_near_space){.dim = dim, .order = order, .nodes = dim == 3 ? order * order * order : order * order};
  const enum tac_status status = tac_modes_create(&out->modes, dim, order, basis, error);
  if (status)
    return status;
  set_images(out);
  add_shapes(out, TAC_LIST1_SAME, 1, 0, 1);
  add_shapes(out, TAC_LIST1_FINER, 2, 0.5, 1.5);
  add_shapes(out, TAC_LIST1_COARSER, 0.5, 0.25, 0.75);
  out->node_from = malloc((size_t)out->images * (size_t)out->nodes * sizeof *out->node_from);
  out->mode_from = malloc((size_t)out->images * (size_t)out->modes.count * sizeof *out->mode_from);
  out->mode_sign = malloc((size_t)out->images * (size_t)out->modes.count);
  if (!out->node_from || !out->mode_from || !out->mode_sign) {
    tac_near_space_destroy(out);
    return tac_error_set(error, TAC_STATUS_MEMORY, "near field", "no memory for the symmetries of order %d", order);
  }
  for (int image = 0; image < out->images; image++) {
    map_nodes(out, image);
    map_modes(out, image);
  }
  return TAC_STATUS_OK;
}

void tac_near_space_destroy(struct tac_near_space *space) {
  free(space->mode_sign);
  free(space->mode_from);
  free(space->node_from);
  tac_modes_destroy(&space->modes);
  *space = (struct tac_near_space){0};
}

/* The target's centre seen from the source's, in sides of the source. */
static void center_of(double center[3], int dim, enum tac_list list, const int offset[3]) {
  for (int axis = 0; axis < 3; axis++)
    center[axis] = axis >= dim                 ? 0
                   : list == TAC_LIST1_SAME    ? -offset[axis]
                   : list == TAC_LIST1_COARSER ? 0.5 * (offset[axis] - 0.5)
                                               : 0.5 - offset[axis];
}

static int maps_to(const struct tac_near_space *space, int image, const double from[3], const double to[3]) {
  for (int axis = 0; axis < space->dim; axis++)
    if (space->sign[image][axis] * from[space->from[image][axis]] != to[axis])
      return 0;
  return 1;
}

int tac_near_find(const struct tac_near_space *space, enum tac_list list, const int offset[3], int *image) {
  double center[3];
  center_of(center, space->dim, list, offset);
  for (int relation = 0; relation < space->relations; relation++)
    for (*image = 0; *image < space->images && space->shape[relation].list == list; ++*image)
      if (maps_to(space, *image, space->shape[relation].center, center))
        return relation;
  return -1;
}

void tac_near_representatives(const struct tac_near_space *space, int relation, unsigned short *representative,
                              unsigned char *image) {
  const double *center = space->shape[relation].center;
  for (int node = 0; node < space->nodes; node++)
    representative[node] = (unsigned short)space->nodes;
  for (int g = 0; g < space->images; g++)
    for (int node = 0; node < space->nodes && maps_to(space, g, center, center); node++) {
      const unsigned short from = space->node_from[g * space->nodes + node];
      if (from < representative[node]) {
        representative[node] = from;
        image[node] = (unsigned char)g;
      }
    }
}
