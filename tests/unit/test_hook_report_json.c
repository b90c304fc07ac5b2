/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/unit/hook_figures.h"

#define HEAD                                                                                                                   \
  "{\"name\":\"fake\",\"counters\":[{\"name\":\"clock\",\"unit\":\"ns\"},{\"name\":\"faults\",\"unit\":\"\"},"                 \
  "{\"name\":\"energy\",\"unit\":\"nJ\"}],\"events\":["

START_TEST(an_object_has_a_row_for_each_event_with_figures) {
  struct tac_hook_figures *figures = filled_figures();
  ck_assert_str_eq(told(tac_hook_report_json, figures),
                   HEAD "{\"name\":\"run\",\"count\":1,\"values\":[5000000,12,-3],\"items\":0,\"item_values\":[0,0,0]},"
                        "{\"name\":\"solve\",\"count\":2,\"values\":[4000,7,1],\"items\":100,\"item_values\":[1500,7,2]},"
                        "{\"name\":\"o\\\"d\\u0001\xef\xbf\xbd\",\"count\":3,\"values\":[17,0,0],\"items\":0,"
                        "\"item_values\":[0,0,0]}],\"failures\":0,\"failure\":null,\"note\":null}");
  tac_hook_figures_destroy(&figures);
}
END_TEST

START_TEST(scaled_values_notes_and_failures_are_told) {
  struct tac_hook_figures *figures = filled_figures();
  figures->phase[RUN] = (struct tac_hook_sum){1, {{400, 1000, 250}, {1, 9, 9}, {2, 0, 0}}};
  figures->item[SOLVE] = (struct tac_hook_sum){0};
  figures->phase[SOLVE] = (struct tac_hook_sum){0};
  figures->item[ODD] = (struct tac_hook_sum){1, {{5, 1, 1}, {6, 1, 1}, {0, 8, 0}}};
  figures->phase[ODD] = (struct tac_hook_sum){0};
  figures->failures = 1;
  strcpy(figures->failure, "a \"b\"");
  strcpy(figures->note, "n");
  ck_assert_str_eq(told(tac_hook_report_json, figures),
                   HEAD "{\"name\":\"run\",\"count\":1,\"values\":[400,1,2],\"counted_share\":[0.25,1.0,1.0],\"items\":0,"
                        "\"item_values\":[0,0,0]},"
                        "{\"name\":\"o\\\"d\\u0001\xef\xbf\xbd\",\"count\":0,\"values\":[0,0,0],\"items\":1,"
                        "\"item_values\":[5,6,0],\"item_counted_share\":[1.0,1.0,0.0]}],"
                        "\"failures\":1,\"failure\":\"a \\\"b\\\"\",\"note\":\"n\"}");
  tac_hook_figures_destroy(&figures);
}
END_TEST

START_TEST(refusals) {
  expect_refusals(tac_hook_report_json);
}
END_TEST

START_TEST(want_of_memory_is_told) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct test_sink sink = {.limit = sizeof sink.text};
  struct tac_hook_figures *figures;
  ck_assert_int_eq(tac_hook_figures_create(&figures, "fake", &event_set, &allocator, NULL), TAC_STATUS_OK);
  counting.left = 0;
  ck_assert_int_eq(tac_hook_report_json(figures, test_sink_take, &sink, NULL), TAC_STATUS_MEMORY);
  tac_hook_figures_destroy(&figures);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {an_object_has_a_row_for_each_event_with_figures, scaled_values_notes_and_failures_are_told,
                                refusals, want_of_memory_is_told};
  return RUN_SUITE("hook report json", tests);
}
