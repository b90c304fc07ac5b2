/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "apps/volume_fmm/run.h"

/* The number that follows `name` at the start of a line of a file; `otherwise` where there is none ("max"). */
static double number_in(const char *path, const char *name, double otherwise) {
  char line[256];
  double number = otherwise;
  FILE *file = fopen(path, "r");
  if (!file)
    return otherwise;
  while (fgets(line, sizeof line, file))
    if (strncmp(line, name, strlen(name)) == 0) {
      char *end;
      const double read = strtod(line + strlen(name), &end);
      number = end > line + strlen(name) ? read : number;
    }
  fclose(file);
  return number;
}

double tac_volume_memory_left(void) {
  struct rlimit limit;
  double left = 1024 * number_in("/proc/meminfo", "MemAvailable:", INFINITY);
  left = fmin(left, number_in("/sys/fs/cgroup/memory.max", "", INFINITY) - number_in("/sys/fs/cgroup/memory.current", "", 0));
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    left = fmin(left, (double)limit.rlim_cur - 1024 * number_in("/proc/self/status", "VmSize:", 0));
  return fmax(left, 0);
}
