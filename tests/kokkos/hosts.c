/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Programs that Kokkos' order does not hold for: hosts MODULE SCENE calls the module's table as they do. */

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/kokkos/arguments.h"

static void *library;

/* By way of bytes: ISO C has no cast from an object's pointer to a function's. */
static void find(const char *name, void *function) {
  char symbol[64];
  snprintf(symbol, sizeof symbol, "kokkosp_%s", name);
  void *found = dlsym(library, symbol);
  memcpy(function, &found, sizeof found);
}

static struct space space(void) {
  struct space made = {"Host"};
  return made;
}

/* The entries that take nothing, a number, a name, a label with a handle. */
static void call_with_nothing(const char *name) {
  void (*entry)(void);
  find(name, &entry);
  entry();
}

static void call_with_number32(const char *name) {
  void (*entry)(uint32_t);
  find(name, &entry);
  entry(0);
}

static void call_with_number64(const char *name) {
  void (*entry)(uint64_t);
  find(name, &entry);
  entry(0);
}

static void call_with_name(const char *name) {
  void (*entry)(const char *);
  find(name, &entry);
  entry("name");
}

static void call_with_handle(const char *name) {
  void (*entry)(const char *, uint32_t, uint64_t *);
  uint64_t handle;
  find(name, &entry);
  entry("label", 0, &handle);
}

static void call_with_section(const char *name) {
  void (*entry)(const char *, uint32_t *);
  uint32_t section;
  find(name, &entry);
  entry("section", &section);
}

static void call_with_memory(const char *name) {
  void (*entry)(struct space, const char *, const void *, uint64_t);
  find(name, &entry);
  entry(space(), "label", NULL, 8);
}

static void call_with_copy(const char *name) {
  void (*entry)(struct space, const char *, const void *, struct space, const char *, const void *, uint64_t);
  find(name, &entry);
  entry(space(), "to", NULL, space(), "from", NULL, 8);
}

static void call_with_settings(const char *name) {
  void (*entry)(uint32_t, struct settings *);
  struct settings settings = {.fencing = true};
  find(name, &entry);
  entry(1, &settings);
}

static void call_with_names(const char *name) {
  void (*entry)(const char *, const char *);
  find(name, &entry);
  entry("key", "value");
}

static const struct {
  const char *name;
  void (*call)(const char *name);
} entries[] = {
    {"finalize_library", call_with_nothing},       {"end_deep_copy", call_with_nothing},
    {"pop_profile_region", call_with_nothing},     {"start_profile_section", call_with_number32},
    {"stop_profile_section", call_with_number32},  {"destroy_profile_section", call_with_number32},
    {"end_parallel_for", call_with_number64},      {"end_parallel_reduce", call_with_number64},
    {"end_parallel_scan", call_with_number64},     {"end_fence", call_with_number64},
    {"push_profile_region", call_with_name},       {"profile_event", call_with_name},
    {"begin_parallel_for", call_with_handle},      {"begin_parallel_reduce", call_with_handle},
    {"begin_parallel_scan", call_with_handle},     {"begin_fence", call_with_handle},
    {"create_profile_section", call_with_section}, {"allocate_data", call_with_memory},
    {"deallocate_data", call_with_memory},         {"begin_deep_copy", call_with_copy},
    {"request_tool_settings", call_with_settings}, {"declare_metadata", call_with_names},
};
enum { ENTRIES = sizeof entries / sizeof *entries };

/* Whether a process ended by itself. */
static int ended_well(pid_t process) {
  int status = 0;
  return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Each entry is the first that a process calls, before Kokkos is initialized. */
static void scene_first(void) {
  for (size_t i = 0; i < ENTRIES; i++) {
    const pid_t child = fork();
    if (child == 0) {
      entries[i].call(entries[i].name);
      _exit(0);
    }
    if (!ended_well(child))
      printf("%s as the first call\n", entries[i].name);
  }
}

static const struct {
  const char *name;
  void (*play)(void);
} scenes[] = {
    {"first", scene_first},
};

int main(int argc, char **argv) {
  library = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
  for (size_t i = 0; library && i < sizeof scenes / sizeof *scenes; i++)
    if (strcmp(scenes[i].name, argv[2]) == 0) {
      scenes[i].play();
      return 0;
    }
  fputs("usage: hosts MODULE SCENE\n", stderr);
  return 2;
}
