/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_FILE_NAME_H
#define MEASURE_KOKKOS_FILE_NAME_H

#include <stddef.h>

#include <tactus/runtime/error.h>

/* The name of a file, in `room` bytes with its end, where %p stands for the number of the process, %h for the name of the host
 * and %% for a percent sign. INVALID: another letter behind a percent sign, or a name that is empty or has no room. */
enum tac_status tac_file_name_expand(char *path, size_t room, const char *pattern, struct tac_error *error);

#endif
