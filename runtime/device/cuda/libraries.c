/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/device/cuda/libraries.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cuda_runtime_api.h>

/* The names under which the toolkit that the module was compiled with installs them. */
#define TEXT(x)          #x
#define EXPANDED_TEXT(x) TEXT(x)
#define BLAS_NAME        "libcublas.so." EXPANDED_TEXT(CUBLAS_VER_MAJOR)
#define SOLVER_NAME      "libcusolver.so." EXPANDED_TEXT(CUSOLVER_VER_MAJOR)
#define COMPILER_NAME    "libnvrtc.so.%d"

struct address {
  const char *name;
  size_t field;
};

#define ROW(name) {#name, offsetof(struct tac_cuda_libraries, name)},
static const struct address blas_addresses[] = {TAC_CUDA_BLAS_FUNCTIONS(ROW)};
static const struct address solver_addresses[] = {TAC_CUDA_SOLVER_FUNCTIONS(ROW)};
static const struct address compiler_addresses[] = {TAC_CUDA_COMPILER_FUNCTIONS(ROW)};
#undef ROW

/* Beside the runtime that is in use, so that all are of one toolkit; else where the loader finds it. */
static void *open_library(const char *name) {
  Dl_info runtime;
  char path[4096];
  if (dladdr((void *)cudaGetDeviceCount, &runtime) && runtime.dli_fname) {
    const char *end = strrchr(runtime.dli_fname, '/');
    const int length = end ? (int)(end - runtime.dli_fname) : 0;
    const int written = snprintf(path, sizeof(path), "%.*s/%s", length, runtime.dli_fname, name);
    void *library = length && written < (int)sizeof(path) ? dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) : NULL;
    if (library)
      return library;
  }
  return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static enum tac_status open_one(void **library, const char *name, const struct address *addresses, size_t count,
                                struct tac_cuda_libraries *libraries, struct tac_error *error) {
  *library = open_library(name);
  if (!*library) {
    const char *why = dlerror();
    return tac_error_set(error, TAC_STATUS_UNAVAILABLE, "cuda",
                         "cannot load %s: install the CUDA %d toolkit's libraries or name their folder to the loader (%s)",
                         name, CUDART_VERSION / 1000, why ? why : "no reason given");
  }
  for (size_t k = 0; k < count; k++) {
    void *found = dlsym(*library, addresses[k].name);
    if (!found)
      return tac_error_set(error, TAC_STATUS_UNAVAILABLE, "cuda", "%s has no %s: it is older than CUDA %d.%d", name,
                           addresses[k].name, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    memcpy((char *)libraries + addresses[k].field, &found, sizeof(found));
  }
  return TAC_STATUS_OK;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum tac_status tac_cuda_libraries_open(struct tac_cuda_libraries *libraries, struct tac_error *error) {
  char compiler_name[32];
  snprintf(compiler_name, sizeof(compiler_name), COMPILER_NAME, CUDART_VERSION / 1000);
  *libraries = (struct tac_cuda_libraries){0};
  enum tac_status status = open_one(&libraries->blas, BLAS_NAME, blas_addresses, COUNT(blas_addresses), libraries, error);
  if (status == TAC_STATUS_OK)
    status = open_one(&libraries->solver, SOLVER_NAME, solver_addresses, COUNT(solver_addresses), libraries, error);
  if (status == TAC_STATUS_OK)
    status = open_one(&libraries->compiler, compiler_name, compiler_addresses, COUNT(compiler_addresses), libraries, error);
  if (status != TAC_STATUS_OK)
    tac_cuda_libraries_close(libraries);
  return status;
}

void tac_cuda_libraries_close(struct tac_cuda_libraries *libraries) {
  void *const opened[] = {libraries->blas, libraries->solver, libraries->compiler};
  for (size_t k = 0; k < COUNT(opened); k++)
    if (opened[k])
      dlclose(opened[k]);
  *libraries = (struct tac_cuda_libraries){0};
}
