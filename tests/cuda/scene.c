/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/cuda/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void scene_expect_ok(const struct scene *scene, enum tac_status status) {
  ck_assert_msg(status == TAC_STATUS_OK, "%s", scene->error.text);
}

void scene_expect_error(const struct scene *scene, enum tac_status got, enum tac_status status, const char *words) {
  ck_assert_msg(got == status, "%s: %s", tac_status_name(got), scene->error.text);
  ck_assert_int_eq(scene->error.status, status);
  ck_assert_msg(strstr(scene->error.text, words) != NULL, "'%s' is not in '%s'", words, scene->error.text);
}

void scene_open(struct scene *scene, int number, int timing, int handles) {
  const struct tac_backend_options options = {.timing = timing, .blas_handles = handles, .solver_handles = handles};
  *scene = (struct scene){.backend = &tac_backend_cuda_table};
  scene_expect_ok(scene, scene->backend->open(&scene->context, number, &options, &scene->error));
  scene_expect_ok(scene, scene->backend->open_stream(scene->context, &scene->stream, &scene->error));
}

void scene_close(struct scene *scene) {
  scene->backend->close_stream(scene->context, scene->stream);
  scene->backend->close(scene->context);
  ck_assert_int_eq(fake_live_in_all(), 0);
}

void *scene_allocate(struct scene *scene, size_t bytes) {
  void *block = NULL;
  scene_expect_ok(scene, scene->backend->allocate(scene->context, bytes, &block, &scene->error));
  ck_assert_ptr_nonnull(block);
  return block;
}

void *scene_send(struct scene *scene, const void *from, size_t bytes) {
  void *block = scene_allocate(scene, bytes);
  scene_expect_ok(scene, scene->backend->write(scene->context, scene->stream, block, 0, from, bytes, NULL, &scene->error));
  scene_expect_ok(scene, scene->backend->finish(scene->context, scene->stream, &scene->error));
  return block;
}

void scene_receive(struct scene *scene, void *to, void *block, size_t bytes) {
  scene_expect_ok(scene, scene->backend->read(scene->context, scene->stream, block, 0, to, bytes, NULL, &scene->error));
}

static uint64_t first_state(void) {
  const char *given = getenv("TACTUS_TEST_SEED");
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)now.tv_sec * 1000003u + (uint64_t)now.tv_nsec;
  printf("# TACTUS_TEST_SEED=%llu\n", (unsigned long long)seed);
  return seed;
}

void scene_random(double *out, size_t count) {
  static uint64_t state;
  static int is_started;
  if (!is_started)
    state = first_state();
  is_started = 1;
  for (size_t k = 0; k < count; k++) {
    state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    out[k] = (double)((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
  }
}
