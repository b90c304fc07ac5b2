/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <math.h>
#include <stdio.h>

#include "measure/csv.h"
#include "measure/json_text.h"
#include "measure/recorder.h"
#include "measure/report_head.h"

enum { DIGITS = 15 };

static const char columns[] =
    "event,parent,batched,count,total_ns,mean_ns,min_ns,max_ns,exclusive_ns,unmeasured_ns,"
    "batches,ran_inline,failed,submissions,requested,started,completed,peak_overlap,wall_ns,lane_wall_ns,item_total_ns,"
    "item_max_ns,first_start_delay_max_ns,start_spread_max_ns,finish_spread_max_ns,return_after_last_finish_ns,idle_share,"
    "lane_busy_max_ns,lane_busy_mean_ns,imbalance,item_p50_ns,item_p90_ns,item_p99_ns,item_p999_ns,slowest_batch,slowest_index,"
    "device_commands,device_busy_ns,device_total_ns,dropped,slots_dropped,timeline_dropped,mismatches,device_lost";

/* Every field but the first of a row follows a separator. */
static void put_integer(struct tac_writer *writer, int64_t value) {
  tac_write_text(writer, ",");
  tac_json_write_integer(writer, value);
}

static void put_count(struct tac_writer *writer, uint64_t count) {
  put_integer(writer, count <= INT64_MAX ? (int64_t)count : INT64_MAX);
}

static void put_real(struct tac_writer *writer, double value) {
  tac_write_text(writer, ",");
  tac_csv_number(writer, value, DIGITS);
}

static void put_text(struct tac_writer *writer, const char *text) {
  tac_write_text(writer, ",");
  tac_csv_field(writer, text);
}

static void put_blanks(struct tac_writer *writer, int count) {
  for (; count > 0; count--)
    tac_write_text(writer, ",");
}

static void put_durations(struct tac_writer *writer, const struct tac_recorder *recorder, int event) {
  const struct tac_event *events = recorder->options.events->events;
  const struct tac_event_stats *stats = &recorder->stats[event];
  const int64_t exclusive_ns = tac_recorder_exclusive_ns(recorder, event);
  tac_csv_field(writer, events[event].name);
  put_text(writer, events[event].parent == TAC_NO_EVENT ? "" : events[events[event].parent].name);
  put_integer(writer, events[event].batched);
  put_count(writer, stats->count);
  put_integer(writer, stats->total_ns);
  put_real(writer, tac_event_stats_mean_ns(stats));
  put_integer(writer, stats->min_ns);
  put_integer(writer, stats->max_ns);
  put_integer(writer, exclusive_ns);
  if (tac_recorder_has_children(recorder, event))
    put_integer(writer, exclusive_ns);
  else
    put_blanks(writer, 1);
}

static void put_items(struct tac_writer *writer, const struct tac_recorder *recorder, int event) {
  static const int thousandths[] = {500, 900, 990, 999};
  const struct tac_batch_summary *summary = &recorder->summaries[event];
  const double imbalance = tac_batch_summary_imbalance(summary);
  put_integer(writer, summary->lane_busy_max_ns);
  put_real(writer, summary->lane_busy_mean_ns);
  put_real(writer, imbalance > 0 ? imbalance : NAN);
  for (int i = 0; i < 4; i++)
    put_integer(writer, tac_recorder_item_percentile_ns(recorder, event, thousandths[i]));
  if (summary->completed == 0) {
    put_blanks(writer, 2);
    return;
  }
  put_count(writer, summary->slowest_batch);
  put_count(writer, summary->slowest_index);
}

static void put_batches(struct tac_writer *writer, const struct tac_recorder *recorder, int event) {
  const struct tac_batch_summary *summary = &recorder->summaries[event];
  if (summary->batches == 0) {
    put_blanks(writer, 26);
    return;
  }
  const uint64_t counts[] = {summary->batches,   summary->ran_inline, summary->failed,    summary->submissions,
                             summary->requested, summary->started,    summary->completed, summary->peak_overlap};
  const int64_t times[] = {summary->wall_ns,
                           summary->lane_wall_ns,
                           summary->item_total_ns,
                           summary->item_max_ns,
                           summary->first_start_delay_max_ns,
                           summary->start_spread_max_ns,
                           summary->finish_spread_max_ns,
                           summary->return_after_last_finish_ns};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    put_count(writer, counts[i]);
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    put_integer(writer, times[i]);
  put_real(writer, summary->submissions > 0 ? NAN : tac_batch_summary_idle_share(summary));
  put_items(writer, recorder, event);
}

static void put_device(struct tac_writer *writer, const struct tac_device_stats *stats) {
  if (stats->commands == 0) {
    put_blanks(writer, 3);
    return;
  }
  put_count(writer, stats->commands);
  put_integer(writer, stats->busy_ns);
  put_integer(writer, stats->total_ns);
}

static void put_losses(struct tac_writer *writer, const struct tac_recorder *recorder) {
  const uint64_t counts[] = {recorder->dropped, recorder->slots_dropped, recorder->timeline.dropped, recorder->mismatches,
                             recorder->device_lost};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    put_count(writer, counts[i]);
}

static void put_names(struct tac_writer *writer, const struct tac_head_entry *head, const struct tac_report_facts *facts) {
  tac_write_text(writer, columns);
  for (size_t i = 0; i < TAC_HEAD_ENTRIES; i++)
    put_text(writer, head[i].key);
  for (size_t i = 0; facts && i < facts->count; i++)
    put_text(writer, facts->fact[i].key);
  tac_write_text(writer, "\n");
}

static void put_row(struct tac_writer *writer, const struct tac_recorder *recorder, int event,
                    const struct tac_head_entry *head, const struct tac_report_facts *facts) {
  put_durations(writer, recorder, event);
  put_batches(writer, recorder, event);
  put_device(writer, &recorder->device_stats[event]);
  put_losses(writer, recorder);
  for (size_t i = 0; i < TAC_HEAD_ENTRIES; i++)
    put_text(writer, head[i].text ? head[i].text : head[i].number);
  for (size_t i = 0; facts && i < facts->count; i++)
    put_text(writer, facts->fact[i].value);
  tac_write_text(writer, "\n");
}

enum tac_status tac_report_csv(const struct tac_recorder *recorder, const struct tac_report_facts *facts, tac_sink_fn sink,
                               void *context, struct tac_error *error) {
  struct tac_head_entry head[TAC_HEAD_ENTRIES];
  enum tac_status status = tac_report_check(recorder, facts, sink, __func__, error);
  if (status == TAC_STATUS_OK)
    status = tac_report_head(head, &recorder->options, recorder->origin_ns, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_writer writer = {.sink = sink, .context = context};
  put_names(&writer, head, facts);
  for (size_t i = 0; i < recorder->options.events->count; i++)
    if (recorder->stats[i].count > 0)
      put_row(&writer, recorder, (int)i, head, facts);
  return tac_writer_status(&writer, __func__, error);
}
