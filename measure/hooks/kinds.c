/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hooks/backend.h"

#include <stdio.h>
#include <string.h>

#define KINDS 3

static const struct tac_hook_backend *const backends[KINDS] = {&tac_hook_backend_nvtx, &tac_hook_backend_perf,
                                                               &tac_hook_backend_papi};

const struct tac_hook_kind *const *tac_hook_kinds(size_t *count) {
  static const struct tac_hook_kind *const kinds[KINDS] = {&tac_hook_backend_nvtx.kind, &tac_hook_backend_perf.kind,
                                                           &tac_hook_backend_papi.kind};
  *count = KINDS;
  return kinds;
}

enum tac_status tac_hook_backend_find(const struct tac_hook_backend **out, const char **names, const char *hooks,
                                      struct tac_error *error) {
  const size_t length = strcspn(hooks, ":");
  for (size_t i = 0; i < KINDS; i++) {
    const char *name = backends[i]->kind.name;
    if (strlen(name) != length || strncmp(name, hooks, length) != 0)
      continue;
    *out = backends[i];
    *names = hooks[length] ? hooks + length + 1 : NULL;
    return TAC_STATUS_OK;
  }
  return tac_error_set(error, TAC_STATUS_INVALID, "hooks", "'%.*s' is none of nvtx, perf, papi", (int)length, hooks);
}

enum tac_status tac_hook_plan_state(struct tac_hook_plan *plan, size_t bytes, const char *where, struct tac_error *error) {
  plan->state = plan->allocator->allocate(plan->allocator->context, bytes);
  if (!plan->state)
    return tac_error_set(error, TAC_STATUS_MEMORY, where, "no memory for the hooks of %zu events", plan->events->count);
  memset(plan->state, 0, bytes);
  return TAC_STATUS_OK;
}

struct names {
  size_t count, length;
  char text[120];
};

/* Of a name that no longer fits only the dots are there, and nothing behind them. */
static int note_name(void *context, const char *name, const char *reason) {
  struct names *names = context;
  const size_t room = sizeof names->text - names->length;
  if (reason)
    return 0;
  const char *comma = names->count++ > 0 ? ", " : "";
  if (strlen(comma) + strlen(name) + sizeof ", ..." <= room) {
    names->length += (size_t)snprintf(names->text + names->length, room, "%s%s", comma, name);
  } else if (room > 1) {
    snprintf(names->text + names->length, room, "%s...", comma);
    names->length = sizeof names->text - 1;
  }
  return 0;
}

enum tac_status tac_hook_counter_unknown(const struct tac_hook_kind *kind, const char *name, struct tac_error *error) {
  struct names names = {0};
  kind->list(note_name, &names, NULL);
  return tac_error_set(error, TAC_STATUS_INVALID, kind->name, "'%s' is none of the %zu counters here: %s", name, names.count,
                       names.text);
}

enum tac_status tac_hook_plan_names(struct tac_hook_plan *plan, const char *where, struct tac_error *error) {
  const char *rest = plan->names;
  for (;;) {
    const size_t length = strcspn(rest, ",");
    if (length == 0)
      return tac_error_set(error, TAC_STATUS_INVALID, where, "'%s' holds an empty name of a counter", plan->names);
    if (plan->counters == TAC_HOOK_COUNTERS_MOST)
      return tac_error_set(error, TAC_STATUS_INVALID, where, "'%s' names more than %d counters", plan->names,
                           TAC_HOOK_COUNTERS_MOST);
    struct tac_hook_counter *counter = &plan->counter[plan->counters];
    if (length >= sizeof counter->name)
      return tac_error_set(error, TAC_STATUS_INVALID, where, "'%.*s' is longer than any name of a counter", (int)length, rest);
    memcpy(counter->name, rest, length);
    counter->name[length] = '\0';
    for (size_t i = 0; i < plan->counters; i++)
      if (strcmp(plan->counter[i].name, counter->name) == 0)
        return tac_error_set(error, TAC_STATUS_INVALID, where, "'%s' names %s twice", plan->names, counter->name);
    plan->counters++;
    if (!rest[length])
      return TAC_STATUS_OK;
    rest += length + 1;
  }
}
