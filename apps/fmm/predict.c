/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>

#include "apps/fmm/plan.h"

/* Coefficients of an expansion by digits: numerical ranks of ln r and 1/r between well-separated boxes, 18/30/43 and
 * 132/313/525 at 6/9/12 digits, follow 3.6 d - 3 and 3.65 d^2. Helmholtz needs up to a tenth more. */
static double expected_rank(int dim, double eps, int parts) {
  const double digits = -log10(eps);
  const double rank = dim == 2 ? 3.6 * digits : 3.65 * digits * digits;
  return (rank + 8) * (parts == 2 ? 1.1 : 1);
}

static double mode_count(int dim, double order, enum tac_fmm_basis basis) {
  if (basis == TAC_FMM_TENSOR)
    return pow(order, dim);
  return dim == 2 ? order * (order + 1) / 2 : order * (order + 1) * (order + 2) / 6;
}

size_t tac_fmm_plan_predict_bytes(const struct tac_fmm_tree *tree, const struct tac_fmm_plan_options *options) {
  const int dim = tree->dim, children = 1 << dim;
  const int parts = tac_fmm_kernel_parts(options->kernel.kind), fields = parts * (options->gradient ? 1 + dim : 1);
  const double order = tree->options.order, nodes = pow(order, dim), modes = mode_count(dim, order, tree->options.basis);
  const double rank = tree->levels > 2 ? expected_rank(dim, options->eps, parts) : 0;
  const double leaves = (double)tree->leaves, boxes = (double)tree->boxes;
  const double vectors = leaves * (modes + fields * nodes) + boxes * rank * (2 + parts), lists = leaves * 40;
  int sets_near = 0;
  for (int level = 0; level < tree->levels; level++)
    sets_near += tac_fmm_tree_leaves_at(tree, level) > 0;
  const int scaled = options->kernel.kind == TAC_FMM_LAPLACE && dim == 3;
  const double near_sets = scaled ? 1 : sets_near, far_sets = scaled ? 1 : tree->levels > 2 ? tree->levels - 2 : 0;
  const double layers = options->kernel.kind != TAC_FMM_LAPLACE && options->near == TAC_FMM_NEAR_SPLIT ? 2 : 1;
  /* Paired blocks of List 1, the canonical tables beside them, and the plain operators of level jumps. */
  const double near_matrices = pow(1.5, dim) + (dim == 3 ? 10 + 22 : 7 + 8);
  const double far_matrices = pow(4, dim) + (pow(3, dim) - 1) * children / 2;
  double matrices = near_sets * layers * fields * near_matrices * nodes * modes;
  matrices += far_sets * parts * far_matrices * rank * rank;
  if (sets_near > 1)
    matrices += far_sets * (pow(3, dim) - pow(2, dim)) * rank * (fields * nodes + parts * modes);
  /* Packing rounds small matrices up, and factors vary in rank. */
  const double bytes = 8 * (vectors + lists + 1.5 * matrices);
  return bytes < 1e18 ? (size_t)bytes : (size_t)1 << 60;
}
