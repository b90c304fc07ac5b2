/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_KOKKOS_ARGUMENTS_H
#define TESTS_KOKKOS_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

/* What Kokkos passes by value, and its settings, as its interface has them. */
struct space {
  char name[64];
};
struct interface {
  void (*fence)(uint32_t);
  void (*spare[31])(void);
};
struct settings {
  bool fencing, spare[255];
};

#endif
