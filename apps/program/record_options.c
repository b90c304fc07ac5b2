/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/record_options.h"

#include "apps/program/program.h"
#include "apps/program/replace_file.h"

struct named_file {
  const char *option, *path;
  int measured; /* 1: there is none at off */
};
enum { FILES = 5 };

static void list_files(struct named_file files[FILES], const struct tac_record_options *options) {
  files[0] = (struct named_file){"--json", options->json, 0};
  files[1] = (struct named_file){"--csv", options->csv, 1};
  files[2] = (struct named_file){"--trace", options->trace, 1};
  files[3] = (struct named_file){"--speedscope", options->speedscope, 1};
  files[4] = (struct named_file){"--report", options->report, 1};
}

enum tac_status tac_record_options_check(const struct tac_record_options *options, enum tac_level level,
                                         const struct tac_option_table *table, uint64_t given, struct tac_error *error) {
  struct named_file files[FILES];
  list_files(files, options);
  for (size_t i = 0; i < FILES; i++) {
    if (!files[i].path)
      continue;
    if (files[i].measured && level == TAC_OFF)
      return tac_error_set(error, TAC_STATUS_INVALID, files[i].option,
                           "'%s' needs --measurements=coarse, detailed or hooked: off measures nothing", files[i].path);
    for (size_t k = 0; k < i; k++)
      if (files[k].path && tac_replace_file_clash(files[k].path, files[i].path))
        return tac_error_set(error, TAC_STATUS_INVALID, files[i].option, "'%s' is the file of %s too", files[i].path,
                             files[k].option);
  }
  if (tac_option_given(table, given, "--detail-limit") && level == TAC_OFF)
    return tac_error_set(error, TAC_STATUS_INVALID, "--detail-limit",
                         "'%d' needs --measurements=coarse, detailed or hooked: off measures nothing", options->detail_limit);
  return TAC_STATUS_OK;
}

enum tac_status tac_record_options_probe(const struct tac_record_options *options, struct tac_error *error) {
  struct named_file files[FILES];
  enum tac_status status = TAC_STATUS_OK;
  list_files(files, options);
  for (size_t i = 0; i < FILES && status == TAC_STATUS_OK; i++)
    if (files[i].path)
      status = tac_program_name_option(tac_replace_file_probe(files[i].path, error), files[i].option, error);
  return status;
}
