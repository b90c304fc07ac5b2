/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/costs.h"

#include <stdlib.h>
#include <string.h>

#include "apps/program/machine_options.h"
#include "apps/program/program.h"
#include "apps/program/read_file.h"
#include "runtime/shown_path.h"

static enum tac_status name_file(enum tac_status status, const char *path, struct tac_error *error) {
  const struct tac_error reason = *error;
  char shown[TAC_SHOWN_PATH_BYTES];
  return status == TAC_STATUS_OK
             ? status
             : tac_error_set(error, status, "--costs", "'%s': %s", tac_shown_path(shown, path), reason.text);
}

static enum tac_status check(const struct tac_cost_model *model, const char *program, const struct tac_event_terms *of,
                             size_t count, struct tac_error *error) {
  struct tac_bound_costs *bound = malloc(count * sizeof *bound);
  enum tac_status status = TAC_STATUS_OK;
  if (!bound)
    status = tac_error_set(error, TAC_STATUS_MEMORY, "--costs", "no memory");
  else if (strcmp(model->program, program) != 0)
    status = tac_error_set(error, TAC_STATUS_INVALID, "--costs", "program is '%s', not %s", model->program, program);
  else
    status = tac_cost_model_bind(bound, model, of, count, error);
  free(bound);
  return status;
}

enum tac_status tac_costs_load(struct tac_cost_model **out, const char *path, const char *program,
                               const struct tac_event_terms *of, size_t count, struct tac_error *error) {
  char *text = NULL;
  size_t bytes = 0;
  *out = NULL;
  enum tac_status status = tac_read_file(&text, &bytes, path, error);
  if (status == TAC_STATUS_OK)
    status = tac_cost_model_read(out, text, bytes, NULL, error);
  free(text);
  if (status == TAC_STATUS_OK)
    status = check(*out, program, of, count, error);
  if (status != TAC_STATUS_OK)
    tac_cost_model_destroy(out);
  return name_file(status, path, error);
}

enum tac_status tac_costs_check_machine(const char *path, const struct tac_machine_options *machine, struct tac_error *error) {
  const struct tac_executor *executor;
  if (!path || tac_executor_find(&executor, machine->executor, NULL) != TAC_STATUS_OK || !executor->device)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_INVALID, "--costs", "belongs to executors of the host, not to %s", machine->executor);
}
