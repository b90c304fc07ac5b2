/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_HOST_BACKEND_H
#define TESTS_SUPPORT_HOST_BACKEND_H

#include "runtime/device/backend.h"

/* A device runtime of one device that is the host: memory is malloc's, commands run at once, programs are those of
 * tests/support/host_kernel.h. What stands above a backend runs on it with the host's tools, address sanitizer included. It
 * keeps no times. */
extern const struct tac_backend host_backend;

#endif
