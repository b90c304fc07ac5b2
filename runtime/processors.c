/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/executor.h>

#include <errno.h>
#include <sched.h>
#include <unistd.h>

#define MASK_LIMIT (1 << 20) /* processors; far above any kernel's mask */

/* The kernel refuses a mask smaller than its own with EINVAL, so the mask grows until it fits. */
static int count_affinity_mask(void) {
  for (int processors = CPU_SETSIZE; processors <= MASK_LIMIT; processors *= 2) {
    cpu_set_t *mask = CPU_ALLOC(processors);
    if (!mask)
      return 0;
    size_t size = CPU_ALLOC_SIZE(processors);
    int failed = sched_getaffinity(0, size, mask);
    int refused = failed && errno == EINVAL;
    int count = failed ? 0 : CPU_COUNT_S(size, mask);
    CPU_FREE(mask);
    if (!refused)
      return count;
  }
  return 0;
}

int tac_processors_allowed(void) {
  int count = count_affinity_mask();
  if (count > 0)
    return count;
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}
