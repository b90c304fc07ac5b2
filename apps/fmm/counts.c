/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/fmm/counts.h>

#include "apps/fmm/tree.h"

void tac_fmm_count_input_init(struct tac_fmm_count_input *input, const struct tac_fmm_tree *tree) {
  *input = (struct tac_fmm_count_input){.size = sizeof *input, .tree = tree};
}

/* What the phases are counted from. */
struct census {
  const struct tac_fmm_count_input *input;
  int dim, order, smooth_order, levels;
  int64_t sources, targets;
  struct tac_fmm_list_sizes lists[TAC_FMM_MAX_LEVELS]; /* by the level of the target */
};

static struct tac_operation_count *entry_of(struct tac_operation_counts *counts, enum tac_fmm_event event) {
  return &counts->phases[event - TAC_FMM_EVENT_FORM_MULTIPOLES];
}

static void set_zero(struct tac_operation_count *entry) {
  entry->operations = 0;
  entry->operations_known = 1;
}

/* Adds times * a * b. Nothing times something unknown is nothing. */
static void add(struct tac_operation_count *entry, uint64_t times, int64_t a, int64_t b) {
  uint64_t each = 0;
  if (times == 0 || a == 0 || b == 0)
    return;
  if (a < 0 || b < 0 || !tac_operations_add(&each, (uint64_t)a, (uint64_t)b) ||
      !tac_operations_add(&entry->operations, times, each))
    entry->operations_known = 0;
}

/* An entry of an array that may be absent. */
static int64_t of_level(const int *numbers, int level) {
  return numbers ? numbers[level] : TAC_FMM_UNKNOWN;
}

static uint64_t boxes_at(const struct tac_fmm_tree *tree, int level) {
  return (uint64_t)(tree->level_begin[level + 1] - tree->level_begin[level]);
}

static void count_expansions(struct tac_operation_counts *counts, const struct census *census) {
  const struct tac_fmm_tree *tree = census->input->tree;
  const int *multipoles = census->input->multipoles, *locals = census->input->locals;
  for (int level = 0; level < census->levels; level++) {
    const uint64_t leaves = tac_fmm_tree_leaves_at(tree, level), boxes = boxes_at(tree, level);
    const int64_t m = of_level(multipoles, level), l = of_level(locals, level);
    add(entry_of(counts, TAC_FMM_EVENT_FORM_MULTIPOLES), leaves, census->sources, m);
    add(entry_of(counts, TAC_FMM_EVENT_EVAL_LOCALS), leaves, census->targets, l);
    if (level >= 3)
      add(entry_of(counts, TAC_FMM_EVENT_COARSEN_MULTIPOLES), boxes, m, of_level(multipoles, level - 1));
    if (level >= 1)
      add(entry_of(counts, TAC_FMM_EVENT_REFINE_LOCALS), boxes, l, of_level(locals, level - 1));
  }
}

static void count_far_lists(struct tac_operation_counts *counts, const struct census *census) {
  const int *multipoles = census->input->multipoles, *locals = census->input->locals;
  for (int level = 0; level < census->levels; level++) {
    const struct tac_fmm_list_sizes *lists = &census->lists[level];
    const int64_t l = of_level(locals, level);
    add(entry_of(counts, TAC_FMM_EVENT_MULTIPOLE_TO_LOCAL), lists->list2, of_level(multipoles, level), l);
    add(entry_of(counts, TAC_FMM_EVENT_FORM_LOCALS), lists->list4, census->sources, l);
    if (level + 1 < census->levels)
      add(entry_of(counts, TAC_FMM_EVENT_EVAL_MULTIPOLES), lists->list3, census->targets, of_level(multipoles, level + 1));
  }
}

static int64_t power(int64_t base, int exponent) {
  int64_t result = 1;
  while (exponent-- > 0)
    result *= base;
  return result;
}

/* Sources of a leaf at the smooth order's nodes, -1 when they are no whole number. */
static int64_t smooth_sources(const struct census *census) {
  const int64_t coarse = power(census->order, census->dim), fine = power(census->smooth_order, census->dim);
  if (census->sources > INT64_MAX / fine || census->sources * fine % coarse != 0)
    return -1;
  return census->sources * fine / coarse;
}

/* Pairs of leaves whose source is of that level. */
static uint64_t near_pairs(const struct census *census, int level) {
  uint64_t pairs = census->lists[level].list1_same;
  pairs += level > 0 ? census->lists[level - 1].list1_finer : 0;
  pairs += level + 1 < census->levels ? census->lists[level + 1].list1_coarser : 0;
  return pairs;
}

/* Adds pairs * targets * sources * each. */
static void add_pairs(struct tac_operation_count *entry, const struct census *census, uint64_t pairs, int64_t sources,
                      int64_t each) {
  uint64_t node_pairs = 0;
  if (!tac_operations_add(&node_pairs, pairs, (uint64_t)census->targets))
    entry->operations_known = 0;
  else
    add(entry, node_pairs, sources, each);
}

static void count_near(struct tac_operation_counts *counts, const struct census *census) {
  const struct tac_fmm_count_input *input = census->input;
  struct tac_operation_count *split = entry_of(counts, TAC_FMM_EVENT_SPLIT_CORRECTION);
  for (int level = 0; level < census->levels; level++) {
    const uint64_t pairs = near_pairs(census, level);
    add_pairs(entry_of(counts, TAC_FMM_EVENT_TABLE_APPLY), census, pairs, census->sources, 1);
    if (input->split_order == 0)
      continue;
    const int64_t channels = input->channels ? input->channels[level] : input->split_order - 1;
    add_pairs(split, census, pairs, census->sources, channels);
    add_pairs(split, census, pairs, smooth_sources(census), of_level(input->remainder_terms, level));
  }
  if (input->split_order == 0)
    return;
  add(split, 1, 1, input->beta_pairs);
  const int q = census->order, q_s = census->smooth_order;
  for (int k = 1; k <= census->dim && q_s != q; k++)
    add(split, input->tree->leaves, power(q_s, k), power(q, census->dim - k + 1));
}

static enum tac_status take_census(struct census *census, const struct tac_fmm_count_input *input, struct tac_error *error) {
  static const char where[] = "tac_fmm_count_operations";
  if (!input || input->size != sizeof *input || !input->tree)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "input not filled by tac_fmm_count_input_init, or without a tree");
  if (input->split_order < 0 || input->smooth_order < 0 || input->beta_pairs < TAC_FMM_UNKNOWN)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "an order or a count is negative");
  const int order = input->tree->options.order;
  const int64_t nodes = power(order, input->tree->dim);
  if (input->sources > INT64_MAX || input->targets > INT64_MAX || input->smooth_order > 1024)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "sources, targets or the smooth order are too many");
  *census = (struct census){
      .input = input,
      .dim = input->tree->dim,
      .order = order,
      .smooth_order = input->smooth_order ? input->smooth_order : order,
      .levels = input->tree->levels,
      .sources = input->sources ? (int64_t)input->sources : nodes,
      .targets = input->targets ? (int64_t)input->targets : nodes,
  };
  if (input->split_order > 0 && smooth_sources(census) < 0)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "%lld sources a leaf are no whole number at smooth order %d",
                         (long long)census->sources, census->smooth_order);
  tac_list_sizes_by_level(census->lists, input->tree);
  return TAC_STATUS_OK;
}

enum tac_status tac_fmm_count_operations(struct tac_operation_counts *out, struct tac_operation_count entries[TAC_FMM_PHASES],
                                         const struct tac_fmm_count_input *input, struct tac_error *error) {
  struct census census;
  enum tac_status status = take_census(&census, input, error);
  if (status)
    return status;
  tac_operation_counts_init(out, entries, tac_fmm_phases, TAC_FMM_PHASES, TAC_FMM_COUNTING_UNIT, TAC_FMM_COUNTING_RULE);
  for (int phase = 0; phase < TAC_FMM_PHASES; phase++)
    set_zero(&entries[phase]);
  count_expansions(out, &census);
  count_far_lists(out, &census);
  count_near(out, &census);
  return TAC_STATUS_OK;
}
