/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/kokkos/tool.h"

/* The module's memory for rows, begins and sets comes by this function, of which the program has its own. */
static size_t most_bytes = SIZE_MAX;

void *aligned_alloc(size_t alignment, size_t bytes) {
  void *memory = NULL;
  return bytes <= most_bytes && posix_memalign(&memory, alignment, bytes) == 0 ? memory : NULL;
}

static void scene_starving(void) {
  uint64_t handle;
  initialize(20240906);
  most_bytes = 0;
  launch("not even a set", 0);
  most_bytes = SIZE_MAX;
  launch("known", 0);
  most_bytes = 0;
  for (int i = 0; i < 5; i++)
    launch("no room", 0);
  launch("known", 0);
  for (int i = 0; i < 100; i++)
    tool.push_profile_region("deep");
  tool.begin_parallel_for("known", 0, &handle);
  tool.end_parallel_for(handle);
  for (int i = 0; i < 100; i++)
    tool.pop_profile_region();
  launch("known", 0);
  most_bytes = SIZE_MAX;
  tool.finalize_library();
}

/* Begins without a set, begins without memory for a frame, and a section without room. */
static void scene_starving_chain(void) {
  uint64_t outer, inner;
  uint32_t section;
  initialize(20240906);
  most_bytes = 0;
  tool.begin_parallel_for("without a set", 0, &outer);
  launch("without a set", 0);
  most_bytes = SIZE_MAX;
  tool.begin_fence("with one", 0, &inner);
  tool.end_fence(inner);
  tool.end_parallel_for(outer);
  launch("with one", 0);
  most_bytes = 0;
  for (int i = 0; i < 100; i++)
    tool.push_profile_region("deep");
  tool.begin_parallel_reduce("with one", 0, &outer);
  tool.begin_fence("with one", 0, &inner);
  tool.end_fence(inner);
  tool.end_parallel_reduce(outer);
  tool.create_profile_section("no room", &section);
  tool.start_profile_section(section);
  tool.stop_profile_section(section);
  for (int i = 0; i < 100; i++)
    tool.pop_profile_region();
  tool.destroy_profile_section(section);
  most_bytes = SIZE_MAX;
  tool.finalize_library();
}

/* There is memory for all but a sorted list of the kernels. */
static void scene_unsorted(void) {
  initialize(20240906);
  for (int i = 0; i < 8000; i++) {
    char name[16];
    snprintf(name, sizeof name, "kernel %d", i);
    launch(name, 0);
  }
  most_bytes = 1000000;
  tool.finalize_library();
}

/* There is memory for all but the buffer of a trace. */
static void scene_bufferless(void) {
  most_bytes = 100000;
  initialize(20240906);
  launch("one", 0);
  launch("two", 0);
  tool.allocate_data(space("Host"), "a", NULL, 8);
  tool.finalize_library();
}

const struct scene starving_scenes[STARVING_SCENES] = {
    {"starving", scene_starving},
    {"starving_chain", scene_starving_chain},
    {"unsorted", scene_unsorted},
    {"bufferless", scene_bufferless},
};
