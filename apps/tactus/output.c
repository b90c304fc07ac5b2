/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/output.h"

#include <stdio.h>
#include <string.h>

#include "apps/program/program.h"
#include "apps/program/replace_file.h"
#include "apps/program/streams.h"
#include "runtime/shown_path.h"

struct job {
  tac_output_fn write;
  void *context;
  int failed; /* the writer, and not the file */
};

static enum tac_status fill(void *context, FILE *file, struct tac_error *error) {
  struct job *job = context;
  const enum tac_status status = job->write(job->context, tac_stream_sink, file, error);
  job->failed = status != TAC_STATUS_OK;
  return status;
}

struct pieces {
  tac_sink_fn sink;
  void *stream;
  int refused;
};

static int give(const char *text, size_t bytes, void *context) {
  struct pieces *pieces = context;
  pieces->refused |= pieces->sink(pieces->stream, text, bytes) != 0;
  return pieces->refused ? -1 : 0;
}

enum tac_status tac_output_json(const json_t *value, tac_sink_fn sink, void *stream, struct tac_error *error) {
  struct pieces pieces = {sink, stream, 0};
  if (json_dump_callback(value, give, &pieces, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && give("\n", 1, &pieces) == 0)
    return TAC_STATUS_OK;
  return pieces.refused ? tac_error_set(error, TAC_STATUS_IO, "--json", "cannot be written")
                        : tac_error_set(error, TAC_STATUS_MEMORY, "--json", "no memory for the JSON text");
}

int tac_output_is_standard(const char *path) {
  return strcmp(path, "-") == 0;
}

enum tac_status tac_output_write(const char *path, const char *option, tac_output_fn write, void *context,
                                 struct tac_error *error) {
  struct job job = {write, context, 0};
  if (tac_output_is_standard(path)) {
    const enum tac_status status = fill(&job, stdout, error);
    return status == TAC_STATUS_OK ? tac_program_check_output(error) : status;
  }
  const enum tac_status status = tac_replace_file_filled(path, fill, &job, error);
  return job.failed ? status : tac_program_name_option(status, option, error);
}

static enum tac_status check_pair(const struct tac_output_target *target, const struct tac_output_target *before,
                                  struct tac_error *error) {
  const int standard = tac_output_is_standard(target->path);
  if (standard != tac_output_is_standard(before->path))
    return TAC_STATUS_OK;
  if (standard)
    return tac_error_set(error, TAC_STATUS_INVALID, target->option, "goes to standard output, as does %s", before->option);
  return tac_output_target_pair(target, before, error);
}

enum tac_status tac_output_check(const struct tac_output_target *target, size_t count, const char *const *input, size_t inputs,
                                 struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  char shown[TAC_SHOWN_PATH_BYTES];
  for (size_t i = 0; i < count && !status; i++) {
    if (!target[i].path)
      continue;
    for (size_t k = 0; k < i && !status; k++)
      if (target[k].path)
        status = check_pair(&target[i], &target[k], error);
    for (size_t k = 0; k < inputs && !status && !tac_output_is_standard(target[i].path); k++)
      if (tac_replace_file_clash(target[i].path, tac_output_is_standard(input[k]) ? "/dev/stdin" : input[k]))
        status = tac_error_set(error, TAC_STATUS_INVALID, target[i].option, "'%s' is the record that is read",
                               tac_shown_path(shown, target[i].path));
  }
  return status;
}
