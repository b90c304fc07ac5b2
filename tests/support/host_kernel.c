/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/support/host_kernel.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#define FIBERS_ARE_ANNOUNCED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBERS_ARE_ANNOUNCED 1
#endif
#endif
#ifdef FIBERS_ARE_ANNOUNCED
#include <sanitizer/asan_interface.h>
#endif

#define STACK_BYTES ((size_t)1024 * 1024) /* private memory of a work-item lies there */

_Thread_local struct tac_host_place tac_host_place;

struct fiber {
  ucontext_t context;
  size_t item[3];
  int ended;
  void *fake_stack; /* of the address sanitizer */
};

struct team {
  const struct host_kernel *kernel;
  void *const *arguments;
  struct fiber *fibers;
  size_t count, running;
  unsigned char *stacks;
  ucontext_t home;
  const void *home_stack;
  size_t home_bytes;
  void *home_fake_stack;
};

static _Thread_local struct team *current;

/* The address sanitizer must be told of another stack before a switch and again behind it. */
static void announce(void **fake_stack, const void *stack, size_t bytes) {
#ifdef FIBERS_ARE_ANNOUNCED
  __sanitizer_start_switch_fiber(fake_stack, stack, bytes);
#else
  (void)fake_stack;
  (void)stack;
  (void)bytes;
#endif
}

static void arrive(void *fake_stack, const void **from, size_t *bytes) {
#ifdef FIBERS_ARE_ANNOUNCED
  __sanitizer_finish_switch_fiber(fake_stack, from, bytes);
#else
  (void)fake_stack;
  (void)from;
  (void)bytes;
#endif
}

/* Fibers that never came to their end leave marks around what was on their stacks. */
static void forget(void *stacks, size_t bytes) {
#ifdef FIBERS_ARE_ANNOUNCED
  __asan_unpoison_memory_region(stacks, bytes);
#else
  (void)stacks;
  (void)bytes;
#endif
}

static void run_fiber(void) {
  struct team *team = current;
  struct fiber *fiber = team->fibers + team->running;
  arrive(NULL, &team->home_stack, &team->home_bytes);
  team->kernel->call(team->arguments);
  fiber->ended = 1;
  announce(NULL, team->home_stack, team->home_bytes); /* ends here; home follows by uc_link */
}

void tac_host_barrier(void) {
  struct team *team = current;
  if (!team) /* a group of one */
    return;
  struct fiber *fiber = team->fibers + team->running;
  announce(&fiber->fake_stack, team->home_stack, team->home_bytes);
  swapcontext(&fiber->context, &team->home);
  arrive(fiber->fake_stack, &team->home_stack, &team->home_bytes);
}

static void resume(struct team *team, size_t index) {
  struct fiber *fiber = team->fibers + index;
  team->running = index;
  memcpy(tac_host_place.item, fiber->item, sizeof fiber->item);
  announce(&team->home_fake_stack, team->stacks + index * STACK_BYTES, STACK_BYTES);
  swapcontext(&team->home, &fiber->context);
  arrive(team->home_fake_stack, NULL, NULL);
}

/* Apart from the loop below: what lives across getcontext might change under the compiler. */
static void start_fiber(struct fiber *fiber, unsigned char *stack, ucontext_t *home) {
  fiber->ended = 0;
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = stack;
  fiber->context.uc_stack.ss_size = STACK_BYTES;
  fiber->context.uc_link = home;
  makecontext(&fiber->context, run_fiber, 0);
  /* The address sanitizer would forget, at every switch to a stack whose size it sees, what lies there: long, and blind. */
  fiber->context.uc_stack.ss_size = 0;
}

static void start_fibers(struct team *team) {
  for (size_t i = 0; i < team->count; i++) {
    struct fiber *fiber = team->fibers + i;
    const size_t *items = tac_host_place.items;
    fiber->item[0] = i % items[0];
    fiber->item[1] = i / items[0] % items[1];
    fiber->item[2] = i / items[0] / items[1];
    start_fiber(fiber, team->stacks + i * STACK_BYTES, &team->home);
  }
}

/* From barrier to barrier until all have ended. */
static int run_group(struct team *team) {
  start_fibers(team);
  for (;;) {
    size_t ended = 0;
    for (size_t i = 0; i < team->count; i++) {
      resume(team, i);
      ended += (size_t)team->fibers[i].ended;
    }
    if (ended)
      return ended == team->count ? 0 : 1;
  }
}

static int run_groups(struct team *team) {
  struct tac_host_place *place = &tac_host_place;
  int result = 0;
  for (place->group[2] = 0; place->group[2] < place->groups[2] && !result; place->group[2]++)
    for (place->group[1] = 0; place->group[1] < place->groups[1] && !result; place->group[1]++)
      for (place->group[0] = 0; place->group[0] < place->groups[0] && !result; place->group[0]++)
        if (team->count > 1)
          result = run_group(team);
        else
          team->kernel->call(team->arguments);
  return result;
}

int host_kernel_run(const struct host_kernel *kernel, const size_t groups[3], const size_t items[3], void *const *arguments) {
  struct team team = {.kernel = kernel, .arguments = arguments, .count = 1};
  memset(&tac_host_place, 0, sizeof tac_host_place);
  for (int d = 0; d < 3; d++) {
    tac_host_place.groups[d] = groups[d];
    tac_host_place.items[d] = items[d] ? items[d] : 1;
    team.count *= tac_host_place.items[d];
  }
  if (team.count == 1)
    return run_groups(&team);
  const size_t bytes = team.count * STACK_BYTES;
  int result = 2;
  team.fibers = calloc(team.count, sizeof *team.fibers);
  team.stacks = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (team.fibers && team.stacks != MAP_FAILED) {
    current = &team;
    result = run_groups(&team);
    current = NULL;
    if (result)
      forget(team.stacks, bytes);
  }
  if (team.stacks != MAP_FAILED)
    munmap(team.stacks, bytes);
  free(team.fibers);
  return result;
}

const struct host_program *host_program_find(const char *name, const char *options) {
  for (size_t i = 0; i < host_program_count; i++)
    if (strcmp(host_programs[i]->name, name) == 0 && strcmp(host_programs[i]->options, options) == 0)
      return host_programs[i];
  return NULL;
}

const struct host_kernel *host_kernel_find(const struct host_program *program, const char *name) {
  for (size_t i = 0; program && i < program->count; i++)
    if (strcmp(program->kernels[i].name, name) == 0)
      return program->kernels + i;
  return NULL;
}
