/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_PHASE_PROFILE_H
#define MEASURE_PHASE_PROFILE_H

#include <stdatomic.h>

#include <tactus/measure/phase_profile.h>

struct tac_entered_phase {
  const char *name; /* the caller's */
  int64_t start_ns;
};

struct tac_phase_profile {
  struct tac_phase_profile_options options; /* with the defaults filled in */
  struct tac_phase *phases;                 /* their names are owned */
  size_t count, capacity;
  struct tac_entered_phase entered[TAC_PHASE_DEPTH];
  size_t depth; /* entered and not left, those beyond TAC_PHASE_DEPTH included */
  uint64_t unrecorded;
  atomic_int active;
  struct tac_phase_profile *below; /* in its thread's stack, with the next; valid while active */
  size_t depth_at_begin;
};

/* The halves of enter and of leave, so that more than one profile is synced before the first clock is read. The phase that is
 * closed is the last. */
enum tac_status tac_phase_sync(const struct tac_phase_profile *profile, struct tac_error *error);
enum tac_status tac_phase_open(struct tac_phase_profile *profile, const char *name, struct tac_error *error);
enum tac_status tac_phase_close(struct tac_phase_profile *profile, const char *name, struct tac_error *error);

/* INVALID unless that phase is the one entered last. */
enum tac_status tac_phase_is_last(const struct tac_phase_profile *profile, const char *name, struct tac_error *error);

/* Takes the profile out of the calling thread's stack, wherever it stands. */
void tac_phase_activation_forget(struct tac_phase_profile *profile);

#endif
