/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/module/module.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/kokkos/module/chain.h"
#include "measure/kokkos/module/host_threads.h"
#include "measure/kokkos/module/ticks.h"
#include "measure/kokkos/module/trace_file.h"
#include "runtime/replace_file.h"

enum { FACT_LIMIT = 127 };

struct tac_module tac_module = {.fencing = -1};

static struct {
  pthread_mutex_t lock;
  struct tac_module_fact facts[FACT_LIMIT];
  size_t count;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static enum tac_status open_output(struct tac_error *error) {
  switch (tac_module.settings.form) {
  case TAC_FORM_TRACE:
    return tac_trace_file_begin(tac_module.settings.path, error);
  case TAC_FORM_JSON:
  case TAC_FORM_HTML:
    return tac_replace_file_probe(tac_module.settings.path, error);
  case TAC_FORM_TEXT:
    break;
  }
  return TAC_STATUS_OK;
}

/* The module is C and links no C++ runtime of its own. By way of bytes, as ISO C has no such cast. */
static tac_kokkos_demangle_fn find_demangle(void) {
  tac_kokkos_demangle_fn demangle;
  void *found = dlsym(RTLD_DEFAULT, "__cxa_demangle");
  memcpy(&demangle, &found, sizeof demangle);
  return demangle;
}

/* A thread that counts may be amid anything when another one forks, and is not in the child, where its locks would stay taken.
 * What is short is waited for; a trace, which may wait for a disk, is left to the parent. */
static void before_fork(void) {
  pthread_mutex_lock(&tac_module.ledger.lock);
  pthread_mutex_lock(&known.lock);
  tac_chain_lock();
}

static void after_fork(void) {
  tac_chain_unlock();
  pthread_mutex_unlock(&known.lock);
  pthread_mutex_unlock(&tac_module.ledger.lock);
}

static void begin_child(void) {
  after_fork();
  tac_trace_file_leave();
  tac_host_threads_leave_traces();
}

static void start(void) {
  struct tac_error error;
  tac_module.process = getpid();
  tac_module.clock = tac_ticks_clock();
  tac_module.origin_ns = tac_module_now_ns();
  tac_module.demangle = find_demangle();
  tac_ledger_init(&tac_module.ledger, tac_allocator_system(), 10000);
  enum tac_status status = tac_module_settings_read(&tac_module.settings, &error);
  if (status == TAC_STATUS_OK)
    status = open_output(&error);
  if (status == TAC_STATUS_OK && !tac_host_threads_init())
    status = tac_error_set(&error, TAC_STATUS_SYSTEM, __func__, "no thread-specific data");
  if (status == TAC_STATUS_OK && pthread_atfork(before_fork, after_fork, begin_child) != 0)
    status = tac_error_set(&error, TAC_STATUS_MEMORY, __func__, "no memory for what a fork() needs");
  if (status != TAC_STATUS_OK)
    tac_module_complain("%s; nothing is measured", error.text);
  tac_module.measuring = status == TAC_STATUS_OK;
}

void tac_module_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
}

void tac_module_fact_add(const char *key, const char *value) {
  pthread_mutex_lock(&known.lock);
  if (known.count < FACT_LIMIT && key && value) {
    struct tac_module_fact fact = {strdup(key), strdup(value)};
    if (fact.key && fact.value) {
      known.facts[known.count++] = fact;
    } else {
      free(fact.key);
      free(fact.value);
    }
  }
  pthread_mutex_unlock(&known.lock);
}

size_t tac_module_facts(struct tac_module_fact out[], size_t room) {
  pthread_mutex_lock(&known.lock);
  const size_t count = known.count < room ? known.count : room;
  memcpy(out, known.facts, count * sizeof *out);
  pthread_mutex_unlock(&known.lock);
  return count;
}
