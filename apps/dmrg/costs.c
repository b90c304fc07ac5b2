/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* What the time of each kind of item is made of on the host, and costs that a fit has found for it. m and n are rows and
 * columns of a block of the centre, or of a site's tensor; r is the lesser, w columns of an output group, k columns that are
 * kept. */
#include "apps/dmrg/bond.h"

#include <float.h>
#include <string.h>

#include <tactus/measure/cost_model.h>

static const char *const center_names[] = {"product m*n*r", "product m*n", "product", "enlarged n*n", "enlarged"};
static const char *const apply_names[] = {"m*w*(m+n)", "m*w", "item"};
static const char *const split_names[] = {
    "SVD m*n*r", "SVD r*r*r", "Gram near*near*far", "Gram near*near*near", "warm m*n*k", "warm near*k*k", "m*n", "item"};
static const char *const factor_names[] = {"k*(m+n)", "item"};
static const char *const part_names[] = {"Hamiltonian n*n*k", "Hamiltonian n*k*k", "Hamiltonian",
                                         "edge n*k*k",        "edge k*k",          "edge"};

static void center_values(const void *context, size_t index, double *out) {
  const struct tac_bond *bond = context;
  const struct tac_task *task = &bond->center_tasks.task[index];
  const struct tac_center_block *block = &bond->block[task->block];
  const double m = block->rows, n = block->columns, size = task->kind == TAC_TASK_ENLARGE_LEFT ? m : n;
  memset(out, 0, 5 * sizeof *out);
  if (task->kind == TAC_TASK_CENTER) {
    out[0] = m * n * (m < n ? m : n);
    out[1] = m * n;
    out[2] = 1;
  } else {
    out[3] = size * size;
    out[4] = 1;
  }
}

static void apply_values(const void *context, size_t index, double *out) {
  const struct tac_bond *bond = context;
  const struct tac_task *task = &bond->apply_tasks.task[index];
  const struct tac_center_block *block = &bond->block[task->block];
  const double m = block->rows, n = block->columns, w = task->columns;
  out[0] = m * w * (m + n);
  out[1] = m * w;
  out[2] = 1;
}

/* By the method that the block will go through. */
static void split_values(const void *context, size_t index, double *out) {
  const struct tac_bond *bond = context;
  const int number = bond->split_tasks.task[index].block;
  const struct tac_center_block *block = &bond->block[number];
  const double m = block->rows, n = block->columns, r = m < n ? m : n;
  const double near = bond->direction > 0 ? m : n, far = bond->direction > 0 ? n : m;
  struct tac_warm_columns columns;
  memset(out, 0, 8 * sizeof *out);
  if (bond->split.method == TAC_SPLIT_GRAM && r > TAC_GRAM_SMALL_BLOCK) {
    out[2] = near * near * far;
    out[3] = near * near * near;
  } else if (bond->split.method == TAC_SPLIT_WARM && r > TAC_WARM_SMALL_BLOCK &&
             tac_warm_columns_of(&columns, bond, (size_t)number)) {
    const double k = columns.known + columns.extra + columns.random;
    out[4] = m * n * k;
    out[5] = near * k * k;
  } else {
    out[0] = m * n * r;
    out[1] = r * r * r;
  }
  out[6] = m * n;
  out[7] = 1;
}

static void factor_values(const void *context, size_t index, double *out) {
  const struct tac_bond *bond = context;
  const int number = bond->factor_tasks.task[index].block;
  out[0] = (double)bond->split.block[number].keep * ((double)bond->block[number].rows + bond->block[number].columns);
  out[1] = 1;
}

static void part_values(const void *context, size_t index, double *out) {
  const struct tac_bond *bond = context;
  const struct tac_task *task = &bond->part_tasks.task[index];
  const struct tac_dmrg_block *block = &bond->passed->block[task->block];
  const double n = block->rows, k = block->columns;
  memset(out, 0, 6 * sizeof *out);
  if (task->kind == TAC_TASK_OPERATORS) {
    out[0] = n * n * k;
    out[1] = n * k * k;
    out[2] = 1;
  } else {
    out[3] = n * k * k;
    out[4] = k * k;
    out[5] = 1;
  }
}

#define TERMS(names, values)                                                                                                   \
  { sizeof(names) / sizeof *(names), names, values }
const struct tac_cost_terms tac_center_terms = TERMS(center_names, center_values);
const struct tac_cost_terms tac_apply_terms = TERMS(apply_names, apply_values);
const struct tac_cost_terms tac_split_terms = TERMS(split_names, split_values);
const struct tac_cost_terms tac_factor_terms = TERMS(factor_names, factor_values);
const struct tac_cost_terms tac_part_terms = TERMS(part_names, part_values);

const struct tac_event_terms tac_dmrg_cost_terms[TAC_DMRG_COSTED_EVENTS] = {
    [TAC_COSTED_CENTER] = {"center construction", &tac_center_terms},
    [TAC_COSTED_APPLICATION] = {"effective-H application", &tac_apply_terms},
    [TAC_COSTED_SPLIT] = {"SVD batch", &tac_split_terms},
    [TAC_COSTED_FACTOR] = {"factor materialization", &tac_factor_terms},
    [TAC_COSTED_PART] = {"environment update", &tac_part_terms}};

enum tac_status tac_bond_set_costs(struct tac_bond *bond, const struct tac_cost_model *model, struct tac_error *error) {
  memset(bond->costs, 0, sizeof bond->costs);
  if (!model)
    return TAC_STATUS_OK;
  return tac_cost_model_bind(bond->costs, model, tac_dmrg_cost_terms, TAC_DMRG_COSTED_EVENTS, error);
}

void tac_tasks_predict(struct tac_tasks *tasks, const struct tac_bond *bond, enum tac_costed event) {
  const struct tac_bound_costs *costs = &bond->costs[event];
  double values[TAC_COST_TERMS_MAX], multiplications = 0;
  if (!costs->known)
    return;
  for (size_t i = 0; i < tasks->count; i++) {
    multiplications += tasks->task[i].cost;
    tac_dmrg_cost_terms[event].terms->values(bond, i, values);
    tasks->task[i].cost = tac_cost_seconds(costs->seconds, values, costs->terms);
  }
  tasks->inline_below = multiplications < TAC_BOND_INLINE_BELOW ? DBL_MAX : 0;
}
