/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Device times in reports of phases. */
#include <string.h>

#include "tests/support/recorded_device.h"
#include "tests/unit/phase_reports.h"

/* A batch of 25 µs on the device within a sweep of which no other time is known there. */
static struct tac_phase_profile *prepare_with_device(void) {
  static const char *const device_phases[] = {"solve \xc2\xb5", "batch"};
  static const int device_events[] = {RECORDED_SOLVE, RECORDED_BATCH};
  struct tac_recorder *recorder;
  struct tac_phase_profile *profile;
  ck_assert_int_eq(recorded_create(&recorder, TAC_COARSE, 10, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_device_run(recorder), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_profile_create(&profile, NULL, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_profile_take(profile, recorder, device_events, 2, NULL), TAC_STATUS_OK);
  tac_recorder_destroy(&recorder);
  tac_phase_report_init(&report);
  report.phases = device_phases;
  report.phase_count = 2;
  report.profile = profile;
  report.profiled_ns = 12000;
  report.off_ns = 16000;
  return profile;
}

START_TEST(device_seconds_stand_beside_the_hosts) {
  struct tac_phase_profile *profile = prepare_with_device();
  static const char expected[] =
      "phase            seconds  calls      mean   share  operations  of operations  flops  GF/s  device seconds\n"
      "solve \xc2\xb5         0.000000      0      0 ns   0.0 %                                                0.000000\n"
      "batch           0.000006      1  6.000 \xc2\xb5s  50.0 %                                                0.000025\n"
      "residual        0.000006                   50.0 %\n"
      "profiled total  0.000012\n"
      "off total       0.000016\n"
      "Seconds are host wall time, device seconds the time in which the device ran commands of the phase, by its own stamps on "
      "CLOCK_MONOTONIC.\n"
      "Measured, the work took 0.000012 s, and 0.000016 s with measurements off: 25.0 % less, so single timings say nothing "
      "here; measured "
      "batches drain their queues at their joins.\n";
  ck_assert_msg(strcmp(told(tac_phase_report_text), expected) == 0, "%s", sink.text);
  ck_assert_str_eq(told(tac_phase_report_csv), ",,,solve \xc2\xb5,,,,,0.000000000,0,0,,0.000000000\n"
                                               ",,,batch,,,,,0.000006000,0.5,1,,0.000025000\n");
  json_t *value = told_json();
  const json_t *row = json_array_get(json_object_get(value, "phases"), 1);
  ck_assert(number(row, "device_ns") == 25000);
  ck_assert_str_eq(text(row, "device_domain"), "device");
  json_decref(value);
  struct tac_phase_profile *copy;
  ck_assert_int_eq(tac_phase_profile_copy(&copy, profile, NULL), TAC_STATUS_OK);
  const struct tac_phase copied = tac_phase_profile_find(copy, "batch");
  ck_assert_int_eq(copied.device_known, 1);
  ck_assert_int_eq(copied.device_ns, 25000);
  tac_phase_profile_destroy(&copy);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(an_unknown_device_time_is_left_blank) {
  struct tac_phase_profile *profile = prepare_with_device();
  record(profile, "batch", 1000, 1); /* of this call the device's part is not known */
  ck_assert_str_eq(told(tac_phase_report_csv), ",,,solve \xc2\xb5,,,,,0.000000000,0,0,,0.000000000\n"
                                               ",,,batch,,,,,0.000007000,0.583333333,2,,\n");
  json_t *value = told_json();
  ck_assert_ptr_null(json_object_get(json_array_get(json_object_get(value, "phases"), 1), "device_ns"));
  json_decref(value);
  tac_phase_profile_destroy(&profile);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      device_seconds_stand_beside_the_hosts,
      an_unknown_device_time_is_left_blank,
  };
  return RUN_SUITE("phase_report_device", tests);
}
