/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hooks/perf_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#define HARDWARE(counter)        PERF_TYPE_HARDWARE, PERF_COUNT_HW_##counter
#define SOFTWARE(counter)        PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##counter
#define CACHE(cache, of, result) PERF_TYPE_HW_CACHE, (cache) | (of) << 8 | (result) << 16

#define L1  PERF_COUNT_HW_CACHE_L1D
#define TLB PERF_COUNT_HW_CACHE_DTLB

static const struct tac_perf_event events[] = {
    {"cycles", "", HARDWARE(CPU_CYCLES), TAC_PERF_CYCLES, 0, 1},
    {"instructions", "", HARDWARE(INSTRUCTIONS), TAC_PERF_CYCLES, 0, 1},
    {"cache-references", "", HARDWARE(CACHE_REFERENCES), TAC_PERF_CACHE, 0, 1},
    {"cache-misses", "", HARDWARE(CACHE_MISSES), TAC_PERF_CACHE, 0, 1},
    {"branches", "", HARDWARE(BRANCH_INSTRUCTIONS), TAC_PERF_BRANCHES, 0, 1},
    {"branch-misses", "", HARDWARE(BRANCH_MISSES), TAC_PERF_BRANCHES, 0, 1},
    {"L1-dcache-loads", "", CACHE(L1, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS), TAC_PERF_L1, 0, 0},
    {"L1-dcache-load-misses", "", CACHE(L1, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS), TAC_PERF_L1, 0, 0},
    {"dTLB-loads", "", CACHE(TLB, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS), TAC_PERF_TLB, 0, 0},
    {"dTLB-load-misses", "", CACHE(TLB, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS), TAC_PERF_TLB, 0, 0},
    {"task-clock", "ns", SOFTWARE(TASK_CLOCK), TAC_PERF_SOFTWARE, 0, 1},
    {"page-faults", "", SOFTWARE(PAGE_FAULTS), TAC_PERF_SOFTWARE, 0, 1},
    {"minor-faults", "", SOFTWARE(PAGE_FAULTS_MIN), TAC_PERF_SOFTWARE, 0, 0},
    {"major-faults", "", SOFTWARE(PAGE_FAULTS_MAJ), TAC_PERF_SOFTWARE, 0, 0},
    {"context-switches", "", SOFTWARE(CONTEXT_SWITCHES), TAC_PERF_SOFTWARE, 1, 1},
    {"cpu-migrations", "", SOFTWARE(CPU_MIGRATIONS), TAC_PERF_SOFTWARE, 1, 0},
};

const struct tac_perf_event *tac_perf_events(size_t *count) {
  *count = sizeof events / sizeof *events;
  return events;
}

const struct tac_perf_event *tac_perf_event_find(const char *name) {
  for (size_t i = 0; i < sizeof events / sizeof *events; i++)
    if (strcmp(events[i].name, name) == 0)
      return &events[i];
  return NULL;
}

static int is_forbidden(int number) {
  return number == -EACCES || number == -EPERM;
}

int tac_perf_event_open(const struct tac_perf_event *event, int group) {
  struct tac_perf_request request = {event->type, event->config, event->family != TAC_PERF_SOFTWARE};
  int descriptor = tac_perf_open(&request, group);
  if (is_forbidden(descriptor) && !request.user_only && !event->of_kernel) {
    request.user_only = 1;
    descriptor = tac_perf_open(&request, group);
  }
  return descriptor;
}

enum tac_status tac_perf_event_refused(const struct tac_perf_event *event, int number, struct tac_error *error) {
  const char *why = strerror(-number), *advice = "";
  const int least = event->of_kernel ? 1 : 2, paranoid = tac_perf_paranoid();
  if (number == -ENOENT || number == -EOPNOTSUPP || number == -ENODEV)
    advice = ": this machine does not expose it, as most virtual ones";
  else if (number == -ENOSYS)
    advice = ": the kernel is built without perf_event";
  else if (number == -EMFILE)
    advice = ": more open files are needed, see ulimit -n";
  enum tac_status status;
  if (!is_forbidden(number))
    status = tac_error_set(error, TAC_STATUS_UNAVAILABLE, "perf", "%s: %s%s", event->name, why, advice);
  else if (paranoid > least)
    status = tac_error_set(error, TAC_STATUS_UNAVAILABLE, "perf",
                           "%s: %s: kernel.perf_event_paranoid is %d, and %d or less is needed, or CAP_PERFMON", event->name,
                           why, paranoid, least);
  else
    status = tac_error_set(error, TAC_STATUS_UNAVAILABLE, "perf", "%s: %s: perhaps a container forbids perf_event_open",
                           event->name, why);
  if (error)
    error->native_code = -number;
  return status;
}
