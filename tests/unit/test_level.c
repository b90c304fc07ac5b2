/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/level.h>

#include <string.h>

#include "tests/unit/suite.h"

START_TEST(names_and_levels_agree) {
  static const char *const names[TAC_LEVEL_COUNT] = {"off", "coarse", "detailed", "hooked"};
  for (int level = 0; level < TAC_LEVEL_COUNT; level++) {
    enum tac_level found = TAC_OFF;
    ck_assert_str_eq(tac_level_name((enum tac_level)level), names[level]);
    ck_assert_int_eq(tac_level_find(&found, names[level], NULL), TAC_STATUS_OK);
    ck_assert_int_eq(found, level);
  }
  ck_assert_str_eq(tac_level_name((enum tac_level)TAC_LEVEL_COUNT), "unknown");
  ck_assert_str_eq(tac_level_name((enum tac_level) - 1), "unknown");
}
END_TEST

START_TEST(other_names_are_refused) {
  static const char *const wrong[] = {"", "Off", "detail", "unknown", "coarse "};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    enum tac_level found = TAC_HOOKED;
    struct tac_error error;
    ck_assert_int_eq(tac_level_find(&found, wrong[i], &error), TAC_STATUS_INVALID);
    ck_assert_int_eq(found, TAC_HOOKED);
    ck_assert_ptr_nonnull(strstr(error.text, "off, coarse, detailed or hooked"));
  }
  ck_assert_int_eq(tac_level_find(NULL, "off", NULL), TAC_STATUS_INVALID);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {names_and_levels_agree, other_names_are_refused};
  return RUN_SUITE("level", tests);
}
