/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hooks/perf_system.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int tac_perf_open(const struct tac_perf_request *request, int group) {
  struct perf_event_attr attributes = {
      .type = request->type,
      .size = sizeof attributes,
      .config = request->config,
      .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
      .disabled = group < 0,
      .exclude_kernel = request->user_only != 0,
      .exclude_hv = 1,
  };
  const long descriptor = syscall(SYS_perf_event_open, &attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
  return descriptor < 0 ? -errno : (int)descriptor;
}

int tac_perf_start(int group) {
  return ioctl(group, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) == 0 ? 0 : -errno;
}

long tac_perf_read(int descriptor, uint64_t *numbers, size_t bytes) {
  for (;;) {
    const ssize_t got = read(descriptor, numbers, bytes);
    if (got >= 0)
      return got;
    if (errno != EINTR)
      return -errno;
  }
}

void tac_perf_close(int descriptor) {
  close(descriptor);
}

int tac_perf_paranoid(void) {
  char text[16] = "";
  const int file = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return INT32_MIN;
  const ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  if (got <= 0)
    return INT32_MIN;
  const int negative = text[0] == '-';
  int value = 0;
  for (const char *digit = text + negative; *digit >= '0' && *digit <= '9'; digit++)
    value = 10 * value + (*digit - '0');
  return negative ? -value : value;
}
