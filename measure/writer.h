/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_WRITER_H
#define MEASURE_WRITER_H

#include <string.h>

#include <tactus/measure/report.h>

/* A caller's sink: once it refused a piece nothing more is given to it. */
struct tac_writer {
  tac_sink_fn sink;
  void *context;
  int refused;
};

static inline void tac_write(struct tac_writer *writer, const char *text, size_t bytes) {
  if (!writer->refused)
    writer->refused = writer->sink(writer->context, text, bytes) != 0;
}

static inline void tac_write_text(struct tac_writer *writer, const char *text) {
  tac_write(writer, text, strlen(text));
}

static inline enum tac_status tac_writer_status(const struct tac_writer *writer, const char *where, struct tac_error *error) {
  return writer->refused ? tac_error_set(error, TAC_STATUS_IO, where, "the sink of the report refused a piece") : TAC_STATUS_OK;
}

#endif
