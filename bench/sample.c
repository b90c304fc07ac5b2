/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "bench/sample.h"

#include <stdlib.h>
#include <time.h>

static int64_t read_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t bench_now_ns(void) {
  return read_ns(CLOCK_MONOTONIC);
}

static void rest(int64_t ns) {
  if (ns > 0)
    nanosleep(&(struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000}, NULL);
}

static void warm(const struct bench_subject *subject, int64_t ns) {
  const int64_t end = bench_now_ns() + ns;
  do
    subject->run(subject->context);
  while (bench_now_ns() < end);
}

static int64_t time_calls(const struct bench_subject *subject, int64_t repeats, const struct bench_plan *plan) {
  const clockid_t clock = plan->cpu_time ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  const int64_t begin = read_ns(clock);
  for (int64_t call = 0; call < repeats; ++call)
    subject->run(subject->context);
  return read_ns(clock) - begin;
}

static int64_t find_repeats(const struct bench_subject *subject, const struct bench_plan *plan) {
  warm(subject, plan->warm_ns);
  int64_t repeats = 1;
  while (time_calls(subject, repeats, plan) < plan->sample_ns)
    repeats *= 2;
  return repeats;
}

static int compare(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* Sorts the values. */
static double reduce(double *values, size_t count, int least) {
  qsort(values, count, sizeof *values, compare);
  if (least)
    return values[0];
  return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

int bench_times(double *ns, const struct bench_subject *subjects, size_t count, const struct bench_plan *plan) {
  const size_t rounds = (size_t)plan->rounds;
  int failed = -1;
  int64_t *repeats = calloc(count, sizeof *repeats);
  double *samples = calloc(count * rounds, sizeof *samples);
  if (!repeats || !samples)
    goto done;
  for (size_t s = 0; s < count; ++s) {
    rest(plan->rest_ns);
    repeats[s] = find_repeats(&subjects[s], plan);
  }
  for (size_t round = 0; round < rounds; ++round)
    for (size_t s = 0; s < count; ++s) {
      rest(plan->rest_ns);
      warm(&subjects[s], plan->warm_ns);
      samples[s * rounds + round] = (double)time_calls(&subjects[s], repeats[s], plan) / (double)repeats[s];
    }
  for (size_t s = 0; s < count; ++s)
    ns[s] = reduce(samples + s * rounds, rounds, plan->least);
  failed = 0;
done:
  free(samples);
  free(repeats);
  return failed;
}

const char *bench_verdict(double value, double goal) {
  return value <= goal ? "met" : "missed";
}
