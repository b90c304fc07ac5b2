/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/region_walk.h"

#define NOTHING SIZE_MAX

static void link_children(const struct tac_kokkos_counters *counters, struct tac_visited_region *all, size_t count,
                          size_t *first) {
  size_t last = NOTHING;
  *first = NOTHING;
  for (size_t i = 0; i < count; i++)
    all[i] = (struct tac_visited_region){.child = NOTHING, .last_child = NOTHING, .sibling = NOTHING};
  for (size_t i = 0; i < count; i++) {
    const size_t parent = tac_kokkos_counters_at(counters, TAC_KOKKOS_REGIONS, i).parent;
    const int is_root = parent == TAC_KOKKOS_NO_PARENT;
    size_t *head = is_root ? first : &all[parent].child, *tail = is_root ? &last : &all[parent].last_child;
    all[i].depth = is_root ? 0 : all[parent].depth + 1;
    *(*head == NOTHING ? head : &all[*tail].sibling) = i;
    *tail = i;
  }
}

static void walk(const struct tac_kokkos_counters *counters, struct tac_visited_region *all, size_t count) {
  size_t next, placed = 0;
  link_children(counters, all, count, &next);
  while (next != NOTHING) {
    all[placed].region = next;
    all[next].place = placed++;
    size_t from = next;
    next = all[next].child;
    while (next == NOTHING && from != NOTHING) {
      next = all[from].sibling;
      from = tac_kokkos_counters_at(counters, TAC_KOKKOS_REGIONS, from).parent;
    }
  }
}

struct tac_region_walk tac_region_walk_begin(const struct tac_kokkos_counters *counters) {
  const struct tac_allocator *allocator = counters->options.allocator;
  struct tac_region_walk taken = {.count = tac_kokkos_counters_rows(counters, TAC_KOKKOS_REGIONS)};
  if (taken.count > 0)
    taken.all = allocator->allocate(allocator->context, taken.count * sizeof *taken.all);
  if (taken.all)
    walk(counters, taken.all, taken.count);
  return taken;
}

void tac_region_walk_end(const struct tac_kokkos_counters *counters, struct tac_region_walk *walk) {
  counters->options.allocator->release(counters->options.allocator->context, walk->all);
  walk->all = NULL;
}
