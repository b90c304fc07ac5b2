/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_JSON_TEXT_H
#define MEASURE_JSON_TEXT_H

#include <stdint.h>

#include "measure/writer.h"

/* JSON piece by piece, without memory, for forms that are long: the grammar is the caller's. */

/* A text of any bytes in quotes: what is not UTF-8 is replaced, quotes, backslashes and control characters are escaped; so is
 * '<', so that a page can hold the text as it is. */
void tac_json_write_text(struct tac_writer *writer, const char *text);

void tac_json_write_integer(struct tac_writer *writer, int64_t value);

/* Nanoseconds as microseconds, exactly: 1500 is 1.5. */
void tac_json_write_us(struct tac_writer *writer, int64_t time_ns);

/* null where it is not finite. */
void tac_json_write_real(struct tac_writer *writer, double value);

#endif
