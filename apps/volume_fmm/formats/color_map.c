/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/color_map.h"

#include <math.h>

enum { COLORS = 256 };

static double to_srgb(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

/* Oklab (B. Ottosson, 2020) in cylindrical coordinates to linear sRGB. */
static void to_linear(double rgb[3], double lightness, double chroma, double hue) {
  static const double to_cones[3][2] = {
      {0.3963377774, 0.2158037573}, {-0.1055613458, -0.0638541728}, {-0.0894841775, -1.2914855480}};
  static const double to_rgb[3][3] = {{4.0767416621, -3.3077115913, 0.2309699292},
                                      {-1.2684380046, 2.6097574011, -0.3413193965},
                                      {-0.0041960863, -0.7034186147, 1.7076147010}};
  const double a = chroma * cos(hue * M_PI / 180), b = chroma * sin(hue * M_PI / 180);
  double cones[3];
  for (int i = 0; i < 3; i++)
    cones[i] = pow(fmax(0, lightness + to_cones[i][0] * a + to_cones[i][1] * b), 3);
  for (int i = 0; i < 3; i++)
    rgb[i] = to_rgb[i][0] * cones[0] + to_rgb[i][1] * cones[1] + to_rgb[i][2] * cones[2];
}

static void set_color(unsigned char color[3], double lightness, double chroma, double hue) {
  double rgb[3];
  to_linear(rgb, lightness, chroma, hue);
  for (int i = 0; i < 3; i++)
    color[i] = (unsigned char)lround(255 * to_srgb(fmin(1, fmax(0, rgb[i]))));
}

/* Chromas stay just below what sRGB can show at their lightness and hue, where the first map is narrowest at t = 0.42: cut
 * colours would show as edges. */
static void set_sequential(unsigned char color[3], double t) {
  const double chroma = 0.092 + (t < 0.42 ? 0.14 : 0.3) * (t - 0.42) * (t - 0.42);
  set_color(color, 0.22 + 0.71 * t, chroma, 300 - 195 * t);
}

static void set_diverging(unsigned char color[3], double t) {
  const double far = fabs(2 * t - 1);
  set_color(color, 0.97 - 0.55 * far, 0.27 * far * (1 - 0.5 * far), t < 0.5 ? 255 : 28);
}

void tac_color_map(unsigned char colors[COLORS][3], int diverging) {
  for (int i = 0; i < COLORS; i++) {
    const double t = (double)i / (COLORS - 1);
    if (diverging)
      set_diverging(colors[i], t);
    else
      set_sequential(colors[i], t);
  }
}
