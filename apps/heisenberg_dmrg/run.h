/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef HEISENBERG_DMRG_RUN_H
#define HEISENBERG_DMRG_RUN_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/dmrg.h>
#include <tactus/measure/device_counters.h>
#include <tactus/measure/recorder.h>
#include <tactus/runtime/dense.h>

#include "apps/heisenberg_dmrg/options.h"
#include "apps/heisenberg_dmrg/reference.h"
#include "apps/program/facts.h"
#include "apps/program/trace_file.h"

/* One sweep and what the program read around it. */
struct tac_heisenberg_sweep {
  struct tac_dmrg_sweep_summary summary;
  double seconds, cpu_seconds; /* wall, and of every thread of the process */
  uint64_t allocations;        /* made by the sweep */
  uint64_t device_allocations; /* asked of the device's driver meanwhile */
};

struct tac_heisenberg_sweeps {
  struct tac_heisenberg_sweep *sweep;
  size_t count, capacity;
};

struct tac_heisenberg_result {
  int converged;
  double energy;       /* of the last sweep: by the default of the state, by --trajectory=uni20 of the last Ritz vector */
  double energy_ritz;  /* before the last truncation */
  double energy_state; /* <H> of the state, by the pass that gives the variance */
  double variance;     /* of the state; NaN, as energy_state, where H^2 overflows */
  uint64_t full, gram, warm, rejected, fallbacks; /* decompositions of all sweeps */
  uint64_t blocks, device_blocks;                 /* decomposed in all, and of these by the device */
  int start_stuck;                                /* the first sweep changed nothing although the sector has other states */
};

/* --check. */
struct tac_heisenberg_comparison {
  enum tac_reference_source source; /* TAC_REFERENCE_NONE: not compared */
  double exact;
  struct tac_reference_tolerance allowed;
  int passed;
};

/* The measured pair of sweeps that stands beside one at off. */
enum tac_heisenberg_pair {
  TAC_HEISENBERG_LAST,   /* the last of the run */
  TAC_HEISENBERG_STEADY, /* the median of its steady ones */
  TAC_HEISENBERG_EXTRA   /* one swept for this */
};

/* What measuring costs: seconds of a pair of sweeps, there and back. */
struct tac_heisenberg_perturbation {
  double measured_seconds, off_seconds;
  enum tac_heisenberg_pair pair;
  int same_work; /* 0: the two pairs differ in more than time */
};

/* One run of the program. Zero-initialise, then call in the order below; `error` tells what failed, where it is a sweep
 * that failed with its number. */
struct tac_heisenberg_run {
  const struct tac_heisenberg_options *options;
  char *const *argv; /* the command line, for the files; NULL: not told */
  struct tac_run_facts facts;
  struct tac_trace_file *trace; /* NULL without --trace */
  struct tac_dmrg_hamiltonian hamiltonian;
  struct tac_blas_info blas;
  struct tac_scheduler *scheduler;
  struct tac_recorder *recorder; /* NULL at off */
  /* What the device's queues did in the event that holds the sweeps, and outside of it; NULL at off and on a host executor. */
  struct tac_device_counters *counters, *other_counters;
  struct tac_dmrg_state *state;
  struct tac_dmrg_environments *environments;
  struct tac_dmrg_convergence convergence;
  tac_dmrg_progress_fn progress; /* NULL: the entries without it are used */
  void *progress_context;
  struct tac_heisenberg_sweeps sweeps, steady;
  struct tac_heisenberg_result result;
  struct tac_heisenberg_comparison comparison;
  struct tac_heisenberg_perturbation perturbation;
};

/* Makes the scheduler and the recorder; sets BLAS to one thread. */
enum tac_status tac_heisenberg_run_prepare(struct tac_heisenberg_run *run, const struct tac_heisenberg_options *options,
                                           struct tac_error *error);

/* Opens and closes the event that holds the start, the environments and the sweeps. Variance and comparison stay outside, so
 * that its children explain it. */
enum tac_status tac_heisenberg_run_enter(struct tac_heisenberg_run *run, struct tac_error *error);
enum tac_status tac_heisenberg_run_leave(struct tac_heisenberg_run *run, struct tac_error *error);

/* Makes the state and its environments; the second those alone, for a state that there is. */
enum tac_status tac_heisenberg_run_start(struct tac_heisenberg_run *run, struct tac_error *error);
enum tac_status tac_heisenberg_run_surround(struct tac_heisenberg_run *run, struct tac_error *error);

/* One more sweep, appended to `sweeps` (run->sweeps or run->steady). */
enum tac_status tac_heisenberg_run_sweep(struct tac_heisenberg_run *run, struct tac_heisenberg_sweeps *sweeps,
                                         struct tac_error *error);

/* Whether another sweep is due: neither converged nor at the limit. Call once after each sweep. */
int tac_heisenberg_run_continues(struct tac_heisenberg_run *run);

/* Fills the result from the sweeps and the state as they are now. */
enum tac_status tac_heisenberg_run_finish(struct tac_heisenberg_run *run, struct tac_error *error);

/* Compares the result with the exact energy. */
enum tac_status tac_heisenberg_run_compare(struct tac_heisenberg_run *run, struct tac_error *error);

void tac_heisenberg_run_destroy(struct tac_heisenberg_run *run);

/* The median over pairs of successive steady sweeps, there and back, of their seconds; 0 with less than one pair. */
double tac_heisenberg_there_and_back_seconds(const struct tac_heisenberg_sweeps *steady);

/* What the result should make the reader wary of, at most `most` texts in static memory or in the run. */
size_t tac_heisenberg_warnings(const struct tac_heisenberg_run *run, const char **texts, size_t most);

#endif
