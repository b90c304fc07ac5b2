/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "apps/volume_fmm/formats/picture.h"
#include "apps/volume_fmm/formats/ticks.h"
#include "measure/text.h"

/* Measures of the drawing, in its own points. */
enum {
  LONGER_SIDE = 560,
  LEFT = 78,
  TOP = 62,
  BELOW = 58,
  BAR_GAP = 22,
  BAR_WIDTH = 18,
  DIGIT_WIDTH = 8,
  TICK = 5,
  NARROWEST_LEAF = 2
};

struct drawing {
  struct tac_bytes *out;
  const struct tac_picture *picture;
  double width, height; /* of the rectangle of the plane */
  struct tac_ticks bar; /* numbers beside the colour bar */
  double name;          /* place of the name beside them */
};

static void add(const struct drawing *drawing, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(const struct drawing *drawing, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= sizeof text)
    drawing->out->failed = 1;
  else
    tac_bytes_add(drawing->out, text, (size_t)length);
}

/* Any text as the content of an element. */
static void add_escaped(const struct drawing *drawing, const char *text) {
  char character[TAC_CHARACTER_BYTES];
  while (tac_printable_next(&text, character) != 0) {
    const char *escaped = strcmp(character, "<") == 0   ? "&lt;"
                          : strcmp(character, ">") == 0 ? "&gt;"
                          : strcmp(character, "&") == 0 ? "&amp;"
                                                        : character;
    tac_bytes_add(drawing->out, escaped, strlen(escaped));
  }
}

static void add_base64(const struct drawing *drawing, const unsigned char *data, size_t count) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < count; i += 3) {
    const size_t here = count - i < 3 ? count - i : 3;
    unsigned long bits = 0;
    char text[4] = {'=', '=', '=', '='};
    for (size_t k = 0; k < 3; k++)
      bits = bits << 8 | (k < here ? data[i + k] : 0);
    for (size_t k = 0; k <= here; k++)
      text[k] = letters[bits >> (18 - 6 * k) & 63];
    tac_bytes_add(drawing->out, text, sizeof text);
  }
}

static double to_x(const struct drawing *drawing, double x) {
  const struct tac_plot *plot = drawing->picture->plot;
  return LEFT + drawing->width * (x - plot->lower[0]) / (plot->upper[0] - plot->lower[0]);
}

static double to_y(const struct drawing *drawing, double y) {
  const struct tac_plot *plot = drawing->picture->plot;
  return TOP + drawing->height * (plot->upper[1] - y) / (plot->upper[1] - plot->lower[1]);
}

static void add_image(const struct drawing *drawing) {
  add(drawing,
      "<image x=\"%d\" y=\"%d\" width=\"%.2f\" height=\"%.2f\" preserveAspectRatio=\"none\" href=\"data:image/png;base64,",
      LEFT, TOP, drawing->width, drawing->height);
  add_base64(drawing, drawing->picture->image.data, drawing->picture->image.count);
  add(drawing, "\"/>\n");
}

/* Left and lower side of each leaf; the others are sides of its neighbours, or of the domain, which are drawn at the end. */
static void add_leaves(const struct drawing *drawing) {
  const struct tac_plot *plot = drawing->picture->plot;
  double lower[2] = {INFINITY, INFINITY}, upper[2] = {-INFINITY, -INFINITY};
  int left_out = 0;
  add(drawing, "<path clip-path=\"url(#area)\" fill=\"none\" stroke=\"%s\" stroke-opacity=\"0.35\" stroke-width=\"0.6\" d=\"",
      drawing->picture->diverging ? "#000" : "#fff");
  for (size_t i = 0; i < plot->leaf_count; i++) {
    const struct tac_plot_square *leaf = &plot->leaves[i];
    const double x = to_x(drawing, leaf->lower[0]), y = to_y(drawing, leaf->lower[1]);
    const double right = to_x(drawing, leaf->lower[0] + leaf->side), top = to_y(drawing, leaf->lower[1] + leaf->side);
    lower[0] = fmin(lower[0], x);
    lower[1] = fmin(lower[1], top);
    upper[0] = fmax(upper[0], right);
    upper[1] = fmax(upper[1], y);
    if (right - x < NARROWEST_LEAF)
      left_out = 1;
    else
      add(drawing, "M%.2f %.2fV%.2fH%.2f", x, top, y, right);
  }
  add(drawing, "M%.2f %.2fH%.2fV%.2f\"/>\n", lower[0], lower[1], upper[0], upper[1]);
  if (left_out)
    add(drawing,
        "<text class=\"n\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\">leaves narrower than %d points are not drawn</text>\n",
        LEFT + drawing->width, TOP + drawing->height + BELOW - 8, NARROWEST_LEAF);
}

static void add_axes(const struct drawing *drawing) {
  const struct tac_plot *plot = drawing->picture->plot;
  const double bottom = TOP + drawing->height, middle = TOP + drawing->height / 2;
  struct tac_ticks ticks;
  add(drawing, "<rect class=\"l\" x=\"%d\" y=\"%d\" width=\"%.2f\" height=\"%.2f\"/>\n", LEFT, TOP, drawing->width,
      drawing->height);
  tac_ticks_choose(&ticks, plot->lower[0], plot->upper[0], drawing->width > 300 ? 6 : 3);
  for (int i = 0; i < ticks.count; i++) {
    const double x = to_x(drawing, ticks.values[i]);
    add(drawing, "<path class=\"l\" d=\"M%.2f %.2fv%d\"/><text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%s</text>\n", x,
        bottom, TICK, x, bottom + 19, ticks.texts[i]);
  }
  tac_ticks_choose(&ticks, plot->lower[1], plot->upper[1], drawing->height > 300 ? 6 : 3);
  for (int i = 0; i < ticks.count; i++) {
    const double y = to_y(drawing, ticks.values[i]);
    add(drawing, "<path class=\"l\" d=\"M%d %.2fh-%d\"/><text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%s</text>\n", LEFT, y,
        TICK, LEFT - 9, y + 4, ticks.texts[i]);
  }
  add(drawing, "<text class=\"i\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">", LEFT + drawing->width / 2, bottom + 40);
  add_escaped(drawing, plot->axes[0]);
  add(drawing, "</text>\n<text class=\"i\" transform=\"translate(20 %.2f) rotate(-90)\" text-anchor=\"middle\">", middle);
  add_escaped(drawing, plot->axes[1]);
  add(drawing, "</text>\n");
}

/* The colour map as a gradient between 33 of its colours. */
static void add_gradient(const struct drawing *drawing) {
  add(drawing, "<defs><clipPath id=\"area\"><rect x=\"%d\" y=\"%d\" width=\"%.2f\" height=\"%.2f\"/></clipPath>\n", LEFT, TOP,
      drawing->width, drawing->height);
  add(drawing, "<linearGradient id=\"map\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">");
  for (int i = 0; i <= 32; i++) {
    const unsigned char *color = drawing->picture->colors[i * 255 / 32];
    add(drawing, "<stop offset=\"%.4g\" stop-color=\"#%02x%02x%02x\"/>", i / 32.0, color[0], color[1], color[2]);
  }
  add(drawing, "</linearGradient></defs>\n");
}

static void add_bar(const struct drawing *drawing) {
  const struct tac_picture *picture = drawing->picture;
  const double x = LEFT + drawing->width + BAR_GAP, range = picture->top / 2 - picture->bottom / 2;
  const struct tac_ticks *ticks = &drawing->bar;
  add(drawing, "<rect class=\"l\" style=\"fill:url(#map)\" x=\"%.2f\" y=\"%d\" width=\"%d\" height=\"%.2f\"/>\n", x, TOP,
      BAR_WIDTH, drawing->height);
  for (int i = 0; i < ticks->count; i++) {
    const double share = range > 0 ? (ticks->values[i] / 2 - picture->bottom / 2) / range : 0.5;
    const double y = TOP + drawing->height * (1 - fmin(1, fmax(0, share)));
    add(drawing, "<path class=\"l\" d=\"M%.2f %.2fh%d\"/><text x=\"%.2f\" y=\"%.2f\">%s</text>\n", x + BAR_WIDTH, y, TICK,
        x + BAR_WIDTH + 9, y + 4, ticks->texts[i]);
  }
  add(drawing, "<text class=\"i\" transform=\"translate(%.2f %.2f) rotate(-90)\" text-anchor=\"middle\">", drawing->name,
      TOP + drawing->height / 2);
  add_escaped(drawing, picture->plot->value);
  add(drawing, "</text>\n");
}

static void add_title(const struct drawing *drawing) {
  const struct tac_picture *picture = drawing->picture;
  add(drawing, "<text class=\"t\" x=\"%d\" y=\"28\">", LEFT);
  add_escaped(drawing, picture->plot->title);
  add(drawing, "</text>\n<text class=\"n\" x=\"%d\" y=\"48\">", LEFT);
  add_escaped(drawing, picture->plot->value);
  add(drawing, " from %.6g to %.6g</text>\n", picture->least, picture->most);
}

static void choose_bar(struct drawing *drawing) {
  const struct tac_picture *picture = drawing->picture;
  size_t longest = 0;
  tac_ticks_choose(&drawing->bar, picture->bottom, picture->top, drawing->height > 300 ? 6 : 3);
  for (int i = 0; i < drawing->bar.count; i++)
    longest = strlen(drawing->bar.texts[i]) > longest ? strlen(drawing->bar.texts[i]) : longest;
  drawing->name = LEFT + drawing->width + BAR_GAP + BAR_WIDTH + TICK + (double)(DIGIT_WIDTH * longest) + 26;
}

void tac_picture_to_svg(struct tac_bytes *out, const struct tac_picture *picture) {
  const double unit = (double)LONGER_SIDE / (double)(picture->columns > picture->rows ? picture->columns : picture->rows);
  struct drawing drawing = {out, picture, unit * (double)picture->columns, unit * (double)picture->rows, {0}, 0};
  choose_bar(&drawing);
  const double width = drawing.name + 16, height = TOP + drawing.height + BELOW;
  add(&drawing,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
      "font-family=\"Helvetica,Arial,DejaVu Sans,sans-serif\" font-size=\"13\" fill=\"#222\">\n",
      width, height, width, height);
  add(&drawing, "<style>.l{fill:none;stroke:#222}.t{font-size:16px;font-weight:bold}.i{font-style:italic}"
                ".n{font-size:12px;fill:#555}</style>\n");
  add(&drawing, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
  add_gradient(&drawing);
  add_title(&drawing);
  add_image(&drawing);
  if (picture->plot->leaf_count > 0)
    add_leaves(&drawing);
  add_axes(&drawing);
  add_bar(&drawing);
  add(&drawing, "</svg>\n");
}
