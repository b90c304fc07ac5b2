/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* A tool to stand behind the module in a list: sees that each of its handles comes back at the right end, and prints what it
 * was told. Handles count down, so that they are nobody else's. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/kokkos/arguments.h"

static struct {
  int sequence, begins, ends, wrong, copies, copy_ends, regions, pops, sections, starts, stops, memory, facts, arguments;
  uint64_t open[64], next;
  int depth, has_fence;
  uint64_t bytes;
} told;

#define CALLBACK(name)            __attribute__((visibility("default"))) void kokkosp_##name
#define DECLARE(name, parameters) CALLBACK(name) parameters;
DECLARE(init_library, (int, uint64_t, uint32_t, void *))
DECLARE(finalize_library, (void))
DECLARE(request_tool_settings, (uint32_t, struct settings *))
DECLARE(provide_tool_programming_interface, (uint32_t, struct interface))
DECLARE(parse_args, (int, char **))
DECLARE(declare_metadata, (const char *, const char *))
DECLARE(begin_parallel_for, (const char *, uint32_t, uint64_t *))
DECLARE(begin_parallel_reduce, (const char *, uint32_t, uint64_t *))
DECLARE(begin_parallel_scan, (const char *, uint32_t, uint64_t *))
DECLARE(end_parallel_for, (uint64_t))
DECLARE(end_parallel_reduce, (uint64_t))
DECLARE(end_parallel_scan, (uint64_t))
DECLARE(begin_fence, (const char *, uint32_t, uint64_t *))
DECLARE(end_fence, (uint64_t))
DECLARE(begin_deep_copy, (struct space, const char *, const void *, struct space, const char *, const void *, uint64_t))
DECLARE(end_deep_copy, (void))
DECLARE(allocate_data, (struct space, const char *, const void *, uint64_t))
DECLARE(push_profile_region, (const char *))
DECLARE(pop_profile_region, (void))
DECLARE(create_profile_section, (const char *, uint32_t *))
DECLARE(start_profile_section, (uint32_t))
DECLARE(stop_profile_section, (uint32_t))

CALLBACK(init_library)(int sequence, uint64_t version, uint32_t count, void *devices) {
  (void)version, (void)count, (void)devices;
  told.sequence = sequence;
  told.next = UINT64_C(1) << 60;
}

CALLBACK(finalize_library)(void) {
  printf("next: sequence=%d begins=%d ends=%d wrong=%d copies=%d/%d bytes=%llu regions=%d/%d sections=%d/%d/%d memory=%d "
         "facts=%d arguments=%d fence=%d\n",
         told.sequence, told.begins, told.ends, told.wrong, told.copies, told.copy_ends, (unsigned long long)told.bytes,
         told.regions, told.pops, told.sections, told.starts, told.stops, told.memory, told.facts, told.arguments,
         told.has_fence);
  fflush(stdout);
}

CALLBACK(request_tool_settings)(uint32_t count, struct settings *settings) {
  if (count > 0)
    settings->fencing = NEXT_TOOL_FENCES;
}

CALLBACK(provide_tool_programming_interface)(uint32_t count, struct interface functions) {
  told.has_fence = count > 0 && functions.fence != NULL;
}

CALLBACK(parse_args)(int count, char **arguments) {
  told.arguments += count == 1 && arguments[0] && !arguments[1];
}

CALLBACK(declare_metadata)(const char *key, const char *value) {
  told.facts += key && value;
}

static void begin(uint64_t *handle) {
  *handle = told.open[told.depth++ % 64] = told.next--;
  told.begins++;
}

static void end(uint64_t handle) {
  told.ends++;
  told.wrong += told.depth == 0 || told.open[--told.depth % 64] != handle;
}

#define PAIR(kind)                                                                                                             \
  CALLBACK(begin_##kind)(const char *label, uint32_t device, uint64_t *handle) {                                               \
    (void)label, (void)device;                                                                                                 \
    begin(handle);                                                                                                             \
  }                                                                                                                            \
  CALLBACK(end_##kind)(uint64_t handle) {                                                                                      \
    end(handle);                                                                                                               \
  }
PAIR(parallel_for)
PAIR(parallel_reduce)
PAIR(parallel_scan)
PAIR(fence)

CALLBACK(begin_deep_copy)
(struct space to, const char *to_label, const void *to_pointer, struct space from, const char *from_label,
 const void *from_pointer, uint64_t bytes) {
  (void)to_label, (void)to_pointer, (void)from_label, (void)from_pointer;
  told.copies += to.name[0] && from.name[0];
  told.bytes += bytes;
}

CALLBACK(end_deep_copy)(void) {
  told.copy_ends++;
}

CALLBACK(allocate_data)(struct space space, const char *label, const void *pointer, uint64_t bytes) {
  (void)space, (void)label, (void)pointer, (void)bytes;
  told.memory++;
}

CALLBACK(push_profile_region)(const char *name) {
  told.regions += name != NULL;
}

CALLBACK(pop_profile_region)(void) {
  told.pops++;
}

/* Numbers that are not those of the module. */
CALLBACK(create_profile_section)(const char *name, uint32_t *section) {
  (void)name;
  *section = 1000 + (uint32_t)told.sections++;
}

CALLBACK(start_profile_section)(uint32_t section) {
  told.starts += section >= 1000 && section < 1000 + (uint32_t)told.sections;
}

CALLBACK(stop_profile_section)(uint32_t section) {
  told.stops += section >= 1000 && section < 1000 + (uint32_t)told.sections;
}
