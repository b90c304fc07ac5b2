/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/executor_rows.h"

#include "tests/unit/counting_allocator.h"
#include "tests/unit/executor_work.h"
#include "tests/unit/suite.h"

static const struct tac_executor *const executor = &tac_executor_openmp;

#ifdef _OPENMP

static void *create(int lanes) {
  struct tac_executor_options options;
  tac_executor_options_init(&options);
  options.lanes = lanes;
  void *state = NULL;
  ck_assert_int_eq(executor->create(&state, &options, NULL), TAC_STATUS_OK);
  return state;
}

START_TEST(lanes_are_as_asked) {
  static const int asked[] = {1, 2, 5};
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    void *state = create(asked[i]);
    ck_assert_int_eq(executor->lanes(state), asked[i]);
    executor->destroy(state);
  }
  void *state = create(0);
  ck_assert_int_eq(executor->lanes(state), tac_processors_allowed());
  executor->destroy(state);
  executor->destroy(NULL);
}
END_TEST

START_TEST(create_reports_no_memory) {
  expect_no_memory(executor);
}
END_TEST

START_TEST(lanes_meet_on_threads_of_their_own) {
  void *state = create(4);
  static struct work work;
  for (int width = 2; width <= 4; width++) {
    work_init(&work, 40, width, meeting_loop);
    ck_assert_int_eq(executor->run(state, &work.work, NULL), TAC_STATUS_OK);
    ck_assert(work_is_right(&work));
    ck_assert(work_ran_on_all_lanes(&work));
  }
  executor->destroy(state);
}
END_TEST

START_TEST(successive_batches_of_every_width) {
  void *state = create(3);
  static struct work work;
  for (int batch = 0; batch < 1000; batch++) {
    work_init(&work, (size_t)(batch % 37) + 2, 2 + batch % 2, claiming_loop);
    ck_assert_int_eq(executor->run(state, &work.work, NULL), TAC_STATUS_OK);
    ck_assert(work_is_right(&work));
  }
  executor->destroy(state);
}
END_TEST

#else

START_TEST(absent_says_why_and_what_to_do) {
  struct tac_error error;
  void *state = NULL;
  ck_assert_int_eq(executor->probe(&error), TAC_STATUS_UNAVAILABLE);
  ck_assert_ptr_nonnull(strstr(error.text, "-Dopenmp=enabled"));
  ck_assert_int_eq(executor->create(&state, NULL, &error), TAC_STATUS_UNAVAILABLE);
  ck_assert_ptr_null(state);
  ck_assert_int_eq(executor->run(NULL, NULL, &error), TAC_STATUS_UNAVAILABLE);
}
END_TEST

#endif

int main(void) {
#ifdef _OPENMP
  const TTest *const tests[] = {
      lanes_are_as_asked,
      create_reports_no_memory,
      lanes_meet_on_threads_of_their_own,
      successive_batches_of_every_width,
  };
#else
  const TTest *const tests[] = {absent_says_why_and_what_to_do};
#endif
  return RUN_SUITE("executor_openmp", tests);
}
