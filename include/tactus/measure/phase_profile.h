/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_PHASE_PROFILE_H
#define TACTUS_MEASURE_PHASE_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/measure/recorder.h>
#include <tactus/runtime/clock.h>
#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>
#include <tactus/runtime/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds and calls of the phases of an algorithm, by name. Where a recorder needs events that are known beforehand, a
 * profile takes names as they come, and it answers which share of a total each phase has and what they leave uncovered.
 * The handle is passed; used by one thread at a time. */
struct tac_phase_profile;

/* Brings work that was only launched to its end, so that a phase is charged with it and with nothing from before. */
typedef enum tac_status (*tac_phase_sync_fn)(void *context, struct tac_error *error);

struct tac_phase_profile_options {
  size_t size;                           /* sizeof(struct tac_phase_profile_options) */
  const struct tac_clock *clock;         /* NULL: tac_clock_monotonic() */
  const struct tac_allocator *allocator; /* NULL: the system's */
  tac_phase_sync_fn sync; /* called before the clock starts and again before it stops; NULL: nothing to wait for */
  void *sync_context;
  size_t name_limit; /* different names; default 1000 */
};
TAC_API void tac_phase_profile_options_init(struct tac_phase_profile_options *options);

/* options NULL: the defaults. INVALID: options not filled by _init. MEMORY. */
TAC_API enum tac_status tac_phase_profile_create(struct tac_phase_profile **out,
                                                 const struct tac_phase_profile_options *options, struct tac_error *error);

/* Ends its activation on the calling thread, if any. One that is active on another thread must not be destroyed. */
TAC_API void tac_phase_profile_destroy(struct tac_phase_profile **profile);

/* Forgets every name. Phases that are open stay open and start anew. */
TAC_API void tac_phase_profile_reset(struct tac_phase_profile *profile);

/* A profile of the same options that holds what this one holds now; no phase is open in it and it is not active. MEMORY. */
TAC_API enum tac_status tac_phase_profile_copy(struct tac_phase_profile **out, const struct tac_phase_profile *profile,
                                               struct tac_error *error);

/* Times a phase with one clock read each. Every enter is followed by its leave, also when the enter or what the phase did
 * failed, so that the phase is recorded; a leave adds one call:
 *
 *   enum tac_status status = tac_phase_enter(profile, "assemble", error);
 *   if (!status)
 *     status = assemble(error);
 *   const enum tac_status left = tac_phase_leave(profile, "assemble", status ? NULL : error);
 *   return status ? status : left;
 *
 * A phase entered while another is open is nested: its name is marked, and its time counts under both. The name must
 * live until the leave; it is copied when it is recorded first. Both return what the sync function returned when it failed.
 * enter: INVALID when TAC_PHASE_DEPTH phases are open; its leave then answers INVALID, too, and records nothing. leave:
 * INVALID when that phase is not the one entered last: nothing changes; MEMORY when a new name finds no memory or would
 * be more than the limit: the time is lost and counted as unrecorded. */
#define TAC_PHASE_DEPTH 64
TAC_API enum tac_status tac_phase_enter(struct tac_phase_profile *profile, const char *name, struct tac_error *error);
TAC_API enum tac_status tac_phase_leave(struct tac_phase_profile *profile, const char *name, struct tac_error *error);

/* Adds a duration that was measured elsewhere, and calls; 0 of both makes the name known. It is not nested, whatever is open.
 * INVALID: no name, or a negative duration. MEMORY as in leave. */
TAC_API enum tac_status tac_phase_record(struct tac_phase_profile *profile, const char *name, int64_t duration_ns,
                                         uint64_t calls, struct tac_error *error);

/* Adds total and count of `count` events of a recorder under the events' names, in the order of that list, those never
 * entered with 0 calls: the clock reads of the recorder serve both. Where any of its events has device time, theirs is known.
 * An event below another of the list is nested. INVALID: an event outside the set or twice in the list. After a failure nothing
 * was added. */
TAC_API enum tac_status tac_phase_profile_take(struct tac_phase_profile *profile, const struct tac_recorder *recorder,
                                               const int *events, size_t count, struct tac_error *error);

/* One phase. Sums stop at the largest value of their type. */
struct tac_phase {
  const char *name; /* the profile's, until its reset or destruction */
  int64_t total_ns;
  uint64_t calls;
  int nested; /* 1: it was entered inside another phase at least once */
  /* Device time, never a part of total_ns: in which a command ran. Known only when it is of all calls. */
  int64_t device_ns;
  int device_known;
};

/* Phases in the order in which they were recorded first; one beyond the count, or of an unknown name, is all zeros (with
 * the name that was asked for). */
TAC_API size_t tac_phase_profile_count(const struct tac_phase_profile *profile);
TAC_API struct tac_phase tac_phase_profile_at(const struct tac_phase_profile *profile, size_t number);
TAC_API struct tac_phase tac_phase_profile_find(const struct tac_phase_profile *profile, const char *name);

TAC_API double tac_phase_seconds(const struct tac_phase *phase);
TAC_API double tac_phase_mean_seconds(const struct tac_phase *phase); /* 0 when it was never entered */

/* The sum over all phases, nested ones included. */
TAC_API int64_t tac_phase_profile_total_ns(const struct tac_phase_profile *profile);

/* Calls, and times without calls, that could not be recorded, for want of room. */
TAC_API uint64_t tac_phase_profile_unrecorded(const struct tac_phase_profile *profile);

/* Why the phases are no partition of the time, one line for a person; NULL when they are. While there is a reason, shares and
 * residual are withheld here and in every report. */
TAC_API const char *tac_phase_profile_withheld(const struct tac_phase_profile *profile);

/* Shares of a denominator (TAC_PHASE_TOTAL: of the sum over all phases), shares[i] of phase i; `shares` has room for
 * tac_phase_profile_count of them. Returns their number: all, or 0 when the denominator is not positive or when they are
 * withheld. */
#define TAC_PHASE_TOTAL ((int64_t)-1)
TAC_API size_t tac_phase_profile_shares(double *shares, const struct tac_phase_profile *profile, int64_t denominator_ns);

/* What the phases leave of a total that was measured around them; negative when they are more than it. Returns 1, or 0 when
 * it is withheld: *out stays as it was. */
TAC_API int tac_phase_profile_residual_ns(int64_t *out, const struct tac_phase_profile *profile, int64_t total_ns);

/* For code that cannot pass a handle: profiles that are active on the calling thread, as a stack. Beside it and the scopes of
 * device counters the library keeps nothing per thread, and nothing per process: threads started later, lanes included, have
 * none active, and two threads that profile two solves record and sync only their own. The library itself never records in an
 * active profile.
 *
 * begin puts a profile on the stack (BUSY when it is active, on whichever thread; INVALID when there is none). end takes it off
 * (INVALID when it is not the one begun last on this thread: nothing changes); it also leaves what was entered since the begin
 * and never left, as a phase whose failure returned past its leave. It returns the first failure of such a leave; the profile
 * is off the stack then, too. */
TAC_API enum tac_status tac_phase_activation_begin(struct tac_phase_profile *profile, struct tac_error *error);
TAC_API enum tac_status tac_phase_activation_end(struct tac_phase_profile *profile, struct tac_error *error);

/* The profile begun last on the calling thread and not ended, NULL when none is. */
TAC_API struct tac_phase_profile *tac_phase_active(void);

/* tac_phase_enter and tac_phase_leave on every active profile of the calling thread: all are synced, then all their clocks are
 * read. They do so in all of them whatever fails in one, and return the first failure, the profile begun last first. With none
 * active each is a read of one thread-local variable. */
TAC_API enum tac_status tac_active_phase_enter(const char *name, struct tac_error *error);
TAC_API enum tac_status tac_active_phase_leave(const char *name, struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
