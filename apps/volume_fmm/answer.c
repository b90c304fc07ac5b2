/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdlib.h>
#include <string.h>

#include "apps/program/machine.h"
#include "apps/program/program.h"
#include "apps/volume_fmm/formats/npy.h"
#include "apps/volume_fmm/formats/plot.h"
#include "apps/volume_fmm/formats/values.h"
#include "apps/volume_fmm/run.h"

/* Points a call, so that progress can be told between calls. */
#define PIECE 100000

static int writes_cube(const struct tac_volume_run *run) {
  return run->options->output && tac_volume_has_suffix(run->options->output, ".cube");
}

/* The grid of --grid from border to border, or that of the cube file where a cube is to be written. */
static void choose_grid(struct tac_volume_run *run) {
  struct tac_volume_answer *answer = &run->answer;
  for (int axis = 0; axis < run->dim; axis++) {
    if (run->options->grid) {
      answer->shape[axis] = (size_t)run->options->grid;
      answer->origin[axis] = run->density.lower[axis];
      answer->step[axis] = run->density.side / (run->options->grid - 1);
    } else if (writes_cube(run)) {
      answer->shape[axis] = run->density.cube.shape[axis];
      answer->origin[axis] = run->density.cube.origin[axis];
      answer->step[axis] = run->density.cube.step[axis];
    }
  }
}

static void fill_grid(struct tac_volume_answer *answer, int dim) {
  for (size_t i = 0; i < answer->count; i++) {
    size_t rest = i;
    for (int axis = dim - 1; axis >= 0; axis--) {
      answer->points[(size_t)dim * i + (size_t)axis] =
          answer->origin[axis] + (double)(rest % answer->shape[axis]) * answer->step[axis];
      rest /= answer->shape[axis];
    }
  }
}

static enum tac_status make_points(struct tac_volume_run *run, struct tac_error *error) {
  struct tac_volume_answer *answer = &run->answer;
  choose_grid(run);
  if (answer->shape[0] > 0) {
    answer->count = 1;
    for (int axis = 0; axis < run->dim; axis++)
      answer->count *= answer->shape[axis];
    answer->points = malloc((size_t)run->dim * answer->count * sizeof *answer->points);
    if (answer->points)
      fill_grid(answer, run->dim);
  } else if (run->given_points) {
    answer->count = run->given_count;
    answer->points = run->given_points;
    run->given_points = NULL;
  }
  for (int f = 0; f < run->fields && answer->count > 0; f++)
    answer->fields[f] = malloc(answer->count * sizeof *answer->fields[f]);
  if (answer->count > 0 && (!answer->points || !answer->fields[run->fields - 1]))
    return tac_error_set(error, TAC_STATUS_MEMORY, "answer", "no memory for %zu points", answer->count);
  return TAC_STATUS_OK;
}

enum tac_status tac_volume_evaluate_answer(struct tac_volume_run *run, struct tac_error *error) {
  struct tac_volume_answer *answer = &run->answer;
  enum tac_status status = make_points(run, error);
  const double begin = tac_machine_seconds(CLOCK_MONOTONIC);
  for (size_t done = 0; done < answer->count && status == TAC_STATUS_OK; done += PIECE) {
    const size_t count = answer->count - done < PIECE ? answer->count - done : PIECE;
    double *fields[TAC_VOLUME_FIELDS] = {NULL};
    for (int f = 0; f < run->fields; f++)
      fields[f] = answer->fields[f] + done;
    if (run->progress)
      tac_progress_show(run->progress, "answer: %zu of %zu points", done, answer->count);
    status = tac_fmm_evaluate_at(run->plan, run->scheduler, count, answer->points + (size_t)run->dim * done, fields, error);
  }
  run->answer_seconds = tac_machine_seconds(CLOCK_MONOTONIC) - begin;
  return status;
}

/* All nodes with their coordinates. */
static double *node_points(const struct tac_volume_run *run) {
  const size_t leaves = tac_fmm_tree_leaves(run->tree), stride = (size_t)run->dim * (run->nodes / leaves);
  double *points = malloc(leaves * stride * sizeof *points);
  for (size_t leaf = 0; points && leaf < leaves; leaf++)
    tac_fmm_tree_nodes(run->tree, leaf, points + leaf * stride);
  return points;
}

static enum tac_status write_cube(const struct tac_volume_run *run, struct tac_error *error) {
  struct tac_cube cube = run->density.cube;
  char first[] = "potential of the density, written by volume_fmm", second[] = "on a uniform grid";
  if (run->density.cube.values == NULL) {
    cube.comments[0] = first;
    cube.comments[1] = second;
  }
  memcpy(cube.shape, run->answer.shape, sizeof cube.shape);
  memcpy(cube.origin, run->answer.origin, sizeof cube.origin);
  memcpy(cube.step, run->answer.step, sizeof cube.step);
  return tac_cube_write(run->options->output, &cube, run->answer.fields[0], TAC_CUBE_FULL_DIGITS, error);
}

static enum tac_status write_grid(const struct tac_volume_run *run, struct tac_error *error) {
  struct tac_npy_layout layout = {.rank = run->dim, .parts = run->parts, .components = run->fields / run->parts};
  memcpy(layout.shape, run->answer.shape, sizeof layout.shape);
  return tac_npy_write(run->options->output, &layout, (const double *const *)run->answer.fields, error);
}

enum tac_status tac_volume_write_answer(const struct tac_volume_run *run, struct tac_error *error) {
  const char *path = run->options->output;
  const int at_nodes = run->answer.count == 0;
  struct tac_values values = {.dim = run->dim,
                              .parts = run->parts,
                              .components = run->fields / run->parts,
                              .count = at_nodes ? run->nodes : run->answer.count,
                              .fields = (const double *const *)(at_nodes ? run->potential : run->answer.fields)};
  double *nodes = at_nodes ? node_points(run) : NULL;
  enum tac_status status;
  values.points = at_nodes ? nodes : run->answer.points;
  if (!values.points)
    status = tac_error_set(error, TAC_STATUS_MEMORY, "--output", "no memory for %zu points", values.count);
  else if (writes_cube(run))
    status = write_cube(run, error);
  else if (tac_volume_has_suffix(path, ".csv"))
    status = tac_values_write_csv(path, &values, error);
  else
    status = run->answer.shape[0] > 0 ? write_grid(run, error) : tac_values_write_npy(path, &values, error);
  free(nodes);
  return tac_program_name_option(status, "--output", error);
}

/* The plane of the picture: in 3D across z through the middle. */
static enum tac_status plot_values(void *context, size_t count, const double *points, double *values, struct tac_error *error) {
  const struct tac_volume_run *run = context;
  const size_t dim = (size_t)run->dim;
  double *lifted = malloc(dim * count * sizeof *lifted), *others = malloc(((size_t)run->fields) * count * sizeof *others);
  double *fields[TAC_VOLUME_FIELDS] = {values};
  enum tac_status status;
  if (!lifted || !others) {
    status = tac_error_set(error, TAC_STATUS_MEMORY, "--plot", "no memory for %zu points", count);
    goto done;
  }
  for (size_t i = 0; i < count; i++) {
    lifted[dim * i] = points[2 * i];
    lifted[dim * i + 1] = points[2 * i + 1];
    if (dim == 3)
      lifted[dim * i + 2] = run->density.lower[2] + 0.5 * run->density.side;
  }
  for (int f = 1; f < run->fields; f++)
    fields[f] = others + (size_t)f * count;
  status = tac_fmm_evaluate_at(run->plan, run->scheduler, count, lifted, fields, error);
done:
  free(lifted);
  free(others);
  return status;
}

enum tac_status tac_volume_write_plot(const struct tac_volume_run *run, struct tac_error *error) {
  const double middle = run->density.lower[2] + 0.5 * run->density.side, *lower = run->density.lower;
  char title[160];
  struct tac_plot_square *leaves = NULL;
  struct tac_plot plot = {.title = title,
                          .axes = {"x", "y"},
                          .value = run->parts == 2 ? "Re u" : "u",
                          .lower = {lower[0], lower[1]},
                          .upper = {lower[0] + run->density.side, lower[1] + run->density.side},
                          .pixels = 512,
                          .evaluate = plot_values,
                          .context = (void *)run};
  int length = snprintf(title, sizeof title, "%s, %s", tac_fmm_kernel_name(run->kernel.kind), run->options->density);
  if (run->dim == 3 && length < (int)sizeof title)
    snprintf(title + length, sizeof title - (size_t)length, ", z = %.6g", middle);
  enum tac_status status = tac_plot_leaves(run->tree, 2, middle, &leaves, &plot.leaf_count, error);
  plot.leaves = leaves;
  if (status == TAC_STATUS_OK)
    status = tac_plot_write(run->options->plot, &plot, error);
  free(leaves);
  return tac_program_name_option(status, "--plot", error);
}
