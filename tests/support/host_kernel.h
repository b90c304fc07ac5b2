/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_HOST_KERNEL_H
#define TESTS_SUPPORT_HOST_KERNEL_H

#include <stddef.h>

/* Kernels of runtime/device/kernels compiled by the host's compiler and run as plain functions, so that what they compute can
 * be looked at with the host's tools. The work-items of a group are fibers of the calling thread, which meet at barriers;
 * groups run one after the other, in order. Several threads may run kernels at once. */

/* What names.h asks for: where the running work-item stands. */
struct tac_host_place {
  size_t group[3], item[3], groups[3], items[3];
};
extern _Thread_local struct tac_host_place tac_host_place;
void tac_host_barrier(void);

struct host_kernel {
  const char *name;
  size_t arguments;
  void (*call)(void *const *arguments); /* runs one work-item; arguments[i] points to the value of argument i */
};

/* One kernel source compiled with the options of a build. */
struct host_program {
  const char *name;    /* "gemm" */
  const char *options; /* as tac_device_program takes them */
  const struct host_kernel *kernels;
  size_t count;
};

/* Every program that is compiled here, see tests/support/meson.build. */
extern const struct host_program *const host_programs[];
extern const size_t host_program_count;
/* NULL: there is none. */
const struct host_program *host_program_find(const char *name, const char *options);
const struct host_kernel *host_kernel_find(const struct host_program *program, const char *name);

/* Runs all groups; extents of 0 count as nothing to do for groups, and as 1 for items. Returns 0; 1 when some work-items of a
 * group ended while others waited at a barrier; 2 when memory is short. */
int host_kernel_run(const struct host_kernel *kernel, const size_t groups[3], const size_t items[3], void *const *arguments);

#endif
