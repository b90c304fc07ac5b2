/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/kokkos/tool.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tool tool;
static void *library;

static void find(const char *name, void *function) {
  char symbol[64];
  snprintf(symbol, sizeof symbol, "kokkosp_%s", name);
  void *found = dlsym(library, symbol);
  if (!found) {
    fprintf(stderr, "loader: no %s\n", symbol);
    exit(4);
  }
  memcpy(function, &found, sizeof found);
}
#define FIND(name) find(#name, &tool.name)

void load(const char *path) {
  library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    fprintf(stderr, "loader: %s\n", dlerror());
    exit(4);
  }
  FIND(init_library), FIND(finalize_library), FIND(request_tool_settings), FIND(provide_tool_programming_interface);
  FIND(parse_args), FIND(declare_metadata);
  FIND(begin_parallel_for), FIND(begin_parallel_reduce), FIND(begin_parallel_scan);
  FIND(end_parallel_for), FIND(end_parallel_reduce), FIND(end_parallel_scan);
  FIND(begin_fence), FIND(end_fence), FIND(begin_deep_copy), FIND(end_deep_copy), FIND(allocate_data), FIND(deallocate_data);
  FIND(push_profile_region), FIND(pop_profile_region), FIND(profile_event);
  FIND(create_profile_section), FIND(start_profile_section), FIND(stop_profile_section), FIND(destroy_profile_section);
}

struct space space(const char *name) {
  struct space made;
  memset(made.name, '!', sizeof made.name);
  memcpy(made.name, name, strlen(name) < 63 ? strlen(name) + 1 : 63);
  return made;
}

static void forbidden_fence(uint32_t device) {
  printf("a callback fences device %u\n", (unsigned)device);
}

void initialize(uint64_t version) {
  static char name[] = "loader";
  char *arguments[] = {name, NULL};
  struct settings settings = {.fencing = true};
  struct interface functions = {.fence = forbidden_fence};
  tool.init_library(0, version, 0, NULL);
  tool.request_tool_settings(1, &settings);
  tool.provide_tool_programming_interface(1, functions);
  tool.parse_args(1, arguments);
  tool.declare_metadata("first key", "a \"value\"");
  tool.declare_metadata("second key", "");
  printf("fencing=%d\n", settings.fencing);
  fflush(stdout);
}

void launch(const char *label, uint32_t device) {
  uint64_t handle = 77;
  tool.begin_parallel_for(label, device, &handle);
  tool.end_parallel_for(handle);
}

void fence(const char *label, uint32_t device) {
  uint64_t handle = 77;
  tool.begin_fence(label, device, &handle);
  tool.end_fence(handle);
}

void copy(const char *to, const char *from, const char *from_label, int onto_itself, uint64_t bytes) {
  static const char target, source;
  tool.begin_deep_copy(space(to), "target", &target, space(from), from_label, onto_itself ? &target : &source, bytes);
  tool.end_deep_copy();
}
