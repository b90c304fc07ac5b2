/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_CUDA_SCENE_H
#define TESTS_CUDA_SCENE_H

#include <check.h>

#include "runtime/device/backend.h"
#include "tests/cuda/fake/fake.h"

/* The module's table, on the emulation of fake/fake.h. */
extern const struct tac_backend tac_backend_cuda_table;

struct scene {
  const struct tac_backend *backend;
  void *context, *stream;
  struct tac_error error;
};

/* A device and a stream. */
void scene_open(struct scene *scene, int number, int timing, int handles);
/* Also looks for what is left. */
void scene_close(struct scene *scene);
void scene_expect_ok(const struct scene *scene, enum tac_status status);
/* The error is of this status, and its text has these words. */
void scene_expect_error(const struct scene *scene, enum tac_status got, enum tac_status status, const char *words);

void *scene_allocate(struct scene *scene, size_t bytes);
/* A block with these bytes. */
void *scene_send(struct scene *scene, const void *from, size_t bytes);
void scene_receive(struct scene *scene, void *to, void *block, size_t bytes);

/* Numbers between -1 and 1 of a seed that is printed. */
void scene_random(double *out, size_t count);

#endif
