/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_KOKKOS_TOOL_H
#define TESTS_KOKKOS_TOOL_H

#include <stdint.h>

#include "tests/kokkos/arguments.h"

/* The entries of the loaded module, called as Kokkos calls them. */
struct tool {
  void (*init_library)(int, uint64_t, uint32_t, void *);
  void (*finalize_library)(void);
  void (*request_tool_settings)(uint32_t, struct settings *);
  void (*provide_tool_programming_interface)(uint32_t, struct interface);
  void (*parse_args)(int, char **);
  void (*declare_metadata)(const char *, const char *);
  void (*begin_parallel_for)(const char *, uint32_t, uint64_t *);
  void (*begin_parallel_reduce)(const char *, uint32_t, uint64_t *);
  void (*begin_parallel_scan)(const char *, uint32_t, uint64_t *);
  void (*end_parallel_for)(uint64_t);
  void (*end_parallel_reduce)(uint64_t);
  void (*end_parallel_scan)(uint64_t);
  void (*begin_fence)(const char *, uint32_t, uint64_t *);
  void (*end_fence)(uint64_t);
  void (*begin_deep_copy)(struct space, const char *, const void *, struct space, const char *, const void *, uint64_t);
  void (*end_deep_copy)(void);
  void (*allocate_data)(struct space, const char *, const void *, uint64_t);
  void (*deallocate_data)(struct space, const char *, const void *, uint64_t);
  void (*push_profile_region)(const char *);
  void (*pop_profile_region)(void);
  void (*create_profile_section)(const char *, uint32_t *);
  void (*start_profile_section)(uint32_t);
  void (*stop_profile_section)(uint32_t);
  void (*destroy_profile_section)(uint32_t);
  void (*profile_event)(const char *);
};
extern struct tool tool;

/* Ends the program with status 4 where the module cannot be loaded, or an entry is missing. */
void load(const char *path);

/* Byte 63 is not set, and what is beyond the name is anything. */
struct space space(const char *name);

/* Kokkos' order: the settings are asked for after init. */
void initialize(uint64_t version);

/* A whole kernel, fence, copy. */
void launch(const char *label, uint32_t device);
void fence(const char *label, uint32_t device);
void copy(const char *to, const char *from, const char *from_label, int onto_itself, uint64_t bytes);

struct scene {
  const char *name;
  void (*play)(void);
};

#ifdef LOADER_STARVES
/* Scenes in which the module finds no memory. */
enum { STARVING_SCENES = 4 };
extern const struct scene starving_scenes[STARVING_SCENES];
#endif

#endif
