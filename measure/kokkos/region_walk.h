/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_REGION_WALK_H
#define MEASURE_KOKKOS_REGION_WALK_H

#include "measure/kokkos/counters.h"

/* The regions of a set in the order of a walk through their tree: all[n].region is the number of the region that comes n-th,
 * and all[region].place is n; a region's depth stands at its number. */
struct tac_visited_region {
  size_t region, place, depth, child, last_child, sibling;
};
struct tac_region_walk {
  struct tac_visited_region *all; /* NULL without regions, and without memory (count is not 0 then) */
  size_t count;
};

struct tac_region_walk tac_region_walk_begin(const struct tac_kokkos_counters *counters);
void tac_region_walk_end(const struct tac_kokkos_counters *counters, struct tac_region_walk *walk);

#endif
