/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_HOOKS_FAKE_KERNEL_H
#define TESTS_HOOKS_FAKE_KERNEL_H

/* A kernel whose counters the test drives: it stands in for measure/hooks/perf_system.c, by --wrap of its functions. Each
 * thread has counters of its own, as with the real one. */
#include <stdint.h>

/* How far the counter of that name has come on the calling thread. */
void fake_kernel_add(const char *name, uint64_t amount);

/* Nanoseconds that all counters of the calling thread were enabled since, and the hardware's counted of them. */
void fake_kernel_pass(uint64_t enabled_ns, uint64_t counted_ns);

/* Back to a machine that has and allows everything. */
void fake_kernel_reset(void);

/* From now on: hardware counters do not exist; opening with the kernel's part fails with -number, and without it too; only so
 * many more can be opened; reads fail with -number (0: they do not); each read of a counter adds to it. */
void fake_kernel_take_hardware(void);
void fake_kernel_forbid(int number, int also_user, int paranoid);
void fake_kernel_limit_opens(int left);
void fake_kernel_fail_reads(int number);
void fake_kernel_cut_reads(void);
void fake_kernel_count_reads(int amount);

/* Descriptors opened and not closed; groups (leaders) opened by now; reads by now. */
int fake_kernel_open_count(void);
int fake_kernel_groups(void);
int fake_kernel_reads(void);

#endif
