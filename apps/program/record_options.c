/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/record_options.h"

#include "runtime/shown_path.h"

void tac_record_options_targets(struct tac_output_target target[TAC_RECORD_FILES], const struct tac_record_options *options) {
  target[0] = (struct tac_output_target){"--json", options->json, 0};
  target[1] = (struct tac_output_target){"--csv", options->csv, 0};
  target[2] = (struct tac_output_target){"--trace", options->trace, 1};
  target[3] = (struct tac_output_target){"--speedscope", options->speedscope, 0};
  target[4] = (struct tac_output_target){"--report", options->report, 0};
}

enum tac_status tac_record_options_check(const struct tac_record_options *options, enum tac_level level,
                                         const struct tac_option_table *table, uint64_t given, struct tac_error *error) {
  struct tac_output_target target[TAC_RECORD_FILES];
  char shown[TAC_SHOWN_PATH_BYTES];
  tac_record_options_targets(target, options);
  for (size_t i = 0; i < TAC_RECORD_FILES && level == TAC_OFF; i++)
    if (target[i].path && target[i].path != options->json)
      return tac_error_set(error, TAC_STATUS_INVALID, target[i].option,
                           "'%s' needs --measurements=coarse, detailed or hooked: off measures nothing",
                           tac_shown_path(shown, target[i].path));
  if (tac_option_given(table, given, "--detail-limit") && level == TAC_OFF)
    return tac_error_set(error, TAC_STATUS_INVALID, "--detail-limit",
                         "'%d' needs --measurements=coarse, detailed or hooked: off measures nothing", options->detail_limit);
  return TAC_STATUS_OK;
}
