/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef BENCH_SAMPLE_H
#define BENCH_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

int64_t bench_now_ns(void);

/* Calls run(context) again and again. */
struct bench_subject {
  const char *name;
  void (*run)(void *context);
  void *context;
};

struct bench_plan {
  int rounds;        /* samples of each subject; a round takes one of each, in turn */
  int least;         /* 1: the least of the samples instead of their median: for a machine that others use too */
  int cpu_time;      /* 1: CPU time of the calling thread, for subjects of one thread; 0: wall time */
  int64_t sample_ns; /* the repeat count doubles until a sample lasts at least this long */
  int64_t rest_ns;   /* sleep before a sample, so that another subject's idle threads stop spinning */
  int64_t warm_ns;   /* untimed calls before a sample, so that the subject's own threads are awake */
};

/* Nanoseconds of one call of each subject, the median of the samples or the least, into ns[subject]. `ns` holds `count` values.
 * Returns 0, or -1 when memory is short. */
int bench_times(double *ns, const struct bench_subject *subjects, size_t count, const struct bench_plan *plan);

/* "met" or "missed": value <= goal. */
const char *bench_verdict(double value, double goal);

#endif
