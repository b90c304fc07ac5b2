/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/report_forms.h"

#include <stdlib.h>
#include <string.h>

#include <tactus/measure/report.h>

#include "apps/tactus/record_facts.h"
#include "apps/tactus/report_kokkos_csv.h"

typedef enum tac_status (*report_fn)(const struct tac_recorder *recorder, const struct tac_report_facts *facts,
                                     tac_sink_fn sink, void *context, struct tac_error *error);

static enum tac_status write_recorder(const struct tac_record *record, report_fn report, const char *option, tac_sink_fn sink,
                                      void *stream, struct tac_error *error) {
  struct tac_record_facts facts;
  if (record->kind == TAC_RECORD_KOKKOS)
    return tac_error_set(error, TAC_STATUS_INVALID, option, "a record of the Kokkos module has no such form");
  if (!record->recorder)
    return tac_error_set(error, TAC_STATUS_INVALID, option, "the record is of the level off: nothing was measured");
  enum tac_status status = tac_record_facts_gather(&facts, record, error);
  if (status == TAC_STATUS_OK)
    status = report(record->recorder, &facts.list, sink, stream, error);
  tac_record_facts_release(&facts);
  return status;
}

enum tac_status tac_record_write_csv(void *record, tac_sink_fn sink, void *stream, struct tac_error *error) {
  if (((const struct tac_record *)record)->kind == TAC_RECORD_KOKKOS)
    return tac_kokkos_write_csv(record, sink, stream, error);
  return write_recorder(record, tac_report_csv, "--csv", sink, stream, error);
}

/* An empty timeline would show nothing, and not say why. */
enum tac_status tac_record_write_trace(void *record, tac_sink_fn sink, void *stream, struct tac_error *error) {
  const struct tac_record *read = record;
  size_t entries = 0;
  if (read->recorder)
    (void)tac_recorder_timeline(read->recorder, &entries);
  if (read->recorder && entries == 0 && tac_recorder_batch_count(read->recorder) == 0)
    return tac_error_set(error, TAC_STATUS_INVALID, "--trace", "the record has no timeline");
  return write_recorder(record, tac_report_trace, "--trace", sink, stream, error);
}

enum tac_status tac_record_write_speedscope(void *record, tac_sink_fn sink, void *stream, struct tac_error *error) {
  return write_recorder(record, tac_report_speedscope, "--speedscope", sink, stream, error);
}

enum tac_status tac_record_write_html(void *record, tac_sink_fn sink, void *stream, struct tac_error *error) {
  char *text = json_dumps(((const struct tac_record *)record)->root, JSON_COMPACT | JSON_REAL_PRECISION(17));
  const enum tac_status status =
      text ? tac_html_page(text, strlen(text), sink, stream, error)
           : tac_error_set(error, TAC_STATUS_MEMORY, "--html", "no memory for the text of the record");
  free(text);
  return status;
}

enum tac_status tac_record_write_json(void *record, tac_sink_fn sink, void *stream, struct tac_error *error) {
  return tac_output_json(((const struct tac_record *)record)->root, sink, stream, error);
}
