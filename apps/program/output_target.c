/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/output_target.h"

#include "apps/program/program.h"
#include "apps/program/replace_file.h"

enum tac_status tac_output_target_pair(const struct tac_output_target *target, const struct tac_output_target *before,
                                       struct tac_error *error) {
  if (!target->path || !before->path || !tac_replace_file_clash(target->path, before->path))
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_INVALID, target->option, "'%s' is the file of %s too", target->path, before->option);
}

enum tac_status tac_output_targets_check(const struct tac_output_target *target, size_t count, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i && status == TAC_STATUS_OK; k++)
      status = tac_output_target_pair(&target[i], &target[k], error);
  return status;
}

enum tac_status tac_output_targets_probe(const struct tac_output_target *target, size_t count, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < count && status == TAC_STATUS_OK; i++)
    if (target[i].path)
      status = tac_program_name_option(tac_replace_file_probe(target[i].path, error), target[i].option, error);
  return status;
}
