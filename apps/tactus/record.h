/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_RECORD_H
#define APPS_TACTUS_RECORD_H

#include <jansson.h>

#include <tactus/measure/recorder.h>

#include "measure/replayed_clock.h"

enum tac_record_kind {
  TAC_RECORD_RUN,   /* of a program on libtactus */
  TAC_RECORD_KOKKOS /* of the Kokkos module */
};

/* What a record tells of the items of an event's batches; NaN where it does not. */
struct tac_record_items {
  double idle_share, imbalance;          /* of the event's batches */
  double p50_ns, p90_ns, p99_ns, max_ns; /* durations of their items */
};

/* What an event of a Kokkos program is; shares are of the group where no wall time is told. */
enum tac_kokkos_group {
  TAC_GROUP_KERNELS,
  TAC_GROUP_FENCES,
  TAC_GROUP_REGIONS,        /* in one piece, the last of the events but for the next */
  TAC_GROUP_REGION_KERNELS, /* under the innermost region that each was launched in, in the order of these, by falling time */
  TAC_GROUP_WHOLE,          /* the wall time of the run, and what it has outside of kernels, fences and copies */
  TAC_GROUP_COPIES,
  TAC_GROUP_STEPS
};

/* What can be said of one call of an event. */
enum tac_event_calls {
  TAC_CALLS_TIMED,  /* mean and extremes */
  TAC_CALLS_SUMMED, /* the mean */
  TAC_CALLS_MIXED   /* neither: they are calls of different things */
};

/* What has a count and a duration, whatever wrote it: an event of a run; a kernel, fence, copy, region or step of a Kokkos
 * program, or that run as a whole. */
struct tac_record_event {
  char *name;  /* as it is told; not always unique */
  int parent;  /* number of one before it, or TAC_NO_EVENT */
  int group;   /* shares are of the events without a parent in the same group, of kernels in regions of the regions */
  int batched; /* 1: batches may run under it */
  int batches; /* 1: it has a summary of batches */
  struct tac_event_stats stats;
  enum tac_event_calls calls;
  uint64_t bytes;       /* of a Kokkos program: copied */
  uint64_t timed;       /* likewise: those of the count that are in the times */
  int64_t exclusive_ns; /* likewise: of the total, without what was counted within; -1: not told */
  struct tac_device_stats device;
  struct tac_record_items items;
};

/* One record, read back and checked. */
struct tac_record {
  const char *path;
  json_t *root; /* the whole, with the members that only programs know */
  enum tac_record_kind kind;
  enum tac_level level;
  struct tac_record_event *events; /* parents before their children */
  size_t event_count;
  int64_t wall_ns; /* of a Kokkos program; 0: not told */

  /* Of a run that measured, NULL otherwise: its measurements as the program's own recorder held them, so that everything the
   * library writes from a recorder can be written from a record. Event i is events[i]. */
  struct tac_recorder *recorder;
  struct tac_event *set_events;
  struct tac_event_set set;
  struct tac_replayed_clock clock;
};

/* Reads a file ("-": standard input). INVALID: what it holds is no record, or not one that this program reads; IO: it cannot be
 * read; error->where is the member, or "file". *out is released by the caller in any case, stays where it is, and `path` lives
 * as long. */
enum tac_status tac_record_read(struct tac_record *out, const char *path, struct tac_error *error);
void tac_record_release(struct tac_record *record);

/* A text of the member "run" ("program"), or of its member "blas" for "blas.name"; NULL when it is not there. */
const char *tac_record_run_text(const struct tac_record *record, const char *key);

#endif
