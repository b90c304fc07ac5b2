/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_DEVICE_COUNTERS_H
#define TACTUS_MEASURE_DEVICE_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/runtime/clock.h>
#include <tactus/runtime/device.h>
#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>
#include <tactus/runtime/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What was asked of devices: launches and fences by label with the host's time in them, copies with their bytes by direction.
 * Times are host wall time: a launch returns before its work is done, so that its time is that of the dispatch; what a
 * scheduler counts (tac_scheduler_take_device_counters) is without the fences within a launch. Used by one thread at a time. */
struct tac_device_counters;

struct tac_device_counters_options {
  size_t size;                           /* sizeof(struct tac_device_counters_options) */
  const struct tac_clock *clock;         /* NULL: tac_clock_monotonic() */
  const struct tac_allocator *allocator; /* NULL: the system's */
  size_t label_limit;                    /* different labels of launches, and as many of fences; default 1000 */
};
TAC_API void tac_device_counters_options_init(struct tac_device_counters_options *options);

/* options NULL: the defaults. INVALID: options not filled by _init. MEMORY. */
TAC_API enum tac_status tac_device_counters_create(struct tac_device_counters **out,
                                                   const struct tac_device_counters_options *options, struct tac_error *error);
/* Ends its scope on the calling thread, if any. One whose scope is another thread's must not be destroyed. */
TAC_API void tac_device_counters_destroy(struct tac_device_counters **counters);

/* Forgets everything. What has begun and not ended stays open; its end counts nowhere. */
TAC_API void tac_device_counters_reset(struct tac_device_counters *counters);

/* Adds what `from` holds. Labels that find no room are added to what is unrecorded. What has begun and not ended stays with
 * `from`. INVALID: a set is missing, or both are the same. */
TAC_API enum tac_status tac_device_counters_merge(struct tac_device_counters *into, const struct tac_device_counters *from,
                                                  struct tac_error *error);

/* A begin of a launch counts it under its label, which is copied (NULL counts as ""), and sets *handle to the label's number,
 * from 0. Its end adds the time between the two. Begins nest: an end ends what was begun last and not ended, also when its
 * handle is another; then, or when nothing is open, it counts as a mismatch and adds nothing. A launch whose label finds no
 * memory, or would be more than the limit, counts as unrecorded. Ends and copies never allocate. */
TAC_API void tac_device_counters_launch_begin(struct tac_device_counters *counters, const char *label, uint64_t *handle);
TAC_API void tac_device_counters_launch_end(struct tac_device_counters *counters, uint64_t handle);
/* Fences likewise, apart from launches, but for their handle, which is always 0, and that they count when they end. */
TAC_API void tac_device_counters_fence_begin(struct tac_device_counters *counters, const char *label, uint64_t *handle);
TAC_API void tac_device_counters_fence_end(struct tac_device_counters *counters, uint64_t handle);
/* A direction that is none is a mismatch. */
TAC_API void tac_device_counters_copy(struct tac_device_counters *counters, enum tac_copy_direction direction, uint64_t bytes);

enum tac_device_call_kind { TAC_DEVICE_LAUNCHES = 0, TAC_DEVICE_FENCES, TAC_DEVICE_CALL_KINDS };

/* The launches or fences of one label, or of all. Counts and times stop at the largest value of their type. */
struct tac_device_calls {
  const char *label; /* the set's, until its reset or destruction; NULL where it is not that of one label */
  uint64_t count;
  uint64_t timed;                   /* those of them that have a time: all whose end came while there was memory for it */
  int64_t total_ns, min_ns, max_ns; /* host time of these; zeros without one */
};

/* Bytes stop at the largest value of their type; `saturated` then says that they are more. */
struct tac_device_copies {
  uint64_t count, bytes;
  int saturated;
};

/* Labels in the order in which they came first: that of handles. A number beyond the count, an unknown label or kind gives all
 * zeros (with the label that was asked for). */
TAC_API size_t tac_device_counters_labels(const struct tac_device_counters *counters, enum tac_device_call_kind kind);
TAC_API struct tac_device_calls tac_device_counters_at(const struct tac_device_counters *counters,
                                                       enum tac_device_call_kind kind, size_t number);
TAC_API struct tac_device_calls tac_device_counters_find(const struct tac_device_counters *counters,
                                                         enum tac_device_call_kind kind, const char *label);
/* Those whose label found no room; and all. */
TAC_API struct tac_device_calls tac_device_counters_unrecorded(const struct tac_device_counters *counters,
                                                               enum tac_device_call_kind kind);
TAC_API struct tac_device_calls tac_device_counters_total(const struct tac_device_counters *counters,
                                                          enum tac_device_call_kind kind);
TAC_API struct tac_device_copies tac_device_counters_copies(const struct tac_device_counters *counters,
                                                            enum tac_copy_direction direction);
TAC_API uint64_t tac_device_counters_mismatches(const struct tac_device_counters *counters);

/* For code that cannot pass a set, as the callbacks of a tool: a stack of sets per thread, of which the one begun last receives
 * what that thread's callbacks tell. Threads start without.
 *
 * begin: BUSY when the set is in a scope already, on whichever thread; INVALID when there is none. end: INVALID when the set is
 * not the one begun last on this thread, and nothing changes; what was begun within the scope and has not ended is dropped and
 * counts as mismatches. */
TAC_API enum tac_status tac_device_scope_begin(struct tac_device_counters *counters, struct tac_error *error);
TAC_API enum tac_status tac_device_scope_end(struct tac_device_counters *counters, struct tac_error *error);

/* The set that receives on the calling thread, NULL outside of any scope. */
TAC_API struct tac_device_counters *tac_device_scope(void);

/* The functions above on the set that receives. Outside of any scope a begin sets its handle to 0, and nothing else happens. */
TAC_API void tac_device_launch_begin(const char *label, uint64_t *handle);
TAC_API void tac_device_launch_end(uint64_t handle);
TAC_API void tac_device_fence_begin(const char *label, uint64_t *handle);
TAC_API void tac_device_fence_end(uint64_t handle);
TAC_API void tac_device_copy(enum tac_copy_direction direction, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
