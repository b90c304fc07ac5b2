/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Counting, ordered failures and the last look at what is alive. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/cuda/fake/fake.h"

#define FUNCTIONS_MOST     128
#define ARCHITECTURES_MOST 16
#define COPY_KINDS         5

struct function {
  char name[64];
  int calls, fails_in, code;
  bool lost;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct function functions[FUNCTIONS_MOST];
static int function_count;
static int live[FAKE_THINGS];
static struct fake_copies copies[COPY_KINDS];
static cudaError_t lost = cudaSuccess;
static double shift;
static int architectures[ARCHITECTURES_MOST] = {75, 80, 86, 90, 100};
static int architecture_count = 5;

void fake_lock(void) {
  pthread_mutex_lock(&lock);
}

void fake_unlock(void) {
  pthread_mutex_unlock(&lock);
}

static struct function *find(const char *name) {
  for (int k = 0; k < function_count; k++)
    if (strcmp(functions[k].name, name) == 0)
      return &functions[k];
  if (function_count == FUNCTIONS_MOST) {
    fprintf(stderr, "fake CUDA: no room for %s\n", name);
    _exit(3);
  }
  struct function *function = &functions[function_count++];
  snprintf(function->name, sizeof(function->name), "%s", name);
  return function;
}

void fake_fail(const char *function, int call, int code, bool is_lost) {
  fake_lock();
  struct function *found = find(function);
  found->fails_in = call;
  found->code = code;
  found->lost = is_lost;
  fake_unlock();
}

void fake_forgive(void) {
  fake_lock();
  for (int k = 0; k < function_count; k++)
    functions[k].fails_in = 0;
  lost = cudaSuccess;
  fake_unlock();
}

int fake_calls(const char *function) {
  fake_lock();
  const int calls = find(function)->calls;
  fake_unlock();
  return calls;
}

int fake_outcome(const char *function) {
  struct function *found = find(function);
  found->calls++;
  if (found->fails_in == 0 || --found->fails_in > 0)
    return 0;
  if (found->lost)
    lost = (cudaError_t)found->code;
  return found->code;
}

cudaError_t fake_runtime_outcome(const char *function) {
  const int code = fake_outcome(function);
  return code ? (cudaError_t)code : lost;
}

cudaError_t fake_loss(void) {
  return lost;
}

void fake_lose(cudaError_t code, const char *why) {
  fprintf(stderr, "fake CUDA: %s\n", why);
  lost = code;
}

void fake_count(enum fake_thing thing, int change) {
  live[thing] += change;
}

void fake_count_copy(enum cudaMemcpyKind kind, size_t bytes) {
  copies[kind].count++;
  copies[kind].bytes += bytes;
}

struct fake_copies fake_copies(enum cudaMemcpyKind kind) {
  fake_lock();
  const struct fake_copies found = copies[kind];
  fake_unlock();
  return found;
}

int fake_live(enum fake_thing thing) {
  fake_lock();
  const int count = live[thing];
  fake_unlock();
  return count;
}

int fake_live_in_all(void) {
  int sum = 0;
  for (int k = 0; k < FAKE_THINGS; k++)
    sum += fake_live((enum fake_thing)k);
  return sum;
}

void fake_set_shift(double share) {
  shift = share;
}

double fake_shift(void) {
  return shift;
}

void fake_set_architectures(const int *known, int count) {
  architecture_count = count;
  memcpy(architectures, known, (size_t)count * sizeof(*known));
}

int fake_architectures(int *out) {
  if (out)
    memcpy(out, architectures, (size_t)architecture_count * sizeof(*out));
  return architecture_count;
}

__attribute__((destructor)) static void look_for_leaks(void) {
  static const char *const names[] = {"blocks",   "streams",      "events",         "libraries",
                                      "programs", "BLAS handles", "solver handles", "Jacobi parameters"};
  bool is_clean = true;
  for (int k = 0; k < FAKE_THINGS; k++)
    if (live[k] != 0) {
      fprintf(stderr, "fake CUDA: %d %s are alive at the end\n", live[k], names[k]);
      is_clean = false;
    }
  if (!is_clean)
    _exit(3);
}
