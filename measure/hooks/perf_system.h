/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_HOOKS_PERF_SYSTEM_H
#define MEASURE_HOOKS_PERF_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

/* One counter of the kernel's. */
struct tac_perf_request {
  uint32_t type;
  uint64_t config;
  int user_only; /* what the kernel does for the program is not counted */
};

/* A counter of the calling thread, in the group of another or, with -1, the first of one. Returns its descriptor, or minus
 * errno. */
int tac_perf_open(const struct tac_perf_request *request, int group);

/* Starts a group once it is complete: one that joins a running group may count nothing until the thread is next switched.
 * Returns 0, or minus errno. */
int tac_perf_start(int group);

/* Reads a group's numbers as the kernel lays them out: how many, enabled and running nanoseconds, values. Returns the bytes
 * read, or minus errno. */
long tac_perf_read(int descriptor, uint64_t *numbers, size_t bytes);

void tac_perf_close(int descriptor);

/* /proc/sys/kernel/perf_event_paranoid; INT32_MIN where it cannot be read. */
int tac_perf_paranoid(void);

#endif
