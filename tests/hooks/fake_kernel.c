/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/hooks/fake_kernel.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "measure/hooks/perf_events.h"

enum { MOST = 4096, GROUP = 16 };

int __wrap_tac_perf_open(const struct tac_perf_request *request, int group);
long __wrap_tac_perf_read(int descriptor, uint64_t *numbers, size_t bytes);
void __wrap_tac_perf_close(int descriptor);
int __wrap_tac_perf_paranoid(void);
int __wrap_tac_perf_start(int group);

/* A descriptor is an index here; of a leader also its members. */
struct entry {
  int is_open, is_started, members;
  const struct tac_perf_event *member[GROUP];
  pthread_t owner;
};

static struct {
  pthread_mutex_t lock;
  struct entry entry[MOST];
  int used, opens_left, groups, reads, no_hardware, forbidden, forbidden_to_user, paranoid, read_failure, cut, reading;
} kernel = {.lock = PTHREAD_MUTEX_INITIALIZER, .opens_left = MOST, .paranoid = 2};

static _Thread_local uint64_t value[64], enabled, counted;

static size_t number_of(const struct tac_perf_event *event) {
  size_t count;
  return (size_t)(event - tac_perf_events(&count));
}

void fake_kernel_add(const char *name, uint64_t amount) {
  value[number_of(tac_perf_event_find(name))] += amount;
}

void fake_kernel_pass(uint64_t enabled_ns, uint64_t counted_ns) {
  enabled += enabled_ns;
  counted += counted_ns;
}

void fake_kernel_reset(void) {
  kernel.opens_left = MOST;
  kernel.used = kernel.groups = kernel.reads = kernel.no_hardware = kernel.forbidden = kernel.forbidden_to_user = 0;
  kernel.read_failure = kernel.cut = kernel.reading = 0;
  kernel.paranoid = 2;
  memset(kernel.entry, 0, sizeof kernel.entry);
  memset(value, 0, sizeof value);
  enabled = counted = 0;
}

void fake_kernel_take_hardware(void) {
  kernel.no_hardware = 1;
}

void fake_kernel_forbid(int number, int also_user, int paranoid) {
  kernel.forbidden = number;
  kernel.forbidden_to_user = also_user;
  kernel.paranoid = paranoid;
}

void fake_kernel_limit_opens(int left) {
  kernel.opens_left = left;
}

void fake_kernel_fail_reads(int number) {
  kernel.read_failure = number;
}

void fake_kernel_count_reads(int amount) {
  kernel.reading = amount;
}

void fake_kernel_cut_reads(void) {
  kernel.cut = 1;
}

int fake_kernel_open_count(void) {
  int count = 0;
  for (int i = 0; i < kernel.used; i++)
    count += kernel.entry[i].is_open;
  return count;
}

int fake_kernel_groups(void) {
  return kernel.groups;
}

int fake_kernel_reads(void) {
  return kernel.reads;
}

static const struct tac_perf_event *find_event(const struct tac_perf_request *request) {
  size_t count;
  const struct tac_perf_event *events = tac_perf_events(&count);
  for (size_t i = 0; i < count; i++)
    if (events[i].type == request->type && events[i].config == request->config)
      return &events[i];
  return NULL;
}

static int open_counter(const struct tac_perf_request *request, int group) {
  const struct tac_perf_event *event = find_event(request);
  if (!event || (kernel.no_hardware && event->family != TAC_PERF_SOFTWARE))
    return -ENOENT;
  if (kernel.forbidden && (!request->user_only || kernel.forbidden_to_user))
    return -kernel.forbidden;
  if (kernel.opens_left == 0 || kernel.used == MOST)
    return -EMFILE;
  kernel.opens_left--;
  const int descriptor = kernel.used++;
  struct entry *entry = &kernel.entry[descriptor], *leader = group < 0 ? entry : &kernel.entry[group];
  entry->is_open = 1;
  entry->owner = pthread_self();
  kernel.groups += group < 0;
  /* A group is of one thread, has one family and does not count while it grows. */
  if (!leader->is_open || leader->is_started || !pthread_equal(leader->owner, entry->owner) ||
      (leader->members > 0 && leader->member[0]->family != event->family))
    return -EINVAL;
  leader->member[leader->members++] = event;
  return descriptor;
}

int __wrap_tac_perf_open(const struct tac_perf_request *request, int group) {
  pthread_mutex_lock(&kernel.lock);
  const int descriptor = open_counter(request, group);
  pthread_mutex_unlock(&kernel.lock);
  return descriptor;
}

int __wrap_tac_perf_start(int group) {
  pthread_mutex_lock(&kernel.lock);
  struct entry *entry = &kernel.entry[group];
  const int sound = entry->is_open && entry->members > 0 && !entry->is_started;
  entry->is_started = 1;
  pthread_mutex_unlock(&kernel.lock);
  return sound ? 0 : -EINVAL;
}

static long read_counters(int descriptor, uint64_t *numbers, size_t bytes) {
  const struct entry *entry = &kernel.entry[descriptor];
  kernel.reads++;
  if (kernel.read_failure)
    return -kernel.read_failure;
  if (!entry->is_open || !entry->is_started || !pthread_equal(entry->owner, pthread_self()) ||
      bytes < (3 + (size_t)entry->members) * sizeof *numbers)
    return -EINVAL;
  numbers[0] = (uint64_t)entry->members;
  numbers[1] = enabled;
  numbers[2] = entry->member[0]->family == TAC_PERF_SOFTWARE ? enabled : counted;
  for (int i = 0; i < entry->members; i++)
    numbers[3 + i] = value[number_of(entry->member[i])] += (uint64_t)kernel.reading;
  return (3L + entry->members - kernel.cut) * (long)sizeof *numbers;
}

long __wrap_tac_perf_read(int descriptor, uint64_t *numbers, size_t bytes) {
  pthread_mutex_lock(&kernel.lock);
  const long got = read_counters(descriptor, numbers, bytes);
  pthread_mutex_unlock(&kernel.lock);
  return got;
}

void __wrap_tac_perf_close(int descriptor) {
  pthread_mutex_lock(&kernel.lock);
  if (!kernel.entry[descriptor].is_open)
    abort();
  kernel.entry[descriptor].is_open = 0;
  pthread_mutex_unlock(&kernel.lock);
}

int __wrap_tac_perf_paranoid(void) {
  return kernel.paranoid;
}
