/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Sums that stay on the device, against the operations that bring them to the host. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/device/dense_case.h"

/* Around the lengths of stretches and the number of partial sums. */
static const size_t lengths[] = {0, 1, 7, 1023, 1025, 9000, 20001, 270001};
enum { LENGTHS = sizeof lengths / sizeof *lengths, SLOTS = 5 };

/* Three vectors of a length with a gap before, so that their offsets count. */
struct scene {
  struct device_subject subject;
  struct tac_device_vectors *vectors;
  struct dense_elements x, y, z;
  struct tac_device_array at_x, at_y, at_z;
};

static void create_vectors(struct scene *scene, enum tac_device_scalar scalar, size_t n, struct dense_random *random) {
  struct dense_elements *const all[] = {&scene->x, &scene->y, &scene->z};
  for (int i = 0; i < 3; i++) {
    dense_elements_create(all[i], scene->subject.device, scalar, n + 5);
    dense_elements_fill(all[i], scene->subject.queue, random);
  }
  scene->at_x = dense_elements_at(&scene->x, 3);
  scene->at_y = dense_elements_at(&scene->y, 1);
  scene->at_z = dense_elements_at(&scene->z, 2);
}

static void destroy_vectors(struct scene *scene) {
  dense_elements_destroy(&scene->x);
  dense_elements_destroy(&scene->y);
  dense_elements_destroy(&scene->z);
}

/* A chain of which each link needs the numbers before it: those of the host's way, and its vectors, to the last bit where sums
 * are in double precision. */
static void check_chain(struct scene *scene, enum tac_device_scalar scalar, size_t n, struct dense_random *random) {
  struct tac_error error;
  struct tac_device_vectors *vectors = scene->vectors;
  struct tac_queue *queue = scene->subject.queue;
  double stepped[SLOTS] = {0}, kept[SLOTS] = {-1, -1, -1, -1, -1};
  create_vectors(scene, scalar, n, random);
  struct tac_device_array x = scene->at_x, y = scene->at_y, z = scene->at_z;
  expect_ok(tac_device_dot(&stepped[0], vectors, queue, n, x, x, &error), &error);
  expect_ok(tac_device_dot(&stepped[1], vectors, queue, n, x, y, &error), &error);
  expect_ok(tac_device_axpy_dot(&stepped[2], vectors, queue, n, -stepped[1] / stepped[0], x, y, z, &error), &error);
  expect_ok(tac_device_axpy_dot(&stepped[3], vectors, queue, n, -stepped[2] / stepped[0], z, y, y, &error), &error);
  expect_ok(tac_device_axpy_dot(&stepped[4], vectors, queue, n, -stepped[3] / stepped[1], x, z, y, &error), &error);
  double complex *of_y = dense_elements_receive(&scene->y, queue), *of_z = dense_elements_receive(&scene->z, queue);

  dense_elements_send(&scene->y, queue);
  dense_elements_send(&scene->z, queue);
  const struct tac_device_ratio first = {1, 0}, second = {2, 0}, third = {3, 1};
  expect_ok(tac_device_slot_dot(vectors, queue, n, x, x, 0, &error), &error);
  expect_ok(tac_device_slot_dot(vectors, queue, n, x, y, 1, &error), &error);
  expect_ok(tac_device_slot_axpy_dot(vectors, queue, n, first, x, y, z, 2, &error), &error);
  expect_ok(tac_device_slot_axpy_dot(vectors, queue, n, second, z, y, y, 3, &error), &error);
  expect_ok(tac_device_slot_axpy_dot(vectors, queue, n, third, x, z, y, 4, &error), &error);
  expect_ok(tac_device_slots_read(kept, vectors, queue, n, 0, SLOTS, &error), &error);

  const double tolerance = tac_device_info(scene->subject.device)->fp64 ? 0 : 1e-4;
  for (int i = 0; i < SLOTS; i++)
    ck_assert_msg(fabs(kept[i] - stepped[i]) <= tolerance * fabs(stepped[i]), "n = %zu, number %d: %.17g and stepped %.17g", n,
                  i, kept[i], stepped[i]);
  for (size_t i = 0; i < n && n > 0; i++) {
    scene->y.host[1 + i] = of_y[1 + i];
    scene->z.host[2 + i] = of_z[2 + i];
  }
  dense_expect_near(&scene->y, queue, tolerance);
  dense_expect_near(&scene->z, queue, tolerance);
  free(of_y);
  free(of_z);
  destroy_vectors(scene);
}

static void open_scene(struct scene *scene, enum tac_device_scalar scalar, enum tac_device_form form) {
  struct tac_error error;
  open_subject(&scene->subject, 1, 0);
  expect_ok(tac_device_vectors_create_form(&scene->vectors, scene->subject.device, scalar, form, &error), &error);
}

static void close_scene(struct scene *scene) {
  tac_device_vectors_destroy(&scene->vectors);
  close_subject(&scene->subject);
}

START_TEST(chains_of_numbers) {
  const struct dense_case *c = &dense_cases[_i];
  struct dense_random random = dense_random_start(c->name);
  struct scene scene;
  struct tac_error error;
  open_scene(&scene, c->scalar, c->form);
  expect_ok(tac_device_slots_reserve(scene.vectors, scene.subject.queue, SLOTS, &error), &error);
  for (int l = 0; l < LENGTHS; l++)
    check_chain(&scene, c->scalar, lengths[l], &random);
  close_scene(&scene);
}
END_TEST

/* Room grows under commands that use it, and is kept. */
START_TEST(slots_grow) {
  struct dense_random random = dense_random_start("slots");
  struct scene scene;
  struct tac_error error;
  double sums[40];
  open_scene(&scene, TAC_DEVICE_REAL64, TAC_FORM_CHOSEN);
  struct tac_queue *queue = scene.subject.queue;
  create_vectors(&scene, TAC_DEVICE_REAL64, 5000, &random);
  for (int count = 1; count <= 40; count += 13) {
    double expected = 0;
    expect_ok(tac_device_slots_reserve(scene.vectors, queue, count, &error), &error);
    expect_ok(tac_device_slots_reserve(scene.vectors, queue, 1, &error), &error);
    for (int s = 0; s < count; s++)
      expect_ok(tac_device_slot_dot(scene.vectors, queue, 5000, scene.at_x, scene.at_y, s, &error), &error);
    if (count < 40) /* the next reservation finds them on their way */
      continue;
    expect_ok(tac_device_dot(&expected, scene.vectors, queue, 5000, scene.at_x, scene.at_y, &error), &error);
    expect_ok(tac_device_slots_read(sums, scene.vectors, queue, 5000, 0, count, &error), &error);
    for (int s = 0; s < count; s++)
      ck_assert(sums[s] == expected);
  }
  destroy_vectors(&scene);
  close_scene(&scene);
}
END_TEST

START_TEST(what_does_not_fit_is_refused) {
  struct dense_random random = dense_random_start("refused");
  struct scene scene;
  struct tac_error error;
  double sums[4];
  open_scene(&scene, TAC_DEVICE_REAL64, TAC_FORM_CHOSEN);
  struct tac_queue *queue = scene.subject.queue;
  create_vectors(&scene, TAC_DEVICE_REAL64, 100, &random);
  struct tac_device_vectors *vectors = scene.vectors;
  const struct tac_device_array x = scene.at_x, y = scene.at_y, none = {NULL, 0};
  const struct tac_device_ratio good = {0, 1}, bad[] = {{3, 1}, {-1, 1}, {0, 3}, {0, -1}};
  ck_assert_int_eq(tac_device_slot_dot(vectors, queue, 100, x, y, 0, &error), TAC_STATUS_INVALID); /* nothing is reserved */
  expect_ok(tac_device_slots_reserve(vectors, queue, 3, &error), &error);
  const size_t room = tac_device_memory_bytes(scene.x.memory) / sizeof(double);
  const enum tac_status refused[] = {
      tac_device_slot_dot(vectors, queue, 100, x, y, 3, &error),
      tac_device_slot_dot(vectors, queue, 100, x, y, -1, &error),
      tac_device_slot_dot(vectors, queue, room, x, y, 0, &error),
      tac_device_slot_dot(vectors, queue, 1, x, none, 0, &error),
      tac_device_slot_axpy_dot(vectors, queue, 100, bad[0], x, y, y, 2, &error),
      tac_device_slot_axpy_dot(vectors, queue, 100, bad[1], x, y, y, 2, &error),
      tac_device_slot_axpy_dot(vectors, queue, 100, bad[2], x, y, y, 2, &error),
      tac_device_slot_axpy_dot(vectors, queue, 100, bad[3], x, y, y, 2, &error),
      tac_device_slot_axpy_dot(vectors, queue, 100, good, x, y, y, 0, &error), /* the ratio's own slots */
      tac_device_slot_axpy_dot(vectors, queue, 100, good, x, y, y, 1, &error),
      tac_device_slot_axpy_dot(vectors, queue, 100, good, x, y, y, 3, &error),
      tac_device_slot_axpy_dot(vectors, queue, 100, good, none, y, y, 2, &error),
      tac_device_slot_axpy_dot(vectors, queue, room, good, x, y, x, 2, &error),
      tac_device_slots_read(sums, vectors, queue, 100, 1, 3, &error),
      tac_device_slots_read(sums, vectors, queue, 100, -1, 1, &error),
      tac_device_slots_read(sums, vectors, queue, 100, 1, INT_MAX, &error),
      tac_device_slots_read(sums, vectors, queue, 100, 0, -3, &error),
      tac_device_slots_read(sums, vectors, queue, SIZE_MAX, 0, 1, &error),
      tac_device_slots_read(sums, vectors, queue, SIZE_MAX / 2 + 1, 0, 1, &error),
      tac_device_slots_reserve(vectors, queue, -1, &error),
      tac_device_slots_reserve(vectors, queue, INT_MIN, &error),
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    ck_assert_msg(refused[i] == TAC_STATUS_INVALID, "call %zu: %d", i, (int)refused[i]);
  expect_ok(tac_device_slots_read(sums, vectors, queue, 100, 0, 0, &error), &error);
  destroy_vectors(&scene);
  close_scene(&scene);
}
END_TEST

START_TEST(exact_squares) {
  struct scene scene;
  open_scene(&scene, TAC_DEVICE_REAL64, TAC_FORM_CHOSEN);
  const double least = DBL_MIN / DBL_EPSILON;
  ck_assert_int_eq(tac_device_squares_exact(scene.vectors, 10, 1), 1);
  ck_assert_int_eq(tac_device_squares_exact(scene.vectors, 10, 11 * least), 1);
  ck_assert_int_eq(tac_device_squares_exact(scene.vectors, 10, 9 * least), 0);
  ck_assert_int_eq(tac_device_squares_exact(scene.vectors, 10, INFINITY), 0);
  ck_assert_int_eq(tac_device_squares_exact(scene.vectors, 10, NAN), 0);
  close_scene(&scene);
}
END_TEST

static void add_tests(TCase *cases) {
  tcase_add_loop_test(cases, chains_of_numbers, 0, DENSE_CASES);
  tcase_add_test(cases, slots_grow);
  tcase_add_test(cases, what_does_not_fit_is_refused);
  tcase_add_test(cases, exact_squares);
}

int main(int argc, char **argv) {
  return run_device_cases(argc, argv, "dense_kept", add_tests);
}
