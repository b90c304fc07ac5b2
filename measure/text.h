/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_TEXT_H
#define MEASURE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define TAC_CHARACTER_BYTES 8 /* longest output of one character, and its end */

/* Takes the next character of a text of any bytes and gives it as valid UTF-8: a byte that belongs to none becomes U+FFFD.
 * Returns its code point, 0 at the end of the text (out is empty then). */
uint32_t tac_utf8_next(const char **text, char out[TAC_CHARACTER_BYTES]);

/* The same for a table on a terminal: a control character is shown as \xNN. Returns the columns it takes, 0 at the end. */
size_t tac_printable_next(const char **text, char out[TAC_CHARACTER_BYTES]);

/* Columns of a text as tac_printable_next shows it, one a character. */
size_t tac_printable_columns(const char *text);

/* A duration with three decimals of the unit that suits it: "17 ns", "4.250 ms". Never depends on the locale. */
#define TAC_DURATION_BYTES 32
void tac_format_duration(char out[TAC_DURATION_BYTES], int64_t duration_ns);

/* Seconds with 0 … 9 decimals: "0.004250". Never depends on the locale. */
#define TAC_SECONDS_BYTES 32
void tac_format_seconds(char out[TAC_SECONDS_BYTES], int64_t duration_ns, int decimals);

/* A finite number with up to 17 significant digits, as %g writes it: "38.9", "1.25e+12". Never depends on the locale. */
#define TAC_NUMBER_BYTES 48
void tac_format_number(char out[TAC_NUMBER_BYTES], double value, int digits);

/* A number as a locale writes it, with a decimal point. out holds as many bytes. */
void tac_number_without_locale(char *out, const char *local);

/* part/whole as "12.5 %"; "-" without a whole. */
#define TAC_SHARE_BYTES 48
void tac_format_share(char out[TAC_SHARE_BYTES], double part, double whole);

/* What measuring cost, from one timing with it and one without: "6.7 % more". A twentieth either way is no difference
 * between two timings: "within the noise of one timing". Measuring makes nothing faster: what is "62.0 % less" has met noise.
 */
#define TAC_COST_BYTES 96
void tac_format_cost(char out[TAC_COST_BYTES], double measured, double off);

#endif
