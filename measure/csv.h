/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_CSV_H
#define MEASURE_CSV_H

#include "measure/writer.h"

/* A field of any bytes as RFC 4180 has it, and as valid UTF-8; the separators are the caller's. */
void tac_csv_field(struct tac_writer *writer, const char *text);

/* A finite number with up to so many significant digits, or nothing. */
void tac_csv_number(struct tac_writer *writer, double value, int digits);

#endif
