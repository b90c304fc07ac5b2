/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Programs that Kokkos' order does not hold for: hosts MODULE SCENE calls the module's table as they do. */

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
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

static struct {
  void (*init_library)(int, uint64_t, uint32_t, void *);
  void (*finalize_library)(void);
  void (*begin_parallel_for)(const char *, uint32_t, uint64_t *);
  void (*end_parallel_for)(uint64_t);
  void (*allocate_data)(struct space, const char *, const void *, uint64_t);
  void (*deallocate_data)(struct space, const char *, const void *, uint64_t);
  void (*declare_metadata)(const char *, const char *);
  void (*create_profile_section)(const char *, uint32_t *);
  void (*start_profile_section)(uint32_t);
  void (*stop_profile_section)(uint32_t);
  void (*destroy_profile_section)(uint32_t);
} tool;

static void initialize(void) {
#define FIND(name) find(#name, &tool.name)
  FIND(init_library), FIND(finalize_library), FIND(begin_parallel_for), FIND(end_parallel_for), FIND(declare_metadata);
  FIND(allocate_data), FIND(deallocate_data), FIND(create_profile_section), FIND(start_profile_section);
  FIND(stop_profile_section), FIND(destroy_profile_section);
#undef FIND
  tool.init_library(0, 20240906, 0, NULL);
}

/* What takes a lock of the module's. */
static void tell_all(void) {
  uint64_t handle;
  uint32_t section;
  tool.begin_parallel_for("kernel", 0, &handle);
  tool.end_parallel_for(handle);
  tool.create_profile_section("section", &section);
  tool.start_profile_section(section);
  tool.allocate_data(space(), "data", NULL, 8);
  tool.deallocate_data(space(), "data", NULL, 8);
  tool.stop_profile_section(section);
  tool.destroy_profile_section(section);
  tool.declare_metadata("key", "value");
}

static atomic_int stopped;

static void *tell_on(void *context) {
  (void)context;
  while (!atomic_load(&stopped))
    tell_all();
  return NULL;
}

static void *tell_once(void *context) {
  tell_all();
  return context;
}

/* Whether a child that counts on its own and on another thread ends; one that waits for ever is ended by its alarm. */
static int child_ends(void) {
  const pid_t child = fork();
  if (child == 0) {
    pthread_t other;
    alarm(30);
    tell_all();
    pthread_create(&other, NULL, tell_once, NULL);
    pthread_join(other, NULL);
    tool.finalize_library();
    _exit(0);
  }
  return ended_well(child);
}

enum { BUSY = 2, FORKS = 60 };

static void scene_forks(void) {
  pthread_t busy[BUSY];
  int forked = 0;
  initialize();
  for (int i = 0; i < BUSY; i++)
    pthread_create(&busy[i], NULL, tell_on, NULL);
  while (forked < FORKS && child_ends())
    forked++;
  atomic_store(&stopped, 1);
  for (int i = 0; i < BUSY; i++)
    pthread_join(busy[i], NULL);
  tool.finalize_library();
  printf("%s\n", forked == FORKS ? "all children ended" : "a child did not end");
}

enum { TURNS = 200000 };
static uint32_t shared_section;
static pthread_barrier_t together;

static void *start_on(void *context) {
  tool.start_profile_section(shared_section);
  pthread_barrier_wait(&together);
  while (!atomic_load(&stopped))
    tool.start_profile_section(shared_section);
  return context;
}

/* One thread starts a section while another one stops it. */
static void scene_sections(void) {
  pthread_t thread;
  initialize();
  tool.create_profile_section("shared", &shared_section);
  pthread_barrier_init(&together, NULL, 2);
  pthread_create(&thread, NULL, start_on, NULL);
  pthread_barrier_wait(&together);
  for (int i = 0; i < TURNS; i++)
    tool.stop_profile_section(shared_section);
  atomic_store(&stopped, 1);
  pthread_join(thread, NULL);
  tool.finalize_library();
}

static const struct {
  const char *name;
  void (*play)(void);
} scenes[] = {
    {"sections", scene_sections},
    {"forks", scene_forks},
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
