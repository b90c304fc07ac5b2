/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* PROGRAM panels | tiles: every kernel of that form on small trees with all lists; of the tiles, whose groups take long there,
 * on one only. To be run under Oclgrind by grind.py. One field and few leaves: Oclgrind loses track of a block of which the
 * host writes a part. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/device/device.h"

static void need(enum tac_status status, const struct tac_error *error) {
  if (status == TAC_STATUS_OK)
    return;
  fprintf(stderr, "%s: %s\n", error->where, error->text);
  exit(EXIT_FAILURE);
}

/* Levels 2 and 3. */
static int refine(void *context, int level, const double *lower, double side) {
  const int dim = *(const int *)context;
  double distance = 0;
  for (int axis = 0; axis < dim; axis++)
    distance = fmax(distance, lower[axis] + side / 2);
  return level < 2 || (level == 2 && distance < 0);
}

static double *numbers(size_t count) {
  double *out = malloc(count * sizeof *out);
  if (!out)
    exit(EXIT_FAILURE);
  for (size_t i = 0; i < count; i++)
    out[i] = (double)(i * 37 % 64) / 32 - 1;
  return out;
}

static void run(int dim, enum tac_fmm_path path, const struct tac_fmm_device_options *form) {
  struct tac_fmm_tree_options tree_options;
  struct tac_fmm_plan_options plan_options;
  struct tac_scheduler_options options;
  struct tac_fmm_tree *tree;
  struct tac_fmm_plan *plan;
  struct tac_scheduler *scheduler;
  struct tac_error error;
  tac_fmm_tree_options_init(&tree_options);
  tree_options.dim = dim;
  tree_options.order = 2;
  tree_options.levels = 0;
  need(tac_fmm_tree_create_refined(&tree, &tree_options, refine, &dim, &error), &error);
  tac_fmm_plan_options_init(&plan_options);
  plan_options.eps = 0.1;
  plan_options.path = path;
  need(tac_fmm_plan_create(&plan, tree, &plan_options, &error), &error);
  tac_scheduler_options_init(&options);
  options.executor = "opencl";
  options.executor_options.lanes = 1;
  need(tac_scheduler_create(&scheduler, &options, &error), &error);
  need(
      tac_fmm_device_create(&plan->device, plan, tac_scheduler_device(scheduler), tac_scheduler_queue(scheduler), form, &error),
      &error);
  const size_t points = tac_fmm_tree_leaves(tree) * (dim == 3 ? 8 : 4);
  double *density = numbers(points), *answer = numbers(points);
  need(tac_fmm_evaluate(plan, scheduler, density, &answer, &error), &error);
  free(density);
  free(answer);
  tac_fmm_plan_destroy(&plan);
  tac_scheduler_destroy(&scheduler);
  tac_fmm_tree_destroy(&tree);
}

int main(int argc, char **argv) {
  const int tiles = argc > 1 && strcmp(argv[1], "tiles") == 0;
  const struct tac_fmm_device_options form = {.form = tiles ? TAC_FMM_FORM_TILES : TAC_FMM_FORM_PANELS};
  run(2, TAC_FMM_PATH_PAIRED, &form);
  for (int dim = 2; !tiles && dim <= 3; dim++)
    run(dim, TAC_FMM_PATH_PLAIN, &form);
  return EXIT_SUCCESS;
}
