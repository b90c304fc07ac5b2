/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/unit/hook_figures.h"

START_TEST(new_figures_are_zeros) {
  struct tac_hook_figures *figures = create_figures();
  for (int i = 0; i < EVENTS; i++) {
    ck_assert_uint_eq(figures->phase[i].count, 0);
    ck_assert_uint_eq(figures->item[i].count, 0);
    ck_assert_int_eq(figures->phase[i].value[TAC_HOOK_COUNTERS_MOST - 1].value, 0);
  }
  ck_assert_str_eq(figures->name, "fake");
  ck_assert_uint_eq(figures->counters, 0);
  tac_hook_figures_destroy(&figures);
  ck_assert_ptr_null(figures);
  tac_hook_figures_destroy(&figures);
}
END_TEST

START_TEST(a_reset_keeps_names_and_note) {
  struct tac_hook_figures *figures = filled_figures();
  figures->failures = 2;
  strcpy(figures->failure, "broke");
  strcpy(figures->note, "beware");
  tac_hook_figures_reset(figures);
  ck_assert_uint_eq(figures->phase[RUN].count, 0);
  ck_assert_int_eq(figures->phase[RUN].value[0].value, 0);
  ck_assert_int_eq(figures->item[SOLVE].value[2].value, 0);
  ck_assert_uint_eq(figures->failures, 0);
  ck_assert_str_eq(figures->failure, "");
  ck_assert_str_eq(figures->note, "beware");
  ck_assert_uint_eq(figures->counters, 3);
  ck_assert_str_eq(figures->counter[2].unit, "nJ");
  tac_hook_figures_destroy(&figures);
}
END_TEST

START_TEST(a_value_is_scaled_to_the_time_it_was_enabled) {
  static const struct {
    struct tac_hook_value raw;
    int64_t value;
  } cases[] = {
      {{100, 1000, 1000}, 100},                  /* all the time */
      {{100, 1000, 250}, 400},                   /* a quarter */
      {{100, 300, 200}, 150},   {{7, 3, 2}, 11}, /* 10.5 */
      {{-7, 4, 2}, -14},                         /* a gauge that fell */
      {{5, 0, 0}, 5},                            /* tells no times */
      {{0, 1000, 0}, 0},                         /* never counted */
      {{9, 1000, 999}, 9},                       /* 9.009 */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tac_hook_value sum = {1000, 10, 20};
    tac_hook_value_add(&sum, &cases[i].raw);
    ck_assert_int_eq(sum.value, 1000 + cases[i].value);
    ck_assert_int_eq(sum.enabled_ns, 10 + cases[i].raw.enabled_ns);
    ck_assert_int_eq(sum.counted_ns, 20 + cases[i].raw.counted_ns);
  }
}
END_TEST

START_TEST(what_is_missing_is_refused) {
  struct tac_hook_figures *figures = (void *)1;
  const struct tac_event_set empty = {"empty", 3, NULL};
  ck_assert_int_eq(tac_hook_figures_create(NULL, "fake", &event_set, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_hook_figures_create(&figures, NULL, &event_set, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_ptr_null(figures);
  ck_assert_int_eq(tac_hook_figures_create(&figures, "fake", NULL, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_hook_figures_create(&figures, "fake", &empty, NULL, NULL), TAC_STATUS_INVALID);
}
END_TEST

START_TEST(want_of_memory_leaves_nothing) {
  for (size_t left = 0; left <= 3; left++) {
    struct counting counting = COUNTING_INIT;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_hook_figures *figures;
    counting.left = left;
    const enum tac_status status = tac_hook_figures_create(&figures, "fake", &event_set, &allocator, NULL);
    ck_assert_int_eq(status, left < 3 ? TAC_STATUS_MEMORY : TAC_STATUS_OK);
    ck_assert_int_eq(figures != NULL, left == 3);
    tac_hook_figures_destroy(&figures);
    ck_assert_uint_eq(counting.allocated, counting.released);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {new_figures_are_zeros, a_reset_keeps_names_and_note,
                                a_value_is_scaled_to_the_time_it_was_enabled, what_is_missing_is_refused,
                                want_of_memory_leaves_nothing};
  return RUN_SUITE("hook figures", tests);
}
