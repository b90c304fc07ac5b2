/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Plays Kokkos: loader MODULE SCENE loads the module by name and calls its table with arguments made by hand, as a Kokkos of
 * interface 20240906 does. What each scene tells is counted by hand in module_test.py. The declarations are the tests' own, so
 * that a change of the module's is noticed. */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/kokkos/tool.h"

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

/* A kernel that is open when a section of the report ends. */
static void scene_across(void) {
  uint64_t handle = 0;
  initialize(20240906);
  tool.push_profile_region("main");
  launch("whole", 0);
  tool.begin_parallel_for("across", 0, &handle);
  tool.finalize_library();
  tool.end_parallel_for(handle);
  launch("whole", 0);
  tool.pop_profile_region();
  tool.finalize_library();
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

static const struct scene scenes[] = {
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
    {"across", scene_across},
    {"unfinalized", scene_unfinalized},
    {"fork", scene_fork},
    {"uninitialized", scene_uninitialized},
    {"empty", scene_empty},
    {"killed", scene_killed},
    {"killed_later", scene_killed_later},
    {"usurped", scene_usurped},
};

static int play(const struct scene *all, size_t count, const char *module, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(all[i].name, name) == 0) {
      load(module);
      all[i].play();
      return 1;
    }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && play(scenes, sizeof scenes / sizeof *scenes, argv[1], argv[2]))
    return 0;
#ifdef LOADER_STARVES
  if (argc == 3 && play(starving_scenes, STARVING_SCENES, argv[1], argv[2]))
    return 0;
#endif
  fputs("usage: loader MODULE SCENE\n", stderr);
  return 2;
}
