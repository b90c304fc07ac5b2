/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/cost_fit.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/nonnegative.h"

#define LARGEST 1e100  /* whose squares, and sums of them, are numbers */
#define SPREAD  1.4826 /* standard deviation over median of sizes, of normal errors */
#define HUBER   2.0    /* spreads up to which an error counts in squares */
#define SETTLED 1e-9   /* relative change of all seconds */

enum { ROUNDS = 50 };

/* One item, or once they are joined all items with equal values. */
struct sample {
  double value[TAC_COST_TERMS_MAX];
  double seconds; /* the median */
  double count;
  double error; /* of the prediction, relative */
};

/* A number that counts several times. */
struct weighted {
  double number, count;
};

struct fitting {
  struct sample *sample;
  struct weighted *weighted; /* room for as many as there are items */
  size_t items, distinct, terms;
};

static int compare_numbers(double a, double b) {
  return (a > b) - (a < b);
}

static int compare_values(const struct sample *a, const struct sample *b) {
  for (int t = 0; t < TAC_COST_TERMS_MAX; t++)
    if (a->value[t] != b->value[t])
      return compare_numbers(a->value[t], b->value[t]);
  return 0;
}

static int compare_samples(const void *left, const void *right) {
  const struct sample *a = left, *b = right;
  const int values = compare_values(a, b);
  return values ? values : compare_numbers(a->seconds, b->seconds);
}

static int compare_weighted(const void *left, const void *right) {
  return compare_numbers(((const struct weighted *)left)->number, ((const struct weighted *)right)->number);
}

/* The least number that half of the counts do not exceed. */
static double weighted_median(struct weighted *weighted, size_t count) {
  double all = 0, passed = 0;
  for (size_t i = 0; i < count; i++)
    all += weighted[i].count;
  qsort(weighted, count, sizeof *weighted, compare_weighted);
  for (size_t i = 0; i < count; i++) {
    passed += weighted[i].count;
    if (2 * passed >= all)
      return weighted[i].number;
  }
  return 0;
}

/* Items that are sorted become the different ones among them. */
static void join(struct fitting *f) {
  f->distinct = 0;
  for (size_t first = 0, end; first < f->items; first = end) {
    for (end = first + 1; end < f->items; end++)
      if (compare_values(&f->sample[end], &f->sample[first]))
        break;
    const double lower = f->sample[first + (end - first - 1) / 2].seconds;
    const double upper = f->sample[first + (end - first) / 2].seconds;
    struct sample *joined = &f->sample[f->distinct++];
    *joined = f->sample[first];
    joined->seconds = 0.5 * (lower + upper);
    joined->count = (double)(end - first);
  }
}

/* Sets every sample's error; gives the spread of all. */
static double update_errors(struct fitting *f, const double *seconds) {
  for (size_t i = 0; i < f->distinct; i++) {
    struct sample *sample = &f->sample[i];
    sample->error = (tac_cost_seconds(seconds, sample->value, f->terms) - sample->seconds) / sample->seconds;
    f->weighted[i] = (struct weighted){fabs(sample->error), sample->count};
  }
  return SPREAD * weighted_median(f->weighted, f->distinct);
}

/* `most`: the error up to which squares count. */
static void solve(struct tac_cost_fit *out, const struct fitting *f, double most) {
  struct tac_least_squares problem = {.unknowns = f->terms};
  for (size_t i = 0; i < f->distinct; i++) {
    const struct sample *sample = &f->sample[i];
    const double size = fabs(sample->error), huber = size > most ? most / size : 1;
    tac_least_squares_fold(&problem, sample->value, sample->seconds, sqrt(huber * sample->count / sample->seconds));
  }
  tac_nonnegative_solve(out->seconds, out->state, &problem);
}

static int has_settled(const double *before, const double *after, size_t terms) {
  for (size_t t = 0; t < terms; t++)
    if (fabs(after[t] - before[t]) > SETTLED * fabs(before[t]))
      return 0;
  return 1;
}

static void fit(struct tac_cost_fit *out, struct fitting *f) {
  double before[TAC_COST_TERMS_MAX];
  solve(out, f, INFINITY);
  for (int round = 0; round < ROUNDS; round++) {
    const double spread = update_errors(f, out->seconds);
    if (spread < SETTLED) /* half of the samples are met exactly */
      return;
    memcpy(before, out->seconds, sizeof before);
    solve(out, f, HUBER * spread);
    if (has_settled(before, out->seconds, f->terms))
      return;
  }
}

/* How well every single item is predicted. */
static void judge_items(struct tac_cost_fit *out, struct fitting *f, const struct tac_cost_samples *samples) {
  const size_t n = samples->items;
  double rest = 0;
  for (size_t i = 0; i < n; i++) {
    const double seen = samples->seconds[i],
                 predicted = tac_cost_seconds(out->seconds, samples->values + i * f->terms, f->terms);
    rest += (predicted - seen) * (predicted - seen);
    f->weighted[i] = (struct weighted){fabs(predicted - seen) / fmax(seen, TAC_COST_SHORTEST_SECONDS), 1};
  }
  out->residual_seconds = sqrt(rest / (double)n);
  out->median_relative_error = weighted_median(f->weighted, n);
}

/* How well the medians are, which the lost time slices of single items do not move. */
static void judge_medians(struct tac_cost_fit *out, const struct fitting *f) {
  double mean = 0, rest = 0, variance = 0;
  for (size_t i = 0; i < f->distinct; i++)
    mean += f->sample[i].count / (double)f->items * f->sample[i].seconds;
  for (size_t i = 0; i < f->distinct; i++) {
    const struct sample *sample = &f->sample[i];
    const double missed = tac_cost_seconds(out->seconds, sample->value, f->terms) - sample->seconds;
    rest += sample->count * missed * missed;
    variance += sample->count * (sample->seconds - mean) * (sample->seconds - mean);
  }
  out->r_squared = variance > 0 ? 1 - rest / variance : 0;
}

static enum tac_status check(const struct tac_cost_samples *samples, struct tac_error *error) {
  static const char where[] = "tac_cost_fit_items";
  if (!samples || samples->items == 0 || !samples->values || !samples->seconds)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "no items to fit");
  if (samples->terms < 1 || samples->terms > TAC_COST_TERMS_MAX)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "%zu terms: 1 to %d are allowed", samples->terms,
                         TAC_COST_TERMS_MAX);
  for (size_t i = 0; i < samples->items; i++) {
    if (!(samples->seconds[i] >= 0 && samples->seconds[i] <= LARGEST))
      return tac_error_set(error, TAC_STATUS_INVALID, where, "item %zu has %g seconds", i, samples->seconds[i]);
    for (size_t t = 0; t < samples->terms; t++)
      if (!(samples->values[i * samples->terms + t] >= 0 && samples->values[i * samples->terms + t] <= LARGEST))
        return tac_error_set(error, TAC_STATUS_INVALID, where, "item %zu has %g of term %zu", i,
                             samples->values[i * samples->terms + t], t);
  }
  return TAC_STATUS_OK;
}

static void fill(struct fitting *f, const struct tac_cost_samples *samples) {
  for (size_t i = 0; i < f->items; i++) {
    struct sample *sample = &f->sample[i];
    *sample = (struct sample){.seconds = fmax(samples->seconds[i], TAC_COST_SHORTEST_SECONDS), .count = 1};
    for (size_t t = 0; t < f->terms; t++)
      sample->value[t] = samples->values[i * f->terms + t];
  }
  qsort(f->sample, f->items, sizeof *f->sample, compare_samples);
  join(f);
}

enum tac_status tac_cost_fit_items(struct tac_cost_fit *out, const struct tac_cost_samples *samples,
                                   const struct tac_allocator *allocator, struct tac_error *error) {
  if (!out)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no place for the fit");
  enum tac_status status = check(samples, error);
  if (status != TAC_STATUS_OK)
    return status;
  if (!allocator)
    allocator = tac_allocator_system();
  struct fitting f = {.items = samples->items, .terms = samples->terms};
  if (f.items <= SIZE_MAX / sizeof *f.sample) {
    f.sample = allocator->allocate(allocator->context, f.items * sizeof *f.sample);
    f.weighted = allocator->allocate(allocator->context, f.items * sizeof *f.weighted);
  }
  if (f.sample && f.weighted) {
    fill(&f, samples);
    *out = (struct tac_cost_fit){.terms = f.terms, .items = f.items, .distinct = f.distinct};
    fit(out, &f);
    judge_items(out, &f, samples);
    judge_medians(out, &f);
  } else {
    status = tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory to fit %zu items", f.items);
  }
  allocator->release(allocator->context, f.weighted);
  allocator->release(allocator->context, f.sample);
  return status;
}

const char *tac_cost_term_state_name(enum tac_cost_term_state state) {
  static const char *const names[] = {[TAC_COST_TERM_FITTED] = "fitted",
                                      [TAC_COST_TERM_ABSENT] = "always 0",
                                      [TAC_COST_TERM_COLLINEAR] = "collinear",
                                      [TAC_COST_TERM_UNUSED] = "unused"};
  return (unsigned)state < sizeof names / sizeof *names ? names[state] : "unknown";
}
