/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* What the time of a tile is made of, and costs that a fit has found for it. "numbers" are doubles that are moved. */
#include "apps/fmm/plan.h"

#include <tactus/measure/cost_model.h>

enum { STENCIL_FLOPS, STENCIL_NUMBERS, PAIR_FLOPS, PAIR_NUMBERS, PRODUCTS, CLEARED, JOINED, TILES, TERMS };

static const char *const names[TERMS] = {[STENCIL_FLOPS] = "stencil flops", [STENCIL_NUMBERS] = "stencil numbers",
                                         [PAIR_FLOPS] = "pair flops",       [PAIR_NUMBERS] = "pair numbers",
                                         [PRODUCTS] = "products",           [CLEARED] = "cleared numbers",
                                         [JOINED] = "joined numbers",       [TILES] = "tile"};

static int fields_of(const struct tac_job *job, const struct tac_plain_operator *op) {
  int fields = 0;
  for (int field = 0; field < job->fields; field++)
    fields += op->matrix[field] != NULL;
  return fields;
}

/* Operators with their pairs: every pair's source is gathered, its result added to the target. 2 operations a multiply-add, one
 * for every value that is added. */
static void add_groups(double *out, const struct tac_job *job, const struct tac_tile *tile) {
  for (uint32_t g = tile->group_begin; g < tile->group_end; g++) {
    const struct tac_tile_group *group = &job->groups[g];
    const double pairs = group->end - group->begin, fields = fields_of(job, group->op);
    const double sources = group->op->sources, targets = group->op->targets;
    out[PAIR_FLOPS] += (2 * sources + 1) * targets * fields * pairs;
    out[PAIR_NUMBERS] += (sources + targets) * fields * pairs;
    out[PRODUCTS] += fields;
  }
}

static void tile_values(const void *context, size_t index, double *out) {
  const struct tac_job *job = context;
  const struct tac_tile *tile = &job->tiles[index];
  const double targets = tile->count, size = tac_job_target_size(job, tile->level);
  for (int t = 0; t < TERMS; t++)
    out[t] = 0;
  for (int field = 0; tile->stencil && field < job->fields; field++)
    if (tile->stencil[field]) {
      out[STENCIL_FLOPS] += targets * tac_stencil_flops(tile->stencil[field]);
      out[STENCIL_NUMBERS] += targets * size;
    }
  add_groups(out, job, tile);
  if (!tile->stencil && !job->add && tile->cleared)
    out[CLEARED] = targets * size * job->fields;
  if (job->join)
    out[JOINED] = targets * job->plan->children * job->plan->rank[tile->level + 1];
  out[TILES] = 1;
}

double tac_tile_flops(const struct tac_job *job, size_t index) {
  double values[TERMS];
  tile_values(job, index, values);
  return values[STENCIL_FLOPS] + values[PAIR_FLOPS];
}

const struct tac_cost_terms tac_tile_terms = {TERMS, names, tile_values};

const struct tac_event_terms tac_fmm_cost_terms[TAC_FMM_PHASES] = {
    {"far_form_multipoles", &tac_tile_terms},    {"far_coarsen_multipoles", &tac_tile_terms},
    {"nearfield_table_apply", &tac_tile_terms},  {"split_correction", &tac_tile_terms},
    {"far_multipole_to_local", &tac_tile_terms}, {"far_eval_multipoles", &tac_tile_terms},
    {"far_form_locals", &tac_tile_terms},        {"far_refine_locals", &tac_tile_terms},
    {"far_eval_locals", &tac_tile_terms}};

static enum tac_status bind(struct tac_bound_costs costs[TAC_FMM_PHASES], const struct tac_cost_model *model,
                            struct tac_error *error) {
  for (int phase = 0; phase < TAC_FMM_PHASES; phase++)
    costs[phase].known = 0;
  return model ? tac_cost_model_bind(costs, model, tac_fmm_cost_terms, TAC_FMM_PHASES, error) : TAC_STATUS_OK;
}

enum tac_status tac_fmm_costs_check(const struct tac_cost_model *model, struct tac_error *error) {
  struct tac_bound_costs costs[TAC_FMM_PHASES];
  return bind(costs, model, error);
}

static void set_job(struct tac_job *job, const struct tac_bound_costs *costs) {
  double values[TERMS];
  for (size_t i = 0; i < job->tile_count; i++) {
    job->tiles[i].cost = job->tiles[i].flops;
    if (!costs->known)
      continue;
    tile_values(job, i, values);
    job->tiles[i].cost = tac_cost_seconds(costs->seconds, values, costs->terms);
  }
}

enum tac_status tac_plan_set_costs(struct tac_fmm_plan *plan, struct tac_error *error) {
  struct tac_bound_costs costs[TAC_FMM_PHASES];
  const enum tac_status status = bind(costs, plan->options.costs, error);
  for (int phase = 0; phase < TAC_FMM_PHASES && !status; phase++)
    for (int k = 0; k < plan->step[phase].count; k++)
      set_job(&plan->step[phase].jobs[k], &costs[phase]);
  return status;
}
