/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/text.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#include "tests/unit/suite.h"

static const struct {
  const char *text, *repaired;
} utf8_cases[] = {
    {"", ""},
    {"block SVD", "block SVD"},
    {"\xc2\xb5s \xe2\x82\xac \xf0\x9f\x8e\xb5", "\xc2\xb5s \xe2\x82\xac \xf0\x9f\x8e\xb5"},
    {"a\xff"
     "b",
     "a\xef\xbf\xbd"
     "b"},
    {"\x80", "\xef\xbf\xbd"},                                                 /* continues nothing */
    {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                                 /* overlong */
    {"\xe0\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},                 /* overlong */
    {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},                 /* a surrogate */
    {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* beyond Unicode */
    {"x\xe2\x82", "x\xef\xbf\xbd\xef\xbf\xbd"},                               /* cut short */
    {"\xc3(", "\xef\xbf\xbd("},
    {"\xef\xbf\xbf\xee\x80\x80", "\xef\xbf\xbf\xee\x80\x80"},
    {"line\n\ttab", "line\n\ttab"},
};

START_TEST(what_is_not_utf8_is_replaced) {
  for (size_t i = 0; i < sizeof utf8_cases / sizeof *utf8_cases; i++) {
    char repaired[64] = "";
    size_t used = 0;
    const char *rest = utf8_cases[i].text;
    while (tac_utf8_next(&rest, repaired + used) != 0)
      used += strlen(repaired + used);
    ck_assert_str_eq(repaired, utf8_cases[i].repaired);
    ck_assert_int_eq(*rest, '\0');
  }
}
END_TEST

static void print(char *out, const char *text) {
  while (tac_printable_next(&text, out) > 0)
    out += strlen(out);
}

START_TEST(control_characters_are_shown) {
  char shown[64];
  print(shown, "a\x1b[2Jb\n\x7f\xc2\x9b");
  ck_assert_str_eq(shown, "a\\x1b[2Jb\\x0a\\x7f\\x9b");
  ck_assert_uint_eq(tac_printable_columns("a\n\xc2\xb5"), 6);
  ck_assert_uint_eq(tac_printable_columns(""), 0);
}
END_TEST

static const struct {
  int64_t ns;
  const char *text;
} durations[] = {
    {0, "0 ns"},
    {1, "1 ns"},
    {999, "999 ns"},
    {1000, "1.000 µs"},
    {1234567, "1.235 ms"},
    {999999, "999.999 µs"},
    {999999499, "999.999 ms"},
    {999999500, "1.000 s"},
    {61500000000, "61.500 s"},
    {-1500, "-1.500 µs"},
    {INT64_MAX, "9223372036.855 s"},
    {INT64_MIN, "-9223372036.855 s"},
};

START_TEST(durations_have_units) {
  for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
    char text[TAC_DURATION_BYTES];
    tac_format_duration(text, durations[i].ns);
    ck_assert_str_eq(text, durations[i].text);
  }
}
END_TEST

static const struct {
  double part, whole;
  const char *text;
} shares[] = {{1, 8, "12.5 %"}, {0, 8, "0.0 %"},   {8, 8, "100.0 %"},  {1, 0, "-"},       {0, 0, "-"},
              {1, 3, "33.3 %"}, {9, 3, "300.0 %"}, {-1, 8, "-12.5 %"}, {-1, 1e6, "0.0 %"}};

START_TEST(shares_need_a_whole) {
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
    char text[TAC_SHARE_BYTES];
    tac_format_share(text, shares[i].part, shares[i].whole);
    ck_assert_str_eq(text, shares[i].text);
  }
}
END_TEST

static const struct {
  int64_t ns;
  int decimals;
  const char *text;
} seconds[] = {
    {0, 9, "0.000000000"},
    {1, 9, "0.000000001"},
    {1, 6, "0.000000"},
    {499, 6, "0.000000"},
    {500, 6, "0.000001"},
    {-500, 6, "-0.000001"},
    {-499, 6, "0.000000"},
    {1234567891, 9, "1.234567891"},
    {1234567891, 6, "1.234568"},
    {999999999, 3, "1.000"},
    {1499999999, 0, "1"},
    {1500000000, 0, "2"},
    {INT64_MAX, 9, "9223372036.854775807"},
    {INT64_MIN, 9, "-9223372036.854775808"},
};

START_TEST(seconds_have_fixed_decimals) {
  for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
    char text[TAC_SECONDS_BYTES];
    tac_format_seconds(text, seconds[i].ns, seconds[i].decimals);
    ck_assert_str_eq(text, seconds[i].text);
  }
}
END_TEST

static const struct {
  double value;
  int digits;
  const char *text;
} numbers[] = {
    {0, 4, "0"},
    {38.9412, 4, "38.94"},
    {1234567, 4, "1.235e+06"},
    {-0.00001, 4, "-1e-05"},
    {1.5, 4, "1.5"},
    {18014398509481984, 17, "18014398509481984"},
    {0.1, 17, "0.10000000000000001"},
    {-DBL_MAX, 17, "-1.7976931348623157e+308"},
};

START_TEST(a_cost_is_told_beyond_the_noise) {
  static const struct {
    double measured, off;
    const char *text;
  } costs[] = {
      {1.5, 1, "50.0 % more"},
      {1.06, 1, "6.0 % more"},
      {105, 100, "within the noise of one timing"},
      {1, 1, "within the noise of one timing"},
      {0.96, 1, "within the noise of one timing"},
      {0.38, 1, "62.0 % less, so single timings say nothing here"},
      {1, 0, "within the noise of one timing"},
  };
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
    char text[TAC_COST_BYTES];
    tac_format_cost(text, costs[i].measured, costs[i].off);
    ck_assert_str_eq(text, costs[i].text);
  }
}
END_TEST
START_TEST(numbers_have_significant_digits) {
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    char text[TAC_NUMBER_BYTES];
    tac_format_number(text, numbers[i].value, numbers[i].digits);
    ck_assert_str_eq(text, numbers[i].text);
  }
}
END_TEST

/* The decimal points of German and of Pashto. */
START_TEST(a_decimal_point_is_that_of_no_locale) {
  char text[TAC_NUMBER_BYTES];
  tac_number_without_locale(text, "-1,25e-05");
  ck_assert_str_eq(text, "-1.25e-05");
  tac_number_without_locale(text, "38\xd9\xab"
                                  "9");
  ck_assert_str_eq(text, "38.9");
  tac_number_without_locale(text, "1.5e+12");
  ck_assert_str_eq(text, "1.5e+12");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      what_is_not_utf8_is_replaced,
      control_characters_are_shown,
      durations_have_units,
      seconds_have_fixed_decimals,
      shares_need_a_whole,
      a_cost_is_told_beyond_the_noise,
      numbers_have_significant_digits,
      a_decimal_point_is_that_of_no_locale,
  };
  return RUN_SUITE("text", tests);
}
