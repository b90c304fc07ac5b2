/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_CACHE_H
#define APPS_FMM_CACHE_H

#include <stddef.h>
#include <stdint.h>

/* Arrays of doubles kept on disk between runs, one file a key. The key is a text that names everything that the array depends
 * on, the version of its own layout included; it stands in the file, beside sizes and a checksum, and all of them must be
 * right. Nothing here is an error: what cannot be read is made anew, what cannot be written is not kept. Thread-safe; any
 * number of processes may use a folder at once. folder NULL: nothing is kept. */

/* 1: data[0 … count-1] holds the array of the key. 0: there is none that can be trusted; data is then undefined. */
int tac_cache_load(const char *folder, const char *key, double *data, size_t count);

/* Writes (and replaces) the file of the key, making the folder where it is missing. 1 when it is kept. */
int tac_cache_store(const char *folder, const char *key, const double *data, size_t count);

/* Tells arrays apart, for the keys of what is made from them. */
uint64_t tac_cache_checksum(const double *data, size_t count);

#endif
