/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_RUN_H
#define VOLUME_FMM_RUN_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/fmm/counts.h>
#include <tactus/fmm/plan.h>
#include <tactus/measure/phase_report.h>
#include <tactus/runtime/dense.h>

#include "apps/program/facts.h"
#include "apps/program/progress.h"
#include "apps/program/trace_file.h"
#include "apps/volume_fmm/densities.h"
#include "apps/volume_fmm/options.h"

#define TAC_VOLUME_FIELDS 8 /* 2 parts of a value and three derivatives */

/* Values at points, in the order of tac_fmm_evaluate's fields. */
struct tac_volume_answer {
  size_t count;
  double *points; /* points[dim*i + axis] */
  double *fields[TAC_VOLUME_FIELDS];
  size_t shape[3]; /* of a grid, the last axis fastest; 0: no grid */
  double origin[3], step[3];
};

enum tac_volume_reference { TAC_VOLUME_NO_REFERENCE = 0, TAC_VOLUME_CLOSED_FORM, TAC_VOLUME_QUADRATURE };

/* Relative L2 norm of the difference, and its largest size. */
struct tac_volume_difference {
  double relative, largest;
};

struct tac_volume_comparison {
  enum tac_volume_reference reference;
  size_t points; /* compared */
  struct tac_volume_difference potential, gradient;
  double allowed, allowed_gradient;
  double outside; /* share of the closed form's density beyond the domain, where that is why it is not used */
  int passed;
};

/* One run of the program. Zero-initialise, then call in the order below. */
struct tac_volume_run {
  const struct tac_volume_options *options;
  char *const *argv; /* the command line, for the files; NULL: not told */
  struct tac_run_facts facts;
  struct tac_trace_file *trace;  /* of all profiled evaluations; NULL without --trace */
  struct tac_progress *progress; /* NULL: none */
  struct tac_fmm_kernel kernel;
  struct tac_density density;
  int dim, parts, fields;
  double *given_points; /* --targets */
  size_t given_count;
  struct tac_blas_info blas;
  struct tac_scheduler *scheduler;
  struct tac_recorder *recorder, *spare;                 /* NULL at off; of the fastest profiled evaluation, and of another */
  struct tac_device_counters *counters, *spare_counters; /* likewise; NULL also on a host executor */
  double device_seconds; /* until operators and lists were on the device and its programs built; 0 on a host executor */
  struct tac_fmm_tree *tree;
  struct tac_fmm_plan *plan;
  char cache[4096]; /* folder; empty: none */
  double tree_seconds;
  size_t nodes;                         /* of all leaves */
  double *values;                       /* density at the nodes */
  double *potential[TAC_VOLUME_FIELDS]; /* at the nodes */
  double off_seconds, cpu_seconds;      /* of the fastest evaluation with measurements off */
  int evaluations;                      /* of those, the warm-up not counted */
  int64_t profiled_ns;
  struct tac_phase_profile *profile;
  struct tac_operation_count phase_counts[TAC_FMM_PHASES];
  struct tac_operation_counts counts;
  struct tac_volume_answer answer; /* at targets or on a grid; empty for the nodes */
  double answer_seconds;
  struct tac_volume_comparison comparison;
};

/* Reads the density and the targets, makes the scheduler and the recorders; sets BLAS to one thread. */
enum tac_status tac_volume_prepare(struct tac_volume_run *run, const struct tac_volume_options *options,
                                   struct tac_error *error);

/* The tree and the density at its nodes. MEMORY: the machine has less than the whole run needs. */
enum tac_status tac_volume_make_tree(struct tac_volume_run *run, struct tac_error *error);
enum tac_status tac_volume_make_plan(struct tac_volume_run *run, struct tac_error *error);

/* Evaluates at the nodes: with measurements off, and then, where there are recorders, with them. */
enum tac_status tac_volume_evaluate(struct tac_volume_run *run, struct tac_error *error);

/* At the targets or on the grid, if the options name any. */
enum tac_status tac_volume_evaluate_answer(struct tac_volume_run *run, struct tac_error *error);

/* With the closed form, if there is one; with direct quadrature if not and --check asks for it. */
enum tac_status tac_volume_compare(struct tac_volume_run *run, struct tac_error *error);

/* --output and --plot. */
enum tac_status tac_volume_write_answer(const struct tac_volume_run *run, struct tac_error *error);
enum tac_status tac_volume_write_plot(const struct tac_volume_run *run, struct tac_error *error);

void tac_volume_destroy(struct tac_volume_run *run);

/* The report of the profiled evaluation. */
struct tac_phase_report tac_volume_report(const struct tac_volume_run *run);

/* Bytes of memory that this process can still have, by the system, its control group and its limits. */
double tac_volume_memory_left(void);

#endif
