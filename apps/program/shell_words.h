/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_SHELL_WORDS_H
#define APPS_PROGRAM_SHELL_WORDS_H

/* A command line as one text that a shell would take apart again: a word with other than letters, digits and -_./=,:+@% stands
 * in single quotes. argv ends with NULL. The caller frees it; NULL: no memory. */
char *tac_shell_words(char *const argv[]);

#endif
