/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/options.h"

#include <string.h>

enum tac_status tac_volume_options_parse(struct tac_volume_options *out, int argc, char *const argv[],
                                         struct tac_error *error) {
  memset(out, 0, sizeof *out);
  out->levels = -1;
  return tac_options_parse(out, &out->given, &tac_volume_option_table, argc, argv, error);
}

int tac_volume_option_given(const struct tac_volume_options *options, const char *name) {
  return tac_option_given(&tac_volume_option_table, options->given, name);
}

const char *tac_volume_choice_name(const char *option, int value) {
  return tac_option_choice_name(&tac_volume_option_table, option, value);
}

int tac_volume_has_suffix(const char *path, const char *suffix) {
  const size_t length = strlen(path), end = strlen(suffix);
  return length > end && strcmp(path + length - end, suffix) == 0;
}
