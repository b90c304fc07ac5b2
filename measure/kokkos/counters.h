/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_COUNTERS_H
#define MEASURE_KOKKOS_COUNTERS_H

#include "measure/kokkos/ledger.h"
#include "measure/kokkos/rows.h"

/* What has begun. */
struct tac_kokkos_frame {
  struct tac_kokkos_line *line;      /* NULL: forgotten by a reset */
  struct tac_kokkos_line *by_region; /* of a kernel in a region; else NULL */
  int64_t start_ns, within_ns;
  uint64_t handle;  /* of a region or a copy: its depth in the thread's nesting */
  uint64_t chained; /* the handle of a tool that is called as well */
  enum tac_kokkos_kind kind;
  int crossed; /* what was begun below it has ended first */
};

/* How deep a thread is in what ends without a handle, inside of scopes or not; and what tells its scopes from others'. */
struct tac_kokkos_nesting {
  uint64_t regions, copies;
  uint32_t thread, scopes;
};

struct tac_kokkos_counters {
  struct tac_kokkos_options options; /* with the defaults filled in, and its own copy of the step's name */
  int64_t origin_ns;                 /* when the set was created or last reset */
  struct tac_row_table table;
  struct tac_kokkos_line unrecorded[TAC_KOKKOS_GROUPS];
  struct tac_kokkos_ledger *ledger;
  int owns_ledger;

  struct tac_kokkos_frame *frames; /* a stack of all kinds */
  _Atomic size_t depth;            /* written by the thread that counts */
  size_t frame_capacity;
  size_t untimed; /* begun on top of those, without memory for them */
  size_t steps_open;
  struct tac_kokkos_line *region; /* the innermost open one */
  uint64_t tag;                   /* the high half of handles */
  struct tac_kokkos_nesting *nesting;

  tac_counter mismatches[TAC_KOKKOS_GROUPS], unfinished;
  struct tac_kokkos_line *last_popped;
  _Atomic(struct tac_kokkos_line *) last_region;

  atomic_int in_scope;
  struct tac_kokkos_counters *below; /* in its thread's stack; valid while in a scope */
};

#define TAC_KOKKOS_UNRECORDED UINT32_MAX /* the number of an unrecorded row in a handle */
#define TAC_KOKKOS_NO_NAME    "\0"       /* of two spaces, too */

/* With a ledger that several sets share; NULL: one of its own. */
enum tac_status tac_kokkos_counters_create_sharing(struct tac_kokkos_counters **out, const struct tac_kokkos_options *options,
                                                   struct tac_kokkos_ledger *ledger, struct tac_error *error);

/* Adds the rows and mismatches of a set that another thread may be writing, without its ledger and what is open. */
void tac_kokkos_counters_merge_rows(struct tac_kokkos_counters *into, const struct tac_kokkos_counters *from);

/* Counts what is open as unfinished, and forgets it. */
void tac_kokkos_counters_abandon(struct tac_kokkos_counters *counters);

/* Takes the set out of the calling thread's stack, wherever it stands. */
void tac_kokkos_scope_forget(struct tac_kokkos_counters *counters);

struct tac_kokkos_row tac_kokkos_row_of(const struct tac_kokkos_line *line);

#endif
