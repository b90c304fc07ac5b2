/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Lets other programs judge what is written and read here: convert deflate <IN >OUT, convert npy RANK IN OUT, convert plot OUT.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/volume_fmm/formats/deflate.h"
#include "apps/volume_fmm/formats/npy.h"
#include "apps/volume_fmm/formats/plot.h"

static int fail(const struct tac_error *error) {
  fprintf(stderr, "%s\n", error->text);
  return EXIT_FAILURE;
}

static int deflate_input(void) {
  struct tac_bytes in = {0}, out = {0};
  unsigned char block[4096];
  for (size_t got = sizeof block; got == sizeof block;) {
    got = fread(block, 1, sizeof block, stdin);
    tac_bytes_add(&in, block, got);
  }
  tac_deflate(&out, in.data, in.count);
  int status = in.failed || out.failed || fwrite(out.data, 1, out.count, stdout) != out.count;
  free(in.data);
  free(out.data);
  return status ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int copy_array(int rank, const char *from, const char *to) {
  struct tac_npy array = {0};
  struct tac_error error;
  if (tac_npy_read(&array, from, rank, &error) != TAC_STATUS_OK)
    return fail(&error);
  struct tac_npy_layout layout = {rank, {array.shape[0], array.shape[1], array.shape[2]}, 1, 1};
  enum tac_status status = tac_npy_write(to, &layout, (const double *const[]){array.values}, &error);
  tac_npy_free(&array);
  return status == TAC_STATUS_OK ? EXIT_SUCCESS : fail(&error);
}

static enum tac_status plane(void *context, size_t count, const double *points, double *values, struct tac_error *error) {
  (void)context, (void)error;
  for (size_t i = 0; i < count; i++)
    values[i] = points[2 * i] + 10 * points[2 * i + 1];
  return TAC_STATUS_OK;
}

/* x + 10 y over [0, 4] x [0, 2] in 40 x 20 pixels. */
static int draw(const char *path) {
  const struct tac_plot_square leaf = {{0, 0}, 2};
  const struct tac_plot plot = {"x + 10y", {"x", "y"}, "value", {0, 0}, {4, 2}, 40, &leaf, 1, plane, NULL};
  struct tac_error error;
  return tac_plot_write(path, &plot, &error) == TAC_STATUS_OK ? EXIT_SUCCESS : fail(&error);
}

int main(int argc, char *argv[]) {
  if (argc == 2 && strcmp(argv[1], "deflate") == 0)
    return deflate_input();
  if (argc == 5 && strcmp(argv[1], "npy") == 0)
    return copy_array(atoi(argv[2]), argv[3], argv[4]);
  if (argc == 3 && strcmp(argv[1], "plot") == 0)
    return draw(argv[2]);
  fputs("usage: convert deflate | convert npy RANK IN OUT | convert plot OUT\n", stderr);
  return 2;
}
