/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_OUTPUT_TARGET_H
#define APPS_PROGRAM_OUTPUT_TARGET_H

#include <stddef.h>

#include <tactus/runtime/error.h>

/* An option that names a file to be written; path NULL: not given. */
struct tac_output_target {
  const char *option, *path;
  int grows; /* as FILE.part, which becomes FILE at the end */
};

/* An option that names a file to be read; path NULL: not given. */
struct tac_input_file {
  const char *option, *path;
};

/* INVALID, by option: one of two files that are given would replace the other, or grows where it is. */
enum tac_status tac_output_target_pair(const struct tac_output_target *target, const struct tac_output_target *before,
                                       struct tac_error *error);

/* The same of every pair of them, and of each with every file that is read; nothing is touched. INVALID also for the path "-",
 * which is standard output elsewhere. */
enum tac_status tac_output_targets_check(const struct tac_output_target *target, size_t count,
                                         const struct tac_input_file *input, size_t inputs, struct tac_error *error);

/* Says early what would make a file fail late; error->where is the option. */
enum tac_status tac_output_targets_probe(const struct tac_output_target *target, size_t count, struct tac_error *error);

#endif
