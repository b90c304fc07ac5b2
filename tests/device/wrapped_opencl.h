/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_DEVICE_WRAPPED_OPENCL_H
#define TESTS_DEVICE_WRAPPED_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

/* OpenCL's functions that the linker wraps (--wrap): a test defines __wrap_, which calls __real_. */
#define WRAPPED_OPENCL(type, function, parameters)                                                                             \
  type __real_##function parameters;                                                                                           \
  type __wrap_##function parameters;                                                                                           \
  type __wrap_##function parameters

#endif
