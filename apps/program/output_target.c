/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/output_target.h"

#include <string.h>

#include "apps/program/program.h"
#include "apps/program/replace_file.h"
#include "apps/program/trace_file.h"
#include "runtime/shown_path.h"

static int grows_in(const struct tac_output_target *target, const char *path) {
  char part[TAC_TRACE_PART_BYTES];
  return target->grows && tac_trace_file_part(part, target->path) && tac_replace_file_clash(part, path);
}

static enum tac_status refuse(const char *option, const char *path, const char *what, const char *other,
                              struct tac_error *error) {
  char shown[TAC_SHOWN_PATH_BYTES];
  return tac_error_set(error, TAC_STATUS_INVALID, option, "'%s' is the %s of %s too", tac_shown_path(shown, path), what, other);
}

enum tac_status tac_output_target_pair(const struct tac_output_target *target, const struct tac_output_target *before,
                                       struct tac_error *error) {
  if (!target->path || !before->path)
    return TAC_STATUS_OK;
  if (tac_replace_file_clash(target->path, before->path))
    return refuse(target->option, target->path, "file", before->option, error);
  if (grows_in(before, target->path))
    return refuse(target->option, target->path, "FILE.part", before->option, error);
  if (grows_in(target, before->path))
    return refuse(before->option, before->path, "FILE.part", target->option, error);
  return TAC_STATUS_OK;
}

static enum tac_status check_input(const struct tac_output_target *target, const struct tac_input_file *input,
                                   struct tac_error *error) {
  if (!input->path)
    return TAC_STATUS_OK;
  if (tac_replace_file_clash(target->path, input->path))
    return refuse(target->option, target->path, "file", input->option, error);
  if (grows_in(target, input->path))
    return refuse(input->option, input->path, "FILE.part", target->option, error);
  return TAC_STATUS_OK;
}

enum tac_status tac_output_targets_check(const struct tac_output_target *target, size_t count,
                                         const struct tac_input_file *input, size_t inputs, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < count && status == TAC_STATUS_OK; i++) {
    if (!target[i].path)
      continue;
    if (strcmp(target[i].path, "-") == 0)
      return tac_error_set(error, TAC_STATUS_INVALID, target[i].option,
                           "'-' names no file: write /dev/stdout for standard output, ./- for a file of that name");
    for (size_t k = 0; k < i && status == TAC_STATUS_OK; k++)
      status = tac_output_target_pair(&target[i], &target[k], error);
    for (size_t k = 0; k < inputs && status == TAC_STATUS_OK; k++)
      status = check_input(&target[i], &input[k], error);
  }
  return status;
}

enum tac_status tac_output_targets_probe(const struct tac_output_target *target, size_t count, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < count && status == TAC_STATUS_OK; i++)
    if (target[i].path)
      status = tac_program_name_option(tac_replace_file_probe(target[i].path, error), target[i].option, error);
  return status;
}
