/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_PLOT_H
#define VOLUME_FMM_FORMATS_PLOT_H

#include <stddef.h>

#include <tactus/fmm/tree.h>
#include <tactus/runtime/error.h>

/* Values of the picture at `count` points of its plane, points[2*i + 0|1]. */
typedef enum tac_status (*tac_plot_fn)(void *context, size_t count, const double *points, double *values,
                                       struct tac_error *error);

struct tac_plot_square {
  double lower[2], side;
};

/* A rectangle of the plane as a picture: colours for values, leaves as thin lines, axes, title and a colour bar. */
struct tac_plot {
  const char *title;   /* UTF-8 */
  const char *axes[2]; /* names of the horizontal and the vertical axis */
  const char *value;   /* name of what the colours mean */
  double lower[2], upper[2];
  size_t pixels; /* along the longer side, 16 … 2048 */
  const struct tac_plot_square *leaves;
  size_t leaf_count;    /* 0: none are drawn */
  tac_plot_fn evaluate; /* called once, at the centres of all pixels */
  void *context;
};

/* Writes an SVG, text as text and values as an embedded image. Signed values get a diverging colour map around 0. Leaves
 * narrower than two points of the drawing are left out, and the picture says so. Replaces the file as a whole; on failure the
 * old one is kept. INVALID: a name that does not end in .svg, an empty rectangle. NUMERICAL: a value that is not finite. */
enum tac_status tac_plot_write(const char *path, const struct tac_plot *plot, struct tac_error *error);

/* The leaves that a plane cuts: in 3D that at `position` along `axis`, whose remaining axes, in order, are the picture's; in
 * 2D all leaves. *out is the caller's, for free(). */
enum tac_status tac_plot_leaves(const struct tac_fmm_tree *tree, int axis, double position, struct tac_plot_square **out,
                                size_t *count, struct tac_error *error);

#endif
