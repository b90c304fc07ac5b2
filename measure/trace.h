/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_TRACE_H
#define MEASURE_TRACE_H

#include <tactus/measure/trace.h>

#include "measure/writer.h"

enum tac_track_kind { TAC_TRACK_CALLER, TAC_TRACK_LANE, TAC_TRACK_DEVICE_ITEMS, TAC_TRACK_DEVICE_STREAM };

/* A line of the viewer. What is on it follows one another; on a lane's, items lie within the batch. */
struct tac_track {
  enum tac_track_kind kind;
  int number, copy; /* of a lane or stream; which of those that stand for it */
  int64_t end_ns;   /* of the last slice */
  uint64_t batch;   /* whose slice that is, and items with it; 0: no batch's */
  int64_t item_end_ns;
};

enum { TAC_TRACKS_MOST = 512, TAC_TRACE_BUFFER_BYTES = 1 << 16 };

/* What is to be placed, by its start. */
struct tac_trace_place {
  int64_t start_ns;
  size_t index;
};

struct tac_trace {
  const struct tac_clock *clock;
  const struct tac_allocator *allocator;
  struct tac_writer out;  /* the caller's sink */
  struct tac_writer line; /* into the buffer */
  int64_t origin_ns, flushed_ns;
  int64_t device_origin_ns; /* its own, where the clock is not the device's */
  int has_device_origin, device_named;
  uint64_t batches;    /* with items in the trace */
  uint64_t dropped;    /* phases and batches that are not in the trace */
  uint64_t summarised; /* batches without their items, because they are not kept or there was no memory */
  uint64_t untracked;  /* slices that found no track */
  struct tac_track track[TAC_TRACKS_MOST];
  size_t tracks;
  struct tac_trace_place *place;
  size_t place_capacity;
  size_t used, whole;  /* bytes of the buffer, and of whole lines in it */
  int begun, finished; /* 1: an event was written; the end was */
  char buffer[TAC_TRACE_BUFFER_BYTES];
};

/* A batch with everything that is known of it one by one. */
struct tac_batch_details {
  const struct tac_batch_record *record;
  const struct tac_slot *slots; /* record->requested of them */
  const double *costs;          /* or NULL */
  const struct tac_device_slot *device_slots;
  size_t device_slot_count;
  const struct tac_device_interval *intervals;
  size_t interval_count;
};

/* Without anything written. */
void tac_trace_init(struct tac_trace *trace, const struct tac_clock *clock, const struct tac_allocator *allocator,
                    int64_t origin_ns, tac_sink_fn sink, void *context);
void tac_trace_release(struct tac_trace *trace);

/* The process and the caller's track. */
void tac_trace_announce(struct tac_trace *trace);
void tac_trace_name_process(struct tac_trace *trace, const char *process, const char *name);

/* A phase or batch on the caller's track. */
void tac_trace_phase(struct tac_trace *trace, const char *name, int64_t begin_ns, int64_t end_ns);

/* What is in a batch. on_timeline: it is on the caller's track, too. */
void tac_trace_batch(struct tac_trace *trace, const char *name, const struct tac_batch_details *details, int on_timeline);

/* Gives all lines to the sink. */
void tac_trace_flush(struct tac_trace *trace);
/* The same, if that was a while before now. */
void tac_trace_flush_sometimes(struct tac_trace *trace, int64_t now_ns);

/* ---- Of its lines. */

/* Begins a line with the name; what follows up to the end of the line is the caller's. */
void tac_trace_event(struct tac_trace *trace, const char *name, const char *kind);
void tac_trace_place_on(struct tac_trace *trace, size_t track);                /* pid and tid */
void tac_trace_place_at(struct tac_trace *trace, size_t track, int64_t at_ns); /* and ts */
void tac_trace_end_event(struct tac_trace *trace);
/* All of a slice but its arguments and its end. */
void tac_trace_slice(struct tac_trace *trace, size_t track, const char *name, int64_t start_ns, int64_t finish_ns);
/* "key":value, the first of an object or behind others. */
void tac_trace_argument(struct tac_trace *trace, const char *key, int64_t value, int first);
/* What is not in the trace, as such members. */
void tac_trace_counts(struct tac_trace *trace);

/* ---- Of its tracks. */

#define TAC_NO_TRACK SIZE_MAX
/* A track of that kind and number that is free from start_ns on, and taken until finish_ns; it is announced if it is new. */
size_t tac_trace_track(struct tac_trace *trace, enum tac_track_kind kind, int number, int64_t start_ns, int64_t finish_ns);
/* That of a lane which holds the batch's slice, if the item fits behind the last one; otherwise another. */
size_t tac_trace_item_track(struct tac_trace *trace, int lane, int64_t start_ns, int64_t finish_ns);

#endif
