/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/record_cost.h"

#include "measure/batch.h"
#include "measure/clock_cost.h"
#include "measure/recorder.h"
#include "measure/replayed_clock.h"

/* The least of some rounds is what an undisturbed machine takes. */
enum { ROUNDS = 5, RECORDS = 200 };

static const struct tac_event event = {"record", TAC_NO_EVENT, 1};
static const struct tac_event_set event_set = {"record", 1, &event};
static const struct tac_hooks no_hooks = {0};

static double least(double a, double b, int first) {
  return first || b < a ? b : a;
}

/* What lies between two reads has one of them in it. */
static double per_record(int64_t begin_ns, int64_t end_ns, double clock_read_ns) {
  const double each_ns = ((double)(end_ns - begin_ns) - clock_read_ns) / RECORDS;
  return each_ns > 0 ? each_ns : 0;
}

static double phase_round(struct tac_recorder *recorder, double clock_read_ns) {
  tac_recorder_reset(recorder);
  const int64_t begin_ns = tac_recorder_now(recorder);
  for (int i = 0; i < RECORDS; i++) {
    tac_recorder_enter(recorder, 0);
    tac_recorder_leave(recorder, 0);
  }
  return per_record(begin_ns, tac_recorder_now(recorder), clock_read_ns);
}

static enum tac_status item_round(double *out, struct tac_recorder *recorder, double clock_read_ns, struct tac_error *error) {
  const struct tac_measured_batch batch = {.event = 0, .count = RECORDS};
  const struct tac_lane lane = {0};
  struct tac_measure measure;
  tac_recorder_reset(recorder);
  enum tac_status status = tac_measure_begin_detailed(&measure, recorder, (struct tac_measured_lanes){&lane, 1}, &batch, error);
  if (status != TAC_STATUS_OK)
    return status;
  const int64_t begin_ns = tac_recorder_now(recorder);
  for (size_t i = 0; i < RECORDS; i++) {
    tac_item_enter_detailed(&measure, i, &lane);
    tac_item_leave_detailed(&measure, i, &lane, TAC_STATUS_OK);
  }
  *out = per_record(begin_ns, tac_recorder_now(recorder), clock_read_ns);
  return tac_measure_end_detailed(&measure, 1, 1, TAC_STATUS_OK, error);
}

static enum tac_status measure_rounds(struct tac_record_cost *out, struct tac_recorder *recorder, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  out->clock_read_ns = tac_clock_cost_ns(recorder->options.clock);
  for (int i = 0; i < ROUNDS; i++)
    out->phase_record_ns = least(out->phase_record_ns, phase_round(recorder, out->clock_read_ns), i == 0);
  for (int i = 0; i < ROUNDS && status == TAC_STATUS_OK && recorder->options.level == TAC_DETAILED; i++) {
    double item_ns = 0;
    status = item_round(&item_ns, recorder, out->clock_read_ns, error);
    out->item_record_ns = least(out->item_record_ns, item_ns, i == 0);
  }
  return status;
}

enum tac_status tac_record_cost_measure(struct tac_record_cost *out, const struct tac_recorder_options *like,
                                        struct tac_error *error) {
  struct tac_recorder_options options;
  struct tac_recorder *recorder;
  const struct tac_replayed_clock *replayed = tac_replayed_clock_find(like->clock);
  if (replayed) {
    *out = replayed->cost;
    return TAC_STATUS_OK;
  }
  tac_recorder_options_init(&options);
  options.events = &event_set;
  options.level = like->level;
  options.clock = like->clock;
  options.allocator = like->allocator;
  options.hooks = like->hooks ? &no_hooks : NULL;
  options.timeline_limit = like->timeline_limit > 0 ? RECORDS : 0;
  *out = (struct tac_record_cost){0};
  enum tac_status status = tac_recorder_create(&recorder, &options, error);
  if (status == TAC_STATUS_OK)
    status = measure_rounds(out, recorder, error);
  tac_recorder_destroy(&recorder);
  return status;
}
