/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef HEISENBERG_DMRG_OPTIONS_H
#define HEISENBERG_DMRG_OPTIONS_H

#include "apps/program/hooks.h"
#include "apps/program/machine_options.h"
#include "apps/program/manual.h"
#include "apps/program/record_options.h"

/* The values of the command line, one member an option; what was left out holds its default. */
struct tac_heisenberg_options {
  int sites, twice_spin, twice_sz;
  double jxy, jz, field;
  int start; /* enum tac_dmrg_start */
  uint64_t seed;
  int complex_scalar, single_precision;
  int max_states, local_matvecs;
  double cutoff;
  int trajectory; /* 1: uni20 */
  int max_sweeps, min_sweeps, steady_sweeps;
  double energy_tol;
  struct tac_machine_options machine;
  int split; /* enum tac_dmrg_split_place */
  const char *costs;
  int level; /* enum tac_level */
  const char *hooks;
  struct tac_record_options record;
  int check, quiet, help, version;
  uint64_t given; /* bit i: row i of the table was typed */
};

extern const struct tac_option_table tac_heisenberg_option_table;
extern const struct tac_manual tac_heisenberg_manual;

/* As tac_options_parse. */
enum tac_status tac_heisenberg_options_parse(struct tac_heisenberg_options *out, int argc, char *const argv[],
                                             struct tac_error *error);

/* What no single option can see: options that contradict each other and sectors the chain does not have. Fills the
 * defaults that depend on other options. */
enum tac_status tac_heisenberg_options_check(struct tac_heisenberg_options *options, struct tac_error *error);

/* Says at the beginning which files could not be written at the end. */
enum tac_status tac_heisenberg_options_probe(const struct tac_heisenberg_options *options, struct tac_error *error);

/* Whether the option of that name was typed. */
int tac_heisenberg_option_given(const struct tac_heisenberg_options *options, const char *name);

/* The name of a value of a choice option ("--spin", 2: "1"). */
const char *tac_heisenberg_choice_name(const char *option, int value);

#endif
