/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/kokkos/abi.h"
#include "measure/kokkos/counters.h"
#include "measure/saturate.h"

enum { FIRST_CAPACITY = 16 };

void tac_ledger_init(struct tac_kokkos_ledger *ledger, const struct tac_allocator *allocator, size_t section_limit) {
  *ledger = (struct tac_kokkos_ledger){.names = {.allocator = allocator, .limit = section_limit},
                                       .places = {.allocator = allocator, .limit = section_limit}};
  pthread_mutex_init(&ledger->lock, NULL);
}

static void *allocate(const struct tac_kokkos_ledger *ledger, size_t bytes) {
  return ledger->names.allocator->allocate(ledger->names.allocator->context, bytes);
}

static void release(const struct tac_kokkos_ledger *ledger, void *memory) {
  ledger->names.allocator->release(ledger->names.allocator->context, memory);
}

void tac_ledger_release(struct tac_kokkos_ledger *ledger) {
  release(ledger, ledger->sections);
  release(ledger, ledger->uses);
  tac_label_table_release(&ledger->names);
  tac_label_table_release(&ledger->places);
  pthread_mutex_destroy(&ledger->lock);
}

static void lock(struct tac_kokkos_ledger *ledger) {
  pthread_mutex_lock(&ledger->lock);
}

static void unlock(struct tac_kokkos_ledger *ledger) {
  pthread_mutex_unlock(&ledger->lock);
}

void tac_ledger_reset(struct tac_kokkos_ledger *ledger, int64_t now_ns) {
  lock(ledger);
  for (size_t i = 0; i < ledger->space_count; i++) {
    struct tac_kokkos_space *space = &ledger->spaces[i];
    space->allocations = space->deallocations = 0;
    space->high_water_bytes = space->bytes > 0 ? space->bytes : 0;
  }
  for (size_t i = 0; i < ledger->places.count; i++)
    ledger->sections[i] = (struct tac_kokkos_section){0};
  for (size_t i = 0; i < ledger->use_count; i++)
    ledger->uses[i].start_ns = now_ns;
  ledger->section_mismatches = ledger->dropped = ledger->unfinished = 0;
  unlock(ledger);
}

/* NULL without room for it. */
static struct tac_kokkos_space *find_space(struct tac_kokkos_ledger *ledger, const char *name) {
  const size_t bytes = strnlen(name, SPACE_NAME_BYTES - 1);
  for (size_t i = 0; i < ledger->space_count; i++)
    if (strncmp(ledger->spaces[i].name, name, bytes) == 0 && ledger->spaces[i].name[bytes] == '\0')
      return &ledger->spaces[i];
  if (ledger->space_count == SPACE_LIMIT)
    return NULL;
  struct tac_kokkos_space *space = &ledger->spaces[ledger->space_count++];
  memcpy(space->name, name, bytes);
  return space;
}

int64_t tac_ledger_memory(struct tac_kokkos_ledger *ledger, const char *space_name, uint64_t bytes, int is_release) {
  const int64_t change = bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
  int64_t held = 0;
  lock(ledger);
  struct tac_kokkos_space *space = find_space(ledger, space_name);
  if (!space) {
    ledger->dropped++;
  } else {
    if (is_release)
      space->deallocations++;
    else
      space->allocations++;
    space->bytes = is_release ? tac_less_time(space->bytes, change) : tac_sum_times(space->bytes, change);
    if (space->bytes > space->high_water_bytes)
      space->high_water_bytes = space->bytes;
    held = space->bytes;
  }
  unlock(ledger);
  return held;
}

/* Room for one more element of an array; 0 without memory. */
static int grow(const struct tac_kokkos_ledger *ledger, void *array, size_t count, size_t *capacity, size_t element_bytes) {
  void *old, *larger;
  if (count < *capacity)
    return 1;
  const size_t larger_capacity = *capacity ? 2 * *capacity : FIRST_CAPACITY;
  larger = allocate(ledger, larger_capacity * element_bytes);
  if (!larger)
    return 0;
  memcpy(&old, array, sizeof old);
  if (old)
    memcpy(larger, old, count * element_bytes);
  release(ledger, old);
  memcpy(array, &larger, sizeof larger);
  *capacity = larger_capacity;
  return 1;
}

/* "6:around3:abc;name" of a section in the region "abc" in "around"; NULL without memory. */
static char *make_place(const struct tac_kokkos_ledger *ledger, const struct tac_kokkos_line *region, const char *name) {
  char length[24]; /* of a region's label, and a colon */
  const size_t name_bytes = strlen(name) + 1;
  size_t bytes = name_bytes + 1;
  for (const struct tac_kokkos_line *line = region; line; line = line->parent)
    bytes += line->label_bytes + sizeof length;
  char *place = allocate(ledger, bytes);
  if (!place)
    return NULL;
  char *start = place + bytes - name_bytes;
  memcpy(start, name, name_bytes);
  *--start = ';';
  for (const struct tac_kokkos_line *line = region; line; line = line->parent) {
    start -= line->label_bytes;
    memcpy(start, line->label, line->label_bytes);
    const int digits = snprintf(length, sizeof length, "%zu:", line->label_bytes);
    start -= digits;
    memcpy(start, length, (size_t)digits);
  }
  memmove(place, start, (size_t)(place + bytes - start));
  return place;
}

const char *tac_ledger_next_region(const char **place, size_t *bytes) {
  char *colon;
  if (**place == ';') {
    ++*place;
    return NULL;
  }
  *bytes = strtoull(*place, &colon, 10);
  *place = colon + 1 + *bytes;
  return colon + 1;
}

/* The row of a place, made when it is new; TAC_NO_LABEL without room. */
static size_t section_row(struct tac_kokkos_ledger *ledger, const char *place) {
  const size_t before = ledger->places.count;
  if (!place || (tac_label_table_find(&ledger->places, place) == TAC_NO_LABEL &&
                 !grow(ledger, &ledger->sections, before, &ledger->section_capacity, sizeof *ledger->sections)))
    return TAC_NO_LABEL;
  const size_t row = tac_label_table_add(&ledger->places, place);
  if (ledger->places.count > before)
    ledger->sections[row] = (struct tac_kokkos_section){0};
  return row;
}

uint32_t tac_ledger_section_create(struct tac_kokkos_ledger *ledger, const char *name) {
  lock(ledger);
  const size_t label = tac_label_table_add(&ledger->names, name ? name : "");
  size_t use = 0;
  while (use < ledger->use_count && ledger->uses[use].used)
    use++;
  const int fits =
      label != TAC_NO_LABEL && use < UINT32_MAX &&
      (use < ledger->use_count || grow(ledger, &ledger->uses, ledger->use_count, &ledger->use_capacity, sizeof *ledger->uses));
  if (fits) {
    ledger->use_count += use == ledger->use_count;
    ledger->uses[use] = (struct tac_section_use){.name = label, .used = 1};
  } else {
    ledger->dropped++;
  }
  unlock(ledger);
  return fits ? (uint32_t)use : UINT32_MAX;
}

/* The use of a section in that state; NULL, and counted, where there is none. A section that found no room is no mismatch. */
static struct tac_section_use *use_of(struct tac_kokkos_ledger *ledger, uint32_t section, int running) {
  if (section < ledger->use_count && ledger->uses[section].used && ledger->uses[section].running == running)
    return &ledger->uses[section];
  ledger->section_mismatches += section != UINT32_MAX;
  return NULL;
}

void tac_ledger_section_destroy(struct tac_kokkos_ledger *ledger, uint32_t section) {
  lock(ledger);
  struct tac_section_use *use = use_of(ledger, section, 0);
  if (use)
    use->used = 0;
  else if (section < ledger->use_count)
    ledger->uses[section].used = 0; /* destroyed while it ran */
  unlock(ledger);
}

/* The clock is read last, so that the bookkeeping is not in the time. */
void tac_ledger_section_start(struct tac_kokkos_ledger *ledger, uint32_t section, const struct tac_kokkos_line *region,
                              const struct tac_clock *clock) {
  lock(ledger);
  struct tac_section_use *use = use_of(ledger, section, 0);
  if (use) {
    const int is_known = region && region->number != TAC_KOKKOS_UNRECORDED;
    char *place = make_place(ledger, is_known ? region : NULL, ledger->names.labels[use->name]);
    use->running = 1;
    use->row = section_row(ledger, place);
    release(ledger, place);
    ledger->dropped += use->row == TAC_NO_LABEL;
    use->start_ns = clock->now_ns(clock->context);
  }
  unlock(ledger);
}

static void add_section(struct tac_kokkos_section *sum, const struct tac_kokkos_section *more) {
  if (more->count == 0)
    return;
  if (sum->count == 0 || more->min_ns < sum->min_ns)
    sum->min_ns = more->min_ns;
  if (sum->count == 0 || more->max_ns > sum->max_ns)
    sum->max_ns = more->max_ns;
  sum->count += more->count;
  sum->total_ns = tac_sum_times(sum->total_ns, more->total_ns);
}

const char *tac_ledger_section_stop(struct tac_kokkos_ledger *ledger, uint32_t section, int64_t now_ns, int64_t *start_ns) {
  const char *name = NULL;
  lock(ledger);
  struct tac_section_use *use = use_of(ledger, section, 1);
  if (use) {
    /* The clock was read before the lock was had: another thread may have started it since. */
    const int64_t begin_ns = use->start_ns < now_ns ? use->start_ns : now_ns, duration_ns = now_ns - begin_ns;
    if (use->row != TAC_NO_LABEL)
      add_section(
          &ledger->sections[use->row],
          &(struct tac_kokkos_section){.count = 1, .total_ns = duration_ns, .min_ns = duration_ns, .max_ns = duration_ns});
    use->running = 0;
    *start_ns = begin_ns;
    name = ledger->names.labels[use->name];
  }
  unlock(ledger);
  return name;
}

uint64_t tac_ledger_unfinished(const struct tac_kokkos_ledger *ledger) {
  uint64_t unfinished = ledger->unfinished;
  for (size_t i = 0; i < ledger->use_count; i++)
    unfinished += ledger->uses[i].used && ledger->uses[i].running;
  return unfinished;
}

static void merge_spaces(struct tac_kokkos_ledger *into, const struct tac_kokkos_ledger *from) {
  for (size_t i = 0; i < from->space_count; i++) {
    const struct tac_kokkos_space *more = &from->spaces[i];
    struct tac_kokkos_space *space = find_space(into, more->name);
    if (!space) {
      into->dropped += more->allocations + more->deallocations;
      continue;
    }
    space->allocations += more->allocations;
    space->deallocations += more->deallocations;
    space->bytes = tac_sum_times(space->bytes, more->bytes);
    if (more->high_water_bytes > space->high_water_bytes)
      space->high_water_bytes = more->high_water_bytes;
  }
}

void tac_ledger_merge(struct tac_kokkos_ledger *into, struct tac_kokkos_ledger *from) {
  lock(from);
  lock(into);
  merge_spaces(into, from);
  for (size_t i = 0; i < from->places.count; i++) {
    const size_t row = section_row(into, from->places.labels[i]);
    if (row == TAC_NO_LABEL)
      into->dropped += from->sections[i].count;
    else
      add_section(&into->sections[row], &from->sections[i]);
  }
  into->section_mismatches += from->section_mismatches;
  into->dropped += from->dropped;
  into->unfinished += tac_ledger_unfinished(from);
  unlock(into);
  unlock(from);
}
