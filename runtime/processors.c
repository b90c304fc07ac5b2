/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/processors.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include <tactus/runtime/executor.h>

#define MASK_LIMIT (1 << 20) /* processors; far above any kernel's mask */

/* The calling thread's affinity mask, to be freed with CPU_FREE; NULL where the system has none. The kernel refuses a mask
 * smaller than its own with EINVAL, so the mask grows until it fits. */
static cpu_set_t *affinity_mask(size_t *size) {
  for (int processors = CPU_SETSIZE; processors <= MASK_LIMIT; processors *= 2) {
    cpu_set_t *mask = CPU_ALLOC(processors);
    if (!mask)
      return NULL;
    *size = CPU_ALLOC_SIZE(processors);
    if (sched_getaffinity(0, *size, mask) == 0)
      return mask;
    const int refused = errno == EINVAL;
    CPU_FREE(mask);
    if (!refused)
      return NULL;
  }
  return NULL;
}

int tac_processors_allowed(void) {
  size_t size = 0;
  cpu_set_t *mask = affinity_mask(&size);
  const int count = mask ? CPU_COUNT_S(size, mask) : 0;
  if (mask)
    CPU_FREE(mask);
  if (count > 0)
    return count;
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}

void tac_processor_leave(int processor) {
  size_t size = 0;
  cpu_set_t *mask = affinity_mask(&size);
  if (!mask)
    return;
  if (processor >= 0 && CPU_ISSET_S((size_t)processor, size, mask) && CPU_COUNT_S(size, mask) > 1) {
    CPU_CLR_S((size_t)processor, size, mask);
    if (sched_setaffinity(0, size, mask) == 0) {
      CPU_SET_S((size_t)processor, size, mask);
      sched_setaffinity(0, size, mask);
    }
  }
  CPU_FREE(mask);
}
