/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_FMM_COUNTS_H
#define TACTUS_FMM_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/fmm/plan.h>
#include <tactus/fmm/tree.h>
#include <tactus/measure/operation_counts.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The counting rule of volumential's fmm_stage_operation_counts, so that figures of both codes compare. Its unit is the
 * coefficient touch, one multiply-add between a coefficient or node and another one. It counts what a plain method would do
 * and not what runs here: nodes stand for the density, and every pair of a list is a dense product.
 *
 *   P2M   leaves: n_s M_l                        M2L   pairs of List 2: M_l L_l
 *   M2M   boxes of levels l >= 3: M_l M_(l-1)    M2P   pairs of List 3: n_t M_(level of the source)
 *   L2L   boxes of levels l >= 1: L_(l-1) L_l    P2L   pairs of List 4: n_s L_(level of the target)
 *   L2P   leaves: n_t L_l                        table N = pairs of List 1: n_t n_s
 *   split (p - 1) N + N (q_s/q)^dim terms + beta pairs
 *   and where q_s differs from q, to interpolate, each leaf: sum for k = 1 ... dim of q_s^k q^(dim-k+1)
 *
 * n_s, n_t: sources and targets of a leaf; M_l, L_l: multipole and local coefficients of a box of level l; p: split order
 * (p - 1 channels) and terms: by the level of the source; q, q_s: the tree's order and the smooth order. */
#define TAC_FMM_COUNTING_RULE "volumential.fmm_stage_operation_counts"
#define TAC_FMM_COUNTING_UNIT "coefficient touch"

#define TAC_FMM_UNKNOWN (-1)

struct tac_fmm_count_input {
  size_t size; /* sizeof(struct tac_fmm_count_input) */
  const struct tac_fmm_tree *tree;
  uint64_t sources, targets;  /* of a leaf; 0 (default): order^dim */
  const int *multipoles;      /* M_l of all levels of the tree, an entry may be TAC_FMM_UNKNOWN; NULL (default): not known */
  const int *locals;          /* L_l likewise */
  int split_order;            /* 0 (default): no split; its phase counts 0 */
  int smooth_order;           /* 0 (default): the tree's order */
  const int *channels;        /* retained channels of all levels of sources; NULL (default): split order - 1 */
  const int *remainder_terms; /* of the remainder's series for a pair, likewise by level; NULL (default): not known */
  int64_t beta_pairs;         /* pairs summed for the change of scale of logarithmic channels; default 0, or TAC_FMM_UNKNOWN */
};
TAC_API void tac_fmm_count_input_init(struct tac_fmm_count_input *input, const struct tac_fmm_tree *tree);

/* Operations of all phases in the order of tac_fmm_phases, made from the tree and the input alone: nothing is solved. A phase
 * in which something is not known, or whose count does not fit into 64 bits, is not known; totals over tac_fmm_far_phases and
 * the like are those of tac_operation_counts_total. No flops are given. `entries` must live as long as *out. INVALID: an input
 * out of range, or a smooth order whose sources of a leaf are no whole number. */
TAC_API enum tac_status tac_fmm_count_operations(struct tac_operation_counts *out,
                                                 struct tac_operation_count entries[TAC_FMM_PHASES],
                                                 const struct tac_fmm_count_input *input, struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
