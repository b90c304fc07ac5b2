/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/report_costs.h"

#include <stdlib.h>

#include "apps/program/costs_report.h"
#include "apps/tactus/member_reader.h"

static void read_lane_times(struct tac_cost_comparison *seen, struct tac_member_reader *reader, const json_t *event) {
  seen->item_ns = tac_read_duration(reader, event, "item_ns");
  seen->times = (struct tac_lane_times){.seen_ns = tac_read_duration(reader, event, "lane_seen_ns"),
                                        .recorded_ns = tac_read_duration(reader, event, "lane_recorded_order_ns"),
                                        .predicted_ns = tac_read_duration(reader, event, "lane_fitted_order_ns"),
                                        .known_ns = tac_read_duration(reader, event, "lane_known_durations_ns"),
                                        .bound_ns = tac_read_duration(reader, event, "lane_bound_ns")};
}

static void read_seen(struct tac_cost_comparison *seen, struct tac_member_reader *reader, const json_t *event) {
  seen->items = tac_read_number(reader, event, "items");
  if (seen->items > 0) {
    seen->median_ratio = tac_read_real(reader, event, "median_ratio", TAC_MEMBER_REQUIRED);
    seen->lower_ratio = tac_read_real(reader, event, "ratio_p10", TAC_MEMBER_REQUIRED);
    seen->upper_ratio = tac_read_real(reader, event, "ratio_p90", TAC_MEMBER_REQUIRED);
    seen->rank_correlation = tac_read_real(reader, event, "rank_correlation", TAC_MEMBER_REQUIRED);
  }
  seen->batches = tac_read_number(reader, event, "batches");
  if (seen->batches > 0)
    read_lane_times(seen, reader, event);
}

/* One row an event, as they are compared: `costs` has room for the name of each. */
static void read_rows(struct tac_costs_row *rows, struct tac_event_costs *costs, struct tac_member_reader *reader,
                      const json_t *events) {
  for (size_t i = 0; i < json_array_size(events) && reader->status == TAC_STATUS_OK; i++) {
    const json_t *event = tac_read_element(reader, events, "costs.events", i);
    costs[i].event = tac_read_text(reader, event, "name", TAC_MEMBER_REQUIRED);
    rows[i].costs = &costs[i];
    read_seen(&rows[i].seen, reader, event);
  }
}

static void print_rows(FILE *stream, struct tac_member_reader *reader, const char *path, const json_t *events) {
  const size_t count = json_array_size(events);
  struct tac_costs_row *rows = calloc(count + 1, sizeof *rows);
  struct tac_event_costs *costs = calloc(count + 1, sizeof *costs);
  if (!rows || !costs)
    reader->status = tac_error_set(reader->error, TAC_STATUS_MEMORY, "costs", "no memory for %zu events", count);
  else
    read_rows(rows, costs, reader, events);
  if (reader->status == TAC_STATUS_OK)
    tac_costs_print_of(stream, path, rows, count);
  free(rows);
  free(costs);
}

enum tac_status tac_record_print_costs(FILE *stream, const struct tac_record *record, struct tac_error *error) {
  struct tac_member_reader reader = {.error = error};
  const json_t *costs = tac_read_object(&reader, record->root, "costs", TAC_MEMBER_OPTIONAL);
  if (!costs || record->level != TAC_DETAILED)
    return reader.status;
  tac_reader_at(&reader, "costs");
  const char *path = tac_read_text(&reader, costs, "file", TAC_MEMBER_REQUIRED);
  const json_t *events = tac_read_array(&reader, costs, "events", TAC_MEMBER_REQUIRED);
  if (reader.status == TAC_STATUS_OK)
    print_rows(stream, &reader, path, events);
  return reader.status;
}
