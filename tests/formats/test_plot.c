/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/volume_fmm/formats/color_map.h"
#include "apps/volume_fmm/formats/ticks.h"
#include "tests/formats/files.h"

struct surface {
  double scale, offset;
  size_t calls, points;
  double bad; /* x from which on values are not finite */
};

static enum tac_status slope(void *context, size_t count, const double *points, double *values, struct tac_error *error) {
  struct surface *surface = context;
  (void)error;
  surface->calls++;
  surface->points += count;
  for (size_t i = 0; i < count; i++)
    values[i] = points[2 * i] >= surface->bad ? NAN : surface->offset + surface->scale * points[2 * i];
  return TAC_STATUS_OK;
}

static enum tac_status failing(void *context, size_t count, const double *points, double *values, struct tac_error *error) {
  (void)context, (void)count, (void)points, (void)values;
  return tac_error_set(error, TAC_STATUS_NUMERICAL, "test", "no values here");
}

static struct surface surface = {1, 0, 0, 0, INFINITY};

static struct tac_plot plot_of(tac_plot_fn evaluate) {
  return (struct tac_plot){"A <b> & \x01 \xff \xcf\x81", {"x", "y"}, "u", {0, 0}, {2, 1}, 64, NULL, 0, evaluate, &surface};
}

static char *write_and_read(const struct tac_plot *plot) {
  struct tac_error error;
  ck_assert_msg(tac_plot_write("plot.svg", plot, &error) == TAC_STATUS_OK, "%s", error.text);
  return tac_get_bytes("plot.svg", NULL);
}

static size_t count_of(const char *text, const char *part) {
  size_t count = 0;
  for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
    count++;
  return count;
}

START_TEST(draws_values_axes_and_names) {
  const struct tac_plot plot = plot_of(slope);
  char *svg = write_and_read(&plot);
  ck_assert_uint_eq(surface.calls, 1);
  ck_assert_uint_eq(surface.points, 64 * 32);
  ck_assert_ptr_nonnull(strstr(svg, ">A &lt;b&gt; &amp; \\x01 \xef\xbf\xbd \xcf\x81</text>"));
  ck_assert_ptr_nonnull(strstr(svg, "u from 0.015625 to 1.98438")); /* centres of the outer pixels, 1/64 inside */
  ck_assert_uint_eq(count_of(svg, "<image "), 1);
  ck_assert_ptr_nonnull(strstr(svg, "data:image/png;base64,iVBORw0KGgo"));
  ck_assert_ptr_nonnull(strstr(svg, ">0.5</text>"));
  ck_assert_ptr_nonnull(strstr(svg, ">1.5</text>"));
  ck_assert_ptr_null(strstr(svg, "clip-path=")); /* no leaves */
  ck_assert_ptr_nonnull(strstr(svg, "</svg>\n"));
  free(svg);
}
END_TEST

START_TEST(leaves_are_drawn_or_said_not_to_be) {
  struct tac_plot_square leaves[5] = {{{0, 0}, 1}, {{1, 0}, 0.5}, {{1.5, 0}, 0.5}, {{1, 0.5}, 0.5}, {{1.5, 0.5}, 0.5}};
  struct tac_plot plot = plot_of(slope);
  plot.leaves = leaves;
  plot.leaf_count = 5;
  char *svg = write_and_read(&plot);
  const char *path = strstr(svg, " d=\"M78.00 62.00V342.00H358.00"); /* 280 points a unit from (78, 62) */
  ck_assert_ptr_nonnull(path);
  ck_assert_ptr_nonnull(strstr(path, "M358.00 202.00V342.00H498.00M498.00 202.00V342.00H638.00"));
  ck_assert_ptr_nonnull(strstr(path, "M498.00 62.00V202.00H638.00M78.00 62.00H638.00V342.00\"/>"));
  ck_assert_ptr_null(strstr(svg, "not drawn"));
  free(svg);
  leaves[4].side = 0.007;
  svg = write_and_read(&plot);
  ck_assert_ptr_null(strstr(svg, "M498.00 62.00V202.00"));
  ck_assert_ptr_nonnull(strstr(svg, "leaves narrower than 2 points are not drawn"));
  free(svg);
}
END_TEST

START_TEST(extreme_values_are_drawn) {
  const double cases[][2] = {{0, 5}, {0, 0}, {1e-320, 0}, {1e308, 0}, {-1.7e308, 1.7e308}, {1e-14, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct tac_plot plot = plot_of(slope);
    surface = (struct surface){cases[i][0] / 2, cases[i][1], 0, 0, INFINITY};
    char *svg = write_and_read(&plot);
    ck_assert_ptr_null(strstr(svg, "nan"));
    ck_assert_ptr_null(strstr(svg, "inf"));
    ck_assert_ptr_nonnull(strstr(svg, "</svg>"));
    free(svg);
  }
}
END_TEST

START_TEST(refusals) {
  struct tac_plot plot = plot_of(slope);
  struct tac_error error;
  tac_expect_refusal(tac_plot_write("plot.jpg", &plot, &error), &error, TAC_STATUS_INVALID, "'plot.jpg' does not end in .svg");
  tac_expect_refusal(tac_plot_write("plot", &plot, &error), &error, TAC_STATUS_INVALID, "does not end in .svg");
  tac_expect_refusal(tac_plot_write("no/folder.svg", &plot, &error), &error, TAC_STATUS_IO, "no/folder.svg");
  plot.pixels = 2049;
  tac_expect_refusal(tac_plot_write("plot.svg", &plot, &error), &error, TAC_STATUS_INVALID, "2049 pixels");
  plot.pixels = 64;
  plot.upper[1] = 0;
  tac_expect_refusal(tac_plot_write("plot.svg", &plot, &error), &error, TAC_STATUS_INVALID, "a range from 0 to 0 along y");
  plot.upper[1] = NAN;
  tac_expect_refusal(tac_plot_write("plot.svg", &plot, &error), &error, TAC_STATUS_INVALID, "along y");
  plot.upper[1] = 1;
  surface.bad = 1;
  tac_expect_refusal(tac_plot_write("plot.svg", &plot, &error), &error, TAC_STATUS_NUMERICAL,
                     "the value at (1.01562, 0.984375) is not finite");
  plot.evaluate = failing;
  tac_expect_refusal(tac_plot_write("plot.svg", &plot, &error), &error, TAC_STATUS_NUMERICAL, "no values here");
  ck_assert_uint_eq(tac_count_files(), 0);
}
END_TEST

/* Relative luminance of sRGB to CIE lightness, both from their standards. */
static double lightness(const unsigned char color[3]) {
  static const double weights[3] = {0.2126, 0.7152, 0.0722};
  double y = 0;
  for (int i = 0; i < 3; i++) {
    const double v = color[i] / 255.0;
    y += weights[i] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
  }
  return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

/* Lightness rises evenly, so that a picture printed in grey says the same; neighbours differ little in every channel. */
START_TEST(colors_are_even) {
  unsigned char colors[256][3];
  tac_color_map(colors, 0);
  const double rise = (lightness(colors[255]) - lightness(colors[0])) / 255;
  ck_assert_double_gt(rise, 0.25);
  for (int i = 1; i < 256; i++) {
    if (i % 16 == 0) {
      const double here = (lightness(colors[i]) - lightness(colors[i - 16])) / 16;
      ck_assert_msg(here > 0.5 * rise && here < 1.7 * rise, "color %d rises by %g of %g", i, here, rise);
    }
    for (int c = 0; c < 3; c++)
      ck_assert_int_le(abs(colors[i][c] - colors[i - 1][c]), 6);
  }
  tac_color_map(colors, 1);
  for (int i = 0; i < 127; i++) {
    ck_assert_double_le(lightness(colors[i]), lightness(colors[i + 1]) + 0.3);
    ck_assert_double_eq_tol(lightness(colors[i]), lightness(colors[255 - i]), 4);
    ck_assert_int_gt(colors[i][2], colors[i][0]);             /* blue below */
    ck_assert_int_gt(colors[255 - i][0], colors[255 - i][2]); /* red above */
  }
}
END_TEST

START_TEST(ticks_are_round_and_tell_apart) {
  static const struct {
    double lower, upper;
    const char *first, *last;
    int count;
  } cases[] = {
      {0, 1, "0.0", "1.0", 6},
      {-0.5, 0.5, "-0.4", "0.4", 5},
      {-7.3, 12, "-5", "10", 4},
      {0, 0.00012, "0e+00", "1.0e-04", 3},
      {1e6, 1.0004e6, "1.0000e+06", "1.0004e+06", 5},
      {1e-300, 3e-300, "1.0e-300", "3.0e-300", 5},
      {5, 5, "5", "5", 1},
      {-1.7e308, 1.7e308, "-1e+308", "1e+308", 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tac_ticks ticks;
    tac_ticks_choose(&ticks, cases[i].lower, cases[i].upper, 5);
    ck_assert_msg(ticks.count == cases[i].count, "case %zu: %d ticks", i, ticks.count);
    ck_assert_str_eq(ticks.texts[0], cases[i].first);
    ck_assert_str_eq(ticks.texts[ticks.count - 1], cases[i].last);
    for (int k = 1; k < ticks.count; k++)
      ck_assert_str_ne(ticks.texts[k], ticks.texts[k - 1]);
  }
}
END_TEST

static int near_corner(void *context, int level, const double *lower, double side) {
  (void)context, (void)side;
  return level < 2 && lower[0] < 0.25 && lower[1] < 0.25 && lower[2] < 0.25;
}

START_TEST(leaves_of_a_slice) {
  struct tac_fmm_tree_options options;
  struct tac_fmm_tree *tree = NULL;
  struct tac_plot_square *squares = NULL;
  struct tac_error error;
  size_t count;
  tac_fmm_tree_options_init(&options);
  options.dim = 3;
  options.side = 1;
  options.lower[0] = options.lower[1] = options.lower[2] = 0;
  ck_assert_int_eq(tac_fmm_tree_create_refined(&tree, &options, near_corner, NULL, &error), TAC_STATUS_OK);
  const struct {
    int axis;
    double position;
    size_t count;
  } cases[] = {{2, 0.1, 7}, {1, 0.1, 7}, {0, 0.3, 7}, {2, 0.5, 4}, {2, 1, 4}, {2, 0, 7}, {2, 1.01, 0}, {0, -0.01, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double area = 0;
    ck_assert_int_eq(tac_plot_leaves(tree, cases[i].axis, cases[i].position, &squares, &count, &error), TAC_STATUS_OK);
    ck_assert_msg(count == cases[i].count, "case %zu: %zu leaves", i, count);
    for (size_t k = 0; k < count; k++)
      area += squares[k].side * squares[k].side;
    ck_assert_double_eq(area, count > 0 ? 1 : 0);
    free(squares);
  }
  tac_fmm_tree_destroy(&tree);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      draws_values_axes_and_names,
      leaves_are_drawn_or_said_not_to_be,
      extreme_values_are_drawn,
      refusals,
      colors_are_even,
      ticks_are_round_and_tell_apart,
      leaves_of_a_slice,
  };
  return RUN_IN_FOLDERS("plot", tests);
}
