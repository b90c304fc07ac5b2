/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/fmm/stencil_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "runtime/arena.h"

const int leaf_sizes[8] = {20, 20, 20, 10, 20, 10, 10, 10};

double uniform(void) {
  return rand() / (double)RAND_MAX - 0.5;
}

void seed(unsigned value) {
  printf("# seed %u\n", value);
  srand(value);
}

void *wanted(size_t bytes) {
  void *memory = calloc(1, bytes ? bytes : 1);
  ck_assert_ptr_nonnull(memory);
  return memory;
}

static int class_of(const int *begin, int entry) {
  int class = 0;
  while (entry >= begin[class + 1])
    class ++;
  return class;
}

void problem_create(struct problem *problem, int dim, enum tac_stencil_reach reach, unsigned flip, const int *source_sizes,
                    const int *target_sizes, int low_rank) {
  *problem = (struct problem){.shape = {.dim = dim, .reach = reach, .flip = flip}, .fail_at = -1, .low_rank = low_rank};
  struct tac_stencil_shape *shape = &problem->shape;
  for (int class = 0; class < 1 << dim; class ++) {
    shape->source_begin[class + 1] = shape->source_begin[class] + source_sizes[class];
    shape->target_begin[class + 1] = shape->target_begin[class] + target_sizes[class];
  }
  problem->sources = shape->source_begin[1 << dim];
  problem->targets = shape->target_begin[1 << dim];
  for (int type = 0; type < 1 << dim; type++) {
    double *matrix = wanted(sizeof(double) * (size_t)problem->sources * (size_t)problem->targets);
    double *left = wanted(sizeof(double) * (size_t)(problem->targets + 1));
    for (int i = 0; i < problem->targets; i++)
      left[i] = uniform();
    for (int j = 0; j < problem->sources; j++) {
      const double right = uniform();
      for (int i = 0; i < problem->targets; i++) {
        const unsigned difference = (unsigned)(class_of(shape->target_begin, i) ^ class_of(shape->source_begin, j)) ^ flip;
        if (!(difference & ~(unsigned)type))
          matrix[(size_t)j * (size_t)problem->targets + (size_t)i] = low_rank ? left[i] * right : uniform();
      }
    }
    free(left);
    problem->stored[type] = matrix;
  }
}

void problem_destroy(struct problem *problem) {
  for (int type = 0; type < 8; type++)
    free(problem->stored[type]);
}

enum tac_status give_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  struct problem *problem = context;
  if (problem->calls++ == problem->fail_at)
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "test", "no such matrix");
  const int type = offset[0] | offset[1] << 1 | offset[2] << 2;
  ck_assert_int_eq(type & ~((1 << problem->shape.dim) - 1), 0);
  memcpy(out, problem->stored[type], sizeof(double) * (size_t)problem->sources * (size_t)problem->targets);
  return TAC_STATUS_OK;
}

/* Entry (i, j) of T(offset) by T(R o) = +-R T(o) R. */
static double entry(const struct problem *problem, const int offset[3], int i, int j) {
  const struct tac_stencil_shape *shape = &problem->shape;
  const int ci = class_of(shape->target_begin, i), cj = class_of(shape->source_begin, j);
  int type = 0, sign = 1;
  for (int axis = 0; axis < 3; axis++) {
    type |= (offset[axis] != 0) << axis;
    if (offset[axis] < 0 && ((ci ^ cj ^ (int)shape->flip) >> axis & 1))
      sign = -sign;
  }
  return sign * problem->stored[type][(size_t)j * (size_t)problem->targets + (size_t)i];
}

static int is_reached(enum tac_stencil_reach reach, const int offset[3]) {
  const int self = !offset[0] && !offset[1] && !offset[2];
  return (reach & (self ? TAC_REACH_SELF : TAC_REACH_NEIGHBOURS)) != 0;
}

int neighbours_of(const struct problem *problem) {
  if (problem->shape.reach == TAC_REACH_SELF)
    return 1;
  return problem->shape.dim == 3 ? 27 : 9;
}

void offset_of(const struct problem *problem, int neighbour, int offset[3]) {
  offset[0] = offset[1] = offset[2] = 0;
  if (problem->shape.reach == TAC_REACH_SELF)
    return;
  for (int axis = 0; axis < problem->shape.dim; axis++, neighbour /= 3)
    offset[axis] = neighbour % 3 - 1;
}

void vectors_create(struct vectors *v, const struct problem *problem, size_t count, int absent_percent) {
  const size_t n = (size_t)neighbours_of(problem), sources = (size_t)problem->sources, targets = (size_t)problem->targets;
  v->count = count;
  v->source = wanted(sizeof(double) * count * n * sources);
  v->target = wanted(sizeof(double) * count * targets);
  v->expected = wanted(sizeof(double) * count * targets);
  v->from = wanted(sizeof *v->from * count * n);
  v->to = wanted(sizeof *v->to * count);
  for (size_t i = 0; i < count * n * sources; i++)
    v->source[i] = uniform();
  for (size_t i = 0; i < count * targets; i++)
    v->target[i] = NAN;
  for (size_t i = 0; i < count * n; i++)
    v->from[i] = rand() % 100 < absent_percent ? NULL : v->source + i * sources;
  for (size_t t = 0; t < count; t++)
    v->to[t] = v->target + t * targets;
}

void vectors_destroy(struct vectors *v) {
  free(v->source);
  free(v->target);
  free(v->expected);
  free(v->from);
  free(v->to);
}

double sum_plainly(const struct problem *problem, struct vectors *v) {
  const int n = neighbours_of(problem);
  double largest = 0;
  for (size_t t = 0; t < v->count; t++)
    for (int i = 0; i < problem->targets; i++) {
      double sum = 0, magnitude = 0;
      for (int neighbour = 0; neighbour < n; neighbour++) {
        const double *from = v->from[t * (size_t)n + (size_t)neighbour];
        int offset[3];
        offset_of(problem, neighbour, offset);
        for (int j = 0; from && is_reached(problem->shape.reach, offset) && j < problem->sources; j++) {
          const double term = entry(problem, offset, i, j) * from[j];
          sum += term;
          magnitude += fabs(term);
        }
      }
      v->expected[t * (size_t)problem->targets + (size_t)i] = sum;
      largest = magnitude > largest ? magnitude : largest;
    }
  return largest;
}

struct tac_stencil *stencil_of(struct problem *problem, double tolerance) {
  struct tac_stencil *stencil = NULL;
  ck_assert_int_eq(tac_stencil_create(&stencil, &problem->shape, give_matrix, problem, tolerance, NULL, NULL), TAC_STATUS_OK);
  return stencil;
}

void apply(const struct tac_stencil *stencil, size_t count, const double *const *from, double *const *to) {
  struct tac_arena *arena = NULL;
  ck_assert_int_eq(tac_arena_create(&arena, NULL, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_stencil_apply(stencil, count, from, to, arena, NULL), TAC_STATUS_OK);
  tac_arena_destroy(&arena);
}
