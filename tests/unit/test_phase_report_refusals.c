/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Reports of phases that cannot be given. */
#include "tests/unit/counting_allocator.h"
#include "tests/unit/phase_reports.h"

static const report_fn forms[] = {tac_phase_report_text, tac_phase_report_csv, tac_phase_report_json,
                                  tac_phase_report_json_members};
enum { FORMS = sizeof forms / sizeof *forms };

static void assert_refused(void) {
  for (int i = 0; i < FORMS; i++) {
    struct tac_error error;
    sink = (struct test_sink){.limit = sizeof sink.text};
    ck_assert_int_eq(forms[i](&report, test_sink_take, &sink, &error), TAC_STATUS_INVALID);
    ck_assert_int_eq(error.status, TAC_STATUS_INVALID);
    ck_assert_uint_eq(sink.used, 0);
  }
}

START_TEST(wrong_reports_are_refused) {
  static const char *const twice[] = {"up", "near", "up"};
  static const char *const missing[] = {"up", NULL};
  struct tac_phase_profile *profile = prepare(NULL);
  const struct tac_phase_report good = report;
  report.size = 0;
  assert_refused();
  report = good;
  report.profile = NULL;
  assert_refused();
  report = good;
  report.scope = NULL;
  assert_refused();
  report = good;
  report.phases = NULL;
  assert_refused();
  report = good;
  report.phases = twice;
  assert_refused();
  report.phases = missing;
  report.phase_count = 2;
  assert_refused();
  report = good;
  counts.counting_rule = NULL;
  assert_refused();
  counts.counting_rule = "";
  for (int i = 0; i < FORMS; i++) {
    ck_assert_int_eq(forms[i](NULL, test_sink_take, &sink, NULL), TAC_STATUS_INVALID);
    ck_assert_int_eq(forms[i](&report, NULL, NULL, NULL), TAC_STATUS_INVALID);
  }
  ck_assert_int_eq(tac_phase_report_csv_header(NULL, NULL, NULL), TAC_STATUS_INVALID);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(a_sink_that_refuses_stops_the_report) {
  struct tac_phase_profile *profile = prepare(NULL);
  for (int i = 0; i < FORMS; i++)
    for (size_t limit = 0; limit < 220; limit += 13) {
      sink = (struct test_sink){.limit = limit};
      ck_assert_int_eq(forms[i](&report, test_sink_take, &sink, NULL), TAC_STATUS_IO);
      ck_assert_uint_eq(sink.pieces_after_refusal, 0);
    }
  sink = (struct test_sink){.limit = 10};
  ck_assert_int_eq(tac_phase_report_csv_header(test_sink_take, &sink, NULL), TAC_STATUS_IO);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(a_refused_allocation_is_reported) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_phase_profile *profile = prepare(&allocator);
  enum tac_status status = TAC_STATUS_MEMORY;
  size_t refusals = 0;
  for (; status == TAC_STATUS_MEMORY; refusals++) {
    ck_assert_uint_lt(refusals, 1000);
    counting.left = refusals;
    sink = (struct test_sink){.limit = sizeof sink.text};
    status = tac_phase_report_json(&report, test_sink_take, &sink, NULL);
    ck_assert_int_eq(sink.used == 0, status == TAC_STATUS_MEMORY);
  }
  ck_assert_int_eq(status, TAC_STATUS_OK);
  ck_assert_uint_gt(refusals, PHASES);
  tac_phase_profile_destroy(&profile);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      wrong_reports_are_refused,
      a_sink_that_refuses_stops_the_report,
      a_refused_allocation_is_reported,
  };
  return RUN_SUITE("phase_report_refusals", tests);
}
