/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/module/chain.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "measure/kokkos/module/module.h"

struct tac_chain tac_chain;

/* The name at a place of a ';' list, a copy; NULL where there is none. */
static char *name_at(const char *list, int place) {
  for (; list && place > 0; place--) {
    list = strchr(list, ';');
    list = list ? list + 1 : NULL;
  }
  return list && *list && *list != ';' ? strndup(list, strcspn(list, ";")) : NULL;
}

/* The list may be of other tools, when this module came from the command line or was opened by hand. */
static int is_this_module(const char *name) {
  Dl_info self;
  void *named = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
  void *loaded = dladdr(&tac_chain, &self) ? dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD) : NULL;
  const int same = named && named == loaded;
  if (named)
    dlclose(named);
  if (loaded)
    dlclose(loaded);
  return same;
}

/* By way of bytes: ISO C has no cast from an object's pointer to a function's. */
static void find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
}

static void open_tool(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    tac_module_complain("the next tool of the list is left out: %s", dlerror());
    return;
  }
#define TAC_CHAIN_FIND(name, parameters) find(library, "kokkosp_" #name, &tac_chain.name);
  TAC_CHAIN_LIST(TAC_CHAIN_FIND)
#undef TAC_CHAIN_FIND
}

/* Old Kokkos knows the second variable only. */
void tac_chain_load(int sequence) {
  static const char *const lists[] = {"KOKKOS_TOOLS_LIBS", "KOKKOS_PROFILE_LIBRARY"};
  int found = 0;
  for (size_t i = 0; i < sizeof lists / sizeof *lists && !found; i++) {
    char *self = name_at(getenv(lists[i]), sequence), *next = name_at(getenv(lists[i]), sequence + 1);
    found = self && is_this_module(self);
    if (found && next)
      open_tool(next);
    free(self);
    free(next);
  }
}

static struct {
  pthread_mutex_t lock;
  uint32_t *theirs;
  size_t count;
} sections = {.lock = PTHREAD_MUTEX_INITIALIZER};

void tac_chain_lock(void) {
  pthread_mutex_lock(&sections.lock);
}

void tac_chain_unlock(void) {
  pthread_mutex_unlock(&sections.lock);
}

int tac_chain_section_keep(uint32_t section, uint32_t theirs) {
  pthread_mutex_lock(&sections.lock);
  if (section >= sections.count && section < UINT32_MAX) {
    const size_t count = ((size_t)section + 16) / 16 * 32;
    uint32_t *larger = realloc(sections.theirs, count * sizeof *larger);
    if (larger) {
      sections.theirs = larger;
      sections.count = count;
    }
  }
  const int fits = section < sections.count;
  if (fits)
    sections.theirs[section] = theirs;
  pthread_mutex_unlock(&sections.lock);
  return fits;
}

int tac_chain_section_find(uint32_t section, uint32_t *theirs) {
  pthread_mutex_lock(&sections.lock);
  const int found = section < sections.count;
  if (found)
    *theirs = sections.theirs[section];
  pthread_mutex_unlock(&sections.lock);
  return found;
}
