/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <string.h>

#include <tactus/fmm/plan.h>

#include "apps/program/costs.h"
#include "apps/volume_fmm/densities.h"
#include "apps/volume_fmm/options.h"
#include "runtime/shown_path.h"

#define EPS_LEAST 1e-13
#define EPS_MOST  1e-1

static int is_cube_file(const char *density) {
  return tac_volume_has_suffix(density, ".cube") || tac_volume_has_suffix(density, ".cub");
}

static enum tac_status check_kernel(const struct tac_volume_options *options, struct tac_error *error) {
  static const char *const of_others[] = {"--param", "--near", "--split-order", "--smooth-order"};
  const size_t count = sizeof of_others / sizeof *of_others;
  for (size_t i = 0; i < count && options->kernel == TAC_FMM_LAPLACE; i++)
    if (tac_volume_option_given(options, of_others[i]))
      return tac_error_set(error, TAC_STATUS_INVALID, of_others[i], "is of --kernel=yukawa and helmholtz, not of laplace");
  if (options->near == TAC_FMM_NEAR_TABLES && options->split_order > 0)
    return tac_error_set(error, TAC_STATUS_INVALID, "--split-order", "'%d' with --near=tables, which splits nothing",
                         options->split_order);
  if (options->near == TAC_FMM_NEAR_TABLES && options->smooth_order > 0)
    return tac_error_set(error, TAC_STATUS_INVALID, "--smooth-order", "'%d' with --near=tables, which splits nothing",
                         options->smooth_order);
  return TAC_STATUS_OK;
}

/* A cube file is 3D and says itself where it is. */
static enum tac_status check_density(struct tac_volume_options *options, struct tac_error *error) {
  if (is_cube_file(options->density)) {
    if (tac_volume_option_given(options, "--dim") && options->dim != 3)
      return tac_error_set(error, TAC_STATUS_INVALID, "--dim", "'%d' with a cube file, which is 3D", options->dim);
    if (tac_volume_option_given(options, "--box"))
      return tac_error_set(error, TAC_STATUS_INVALID, "--box", "'%g,%g' with a cube file, which says itself where it is",
                           options->box[0], options->box[1]);
    options->dim = 3;
    return TAC_STATUS_OK;
  }
  if (tac_volume_option_given(options, "--units"))
    return tac_error_set(error, TAC_STATUS_INVALID, "--units", "'%s' without a cube file as the density",
                         tac_volume_choice_name("--units", options->units));
  return TAC_STATUS_OK;
}

/* A cube file holds one real number a point, on a grid. */
static enum tac_status check_cube_output(const struct tac_volume_options *options, struct tac_error *error) {
  const char *why = NULL;
  if (options->dim != 3)
    why = "a cube file is 3D: --dim=3 is needed";
  else if (options->kernel == TAC_FMM_HELMHOLTZ)
    why = "a cube file holds real numbers, and helmholtz' are complex; .csv and .npy take them";
  else if (options->grad)
    why = "a cube file holds one number a point, which leaves no room for --grad; .csv and .npy take it";
  else if (options->targets)
    why = "a cube file holds a grid, not --targets; .csv and .npy take them";
  else if (!options->grid && !is_cube_file(options->density))
    why = "a cube file holds a grid: --grid=N is needed";
  char shown[TAC_SHOWN_PATH_BYTES];
  return why ? tac_error_set(error, TAC_STATUS_INVALID, "--output", "'%s': %s", tac_shown_path(shown, options->output), why)
             : TAC_STATUS_OK;
}

static enum tac_status check_answer(const struct tac_volume_options *options, struct tac_error *error) {
  char shown[TAC_SHOWN_PATH_BYTES];
  if (options->grid && options->targets)
    return tac_error_set(error, TAC_STATUS_INVALID, "--grid", "'%d' with --targets='%s': one of them is enough", options->grid,
                         tac_shown_path(shown, options->targets));
  if (options->grid && pow(options->grid, options->dim) > 1e9)
    return tac_error_set(error, TAC_STATUS_INVALID, "--grid", "'%d' makes %.3g points in %dD; 1e9 is the most", options->grid,
                         pow(options->grid, options->dim), options->dim);
  if (options->plot && !tac_volume_has_suffix(options->plot, ".svg"))
    return tac_error_set(error, TAC_STATUS_INVALID, "--plot", "'%s' does not end in .svg",
                         tac_shown_path(shown, options->plot));
  if (!options->output || tac_volume_has_suffix(options->output, ".csv") || tac_volume_has_suffix(options->output, ".npy"))
    return TAC_STATUS_OK;
  if (tac_volume_has_suffix(options->output, ".cube"))
    return check_cube_output(options, error);
  return tac_error_set(error, TAC_STATUS_INVALID, "--output", "'%s' ends in none of .csv, .npy, .cube",
                       tac_shown_path(shown, options->output));
}

static enum tac_status check_machine(const struct tac_volume_options *options, struct tac_error *error) {
  char shown[TAC_SHOWN_PATH_BYTES];
  if (options->phases && options->level == TAC_OFF)
    return tac_error_set(error, TAC_STATUS_INVALID, "--phases",
                         "'%s' needs --measurements=coarse, detailed or hooked: off measures no phase",
                         tac_shown_path(shown, options->phases));
  enum tac_status status = tac_hooks_check(options->hooks, (enum tac_level)options->level, error);
  if (status == TAC_STATUS_OK)
    status = tac_record_options_check(&options->record, (enum tac_level)options->level, &tac_volume_option_table,
                                      options->given, error);
  if (status == TAC_STATUS_OK)
    status = tac_machine_options_check(&options->machine, &tac_volume_option_table, options->given, error);
  return status == TAC_STATUS_OK ? tac_costs_check_machine(options->costs, &options->machine, error) : status;
}

enum { FILES = TAC_RECORD_FILES + 3 };

static void list_files(struct tac_output_target target[FILES], const struct tac_volume_options *options) {
  tac_record_options_targets(target, &options->record);
  target[TAC_RECORD_FILES] = (struct tac_output_target){"--output", options->output, 0};
  target[TAC_RECORD_FILES + 1] = (struct tac_output_target){"--plot", options->plot, 0};
  target[TAC_RECORD_FILES + 2] = (struct tac_output_target){"--phases", options->phases, 0};
}

/* Where '-' is standard input. */
static const char *input_path(const char *path) {
  return path && strcmp(path, "-") == 0 ? "/dev/stdin" : path;
}

static enum tac_status check_files(const struct tac_volume_options *options, struct tac_error *error) {
  struct tac_output_target target[FILES];
  const struct tac_input_file input[] = {{"--density", input_path(tac_density_file(options->density))},
                                         {"--targets", input_path(options->targets)},
                                         {"--costs", options->costs}};
  list_files(target, options);
  return tac_output_targets_check(target, FILES, input, sizeof input / sizeof *input, error);
}

enum tac_status tac_volume_options_probe(const struct tac_volume_options *options, struct tac_error *error) {
  struct tac_output_target target[FILES];
  list_files(target, options);
  return tac_output_targets_probe(target, FILES, error);
}

enum tac_status tac_volume_options_check(struct tac_volume_options *options, struct tac_error *error) {
  if (!tac_volume_option_given(options, "--eps"))
    options->eps = fmin(fmax(options->tol, EPS_LEAST), EPS_MOST);
  options->record.keeps_items = options->costs != NULL;
  enum tac_status status = check_kernel(options, error);
  if (status == TAC_STATUS_OK)
    status = check_density(options, error);
  if (status == TAC_STATUS_OK)
    status = check_answer(options, error);
  if (status == TAC_STATUS_OK)
    status = check_machine(options, error);
  return status == TAC_STATUS_OK ? check_files(options, error) : status;
}
