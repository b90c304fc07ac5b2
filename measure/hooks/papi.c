/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hooks/backend.h"

#include <papi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* PAPI belongs to the process: it is started where nobody has, and stays. */
struct papi {
  int is_ours;                            /* nobody had started it: a thread that ends is ours to take back */
  size_t sets;                            /* event sets; each is of one component */
  size_t set[TAC_HOOK_COUNTERS_MOST];     /* of each counter of the plan */
  int component[TAC_HOOK_COUNTERS_MOST];  /* of each set */
  int event_code[TAC_HOOK_COUNTERS_MOST]; /* of each counter */
};

struct thread {
  const struct papi *papi;
  size_t counters;
  pthread_t self;
  int set[TAC_HOOK_COUNTERS_MOST];
};

static enum tac_status failed(const char *what, int number, struct tac_error *error) {
  const enum tac_status status = tac_error_set(error, number == PAPI_ENOMEM ? TAC_STATUS_MEMORY : TAC_STATUS_UNAVAILABLE,
                                               "papi", "%s: %s", what, PAPI_strerror(number));
  if (error)
    error->native_code = number;
  return status;
}

static enum tac_status start(int *is_ours, struct tac_error *error) {
  const int before = PAPI_is_initialized();
  *is_ours = before == PAPI_NOT_INITED;
  const int version = *is_ours ? PAPI_library_init(PAPI_VER_CURRENT) : (int)PAPI_VER_CURRENT;
  if (version != (int)PAPI_VER_CURRENT)
    return version < 0
               ? failed("PAPI does not start", version, error)
               : tac_error_set(error, TAC_STATUS_UNAVAILABLE, "papi", "the library is of version %d.%d, built for %d.%d",
                               PAPI_VERSION_MAJOR(version), PAPI_VERSION_MINOR(version), PAPI_VERSION_MAJOR(PAPI_VER_CURRENT),
                               PAPI_VERSION_MINOR(PAPI_VER_CURRENT));
  if (before & PAPI_THREAD_LEVEL_INITED)
    return TAC_STATUS_OK;
  const int number = PAPI_thread_init((unsigned long (*)(void))pthread_self);
  return number == PAPI_OK ? TAC_STATUS_OK : failed("PAPI has no threads", number, error);
}

static enum tac_status probe(struct tac_error *error) {
  int is_ours;
  const enum tac_status status = start(&is_ours, error);
  if (status != TAC_STATUS_OK)
    return status;
  for (int c = 0; c < PAPI_num_components(); c++) {
    const PAPI_component_info_t *info = PAPI_get_component_info(c);
    if (info && !info->disabled && info->num_native_events > 0)
      return TAC_STATUS_OK;
  }
  return tac_error_set(error, TAC_STATUS_UNAVAILABLE, "papi", "no component of PAPI offers an event here");
}

static void close_set(int *set) {
  long long last[TAC_HOOK_COUNTERS_MOST];
  if (*set == PAPI_NULL)
    return;
  PAPI_stop(*set, last);
  PAPI_cleanup_eventset(*set);
  PAPI_destroy_eventset(set);
}

/* PAPI_OK, or why an event does not count on its own. */
static int try_code(int code) {
  int set = PAPI_NULL;
  int number = PAPI_create_eventset(&set);
  if (number == PAPI_OK)
    number = PAPI_add_event(set, code);
  if (number == PAPI_OK)
    number = PAPI_start(set);
  close_set(&set);
  return number;
}

/* Nonzero: `take` wants no more. */
static int list_events(int code, int first, int next, int component, tac_hook_counter_fn take, void *context) {
  for (int found = PAPI_enum_cmp_event(&code, first, component); found == PAPI_OK;
       found = PAPI_enum_cmp_event(&code, next, component)) {
    char name[PAPI_HUGE_STR_LEN];
    if (PAPI_event_code_to_name(code, name) != PAPI_OK)
      continue;
    const int number = try_code(code);
    if (take(context, name, number == PAPI_OK ? NULL : PAPI_strerror(number)))
      return 1;
  }
  return 0;
}

static enum tac_status list(tac_hook_counter_fn take, void *context, struct tac_error *error) {
  const enum tac_status status = probe(error);
  if (status != TAC_STATUS_OK)
    return status;
  int enough = list_events(PAPI_PRESET_MASK, PAPI_ENUM_FIRST, PAPI_PRESET_ENUM_AVAIL, 0, take, context);
  for (int c = 0; c < PAPI_num_components() && !enough; c++) {
    const PAPI_component_info_t *info = PAPI_get_component_info(c);
    if (info && !info->disabled)
      enough = list_events(PAPI_NATIVE_MASK, PAPI_ENUM_FIRST, PAPI_ENUM_EVENTS, c, take, context);
  }
  return status;
}

static void close_thread(void *argument) {
  struct thread *thread = argument;
  for (size_t s = 0; s < thread->papi->sets; s++)
    close_set(&thread->set[s]);
  if (thread->papi->is_ours && pthread_equal(thread->self, pthread_self()))
    PAPI_unregister_thread();
}

static enum tac_status open_sets(struct thread *thread, const struct tac_hook_plan *plan, struct tac_error *error) {
  const struct papi *papi = thread->papi;
  for (size_t s = 0; s < papi->sets; s++) {
    const int number = PAPI_create_eventset(&thread->set[s]);
    if (number != PAPI_OK)
      return failed("no event set", number, error);
  }
  for (size_t c = 0; c < plan->counters; c++) {
    const int number = PAPI_add_event(thread->set[papi->set[c]], papi->event_code[c]);
    if (number != PAPI_OK)
      return failed(plan->counter[c].name, number, error);
  }
  for (size_t s = 0; s < papi->sets; s++) {
    const int number = PAPI_start(thread->set[s]);
    if (number != PAPI_OK)
      return failed("the counters do not start together", number, error);
  }
  return TAC_STATUS_OK;
}

static enum tac_status open_thread(void *argument, const struct tac_hook_plan *plan, struct tac_error *error) {
  struct thread *thread = argument;
  *thread = (struct thread){.papi = plan->state, .counters = plan->counters, .self = pthread_self()};
  for (size_t s = 0; s < TAC_HOOK_COUNTERS_MOST; s++)
    thread->set[s] = PAPI_NULL;
  PAPI_register_thread();
  return open_sets(thread, plan, error);
}

static enum tac_status read_thread(struct tac_hook_reading *reading, void *argument, struct tac_error *error) {
  const struct thread *thread = argument;
  const struct papi *papi = thread->papi;
  for (size_t s = 0; s < papi->sets; s++) {
    long long value[TAC_HOOK_COUNTERS_MOST];
    const int number = PAPI_read(thread->set[s], value);
    if (number != PAPI_OK)
      return failed("PAPI_read", number, error);
    for (size_t c = 0, at = 0; c < thread->counters; c++)
      if (papi->set[c] == s)
        reading->value[c] = (struct tac_hook_value){.value = value[at++]};
  }
  return TAC_STATUS_OK;
}

/* A counter that there is, in the set of its component. */
static void place(struct tac_hook_plan *plan, size_t counter, int code) {
  struct papi *papi = plan->state;
  const int component = PAPI_get_event_component(code);
  PAPI_event_info_t info;
  size_t s = 0;
  while (s < papi->sets && papi->component[s] != component)
    s++;
  papi->sets += s == papi->sets;
  papi->component[s] = component;
  papi->set[counter] = s;
  papi->event_code[counter] = code;
  /* PAPI tells no unit of the kernel's clocks, which count nanoseconds. */
  const char *name = plan->counter[counter].name;
  if (strstr(name, "TASK-CLOCK") || strstr(name, "TASK_CLOCK") || strstr(name, "CPU-CLOCK") || strstr(name, "CPU_CLOCK"))
    snprintf(plan->counter[counter].unit, sizeof plan->counter[counter].unit, "ns");
  else if (PAPI_get_event_info(code, &info) == PAPI_OK)
    snprintf(plan->counter[counter].unit, sizeof plan->counter[counter].unit, "%.*s",
             (int)sizeof plan->counter[counter].unit - 1, info.units);
}

static enum tac_status choose_named(struct tac_hook_plan *plan, struct tac_error *error) {
  const enum tac_status status = tac_hook_plan_names(plan, "papi", error);
  for (size_t c = 0; c < plan->counters && status == TAC_STATUS_OK; c++) {
    int code;
    if (PAPI_event_name_to_code(plan->counter[c].name, &code) != PAPI_OK)
      return tac_hook_counter_unknown(&tac_hook_backend_papi.kind, plan->counter[c].name, error);
    place(plan, c, code);
  }
  return status;
}

static int try_event(int *code, const char *name) {
  const int number = PAPI_event_name_to_code(name, code);
  return number == PAPI_OK ? try_code(*code) : number;
}

/* Few enough for any processor to count at once, and what the kernel counts. */
static enum tac_status choose_default(struct tac_hook_plan *plan, struct tac_error *error) {
  static const char *const names[] = {"PAPI_TOT_CYC",     "PAPI_TOT_INS",      "PAPI_L2_DCM",
                                      "perf::TASK-CLOCK", "perf::PAGE-FAULTS", "perf::CONTEXT-SWITCHES"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    int code;
    const int number = try_event(&code, names[i]);
    if (number != PAPI_OK && !plan->note[0])
      snprintf(plan->note, sizeof plan->note, "Not counted: %s: %s", names[i], PAPI_strerror(number));
    if (number != PAPI_OK)
      continue;
    snprintf(plan->counter[plan->counters].name, sizeof plan->counter->name, "%s", names[i]);
    place(plan, plan->counters++, code);
  }
  if (plan->counters > 0)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_UNAVAILABLE, "papi",
                       "none of the usual events counts here; name others, such as papi:EVENT,EVENT");
}

/* All of them together, so that a set that cannot count is told at once. */
static enum tac_status try_all(const struct tac_hook_plan *plan, struct tac_error *error) {
  struct thread thread;
  const enum tac_status status = open_thread(&thread, plan, error);
  close_thread(&thread);
  return status;
}

static enum tac_status create(struct tac_hook_plan *plan, struct tac_error *error) {
  enum tac_status status = tac_hook_plan_state(plan, sizeof(struct papi), "papi", error);
  if (status == TAC_STATUS_OK)
    status = start(&((struct papi *)plan->state)->is_ours, error);
  if (status == TAC_STATUS_OK)
    status = plan->names ? choose_named(plan, error) : choose_default(plan, error);
  return status == TAC_STATUS_OK ? try_all(plan, error) : status;
}

const struct tac_hook_backend tac_hook_backend_papi = {
    .kind = {"papi", "counters of PAPI, by its names of presets and native events", probe, list},
    .create = create,
    .thread_bytes = sizeof(struct thread),
    .open = open_thread,
    .close = close_thread,
    .read = read_thread,
};
