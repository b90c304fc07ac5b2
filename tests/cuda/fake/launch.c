/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Libraries of kernels and launches. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/fake/kernel.h"
#include "tests/cuda/fake/runtime.h"

#define ARGUMENTS_MOST 24
#define VALUE_MOST     16
#define ITEMS_MOST     1024

/* Kernels come from libraries that are compiled at run time, none is here from the start. */
const struct host_program *const host_programs[] = {NULL};
const size_t host_program_count = 0;

struct CUlib_st {
  void *opened;
  const struct fake_kernel *kernels;
  size_t count;
  bool has_barriers;
  struct CUlib_st *next;
};

static struct CUlib_st *libraries;

cudaError_t cudaLibraryLoadData(cudaLibrary_t *out, const void *code, enum cudaJitOption *jit_options, void **jit_values,
                                unsigned int jit_count, enum cudaLibraryOption *options, void **values, unsigned int count) {
  (void)jit_options;
  (void)jit_values;
  (void)options;
  (void)values;
  fake_lock();
  cudaError_t error = fake_runtime_outcome("cudaLibraryLoadData");
  const char *path =
      strncmp(code, FAKE_CODE_MARK, strlen(FAKE_CODE_MARK)) == 0 ? (const char *)code + strlen(FAKE_CODE_MARK) : "";
  void *opened = error == cudaSuccess && jit_count == 0 && count == 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  struct CUlib_st *library = opened ? calloc(1, sizeof(*library)) : NULL;
  if (library) {
    library->opened = opened;
    library->kernels = dlsym(opened, FAKE_KERNELS_SYMBOL);
    library->count = *(const size_t *)dlsym(opened, FAKE_COUNT_SYMBOL);
    library->has_barriers = *(const int *)dlsym(opened, FAKE_BARRIERS_SYMBOL);
    library->next = libraries;
    *out = libraries = library;
    fake_count(FAKE_LIBRARY, 1);
  } else if (error == cudaSuccess) {
    const char *why = dlerror();
    fprintf(stderr, "fake CUDA: %s\n", why ? why : "code of another kind");
    error = cudaErrorInvalidValue;
  }
  fake_unlock();
  return error;
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  fake_lock();
  const cudaError_t error = fake_runtime_outcome("cudaLibraryUnload");
  fake_run_all_streams();
  struct CUlib_st **at = &libraries;
  while (*at != library)
    at = &(*at)->next;
  *at = library->next;
  dlclose(library->opened);
  free(library);
  fake_count(FAKE_LIBRARY, -1);
  fake_unlock();
  return error;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *out, cudaLibrary_t library, const char *name) {
  fake_lock();
  cudaError_t error = fake_runtime_outcome("cudaLibraryGetKernel");
  const struct fake_kernel *found = NULL;
  for (size_t k = 0; error == cudaSuccess && !found && k < library->count; k++)
    if (strcmp(library->kernels[k].kernel.name, name) == 0)
      found = &library->kernels[k];
  if (found)
    *out = (cudaKernel_t)found;
  else if (error == cudaSuccess)
    error = cudaErrorSymbolNotFound;
  fake_unlock();
  return error;
}

cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *bytes) {
  const struct fake_kernel *kernel = function;
  fake_lock();
  cudaError_t error = fake_runtime_outcome("cudaFuncGetParamInfo");
  if (error == cudaSuccess && index >= kernel->kernel.arguments)
    error = cudaErrorInvalidValue;
  *offset = 0; /* nobody asks for it */
  *bytes = error == cudaSuccess ? kernel->arguments[index].bytes : 0;
  fake_unlock();
  return error;
}

/* NULL: of no library that is loaded. */
static const struct CUlib_st *library_of(const struct fake_kernel *kernel) {
  const struct CUlib_st *library = libraries;
  while (library && (kernel < library->kernels || kernel >= library->kernels + library->count))
    library = library->next;
  return library;
}

struct launch {
  const struct fake_kernel *kernel;
  bool has_barriers;
  size_t groups[3], items[3];
  _Alignas(16) unsigned char value[ARGUMENTS_MOST][VALUE_MOST];
};

/* Without barriers work-items need no stacks of their own. */
static void run_plainly(const struct launch *launch, void *const *arguments) {
  struct tac_host_place *place = &tac_host_place;
  size_t groups = 1, items = 1;
  for (int d = 0; d < 3; d++) {
    groups *= place->groups[d] = launch->groups[d];
    items *= place->items[d] = launch->items[d];
  }
  for (size_t group = 0; group < groups; group++)
    for (size_t item = 0; item < items; item++) {
      place->group[0] = group % launch->groups[0];
      place->group[1] = group / launch->groups[0] % launch->groups[1];
      place->group[2] = group / launch->groups[0] / launch->groups[1];
      place->item[0] = item % launch->items[0];
      place->item[1] = item / launch->items[0] % launch->items[1];
      place->item[2] = item / launch->items[0] / launch->items[1];
      launch->kernel->kernel.call(arguments);
    }
}

static void run_launch(void *data) {
  struct launch *launch = data;
  void *arguments[ARGUMENTS_MOST];
  for (size_t k = 0; k < launch->kernel->kernel.arguments; k++) {
    arguments[k] = launch->value[k];
    if (launch->kernel->arguments[k].is_pointer) {
      void *device, *seen;
      memcpy(&device, launch->value[k], sizeof(device));
      seen = fake_seen_address(device);
      if (device && !seen)
        return;
      memcpy(launch->value[k], &seen, sizeof(seen));
    }
  }
  if (!launch->has_barriers)
    run_plainly(launch, arguments);
  else if (host_kernel_run(&launch->kernel->kernel, launch->groups, launch->items, arguments) != 0)
    fake_lose(cudaErrorLaunchFailure, "the work-items of a group did not all meet at a barrier");
}

static bool fits(struct dim3 grid, struct dim3 group) {
  return grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.y <= 65535 && grid.z <= 65535 && group.x > 0 && group.y > 0 &&
         group.z > 0 && group.z <= 64 && group.x * group.y * group.z <= ITEMS_MOST;
}

cudaError_t cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 group, void **values, size_t shared_bytes,
                             cudaStream_t stream) {
  const struct fake_kernel *kernel = function;
  fake_lock();
  cudaError_t error = fake_runtime_outcome("cudaLaunchKernel");
  if (error == cudaSuccess && (!fits(grid, group) || shared_bytes != 0))
    error = cudaErrorInvalidConfiguration;
  const struct CUlib_st *library = library_of(kernel);
  if (error == cudaSuccess && !library)
    error = cudaErrorInvalidResourceHandle;
  if (error == cudaSuccess) {
    struct launch launch = {kernel, library->has_barriers, {grid.x, grid.y, grid.z}, {group.x, group.y, group.z}, {{0}}};
    for (size_t k = 0; k < kernel->kernel.arguments; k++)
      memcpy(launch.value[k], values[k], kernel->arguments[k].bytes);
    error = fake_enqueue(stream, run_launch, &launch, sizeof(launch));
  }
  fake_unlock();
  return error;
}
