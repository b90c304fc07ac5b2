/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_FORMATS_FILES_H
#define TESTS_FORMATS_FILES_H

#include <stddef.h>

#include <tactus/runtime/error.h>

#include "tests/unit/suite.h"

/* Fixture: an empty folder that the test runs in; it is removed with the files in it. */
void tac_enter_folder(void);
void tac_leave_folder(void);

/* Runs tests in folders of their own, in the locale of the environment variables. */
int tac_run_in_folders(const char *name, const TTest *const *tests, size_t count);
#define RUN_IN_FOLDERS(name, tests) tac_run_in_folders(name, tests, sizeof(tests) / sizeof *(tests))

void tac_put_bytes(const char *path, const void *data, size_t bytes);
void tac_put_text(const char *path, const char *text);

/* The content of a file and a zero byte behind it, for free(). */
char *tac_get_bytes(const char *path, size_t *bytes);

/* Number of entries of the folder. */
size_t tac_count_files(void);

/* The status, and that the text holds `part` and is one line. */
void tac_expect_refusal(enum tac_status status, const struct tac_error *error, enum tac_status expected, const char *part);

#endif
