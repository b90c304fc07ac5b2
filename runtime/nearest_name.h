/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_NEAREST_NAME_H
#define RUNTIME_NEAREST_NAME_H

#include <stddef.h>

/* Insertions, removals and replacements of one byte that turn `a` into `b`; only the first 63 bytes of each count. */
size_t tac_name_distance(const char *a, const char *b);

/* The name nearest to what was typed, the first of equals; NULL when nothing is near enough to be a slip: at most two changes,
 * and fewer than half of the longer of the two. */
const char *tac_nearest_name(const char *typed, const char *const *names, size_t count);

#endif
