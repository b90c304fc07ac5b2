/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/phase_profile.h"
#include "measure/thread_stack.h"

/* With the innermost scope of device counters all that the library keeps outside of what callers hold; only of the thread that
 * wrote it. */
static _Thread_local struct tac_phase_profile *innermost TAC_ONE_READ;

enum tac_status tac_phase_activation_begin(struct tac_phase_profile *profile, struct tac_error *error) {
  if (!profile)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no profile");
  if (atomic_exchange_explicit(&profile->active, 1, memory_order_acquire))
    return tac_error_set(error, TAC_STATUS_BUSY, __func__, "the profile is active already");
  profile->below = innermost;
  profile->depth_at_begin = profile->depth;
  innermost = profile;
  return TAC_STATUS_OK;
}

enum tac_status tac_phase_activation_end(struct tac_phase_profile *profile, struct tac_error *error) {
  if (!profile || innermost != profile)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "the profile is not the one that this thread made active last");
  enum tac_status status = TAC_STATUS_OK;
  while (profile->depth > profile->depth_at_begin) {
    const char *name = profile->depth > TAC_PHASE_DEPTH ? "" : profile->entered[profile->depth - 1].name;
    const enum tac_status left = tac_phase_leave(profile, name, status ? NULL : error);
    status = status ? status : left;
  }
  innermost = profile->below;
  atomic_store_explicit(&profile->active, 0, memory_order_release);
  return status;
}

void tac_phase_activation_forget(struct tac_phase_profile *profile) {
  for (struct tac_phase_profile **link = &innermost; *link; link = &(*link)->below)
    if (*link == profile) {
      *link = profile->below;
      return;
    }
}

struct tac_phase_profile *tac_phase_active(void) {
  return innermost;
}

/* The first failure is the one that is told. */
static void keep_first(enum tac_status *first, enum tac_status status) {
  if (*first == TAC_STATUS_OK)
    *first = status;
}

static enum tac_status enter_all(const char *name, struct tac_error *error) {
  enum tac_status first = TAC_STATUS_OK;
  if (!name)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_active_phase_enter", "no name");
  for (const struct tac_phase_profile *profile = innermost; profile; profile = profile->below)
    keep_first(&first, tac_phase_sync(profile, first ? NULL : error));
  for (struct tac_phase_profile *profile = innermost; profile; profile = profile->below)
    keep_first(&first, tac_phase_open(profile, name, first ? NULL : error));
  return first;
}

static enum tac_status leave_all(const char *name, struct tac_error *error) {
  enum tac_status first = TAC_STATUS_OK;
  for (const struct tac_phase_profile *profile = innermost; profile; profile = profile->below) {
    const enum tac_status status = tac_phase_is_last(profile, name, first ? NULL : error);
    keep_first(&first, status ? status : tac_phase_sync(profile, first ? NULL : error));
  }
  for (struct tac_phase_profile *profile = innermost; profile; profile = profile->below)
    if (tac_phase_is_last(profile, name, NULL) == TAC_STATUS_OK)
      keep_first(&first, tac_phase_close(profile, name, first ? NULL : error));
  return first;
}

enum tac_status tac_active_phase_enter(const char *name, struct tac_error *error) {
  return innermost ? enter_all(name, error) : TAC_STATUS_OK;
}

enum tac_status tac_active_phase_leave(const char *name, struct tac_error *error) {
  return innermost ? leave_all(name, error) : TAC_STATUS_OK;
}
