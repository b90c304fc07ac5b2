/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_COMPARISON_H
#define APPS_TACTUS_COMPARISON_H

#include <stdio.h>

#include "apps/tactus/record.h"

enum tac_side { TAC_SIDE_BASE, TAC_SIDE_NEW, TAC_SIDES };

/* The runs of one side. */
struct tac_runs {
  struct tac_record *records;
  size_t count;
};

/* How many runs of a side are left aside at either end of the range of a figure: of ten and more a tenth, as some are odd. */
size_t tac_runs_left_aside(size_t runs);

/* A figure over the runs of a side: the median of all, and the range of those that are not left aside. */
struct tac_spread {
  double median, least, most;
};

/* Sorts the values. */
struct tac_spread tac_spread_of(double *values, size_t count);

/* The new median over the base's, and what the ratio can be between any run of one side and any of the other. NaN without a
 * base. */
struct tac_ratio {
  double median, least, most;
};
struct tac_ratio tac_ratio_of(const struct tac_spread *base, const struct tac_spread *with);

/* Of how many comparisons of two sides that do not differ one has ranges that lie apart, by chance alone. A double, which
 * may be large; DBL_MAX stands for more. */
double tac_chance_of_apart(size_t base_runs, size_t new_runs);

enum tac_verdict {
  TAC_VERDICT_UNKNOWN, /* too few runs to know the noise */
  TAC_VERDICT_NOISE,   /* the ranges of the sides overlap */
  TAC_VERDICT_SLOWER,  /* every run of the range took longer than every one of the base's */
  TAC_VERDICT_FASTER,
  TAC_VERDICT_ONLY_BASE,
  TAC_VERDICT_ONLY_NEW,
  TAC_VERDICT_NO_FIGURE /* the figure that is compared has no meaning for it */
};
const char *tac_verdict_name(enum tac_verdict verdict); /* in JSON: "slower" */
const char *tac_verdict_text(enum tac_verdict verdict); /* for a person: "within noise" */

/* Runs a side that a verdict needs. */
#define TAC_VERDICT_RUNS 3

/* The figure of an event that is compared. */
enum tac_compared_figure { TAC_COMPARE_TOTAL, TAC_COMPARE_MEAN, TAC_COMPARE_MIN };

struct tac_compared_pair {
  struct tac_spread side[TAC_SIDES];
  struct tac_ratio ratio;
  int known; /* 0: a run of either side does not tell it */
};

/* What one run tells of one event; zeros and NaN where it never entered it. */
struct tac_compared_run {
  struct tac_event_stats stats;
  int64_t device_busy_ns;
  uint64_t bytes;
  struct tac_record_items items;
};

/* One event, by its name and the event around it. */
struct tac_compared_event {
  const char *name; /* a record's */
  int parent;       /* number of one before it, or TAC_NO_EVENT */
  int group, depth; /* depth: events around it that are shown */
  int batches;      /* 1: some run has batches of it */
  enum tac_event_calls calls;
  struct tac_compared_run *runs;                   /* of the base, then of the new side */
  struct tac_spread count[TAC_SIDES];              /* calls */
  struct tac_compared_pair time;                   /* the figure that is compared, ns */
  struct tac_compared_pair fastest, device;        /* the fastest call; device busy; ns */
  struct tac_compared_pair bytes;                  /* copied */
  struct tac_compared_pair idle, imbalance;        /* of its batches */
  struct tac_compared_pair p50, p90, p99, longest; /* of their items, ns */
  double share[TAC_SIDES];                         /* of the wall time, else of its group (of regions: kernels in them) */
  enum tac_verdict verdict;
  int failed; /* 1: slower than is allowed */
};

struct tac_comparison_options {
  enum tac_compared_figure figure;
  double min_share;
  double fail_above;  /* 0: nothing fails */
  const char *events; /* names and patterns with commas between; NULL: all */
};

struct tac_comparison {
  const struct tac_comparison_options *options;
  const struct tac_runs *sides; /* TAC_SIDES of them */
  struct tac_compared_event *events;
  size_t count;
  size_t *order;               /* numbers of the events that are shown: a parent before its children, else as in the records */
  size_t shown, small, failed; /* small: left out for their share */
};

/* INVALID: a pattern matches no event, or no event is left that both sides have; error->where is the option, or what is
 * compared. MEMORY. Released by the caller in any case; sides and options live as long. */
enum tac_status tac_comparison_make(struct tac_comparison *out, const struct tac_runs sides[TAC_SIDES],
                                    const struct tac_comparison_options *options, struct tac_error *error);
void tac_comparison_release(struct tac_comparison *comparison);

/* What else is not the same: [{"member":"run.executor","base":["threads"],"new":["serial"]}, …], the different values of each
 * side, null for runs without. NULL: no memory. */
json_t *tac_comparison_differences(const struct tac_runs sides[TAC_SIDES]);

/* 1: every run of one side began before every one of the other, by the dates they tell. */
int tac_comparison_in_blocks(const struct tac_runs sides[TAC_SIDES]);

/* As a text with tables, and as one JSON object, NULL without memory. */
void tac_comparison_print(FILE *stream, const struct tac_comparison *comparison, const json_t *differences);
json_t *tac_comparison_json(const struct tac_comparison *comparison, const json_t *differences);

#endif
