/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/phase_profile.h"

#include <string.h>

#include "measure/recorder.h"

enum { FIRST_CAPACITY = 16 };

static void *allocate(const struct tac_phase_profile *profile, size_t bytes) {
  return profile->options.allocator->allocate(profile->options.allocator->context, bytes);
}

static void release(const struct tac_phase_profile *profile, void *memory) {
  profile->options.allocator->release(profile->options.allocator->context, memory);
}

static int64_t now(const struct tac_phase_profile *profile) {
  return profile->options.clock->now_ns(profile->options.clock->context);
}

void tac_phase_profile_options_init(struct tac_phase_profile_options *options) {
  *options = (struct tac_phase_profile_options){.size = sizeof *options, .name_limit = 1000};
}

/* An empty profile of complete options, NULL without memory. */
static struct tac_phase_profile *make_profile(const struct tac_phase_profile_options *options, struct tac_error *error) {
  struct tac_phase_profile *profile = options->allocator->allocate(options->allocator->context, sizeof *profile);
  if (profile)
    *profile = (struct tac_phase_profile){.options = *options};
  else
    tac_error_set(error, TAC_STATUS_MEMORY, "tac_phase_profile", "no memory for a phase profile");
  return profile;
}

enum tac_status tac_phase_profile_create(struct tac_phase_profile **out, const struct tac_phase_profile_options *options,
                                         struct tac_error *error) {
  struct tac_phase_profile_options complete;
  if (!out)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no place for the profile");
  *out = NULL;
  if (options && options->size != sizeof *options)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "options not filled by tac_phase_profile_options_init");
  tac_phase_profile_options_init(&complete);
  if (options)
    complete = *options;
  if (!complete.allocator)
    complete.allocator = tac_allocator_system();
  if (!complete.clock)
    complete.clock = tac_clock_monotonic();
  *out = make_profile(&complete, error);
  return *out ? TAC_STATUS_OK : TAC_STATUS_MEMORY;
}

static void forget_phases(struct tac_phase_profile *profile) {
  for (size_t i = 0; i < profile->count; i++)
    release(profile, (char *)profile->phases[i].name);
  profile->count = 0;
  profile->unrecorded = 0;
}

void tac_phase_profile_destroy(struct tac_phase_profile **profile) {
  if (!profile || !*profile)
    return;
  tac_phase_activation_forget(*profile);
  forget_phases(*profile);
  release(*profile, (*profile)->phases);
  release(*profile, *profile);
  *profile = NULL;
}

void tac_phase_profile_reset(struct tac_phase_profile *profile) {
  forget_phases(profile);
  if (profile->depth > 0) {
    const int64_t now_ns = now(profile);
    for (size_t i = 0; i < profile->depth && i < TAC_PHASE_DEPTH; i++)
      profile->entered[i].start_ns = now_ns;
  }
}

static int make_room(struct tac_phase_profile *profile) {
  if (profile->count < profile->capacity)
    return 1;
  const size_t capacity = profile->capacity ? 2 * profile->capacity : FIRST_CAPACITY;
  struct tac_phase *phases = allocate(profile, capacity * sizeof *phases);
  if (!phases)
    return 0;
  if (profile->count > 0)
    memcpy(phases, profile->phases, profile->count * sizeof *phases);
  release(profile, profile->phases);
  profile->phases = phases;
  profile->capacity = capacity;
  return 1;
}

static struct tac_phase *find(const struct tac_phase_profile *profile, const char *name) {
  for (size_t i = 0; i < profile->count; i++)
    if (strcmp(profile->phases[i].name, name) == 0)
      return &profile->phases[i];
  return NULL;
}

static enum tac_status find_or_add(struct tac_phase **out, struct tac_phase_profile *profile, const char *name,
                                   struct tac_error *error) {
  *out = find(profile, name);
  if (*out)
    return TAC_STATUS_OK;
  if (profile->count >= profile->options.name_limit)
    return tac_error_set(error, TAC_STATUS_MEMORY, "tac_phase_profile", "'%s' would be more than %zu names of phases", name,
                         profile->options.name_limit);
  char *copy = make_room(profile) ? allocate(profile, strlen(name) + 1) : NULL;
  if (!copy)
    return tac_error_set(error, TAC_STATUS_MEMORY, "tac_phase_profile", "no memory for the name of the phase '%s'", name);
  memcpy(copy, name, strlen(name) + 1);
  *out = &profile->phases[profile->count++];
  **out = (struct tac_phase){.name = copy};
  return TAC_STATUS_OK;
}

static void add(struct tac_phase *phase, int64_t duration_ns, uint64_t calls) {
  if (calls > 0 || duration_ns > 0)
    phase->device_known = 0;
  phase->total_ns = duration_ns > INT64_MAX - phase->total_ns ? INT64_MAX : phase->total_ns + duration_ns;
  phase->calls = calls > UINT64_MAX - phase->calls ? UINT64_MAX : phase->calls + calls;
}

/* A failing function of the user's may leave the error as it was. */
enum tac_status tac_phase_sync(const struct tac_phase_profile *profile, struct tac_error *error) {
  struct tac_error its;
  if (!profile->options.sync)
    return TAC_STATUS_OK;
  tac_error_clear(&its);
  const enum tac_status status = profile->options.sync(profile->options.sync_context, &its);
  if (status != TAC_STATUS_OK && its.status == TAC_STATUS_OK)
    tac_error_set(&its, status, "tac_phase_sync", "the sync function of a phase profile failed");
  if (status != TAC_STATUS_OK && error)
    *error = its;
  return status;
}

enum tac_status tac_phase_open(struct tac_phase_profile *profile, const char *name, struct tac_error *error) {
  if (profile->depth++ >= TAC_PHASE_DEPTH)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_phase_enter", "'%s' would be phase %zu inside another", name,
                         profile->depth);
  profile->entered[profile->depth - 1] = (struct tac_entered_phase){name, now(profile)};
  return TAC_STATUS_OK;
}

enum tac_status tac_phase_is_last(const struct tac_phase_profile *profile, const char *name, struct tac_error *error) {
  if (!name)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_phase_leave", "no name");
  if (profile->depth == 0)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_phase_leave", "'%s' is not open", name);
  if (profile->depth > TAC_PHASE_DEPTH) /* of those no name is kept */
    return TAC_STATUS_OK;
  const char *last = profile->entered[profile->depth - 1].name;
  if (strcmp(last, name) != 0)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_phase_leave", "'%s' is left, but '%s' was entered last", name, last);
  return TAC_STATUS_OK;
}

enum tac_status tac_phase_close(struct tac_phase_profile *profile, const char *name, struct tac_error *error) {
  struct tac_phase *phase;
  if (profile->depth-- > TAC_PHASE_DEPTH) {
    profile->unrecorded++;
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_phase_leave", "'%s' was too deep to be recorded", name);
  }
  const int64_t duration_ns = now(profile) - profile->entered[profile->depth].start_ns;
  const enum tac_status status = find_or_add(&phase, profile, name, error);
  if (status != TAC_STATUS_OK) {
    profile->unrecorded++;
    return status;
  }
  add(phase, duration_ns, 1);
  phase->nested |= profile->depth > 0;
  return TAC_STATUS_OK;
}

enum tac_status tac_phase_enter(struct tac_phase_profile *profile, const char *name, struct tac_error *error) {
  if (!name)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no name");
  const enum tac_status synced = tac_phase_sync(profile, error);
  const enum tac_status opened = tac_phase_open(profile, name, synced ? NULL : error);
  return synced ? synced : opened;
}

enum tac_status tac_phase_leave(struct tac_phase_profile *profile, const char *name, struct tac_error *error) {
  const enum tac_status status = tac_phase_is_last(profile, name, error);
  if (status != TAC_STATUS_OK)
    return status;
  const enum tac_status synced = tac_phase_sync(profile, error);
  const enum tac_status closed = tac_phase_close(profile, name, synced ? NULL : error);
  return synced ? synced : closed;
}

enum tac_status tac_phase_record(struct tac_phase_profile *profile, const char *name, int64_t duration_ns, uint64_t calls,
                                 struct tac_error *error) {
  struct tac_phase *phase;
  if (!name || duration_ns < 0)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no name, or a negative duration");
  const enum tac_status status = find_or_add(&phase, profile, name, error);
  if (status == TAC_STATUS_OK)
    add(phase, duration_ns, calls);
  else /* time without calls is lost, too */
    profile->unrecorded += calls == 0 && duration_ns > 0 ? 1 : calls;
  return status;
}

static int is_listed(int event, const int *events, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (events[i] == event)
      return 1;
  return 0;
}

static enum tac_status check_events(const struct tac_event_set *set, const int *events, size_t count, struct tac_error *error) {
  for (size_t i = 0; i < count; i++) {
    if (events[i] < 0 || (size_t)events[i] >= set->count)
      return tac_error_set(error, TAC_STATUS_INVALID, "tac_phase_profile_take", "the recorder has no event %d", events[i]);
    if (is_listed(events[i], events, i))
      return tac_error_set(error, TAC_STATUS_INVALID, "tac_phase_profile_take", "the event %d stands twice in the list",
                           events[i]);
  }
  return TAC_STATUS_OK;
}

static int has_listed_ancestor(const struct tac_event_set *set, int event, const int *events, size_t count) {
  for (int parent = set->events[event].parent; parent != TAC_NO_EVENT; parent = set->events[parent].parent)
    if (is_listed(parent, events, count))
      return 1;
  return 0;
}

/* What is known of some calls only is not known. */
static void add_with_device(struct tac_phase *phase, const struct tac_event_stats *stats, int has_device, int64_t device_ns) {
  const int known = has_device && (phase->device_known || (phase->calls == 0 && phase->total_ns == 0));
  add(phase, stats->total_ns, stats->count);
  phase->device_known = known;
  phase->device_ns = device_ns > INT64_MAX - phase->device_ns ? INT64_MAX : phase->device_ns + device_ns;
}

enum tac_status tac_phase_profile_take(struct tac_phase_profile *profile, const struct tac_recorder *recorder,
                                       const int *events, size_t count, struct tac_error *error) {
  const struct tac_event_set *set = tac_recorder_events(recorder);
  struct tac_phase *phase;
  enum tac_status status = check_events(set, events, count, error);
  /* First the names, which may find no room, then what cannot fail. */
  for (size_t i = 0; i < count && status == TAC_STATUS_OK; i++)
    status = find_or_add(&phase, profile, set->events[events[i]].name, error);
  for (size_t i = 0; i < count && status == TAC_STATUS_OK; i++) {
    const struct tac_event_stats stats = tac_recorder_stats(recorder, events[i]);
    phase = find(profile, set->events[events[i]].name);
    add_with_device(phase, &stats, tac_recorder_has_device(recorder), tac_recorder_device_stats(recorder, events[i]).busy_ns);
    phase->nested |= stats.count > 0 && has_listed_ancestor(set, events[i], events, count);
  }
  return status;
}

static enum tac_status copy_phases(struct tac_phase_profile *copy, const struct tac_phase_profile *profile,
                                   struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < profile->count && status == TAC_STATUS_OK; i++) {
    struct tac_phase *phase;
    status = find_or_add(&phase, copy, profile->phases[i].name, error);
    if (status == TAC_STATUS_OK) {
      const char *name = phase->name;
      *phase = profile->phases[i];
      phase->name = name;
    }
  }
  copy->unrecorded = profile->unrecorded;
  return status;
}

enum tac_status tac_phase_profile_copy(struct tac_phase_profile **out, const struct tac_phase_profile *profile,
                                       struct tac_error *error) {
  struct tac_phase_profile *copy = make_profile(&profile->options, error);
  enum tac_status status = copy ? copy_phases(copy, profile, error) : TAC_STATUS_MEMORY;
  if (status != TAC_STATUS_OK)
    tac_phase_profile_destroy(&copy);
  *out = copy;
  return status;
}

size_t tac_phase_profile_count(const struct tac_phase_profile *profile) {
  return profile->count;
}

struct tac_phase tac_phase_profile_at(const struct tac_phase_profile *profile, size_t number) {
  return number < profile->count ? profile->phases[number] : (struct tac_phase){0};
}

struct tac_phase tac_phase_profile_find(const struct tac_phase_profile *profile, const char *name) {
  const struct tac_phase *phase = find(profile, name);
  return phase ? *phase : (struct tac_phase){.name = name};
}
