/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_HOOKS_H
#define APPS_PROGRAM_HOOKS_H

#include <stdio.h>

#include <jansson.h>

#include <tactus/hooks.h>

#include "apps/program/options.h"

/* clang-format off */
/* The row of a program's table for its `const char *member`. */
#define TAC_HOOKS_OPTION_ROW(group, type, member)                                                                              \
  {"--hooks", group, TAC_OPTION_TEXT, offsetof(type, member), "NAME[:LIST]", NULL,                                             \
   "Of --measurements=hooked: what phases and items call. nvtx makes ranges for a profiler; perf and papi count, what they "   \
   "find or the counters of the list, as in perf:task-clock,page-faults. --hooks=help lists all.", 0, 0, NULL}
/* clang-format on */

/* Whether --hooks only asks for the list. */
int tac_hooks_asks_for_help(const char *hooks);

/* --hooks=help: every kind, why it is or is not available, and its counters. */
void tac_hooks_help(FILE *stream);

/* hooked and --hooks belong together. INVALID: error->where is the option. */
enum tac_status tac_hooks_check(const char *hooks, enum tac_level level, struct tac_error *error);

/* The tool of a level, and figures for it; none (NULL) but at hooked. What is wrong is told by the name of the option. */
enum tac_status tac_hooks_create(struct tac_hook_tool **tool, const char *hooks, const struct tac_event_set *events,
                                 enum tac_level level, struct tac_error *error);
enum tac_status tac_hooks_create_figures(struct tac_hook_figures **figures, const struct tac_hook_tool *tool,
                                         struct tac_error *error);

/* The table for a recorder; NULL without a tool. */
const struct tac_hooks *tac_hooks_table(const struct tac_hook_tool *tool);

/* Moves what was gathered; nothing without a tool. */
enum tac_status tac_hooks_take(struct tac_hook_tool *tool, struct tac_hook_figures *figures, struct tac_error *error);

/* The tables, after an empty line; nothing without figures. */
enum tac_status tac_hooks_print(FILE *stream, const struct tac_hook_figures *figures, struct tac_error *error);

/* The object of a record's member "hooks". NULL: no memory. */
json_t *tac_hooks_json(const struct tac_hook_figures *figures);

#endif
