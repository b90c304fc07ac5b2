/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/html_page.h"

#include <string.h>

#include <tactus/measure/report.h>

#include "measure/report_head.h"
#include "measure/writer.h"

/* A record as the content of a script element. '<' stands in JSON within texts only, where its escape means the same; without
 * it no text can end the element or begin a comment. */
static int write_record_piece(void *context, const char *text, size_t bytes) {
  struct tac_writer *writer = context;
  const char *const end = text + bytes;
  while (text < end) {
    const char *mark = memchr(text, '<', (size_t)(end - text));
    if (mark != text)
      tac_write(writer, text, (size_t)((mark ? mark : end) - text));
    if (!mark)
      break;
    tac_write_text(writer, "\\u003c");
    text = mark + 1;
  }
  return writer->refused;
}

enum tac_status tac_html_page(const char *record_json, size_t bytes, tac_sink_fn sink, void *context, struct tac_error *error) {
  if (!record_json || bytes == 0 || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no record, or no sink");
  struct tac_writer writer = {.sink = sink, .context = context};
  tac_write_text(&writer, tac_html_page_head);
  write_record_piece(&writer, record_json, bytes);
  tac_write_text(&writer, tac_html_page_tail);
  return tac_writer_status(&writer, __func__, error);
}

enum tac_status tac_report_html(const struct tac_recorder *recorder, const struct tac_report_facts *facts, tac_sink_fn sink,
                                void *context, struct tac_error *error) {
  enum tac_status status = tac_report_check(recorder, facts, sink, __func__, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_writer writer = {.sink = sink, .context = context};
  tac_write_text(&writer, tac_html_page_head);
  if (!writer.refused) {
    status = tac_report_json(recorder, facts, write_record_piece, &writer, error);
    if (status != TAC_STATUS_OK)
      return status;
  }
  tac_write_text(&writer, tac_html_page_tail);
  return tac_writer_status(&writer, __func__, error);
}
