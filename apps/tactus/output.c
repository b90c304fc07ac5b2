/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/output.h"

#include <stdio.h>
#include <string.h>

#include "apps/program/program.h"
#include "apps/program/replace_file.h"

struct job {
  tac_output_fn write;
  void *context;
  int refused; /* the writer failed, and not the file */
};

static int write_piece(void *stream, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, stream) != bytes;
}

/* A stream that fails is left to the caller, who knows why. */
static enum tac_status fill(void *context, FILE *file, struct tac_error *error) {
  struct job *job = context;
  const enum tac_status status = job->write(job->context, write_piece, file, error);
  if (status == TAC_STATUS_OK || ferror(file))
    return TAC_STATUS_OK;
  job->refused = 1;
  return status;
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
  return job.refused ? status : tac_program_name_option(status, option, error);
}
