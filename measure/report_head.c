/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/report_head.h"

#include <inttypes.h>
#include <stdio.h>

#include "measure/json_text.h"
#include "measure/record_cost.h"

enum { COST_DIGITS = 6 };

enum tac_status tac_report_check_facts(const struct tac_report_facts *facts, const char *where, struct tac_error *error) {
  if (facts && facts->count > 0 && !facts->fact)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "no facts, where %zu are told", facts->count);
  for (size_t i = 0; facts && i < facts->count; i++)
    if (!facts->fact[i].key || !facts->fact[i].value)
      return tac_error_set(error, TAC_STATUS_INVALID, where, "fact %zu has no %s", i, facts->fact[i].key ? "value" : "key");
  return TAC_STATUS_OK;
}

enum tac_status tac_report_check(const struct tac_recorder *recorder, const struct tac_report_facts *facts, tac_sink_fn sink,
                                 const char *where, struct tac_error *error) {
  if (!recorder || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "no recorder, or no sink");
  return tac_report_check_facts(facts, where, error);
}

static struct tac_head_entry text_entry(const char *key, const char *text) {
  return (struct tac_head_entry){.key = key, .text = text};
}

static struct tac_head_entry integer_entry(const char *key, int64_t value) {
  struct tac_head_entry entry = {.key = key};
  snprintf(entry.number, sizeof entry.number, "%" PRId64, value);
  return entry;
}

static struct tac_head_entry cost_entry(const char *key, double cost_ns) {
  struct tac_head_entry entry = {.key = key};
  tac_format_number(entry.number, cost_ns, COST_DIGITS);
  return entry;
}

enum tac_status tac_report_head(struct tac_head_entry head[TAC_HEAD_ENTRIES], const struct tac_recorder_options *options,
                                int64_t origin_ns, struct tac_error *error) {
  const struct tac_clock *clock = options->clock;
  struct tac_record_cost cost;
  const enum tac_status status = tac_record_cost_measure(&cost, options, error);
  head[0] = integer_entry("schema", TAC_JSON_SCHEMA);
  head[1] = text_entry("level", tac_level_name(options->level));
  head[2] = text_entry("clock", clock->name ? clock->name : "unnamed");
  head[3] = integer_entry("clock_resolution_ns", tac_clock_resolution_ns(clock, 0));
  head[4] = integer_entry("origin_ns", origin_ns);
  head[5] = cost_entry("clock_read_ns", cost.clock_read_ns);
  head[6] = cost_entry("phase_record_ns", cost.phase_record_ns);
  head[7] = options->level == TAC_DETAILED ? cost_entry("item_record_ns", cost.item_record_ns)
                                           : (struct tac_head_entry){.key = "item_record_ns"};
  return status;
}

static void write_key(struct tac_writer *writer, const char *key) {
  tac_json_write_text(writer, key);
  tac_write_text(writer, ":");
}

void tac_report_write_head(struct tac_writer *writer, const struct tac_head_entry head[TAC_HEAD_ENTRIES],
                           const struct tac_report_facts *facts) {
  for (size_t i = 0; i < TAC_HEAD_ENTRIES; i++) {
    if (i > 0)
      tac_write_text(writer, ",");
    write_key(writer, head[i].key);
    if (head[i].text)
      tac_json_write_text(writer, head[i].text);
    else
      tac_write_text(writer, head[i].number[0] ? head[i].number : "null");
  }
  for (size_t i = 0; facts && i < facts->count; i++) {
    tac_write_text(writer, ",");
    write_key(writer, facts->fact[i].key);
    tac_json_write_text(writer, facts->fact[i].value);
  }
}
