/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Plays Kokkos: loader MODULE SCENE loads the module by name and calls its table with arguments made by hand, as a Kokkos of
 * interface 20240906 does. What each scene tells is counted by hand in module_test.py. The declarations are the tests' own, so
 * that a change of the module's is noticed. */

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/kokkos/arguments.h"

static struct {
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
} tool;

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

static void load(const char *path) {
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

#ifdef LOADER_STARVES
/* The module's memory for rows, begins and sets comes by this function, of which the program has its own. */
static size_t most_bytes = SIZE_MAX;

void *aligned_alloc(size_t alignment, size_t bytes) {
  void *memory = NULL;
  return bytes <= most_bytes && posix_memalign(&memory, alignment, bytes) == 0 ? memory : NULL;
}
#endif

/* Byte 63 is not set, and what is beyond the name is anything. */
static struct space space(const char *name) {
  struct space made;
  memset(made.name, '!', sizeof made.name);
  memcpy(made.name, name, strlen(name) < 63 ? strlen(name) + 1 : 63);
  return made;
}

static void forbidden_fence(uint32_t device) {
  printf("a callback fences device %u\n", (unsigned)device);
}

/* Kokkos' order: the settings are asked for after init. */
static void initialize(uint64_t version) {
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

static void launch(const char *label, uint32_t device) {
  uint64_t handle = 77;
  tool.begin_parallel_for(label, device, &handle);
  tool.end_parallel_for(handle);
}

static void fence(const char *label, uint32_t device) {
  uint64_t handle = 77;
  tool.begin_fence(label, device, &handle);
  tool.end_fence(handle);
}

static void copy(const char *to, const char *from, const char *from_label, int onto_itself, uint64_t bytes) {
  static const char target, source;
  tool.begin_deep_copy(space(to), "target", &target, space(from), from_label, onto_itself ? &target : &source, bytes);
  tool.end_deep_copy();
}

#define NAME_OF_63 "SYCLDeviceUSM_of_a_name_that_fills_all_sixty_three_bytes_there_"

static void tell_kernels(void) {
  uint64_t handle;
  for (int i = 0; i < 3; i++)
    launch("axpy", 0x01000001);
  for (int i = 0; i < 2; i++)
    launch("axpy", 0x02020003);
  tool.begin_parallel_reduce("axpy", 0x01000001, &handle);
  tool.end_parallel_reduce(handle);
  tool.begin_parallel_scan("", 0x09000000, &handle);
  tool.end_parallel_scan(handle);
}

static void tell_fences(void) {
  uint64_t outer, inner;
  fence("user fence", 0x01000000);
  fence("user fence", 0x01000000);
  fence("user fence", 0x02020003);
  fence("after a copy", 0x01ffffff);
  tool.begin_fence("outer", 0x01000000, &outer);
  tool.begin_fence("inner", 0x01000000, &inner);
  tool.end_fence(inner);
  tool.end_fence(outer);
  for (int i = 0; i < 4; i++)
    fence("Kokkos::Tools::invoke_kokkosp_callback: Kokkos Profile Tool Fence", 0x01000000);
}

static void tell_copies(void) {
  copy("Cuda", "Host", "source", 0, 1000);
  copy("Cuda", "Host", "source", 0, 1000);
  copy("Host", "CudaHostPinned", "source", 0, 300);
  copy("HostAnything", "Host", "source", 0, 50);
  copy("Cuda", "Cuda", "source", 1, 70);
  copy("Cuda", "Host", "Scalar", 0, 64);
  copy("Host", NAME_OF_63, NULL, 0, 5);
}

static void tell_memory(void) {
  tool.allocate_data(space("Cuda"), "a", NULL, 100);
  tool.allocate_data(space("Cuda"), "b", NULL, 200);
  tool.deallocate_data(space("Cuda"), "a", NULL, 100);
  tool.allocate_data(space("Cuda"), "c", NULL, 50);
  tool.allocate_data(space("Host"), "d", NULL, 10);
  tool.deallocate_data(space("Host"), "d", NULL, 10);
}

static void tell_regions(void) {
  uint32_t one, two;
  for (int i = 0; i < 3; i++) {
    tool.push_profile_region("step");
    tool.push_profile_region("solve");
    launch("in the step", 0);
    tool.pop_profile_region();
    tool.pop_profile_region();
  }
  tool.push_profile_region("solve");
  launch("in the step", 0);
  tool.pop_profile_region();
  tool.create_profile_section("one", &one);
  tool.create_profile_section("two", &two);
  tool.start_profile_section(one);
  tool.start_profile_section(two);
  tool.stop_profile_section(one);
  tool.stop_profile_section(two);
  tool.stop_profile_section(two);
  tool.destroy_profile_section(one);
  tool.destroy_profile_section(two);
  tool.profile_event("an event");
}

static void scene_all(void) {
  initialize(20240906);
  tell_kernels();
  tell_fences();
  tell_copies();
  tell_memory();
  tell_regions();
  tool.finalize_library();
}

/* Started in a region and stopped outside of it; and one that goes on to the end. */
static void scene_sections(void) {
  uint32_t one, two;
  initialize(20240906);
  tool.create_profile_section("one", &one);
  tool.create_profile_section("two", &two);
  tool.start_profile_section(two);
  tool.push_profile_region("outer");
  tool.push_profile_region("inner");
  tool.start_profile_section(one);
  tool.pop_profile_region();
  tool.pop_profile_region();
  tool.stop_profile_section(one);
  tool.finalize_library();
}

/* Says nothing itself. */
static void scene_quiet(void) {
  tool.init_library(0, 20240906, 0, NULL);
  launch("only", 0);
  tool.finalize_library();
}

/* As of an interface that has no numbers of devices. */
static void scene_old(void) {
  initialize(20210225);
  launch("axpy", 0x02020003);
  tool.finalize_library();
}

static void scene_labels(void) {
  static char label[4097];
  memset(label, 'x', sizeof label - 1);
  initialize(20240906);
  launch("quote \" back\\slash\nnewline \x01 \xff </script>", 0);
  launch(label, 0);
  launch(NULL, 0);
  tool.push_profile_region("r\"");
  tool.pop_profile_region();
  tool.finalize_library();
}

static void scene_mismatches(void) {
  uint64_t one, two;
  initialize(20240906);
  tool.pop_profile_region();
  tool.push_profile_region("the last one");
  tool.pop_profile_region();
  tool.pop_profile_region();
  tool.end_parallel_for(0); /* nothing is open */
  tool.end_fence(0);
  tool.end_deep_copy();
  tool.begin_parallel_for("one", 0, &one);
  tool.begin_parallel_for("two", 0, &two);
  tool.end_parallel_for(one); /* consumes the start of two */
  tool.end_parallel_for(two); /* and this that of one */
  tool.begin_parallel_for("one", 0, &one);
  tool.end_parallel_reduce(one);
  launch("right", 0);
  tool.begin_parallel_for("never ends", 0, &one);
  tool.push_profile_region("never popped");
  tool.finalize_library();
}

/* A fence that ends after what it began in. */
static void scene_crossed(void) {
  uint64_t kernel, fenced;
  initialize(20240906);
  tool.push_profile_region("around");
  tool.begin_parallel_for("kernel", 0, &kernel);
  tool.begin_fence("crossed", 0, &fenced);
  tool.end_parallel_for(kernel);
  launch("within", 0);
  tool.end_fence(fenced);
  tool.pop_profile_region();
  tool.finalize_library();
}

enum { LAUNCHES = 5000 };
static pthread_barrier_t together;

static void *launch_many(void *context) {
  const char *own = context;
  pthread_barrier_wait(&together);
  tool.push_profile_region(own);
  for (int i = 0; i < LAUNCHES; i++) {
    launch(own, 0x01000001);
    launch("both", 0x01000002);
    tool.allocate_data(space("Host"), "a", NULL, 8);
    tool.deallocate_data(space("Host"), "a", NULL, 8);
  }
  tool.pop_profile_region();
  return NULL;
}

static void *launch_in_turn(void *context) {
  launch(context, 0);
  return NULL;
}

static void scene_threads(void) {
  static char names[3][8] = {"first", "second", "later"};
  pthread_t threads[2];
  initialize(20240906);
  pthread_barrier_init(&together, NULL, 2);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, launch_many, names[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < 10; i++) {
    pthread_create(&threads[0], NULL, launch_in_turn, names[2]);
    pthread_join(threads[0], NULL);
  }
  tool.finalize_library();
}

/* The runtime may report while threads count; what they count is in this section or in the next. */
static void scene_busy(void) {
  static char names[2][8] = {"first", "second"};
  pthread_t threads[2];
  initialize(20240906);
  pthread_barrier_init(&together, NULL, 2);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, launch_many, names[i]);
  for (int i = 0; i < 3; i++) {
    usleep(500);
    tool.finalize_library();
  }
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
}

static void *end_elsewhere(void *context) {
  uint64_t own, foreign;
  memcpy(&foreign, context, sizeof foreign);
  tool.begin_parallel_for("elsewhere", 0, &own);
  tool.end_parallel_for(foreign); /* a mismatch, which ends nothing here */
  tool.end_parallel_for(own);
  return NULL;
}

static void scene_foreign(void) {
  uint64_t handle;
  pthread_t thread;
  initialize(20240906);
  tool.begin_parallel_for("here", 0, &handle);
  pthread_create(&thread, NULL, end_elsewhere, &handle);
  pthread_join(thread, NULL);
  tool.end_parallel_for(handle);
  tool.finalize_library();
}

static void scene_twice(void) {
  initialize(20240906);
  tool.push_profile_region("main");
  launch("first", 0);
  tool.finalize_library();
  launch("second", 0);
  launch("second", 0);
  tool.pop_profile_region();
  tool.finalize_library();
  tool.finalize_library(); /* nothing has come since */
  launch("third", 0);
}

static void scene_unfinalized(void) {
  initialize(20240906);
  launch("only", 0);
}

static void scene_fork(void) {
  initialize(20240906);
  launch("parent", 0);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 3000; i++)
      launch("child", 0);
    exit(0);
  }
  waitpid(child, NULL, 0);
}

/* Neither init nor settings: what is counted all the same is told at the exit. */
static void scene_uninitialized(void) {
  launch("early", 0);
}

static void scene_empty(void) {
  initialize(20240906);
  tool.finalize_library();
}

static void scene_killed(void) {
  initialize(20240906);
  for (int i = 0; i < 3000; i++)
    launch("killed", 0);
  abort();
}

/* Another run with the same trace:FILE has put its part in the place of this one's. */
static void scene_usurped(void) {
  char part[4096];
  initialize(20240906);
  snprintf(part, sizeof part, "%s.part", getenv("TACTUS_KOKKOS_OUT") + strlen("trace:"));
  unlink(part);
  FILE *file = fopen(part, "w");
  fputs("other", file);
  fclose(file);
  launch("only", 0);
  tool.finalize_library();
}

/* After a first section of the report. */
static void scene_killed_later(void) {
  initialize(20240906);
  launch("whole", 0);
  tool.finalize_library();
  for (int i = 0; i < 3000; i++)
    launch("killed", 0);
  abort();
}

#ifdef LOADER_STARVES
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
#endif

static const struct {
  const char *name;
  void (*play)(void);
} scenes[] = {
    {"all", scene_all},
    {"sections", scene_sections},
    {"old", scene_old},
    {"quiet", scene_quiet},
    {"labels", scene_labels},
    {"mismatches", scene_mismatches},
    {"crossed", scene_crossed},
    {"threads", scene_threads},
    {"busy", scene_busy},
    {"foreign", scene_foreign},
    {"twice", scene_twice},
    {"unfinalized", scene_unfinalized},
    {"fork", scene_fork},
    {"uninitialized", scene_uninitialized},
    {"empty", scene_empty},
    {"killed", scene_killed},
    {"killed_later", scene_killed_later},
    {"usurped", scene_usurped},
#ifdef LOADER_STARVES
    {"starving", scene_starving},
    {"starving_chain", scene_starving_chain},
    {"unsorted", scene_unsorted},
    {"bufferless", scene_bufferless},
#endif
};

int main(int argc, char **argv) {
  if (argc == 3)
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
      if (strcmp(scenes[i].name, argv[2]) == 0) {
        load(argv[1]);
        scenes[i].play();
        return 0;
      }
  fputs("usage: loader MODULE SCENE\n", stderr);
  return 2;
}
