/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <string.h>

#include <lapacke.h>

#include "apps/fmm/far_build.h"

/* The functions of a set: right singular vectors of the matrices of all offsets, one above the other, class by class. The
 * same functions serve multipoles and locals as K(-d) is the transpose of K(d). The constant function is kept apart: it
 * carries the total mass exactly, and the logarithm of the side in 2D.
 *
 * Classes that are permutations of one another have the same singular values: a sector stands for all with as many odd
 * axes and holds the modes of the one whose first axes are odd. */
struct sector {
  int first, size; /* modes, without the constant one */
  double *rows;    /* stacked matrices under the triangle of those before */
  double *values;  /* singular values, descending */
  int kept;
};

struct stack {
  struct tac_far_work *work;
  int sectors, depth; /* depth: leading dimension of `rows` */
  struct sector sector[4];
  double *reflectors, *lapack;
  int lapack_size;
  int *map;
};

static enum tac_status prepare(struct stack *stack, struct tac_far_work *work, struct tac_error *error) {
  const struct tac_modes *modes = &work->set->modes;
  *stack = (struct stack){.work = work, .sectors = modes->dim + 1};
  int largest = 1, ready = 1;
  for (int s = 0; s < stack->sectors; s++) {
    struct sector *sector = &stack->sector[s];
    const int class = (1 << s) - 1;
    sector->first = modes->class_begin[class] + (s == 0);
    sector->size = modes->class_begin[class + 1] - sector->first;
    largest = sector->size > largest ? sector->size : largest;
  }
  stack->depth = largest + TAC_FAR_ORDERS * modes->count;
  stack->lapack_size = 64 * stack->depth;
  for (int s = 0; s < stack->sectors; s++) {
    struct sector *sector = &stack->sector[s];
    const size_t count = (size_t)stack->depth * (size_t)sector->size;
    sector->rows = tac_far_take(work, count * sizeof(double));
    sector->values = tac_far_take(work, (size_t)sector->size * sizeof(double));
    ready &= sector->size == 0 || (sector->rows && sector->values);
    if (sector->rows)
      memset(sector->rows, 0, count * sizeof(double));
  }
  stack->reflectors = tac_far_take(work, (size_t)largest * sizeof(double));
  stack->lapack = tac_far_take(work, (size_t)stack->lapack_size * sizeof(double));
  stack->map = tac_far_take(work, (size_t)modes->count * sizeof(int));
  if (ready && stack->reflectors && stack->lapack && stack->map)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_MEMORY, "far field", "no memory to compress degree %d", modes->order - 1);
}

static void finish(struct stack *stack) {
  for (int s = 0; s < stack->sectors; s++) {
    tac_far_release(stack->work, stack->sector[s].rows);
    tac_far_release(stack->work, stack->sector[s].values);
  }
  tac_far_release(stack->work, stack->reflectors);
  tac_far_release(stack->work, stack->lapack);
  tac_far_release(stack->work, stack->map);
}

/* Appends a sector's columns of the matrix and of its images (the order of rows does not matter), weighted by the number of
 * mirror images, and brings all back to a triangle. */
static enum tac_status push(struct stack *stack, struct sector *sector, const double *matrix, int sorted,
                            struct tac_error *error) {
  const struct tac_modes *modes = &stack->work->set->modes;
  const int count = modes->count, *offset = tac_far_sorted[sorted];
  struct tac_far_image image[TAC_FAR_ORDERS];
  const int images = tac_far_images(modes->dim, offset, image);
  const double weight = sqrt((double)((1 << (offset[0] > 0)) * (1 << (offset[1] > 0)) * (1 << (offset[2] > 0))));
  for (int p = 0; p < images; p++)
    for (int j = 0; j < sector->size; j++) {
      const double *column = matrix + (size_t)stack->work->maps[image[p].order][sector->first + j] * (size_t)count;
      double *to = sector->rows + (size_t)j * (size_t)stack->depth + (sector->size + p * count);
      for (int i = 0; i < count; i++)
        to[i] = weight * column[i];
    }
  const lapack_int info = LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, sector->size + images * count, sector->size, sector->rows,
                                              stack->depth, stack->reflectors, stack->lapack, stack->lapack_size);
  if (info)
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "far field", "LAPACK's geqrf gave %d", (int)info);
  for (int j = 0; j < sector->size; j++)
    memset(sector->rows + (size_t)j * (size_t)stack->depth + (j + 1), 0, (size_t)(sector->size - j - 1) * sizeof(double));
  return TAC_STATUS_OK;
}

static enum tac_status push_all(struct stack *stack, struct tac_error *error) {
  for (int part = 0; part < stack->work->parts; part++)
    for (int sorted = 0; sorted < tac_far_sorted_count(stack->work->build->dim); sorted++) {
      const double *matrix = tac_far_galerkin(stack->work, part, sorted);
      for (int s = 0; s < stack->sectors; s++) {
        const enum tac_status status =
            stack->sector[s].size ? push(stack, &stack->sector[s], matrix, sorted, error) : TAC_STATUS_OK;
        if (status)
          return status;
      }
    }
  return TAC_STATUS_OK;
}

/* Right singular vectors of the triangle, as rows in its place. */
static enum tac_status decompose(struct stack *stack, struct sector *sector, struct tac_error *error) {
  if (!sector->size)
    return TAC_STATUS_OK;
  double unused;
  const lapack_int info =
      LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'O', sector->size, sector->size, sector->rows, stack->depth, sector->values,
                          &unused, 1, &unused, 1, stack->lapack, stack->lapack_size);
  if (info)
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "far field", "LAPACK's gesvd gave %d", (int)info);
  return TAC_STATUS_OK;
}

/* Keeps what is above the threshold, and never splits a multiplet of equal singular values. */
static void cut(struct stack *stack) {
  const struct tac_far_choice *choice = &stack->work->build->choice;
  double reference = choice->floor;
  for (int s = 0; s < stack->sectors; s++)
    if (stack->sector[s].size)
      reference = fmax(reference, stack->sector[s].values[0]);
  reference = fmin(reference, choice->ceiling);
  for (int s = 0; s < stack->sectors; s++) {
    struct sector *sector = &stack->sector[s];
    const double *values = sector->values;
    int k = 0;
    while (k < sector->size && values[k] > choice->threshold * reference)
      k++;
    while (k && k < sector->size && values[k] > (1 - 1e-5) * values[k - 1])
      k++;
    sector->kept = k;
  }
}

static int odd_axes(int class) {
  return (class & 1) + (class >> 1 & 1) + (class >> 2 & 1);
}

/* An order of the axes that takes the class to the one whose first axes are odd. */
static void sorting_order(int class, int order[3]) {
  int next = 0;
  for (int parity = 1; parity >= 0; parity--)
    for (int axis = 0; axis < 3; axis++)
      if ((class >> axis & 1) == parity)
        order[axis] = next++;
}

static void fill_class(struct stack *stack, int class) {
  struct tac_far_set *set = stack->work->set;
  const struct sector *sector = &stack->sector[odd_axes(class)];
  const int constant = class == 0;
  int order[3];
  sorting_order(class, order);
  tac_far_permute_modes(&set->modes, order, stack->map);
  for (int k = 0; k < sector->kept; k++) {
    double *vector = set->vectors + (size_t)set->modes.count * (size_t)(set->class_begin[class] + constant + k);
    for (int i = set->modes.class_begin[class] + constant; i < set->modes.class_begin[class + 1]; i++)
      vector[i] = sector->rows[(size_t)(stack->map[i] - sector->first) * (size_t)stack->depth + (size_t)k];
  }
}

static enum tac_status assemble(struct stack *stack, struct tac_error *error) {
  struct tac_far_set *set = stack->work->set;
  const int classes = 1 << set->modes.dim;
  for (int class = 0; class < classes; class ++) {
    set->class_begin[class] = set->rank;
    set->rank += stack->sector[odd_axes(class)].kept + (class == 0);
  }
  for (int class = classes; class <= TAC_MAX_CLASSES; class ++)
    set->class_begin[class] = set->rank;
  if (!tac_far_set_allocate(set, stack->work->build))
    return tac_error_set(error, TAC_STATUS_MEMORY, "far field", "no memory for %d expansion functions", set->rank);
  memset(set->vectors, 0, (size_t)set->modes.count * (size_t)set->rank * sizeof *set->vectors);
  set->vectors[0] = 1;
  for (int class = 0; class < classes; class ++)
    fill_class(stack, class);
  return TAC_STATUS_OK;
}

enum tac_status tac_far_select_functions(struct tac_far_work *work, struct tac_error *error) {
  struct stack stack;
  enum tac_status status = prepare(&stack, work, error);
  if (!status)
    status = push_all(&stack, error);
  for (int s = 0; !status && s < stack.sectors; s++)
    status = decompose(&stack, &stack.sector[s], error);
  if (!status) {
    cut(&stack);
    status = assemble(&stack, error);
  }
  finish(&stack);
  return status;
}
