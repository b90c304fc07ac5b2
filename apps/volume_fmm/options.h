/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_OPTIONS_H
#define VOLUME_FMM_OPTIONS_H

#include "apps/program/hooks.h"
#include "apps/program/machine_options.h"
#include "apps/program/manual.h"
#include "apps/program/record_options.h"

/* The values of the command line, one member an option; what was left out holds its default. */
struct tac_volume_options {
  int dim;
  int kernel; /* enum tac_fmm_kernel_kind */
  double param;
  const char *density;
  double box[2];
  int units; /* enum tac_cube_units */
  int order, basis;
  double tol;
  int levels; /* -1: not given */
  int max_leaves;
  double eps;
  int near; /* enum tac_fmm_near */
  int split_order, smooth_order;
  int path; /* enum tac_fmm_path */
  const char *cache;
  int grad, grid;
  const char *targets, *output, *plot;
  int check;
  struct tac_machine_options machine;
  const char *costs;
  int level; /* enum tac_level */
  const char *hooks;
  int repeat;
  struct tac_record_options record;
  const char *phases;
  int quiet, help, version;
  uint64_t given; /* bit i: row i of the table was typed */
};

extern const struct tac_option_table tac_volume_option_table;
extern const struct tac_manual tac_volume_manual;

/* As tac_options_parse. */
enum tac_status tac_volume_options_parse(struct tac_volume_options *out, int argc, char *const argv[], struct tac_error *error);

/* What no single option can see: options that contradict each other. Fills the defaults that depend on other options. */
enum tac_status tac_volume_options_check(struct tac_volume_options *options, struct tac_error *error);

/* Says at the beginning which files could not be written at the end. */
enum tac_status tac_volume_options_probe(const struct tac_volume_options *options, struct tac_error *error);

int tac_volume_option_given(const struct tac_volume_options *options, const char *name);
const char *tac_volume_choice_name(const char *option, int value);

/* Whether a path ends so. */
int tac_volume_has_suffix(const char *path, const char *suffix);

#endif
