/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/cache.h"
#include "apps/fmm/near_block.h"
#include "apps/fmm/near_kernel.h"
#include "apps/fmm/near_parts.h"
#include "apps/fmm/split.h"

static const double pi = 3.14159265358979323846;

/* The correction of one level and part that the cache did not have. */
struct job {
  int level;
  struct tac_split split;
  double *set;
};

struct jobs {
  struct job job[TAC_FMM_MAX_LEVELS * TAC_NEAR_MOST_PARTS];
  int count;
  double *real_part[TAC_FMM_MAX_LEVELS]; /* corrections of all levels with leaves, built or read */
};

/* Measured at parameter 3 for orders 4 … 16: two channels and this many nodes leave 5e-12 of the kernel's size. Fewer channels
 * leave a rougher remainder, whose quadrature converges as a power of the number of nodes. */
static void choose_orders(struct tac_near *near) {
  const struct tac_near_options *options = &near->options;
  near->split_order = options->split_order ? options->split_order : 3;
  const int enough = 8 + options->order / 2 + (options->gradient ? 1 : 0);
  const int rough[] = {options->gradient ? 48 : 32, options->gradient ? 22 : 16};
  near->smooth_order = near->split_order <= 2 ? rough[near->split_order - 1] : enough;
  if (near->smooth_order < enough)
    near->smooth_order = enough;
  if (options->smooth_order)
    near->smooth_order = options->smooth_order;
}

static double level_parameter(const struct tac_near *near, int level) {
  return near->options.kernel.parameter * near->options.side[level];
}

int tac_near_in_reach(const struct tac_near *near, int level) {
  return near->options.kernel.kind == TAC_FMM_HELMHOLTZ || level_parameter(near, level) <= TAC_SPLIT_REACH;
}

/* Laplace' table and its correction cancel to the kernel's own, about (l h)^2 times smaller, and lose that many digits: 1e-12
 * at the limit. Beyond it the level's base table is the kernel's own and its correction is zero. */
#define PARAMETER_MOST 100

static int cancels(const struct tac_near *near, int level) {
  return near->options.kernel.kind == TAC_FMM_YUKAWA && level_parameter(near, level) > PARAMETER_MOST;
}

static void correction_key(char key[TAC_NEAR_KEY_BYTES], const struct tac_near *near, const struct job *job) {
  char what[160];
  const struct tac_fmm_kernel *kernel = &job->split.kernel;
  if (tac_near_in_reach(near, job->level))
    snprintf(what, sizeof what, "correction to %s parameter %a part %d split order %d smooth order %d",
             tac_fmm_kernel_name(kernel->kind), kernel->parameter, job->split.part, near->split_order, near->smooth_order);
  else
    snprintf(what, sizeof what, "correction to %s parameter %a by difference", tac_fmm_kernel_name(kernel->kind),
             kernel->parameter);
  tac_near_key(key, near, what);
}

static struct tac_split split_of(const struct tac_near *near, int level, int part) {
  const double parameter = level_parameter(near, level);
  return (struct tac_split){
      .kernel = {near->options.kernel.kind, parameter},
      .dim = near->options.dim,
      .part = part,
      .order = near->split_order,
      .terms = tac_split_terms(near->options.dim, parameter),
  };
}

/* Takes sets for all corrections and reads what the cache has; the others are listed. */
static enum tac_status load_corrections(struct jobs *missing, struct tac_near *near, struct tac_error *error) {
  const size_t size = tac_near_set_size(&near->space, near->components);
  for (int level = 0; level < near->options.levels; level++)
    for (int part = 0; part < near->parts && near->options.has_leaves[level]; part++) {
      const struct job job = {level, split_of(near, level, part), tac_near_take(near, size, error)};
      if (!job.set)
        return TAC_STATUS_MEMORY;
      tac_near_point_to(near, 1, level, part, job.set);
      if (cancels(near, level)) {
        memset(job.set, 0, size * sizeof *job.set);
        continue;
      }
      if (part == 0)
        missing->real_part[level] = job.set;
      char key[TAC_NEAR_KEY_BYTES];
      correction_key(key, near, &job);
      if (tac_cache_load(near->options.cache_folder, key, job.set, size)) {
        near->loaded++;
        continue;
      }
      near->built++;
      memset(job.set, 0, size * sizeof *job.set);
      missing->job[missing->count++] = job;
    }
  return TAC_STATUS_OK;
}

static int wants_channels(const struct tac_near *near, const struct job *job) {
  return job->split.part == 0 && tac_near_in_reach(near, job->level);
}

/* One channel into every correction that has channels. */
static enum tac_status add_channel(struct jobs *missing, const struct tac_near *near, int n, double *channel,
                                   struct tac_error *error) {
  const size_t size = tac_near_set_size(&near->space, near->components);
  char key[TAC_NEAR_KEY_BYTES], what[64];
  snprintf(what, sizeof what, "channel %d", n);
  tac_near_key(key, near, what);
  if (!tac_cache_load(near->options.cache_folder, key, channel, size)) {
    memset(channel, 0, size * sizeof *channel);
    const enum tac_status status = tac_split_add_channel(channel, &near->space, n, near->components, error);
    if (status)
      return status;
    tac_cache_store(near->options.cache_folder, key, channel, size);
  }
  for (int i = 0; i < missing->count; i++) {
    if (!wants_channels(near, &missing->job[i]))
      continue;
    const double coefficient = tac_split_coefficient(&missing->job[i].split, n);
    for (size_t k = 0; k < size; k++)
      missing->job[i].set[k] += coefficient * channel[k];
  }
  return TAC_STATUS_OK;
}

static enum tac_status add_channels(struct jobs *missing, const struct tac_near *near, struct tac_error *error) {
  int wanted = 0;
  for (int i = 0; i < missing->count; i++)
    wanted += wants_channels(near, &missing->job[i]);
  if (!wanted || near->split_order < 2)
    return TAC_STATUS_OK;
  const struct tac_allocator *allocator = &near->allocator;
  double *channel =
      allocator->allocate(allocator->context, tac_near_set_size(&near->space, near->components) * sizeof *channel);
  if (!channel)
    return tac_error_set(error, TAC_STATUS_MEMORY, "near field", "no memory for channels");
  enum tac_status status = TAC_STATUS_OK;
  for (int n = 1; n < near->split_order && !status; n++)
    status = add_channel(missing, near, n, channel, error);
  allocator->release(allocator->context, channel);
  return status;
}

/* The kernel's own table less Laplace' one: for Yukawa beyond the reach of the series. */
static enum tac_status add_difference(const struct job *job, const struct tac_near *near, const double *laplace,
                                      struct tac_error *error) {
  const enum tac_status status = tac_near_add_kernel(job->set, &near->space, &job->split.kernel, 0, near->components, error);
  const size_t size = tac_near_set_size(&near->space, near->components);
  for (size_t k = 0; k < size && !status; k++)
    job->set[k] -= laplace[k];
  return status;
}

static enum tac_status finish(const struct job *job, const struct tac_near *near, const double *laplace,
                              struct tac_error *error) {
  const enum tac_status status =
      tac_near_in_reach(near, job->level)
          ? tac_split_add_remainder(job->set, &near->space, &job->split, near->smooth_order, near->components, error)
          : add_difference(job, near, laplace, error);
  if (status)
    return status;
  char key[TAC_NEAR_KEY_BYTES];
  correction_key(key, near, job);
  tac_cache_store(near->options.cache_folder, key, job->set, tac_near_set_size(&near->space, near->components));
  return TAC_STATUS_OK;
}

/* 2D: the base table of a level holds -ln(h)/(2 pi), which the kernel for a side of 1 does not have. */
static void take_back_shifts(const struct jobs *jobs, const struct tac_near *near) {
  for (int level = 0; level < near->options.levels; level++)
    if (jobs->real_part[level])
      tac_near_add_constant(jobs->real_part[level], &near->space, near->components, log(near->options.side[level]) / (2 * pi));
}

enum tac_status tac_near_make_split(struct tac_near *near, struct tac_error *error) {
  choose_orders(near);
  near->layers = 2;
  const double *laplace;
  struct jobs missing = {.count = 0};
  enum tac_status status = tac_near_make_laplace(&laplace, near, error);
  if (!status)
    status = load_corrections(&missing, near, error);
  for (int level = 0; level < near->options.levels && !status; level++)
    if (near->options.has_leaves[level] && cancels(near, level))
      status = tac_near_make_level_tables(near, level, error);
  if (!status)
    status = add_channels(&missing, near, error);
  for (int i = 0; i < missing.count && !status; i++)
    status = finish(&missing.job[i], near, laplace, error);
  if (!status && near->options.dim == 2)
    take_back_shifts(&missing, near);
  return status;
}
