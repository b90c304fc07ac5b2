/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_ABI_H
#define MEASURE_KOKKOS_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What Kokkos and its tools pass each other. Of each structure the size is part of the contract: the first two of these and the
 * interface are passed by value. */

enum { SPACE_NAME_BYTES = 64 };

/* A name of at most 63 bytes; where it is that long, what comes after it is not set. */
struct kokkosp_space {
  char name[SPACE_NAME_BYTES];
};

typedef void (*kokkosp_function)(void);

struct kokkosp_interface {
  void (*fence)(uint32_t device);
  kokkosp_function spare[31];
};

struct kokkosp_settings {
  bool requires_global_fencing;
  bool spare[255];
};

struct kokkosp_device {
  size_t number;
};

/* From this version of the interface on, a device's number stands between its type and the instance. */
#define KOKKOSP_VERSION_WITH_DEVICE_NUMBERS 20211015

#endif
