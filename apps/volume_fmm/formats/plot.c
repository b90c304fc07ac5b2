/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/plot.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program/replace_file.h"
#include "apps/volume_fmm/formats/color_map.h"
#include "apps/volume_fmm/formats/picture.h"
#include "apps/volume_fmm/formats/png.h"
#include "apps/volume_fmm/formats/text_file.h"

enum { FEWEST_PIXELS = 16, MOST_PIXELS = 2048 };

static enum tac_status no_memory(struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_MEMORY, "plot", "no memory for the picture");
}

static enum tac_status check(const char *path, const struct tac_plot *plot, struct tac_error *error) {
  const char *suffix = strrchr(path, '.');
  if (!suffix || strcmp(suffix, ".svg") != 0)
    return tac_error_set(error, TAC_STATUS_INVALID, "plot", "'%s' does not end in .svg, the only form of a picture", path);
  if (plot->pixels < FEWEST_PIXELS || plot->pixels > MOST_PIXELS)
    return tac_error_set(error, TAC_STATUS_INVALID, "plot", "%zu pixels: %d to %d are possible", plot->pixels, FEWEST_PIXELS,
                         MOST_PIXELS);
  for (int axis = 0; axis < 2; axis++)
    if (!(plot->upper[axis] - plot->lower[axis] > 0) || !isfinite(plot->upper[axis] - plot->lower[axis]))
      return tac_error_set(error, TAC_STATUS_INVALID, "plot", "a range from %g to %g along %s", plot->lower[axis],
                           plot->upper[axis], plot->axes[axis]);
  return TAC_STATUS_OK;
}

static void choose_raster(struct tac_picture *picture, const struct tac_plot *plot) {
  const double width = plot->upper[0] - plot->lower[0], height = plot->upper[1] - plot->lower[1];
  const double pixel = fmax(width, height) / (double)plot->pixels;
  picture->plot = plot;
  picture->columns = (size_t)fmax(1, round(width / pixel));
  picture->rows = (size_t)fmax(1, round(height / pixel));
}

/* Centres of the pixels, row after row from the top. */
static void set_points(double *points, const struct tac_picture *picture) {
  const struct tac_plot *plot = picture->plot;
  const double width = plot->upper[0] - plot->lower[0], height = plot->upper[1] - plot->lower[1];
  for (size_t row = 0; row < picture->rows; row++)
    for (size_t column = 0; column < picture->columns; column++) {
      double *point = points + 2 * (row * picture->columns + column);
      point[0] = plot->lower[0] + width * ((double)column + 0.5) / (double)picture->columns;
      point[1] = plot->upper[1] - height * ((double)row + 0.5) / (double)picture->rows;
    }
}

static enum tac_status find_range(struct tac_picture *picture, const double *points, const double *values, size_t count,
                                  struct tac_error *error) {
  picture->least = picture->most = values[0];
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(values[i]))
      return tac_error_set(error, TAC_STATUS_NUMERICAL, "plot", "the value at (%g, %g) is not finite", points[2 * i],
                           points[2 * i + 1]);
    picture->least = fmin(picture->least, values[i]);
    picture->most = fmax(picture->most, values[i]);
  }
  return TAC_STATUS_OK;
}

/* Values of both signs get the diverging map, when the lesser sign has a tenth of the other's size at least: what is below
 * that is an overshoot around zero. */
static void choose_colors(struct tac_picture *picture) {
  const double below = -picture->least, above = picture->most;
  const int diverging = below > 0.1 * above && above > 0.1 * below;
  picture->diverging = diverging;
  picture->bottom = diverging ? -fmax(below, above) : picture->least;
  picture->top = diverging ? fmax(below, above) : picture->most;
  tac_color_map(picture->colors, diverging);
}

static enum tac_status paint(struct tac_picture *picture, const double *values, size_t count, struct tac_error *error) {
  unsigned char *indices = malloc(count);
  const double bottom = picture->bottom / 2, range = picture->top / 2 - bottom;
  if (!indices)
    return no_memory(error);
  for (size_t i = 0; i < count; i++) {
    const double share = range > 0 ? (values[i] / 2 - bottom) / range : 0.5;
    indices[i] = (unsigned char)lround(255 * fmin(1, fmax(0, share)));
  }
  tac_png_encode(&picture->image, indices, picture->columns, picture->rows, (const unsigned char(*)[3])picture->colors);
  free(indices);
  return picture->image.failed ? no_memory(error) : TAC_STATUS_OK;
}

static enum tac_status make_picture(struct tac_picture *picture, struct tac_error *error) {
  const struct tac_plot *plot = picture->plot;
  const size_t count = picture->columns * picture->rows;
  double *points = malloc(3 * count * sizeof *points), *values = points ? points + 2 * count : NULL;
  if (!points)
    return no_memory(error);
  set_points(points, picture);
  enum tac_status status = plot->evaluate(plot->context, count, points, values, error);
  if (status == TAC_STATUS_OK)
    status = find_range(picture, points, values, count, error);
  if (status == TAC_STATUS_OK) {
    choose_colors(picture);
    status = paint(picture, values, count, error);
  }
  free(points);
  return status;
}

static enum tac_status write_svg(const char *path, const struct tac_picture *picture, struct tac_error *error) {
  struct tac_bytes text = {0};
  struct tac_numbers numbers;
  enum tac_status status = tac_numbers_enter(&numbers, error);
  if (status != TAC_STATUS_OK)
    return status;
  tac_picture_to_svg(&text, picture);
  tac_numbers_leave(&numbers);
  status = text.failed ? no_memory(error) : tac_replace_file(path, (const char *)text.data, text.count, error);
  free(text.data);
  return status;
}

enum tac_status tac_plot_write(const char *path, const struct tac_plot *plot, struct tac_error *error) {
  struct tac_picture picture = {0};
  enum tac_status status = check(path, plot, error);
  if (status != TAC_STATUS_OK)
    return status;
  choose_raster(&picture, plot);
  status = make_picture(&picture, error);
  if (status == TAC_STATUS_OK)
    status = write_svg(path, &picture, error);
  free(picture.image.data);
  return status;
}

/* 1 when a leaf begins at or before the position and ends behind it, or where the domain ends as well. */
static int is_cut(const double *lower, double side, int axis, double position, double end) {
  const double upper = lower[axis] + side;
  return lower[axis] <= position && (position < upper || (position == upper && upper >= end));
}

/* The largest coordinate of the domain along an axis. */
static double domain_end(const struct tac_fmm_tree *tree, int axis) {
  double end = -INFINITY, lower[3], side;
  for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(tree); leaf++) {
    tac_fmm_tree_leaf(tree, leaf, lower, &side, NULL);
    end = fmax(end, lower[axis] + side);
  }
  return end;
}

enum tac_status tac_plot_leaves(const struct tac_fmm_tree *tree, int axis, double position, struct tac_plot_square **out,
                                size_t *count, struct tac_error *error) {
  const int dim = tac_fmm_tree_dim(tree);
  struct tac_plot_square *squares = NULL;
  size_t found = 0, capacity = 0;
  const double end = dim == 3 ? domain_end(tree, axis) : 0;
  for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(tree); leaf++) {
    struct tac_plot_square square;
    double lower[3], kept[2] = {0, 0};
    tac_fmm_tree_leaf(tree, leaf, lower, &square.side, NULL);
    if (dim == 3 && !is_cut(lower, square.side, axis, position, end))
      continue;
    for (int from = 0, to = 0; from < dim && to < 2; from++)
      if (dim == 2 || from != axis)
        kept[to++] = lower[from];
    memcpy(square.lower, kept, sizeof kept);
    if (!tac_grow((void **)&squares, &capacity, found + 1, SIZE_MAX, sizeof *squares)) {
      free(squares);
      return no_memory(error);
    }
    squares[found++] = square;
  }
  *out = squares;
  *count = found;
  return TAC_STATUS_OK;
}
