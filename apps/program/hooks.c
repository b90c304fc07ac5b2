/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/hooks.h"

#include <string.h>

#include "apps/program/availability.h"
#include "apps/program/json.h"
#include "apps/program/streams.h"

int tac_hooks_asks_for_help(const char *hooks) {
  return hooks && strcmp(hooks, "help") == 0;
}

enum { REASON_BYTES = 256, LINE_COLUMNS = 110 };

struct missing {
  FILE *stream;
  char reason[REASON_BYTES]; /* of the list that is being written; empty: none */
  int columns;               /* of its last line so far */
};

static int print_usable(void *context, const char *name, const char *reason) {
  struct missing *missing = context;
  if (!reason)
    fprintf(missing->stream, "       %s\n", name);
  return 0;
}

/* Counters that are missing for one reason share a list, which begins with the first of them. */
static int print_missing(void *context, const char *name, const char *reason) {
  struct missing *missing = context;
  if (!reason)
    return 0;
  if (strncmp(missing->reason, reason, sizeof missing->reason - 1) == 0) {
    const int wraps = missing->columns + 2 + (int)strlen(name) > LINE_COLUMNS;
    const int added = fprintf(missing->stream, wraps ? ",\n         %s" : ", %s", name);
    missing->columns = wraps ? added - 2 : missing->columns + added;
    return 0;
  }
  if (missing->reason[0])
    fputc('\n', missing->stream);
  snprintf(missing->reason, sizeof missing->reason, "%s", reason);
  missing->columns = fprintf(missing->stream, "       not here (%s): %s", reason, name);
  return 0;
}

static void print_counters(FILE *stream, const struct tac_hook_kind *kind) {
  struct missing missing = {.stream = stream};
  kind->list(print_usable, &missing, NULL);
  kind->list(print_missing, &missing, NULL);
  if (missing.reason[0])
    fputc('\n', stream);
}

void tac_hooks_help(FILE *stream) {
  size_t count;
  const struct tac_hook_kind *const *kinds = tac_hook_kinds(&count);
  for (size_t i = 0; i < count; i++) {
    const struct tac_choice choice = {kinds[i]->name, kinds[i]->summary, kinds[i]->probe};
    if (tac_availability_print(stream, 0, 5, &choice))
      print_counters(stream, kinds[i]);
  }
}

enum tac_status tac_hooks_check(const char *hooks, enum tac_level level, struct tac_error *error) {
  if (hooks && level != TAC_HOOKED)
    return tac_error_set(error, TAC_STATUS_INVALID, "--hooks", "'%s' needs --measurements=hooked", hooks);
  if (!hooks && level == TAC_HOOKED)
    return tac_error_set(error, TAC_STATUS_INVALID, "--measurements",
                         "'hooked' needs --hooks=nvtx, perf or papi: what phases and items call (see --hooks=help)");
  return TAC_STATUS_OK;
}

enum tac_status tac_hooks_create(struct tac_hook_tool **tool, const char *hooks, const struct tac_event_set *events,
                                 enum tac_level level, struct tac_error *error) {
  *tool = NULL;
  if (level != TAC_HOOKED)
    return TAC_STATUS_OK;
  struct tac_hook_tool_options options;
  struct tac_error reason;
  tac_error_clear(&reason);
  tac_hook_tool_options_init(&options);
  options.hooks = hooks;
  options.events = events;
  const enum tac_status status = tac_hook_tool_create(tool, &options, &reason);
  if (status == TAC_STATUS_OK)
    return status;
  return tac_error_set(error, status, "--hooks", "%s%s", reason.text,
                       status == TAC_STATUS_INVALID ? " (see --hooks=help)" : "");
}

enum tac_status tac_hooks_create_figures(struct tac_hook_figures **figures, const struct tac_hook_tool *tool,
                                         struct tac_error *error) {
  *figures = NULL;
  return tool ? tac_hook_tool_figures(figures, tool, error) : TAC_STATUS_OK;
}

const struct tac_hooks *tac_hooks_table(const struct tac_hook_tool *tool) {
  return tool ? tac_hook_tool_hooks(tool) : NULL;
}

enum tac_status tac_hooks_take(struct tac_hook_tool *tool, struct tac_hook_figures *figures, struct tac_error *error) {
  return tool ? tac_hook_tool_take(tool, figures, error) : TAC_STATUS_OK;
}

enum tac_status tac_hooks_print(FILE *stream, const struct tac_hook_figures *figures, struct tac_error *error) {
  if (!figures)
    return TAC_STATUS_OK;
  fputc('\n', stream);
  return tac_hook_report_text(figures, tac_stream_sink, stream, error);
}

static enum tac_status report_figures(const void *figures, tac_sink_fn sink, void *context, struct tac_error *error) {
  return tac_hook_report_json(figures, sink, context, error);
}

json_t *tac_hooks_json(const struct tac_hook_figures *figures) {
  return tac_json_report(report_figures, figures);
}
