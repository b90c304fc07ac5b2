/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Finds and loads the CUDA module, so that a process without CUDA pays nothing for it. It is loaded once and stays. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/device/backend.h"

#define MODULE "libtactus_cuda.so"

static struct {
  pthread_once_t once;
  const struct tac_backend *table;
  char reason[sizeof(((struct tac_error *)0)->text)]; /* why there is no table */
} module = {.once = PTHREAD_ONCE_INIT};

/* The folder of the object that this code is part of: libtactus, or a program that it is linked into, of which the loader may
 * know no more than the name that it was started by. */
static bool own_folder(char *out, size_t room) {
  Dl_info own;
  const char *path = dladdr((void *)tac_backend_cuda, &own) && own.dli_fname ? own.dli_fname : "";
  ssize_t length = (ssize_t)strlen(path);
  if (!strchr(path, '/'))
    length = readlink("/proc/self/exe", out, room);
  else if ((size_t)length < room)
    memcpy(out, path, (size_t)length);
  if (length <= 0 || (size_t)length >= room)
    return false;
  out[length] = '\0';
  *strrchr(out, '/') = '\0';
  return true;
}

static void keep_reason(const char *path) {
  const char *why = dlerror();
  snprintf(module.reason, sizeof(module.reason), "cannot load %.40s: %s", path, why ? why : "no reason given");
}

static void take_table(void *library) {
  const struct tac_backend *table = dlsym(library, TAC_BACKEND_CUDA_SYMBOL);
  if (table && table->abi == TAC_BACKEND_ABI)
    module.table = table;
  else
    snprintf(module.reason, sizeof(module.reason), MODULE " is of another version of Tactus: install both from one build");
}

/* False: there is none at this place. */
static bool try_folder(const char *folder, const char *below) {
  char path[4096];
  if (snprintf(path, sizeof(path), "%s%s/" MODULE, folder, below) >= (int)sizeof(path) || access(path, R_OK) != 0)
    return false;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library)
    take_table(library);
  else
    keep_reason(MODULE);
  return true;
}

static void load(void) {
  char folder[4096];
  if (own_folder(folder, sizeof(folder)) &&
      (try_folder(folder, "") || try_folder(folder, "/tactus") || try_folder(folder, "/../" TAC_MODULE_SUBDIR)))
    return;
  if (try_folder(TAC_MODULE_DIR, ""))
    return;
  void *library = dlopen(MODULE, RTLD_NOW | RTLD_LOCAL);
  if (library)
    take_table(library);
  else
    snprintf(module.reason, sizeof(module.reason),
             "no " MODULE
             " beside this program, beside libtactus or in %.60s: install it there or name its folder to the loader",
             TAC_MODULE_DIR);
}

enum tac_status tac_backend_cuda(const struct tac_backend **out, struct tac_error *error) {
  pthread_once(&module.once, load);
  *out = module.table;
  if (module.table)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_UNAVAILABLE, "cuda", "%s", module.reason);
}
