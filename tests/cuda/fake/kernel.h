/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_CUDA_FAKE_KERNEL_H
#define TESTS_CUDA_FAKE_KERNEL_H

#include "tests/support/host_kernel.h"

/* What compile.py makes of a program: a library with these names. */
struct fake_argument {
  size_t bytes;
  int is_pointer;
};
struct fake_kernel {
  struct host_kernel kernel;
  const struct fake_argument *arguments;
};
#define FAKE_KERNELS_SYMBOL  "fake_kernels"
#define FAKE_BARRIERS_SYMBOL "fake_has_barriers" /* an int: 0 where no kernel has one */
#define FAKE_COUNT_SYMBOL    "fake_kernel_count"

/* What passes for machine code: this, and the library's path. */
#define FAKE_CODE_MARK "emulated machine code: "

#endif
