/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_RECORDER_H
#define TACTUS_MEASURE_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/measure/cost_terms.h>
#include <tactus/measure/event.h>
#include <tactus/measure/hooks.h>
#include <tactus/measure/level.h>
#include <tactus/measure/record.h>
#include <tactus/runtime/clock.h>
#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>
#include <tactus/runtime/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where measurements go: the caller's own, made for one event set and one level. Written only by the thread that calls
 * enter, leave or a measured batch; read by that thread between calls. */
struct tac_recorder;

struct tac_trace;
struct tac_recorder_options {
  size_t size;                           /* sizeof(struct tac_recorder_options) */
  const struct tac_event_set *events;    /* required */
  enum tac_level level;                  /* coarse (default), detailed or hooked; off is refused */
  const struct tac_clock *clock;         /* NULL: tac_clock_monotonic() */
  const struct tac_allocator *allocator; /* NULL: the system's */
  size_t batch_limit;                    /* batch records kept one by one at detailed; default 10000 */
  int keep_slots;                        /* 1: keep the slots of the batches that are kept, and their commands on a device */
  size_t slot_limit;                     /* items whose slots are kept, of all batches; default SIZE_MAX, no limit */
  size_t timeline_limit;                 /* phases and batches kept one by one, in memory taken at once; default 10000.
                                          * 0: none, and none is counted as missing */
  struct tac_trace *trace;       /* told of what ends, and outlives the recorder; NULL: none, see <tactus/measure/trace.h> */
  const struct tac_hooks *hooks; /* required at hooked, refused elsewhere; outlives the recorder */
};
TAC_API void tac_recorder_options_init(struct tac_recorder_options *options);

/* INVALID: no event set, level off, a parent that is not smaller than its index, hooks missing or misplaced. MEMORY. */
TAC_API enum tac_status tac_recorder_create(struct tac_recorder **out, const struct tac_recorder_options *options,
                                            struct tac_error *error);
TAC_API void tac_recorder_destroy(struct tac_recorder **recorder);

/* Forgets every duration, record and drop; keeps its memory. Phases that are open stay open and start anew. */
TAC_API void tac_recorder_reset(struct tac_recorder *recorder);

/* When the recorder was made or last reset, on its clock: the zero of its timeline. */
TAC_API int64_t tac_recorder_origin_ns(const struct tac_recorder *recorder);

/* One clock read each. leave without its enter, of another event, or an event outside the set is counted as a mismatch and
 * otherwise ignored; events nest to a depth of TAC_RECORDER_DEPTH, deeper ones count as mismatches too. */
#define TAC_RECORDER_DEPTH 64
TAC_API void tac_recorder_enter(struct tac_recorder *recorder, int event);
TAC_API void tac_recorder_leave(struct tac_recorder *recorder, int event);

TAC_API enum tac_level tac_recorder_level(const struct tac_recorder *recorder);
TAC_API const struct tac_event_set *tac_recorder_events(const struct tac_recorder *recorder);
TAC_API const struct tac_clock *tac_recorder_clock(const struct tac_recorder *recorder);

/* Durations of an event, and its batches (at detailed only); zeros for one never entered or outside the set. */
TAC_API struct tac_event_stats tac_recorder_stats(const struct tac_recorder *recorder, int event);
TAC_API struct tac_batch_summary tac_recorder_summary(const struct tac_recorder *recorder, int event);

/* The time of an event in which none of the events ran that name it as their parent: its total less theirs. Negative where such
 * events ran outside of it, or while it is open. */
TAC_API int64_t tac_recorder_exclusive_ns(const struct tac_recorder *recorder, int event);

/* What so many thousandths (0 … 1000) of the completed items of an event's batches did not exceed: the lower end of the bucket
 * in which that item's duration fell. A bucket is at most a sixteenth of its lower end wide, and exact below 32 ns. 0 without
 * items, and where it is not at detailed. */
TAC_API int64_t tac_recorder_item_percentile_ns(const struct tac_recorder *recorder, int event, int thousandths);

/* Phases and batches in the order in which they began, up to the limit, and the number of those beyond it. Batches that are
 * refused are not among them. */
TAC_API const struct tac_timeline_entry *tac_recorder_timeline(const struct tac_recorder *recorder, size_t *count);
TAC_API uint64_t tac_recorder_timeline_dropped(const struct tac_recorder *recorder);

/* Batch records in the order the batches ran, up to the limit, and the number of those beyond it. */
TAC_API size_t tac_recorder_batch_count(const struct tac_recorder *recorder);
TAC_API const struct tac_batch_record *tac_recorder_batch(const struct tac_recorder *recorder, size_t number);
TAC_API uint64_t tac_recorder_dropped(const struct tac_recorder *recorder);
TAC_API uint64_t tac_recorder_mismatches(const struct tac_recorder *recorder);

/* The slots of a kept batch, slots[index], *count of them; NULL and 0 when slots are not kept. Below, `number` counts the kept
 * batches; it is the batch's own number as long as none was dropped before it. */
TAC_API const struct tac_slot *tac_recorder_slots(const struct tac_recorder *recorder, size_t number, size_t *count);

/* The cost of each of these items, as the batch's cost function gave it before the first of them started; NULL without one. */
TAC_API const double *tac_recorder_costs(const struct tac_recorder *recorder, size_t number);

/* The terms that the batch named, in *terms, and the values of each of these items at the same moment: value[term*count +
 * index]. Both NULL without terms. */
TAC_API const double *tac_recorder_terms(const struct tac_recorder *recorder, size_t number,
                                         const struct tac_cost_terms **terms);

/* Items of kept batches whose slots are not kept, because their limit was reached. */
TAC_API uint64_t tac_recorder_slots_dropped(const struct tac_recorder *recorder);

/* ---- Of batches on a device executor. A batch inside an item leaves its device time to the batch around it. */

/* Device time of an event, those of the batches and phases within it included; zeros for one outside the set. */
TAC_API struct tac_device_stats tac_recorder_device_stats(const struct tac_recorder *recorder, int event);

/* What each item of a kept batch had done on the device, beside its slot, and the commands of the batch, by lane and in the
 * order of their submission; their labels are the recorder's until its reset or destruction, "" for one beyond 1000 different
 * ones. NULL and 0 when slots are not kept, and when there is nothing. */
TAC_API const struct tac_device_slot *tac_recorder_device_slots(const struct tac_recorder *recorder, size_t number,
                                                                size_t *count);
TAC_API const struct tac_device_interval *tac_recorder_device_intervals(const struct tac_recorder *recorder, size_t number,
                                                                        size_t *count);

/* Batches and phases whose device time is missing, because there was no memory for it or the device did not tell it. */
TAC_API uint64_t tac_recorder_device_lost(const struct tac_recorder *recorder);

#ifdef __cplusplus
}
#endif
#endif
