/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/options.h"

#include <string.h>

enum tac_status tac_heisenberg_options_parse(struct tac_heisenberg_options *out, int argc, char *const argv[],
                                             struct tac_error *error) {
  memset(out, 0, sizeof *out);
  return tac_options_parse(out, &out->given, &tac_heisenberg_option_table, argc, argv, error);
}

int tac_heisenberg_option_given(const struct tac_heisenberg_options *options, const char *name) {
  return tac_option_given(&tac_heisenberg_option_table, options->given, name);
}

const char *tac_heisenberg_choice_name(const char *option, int value) {
  return tac_option_choice_name(&tac_heisenberg_option_table, option, value);
}
