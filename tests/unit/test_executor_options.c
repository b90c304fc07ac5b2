/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/executor_options.h"

#include <limits.h>
#include <string.h>

#include "tests/unit/suite.h"

START_TEST(init_gives_the_defaults) {
  struct tac_executor_options options;
  memset(&options, 0xff, sizeof options);
  tac_executor_options_init(&options);
  ck_assert_uint_eq(options.size, sizeof options);
  ck_assert_int_eq(options.lanes, 0);
  ck_assert_int_eq(options.spin_ns, -1);
  ck_assert_ptr_null(options.allocator);
}
END_TEST

START_TEST(defaults_are_resolved) {
  struct tac_executor_options resolved;
  ck_assert_int_eq(tac_executor_options_resolve(&resolved, NULL, "test", NULL), TAC_STATUS_OK);
  ck_assert_int_eq(resolved.lanes, tac_processors_allowed());
  ck_assert_int_eq(resolved.spin_ns, -1);
  ck_assert_ptr_eq(resolved.allocator, tac_allocator_system());
}
END_TEST

START_TEST(what_is_given_is_kept) {
  const struct tac_allocator allocator = *tac_allocator_system();
  struct tac_executor_options options, resolved;
  tac_executor_options_init(&options);
  options.lanes = 17;
  options.spin_ns = 0;
  options.allocator = &allocator;
  ck_assert_int_eq(tac_executor_options_resolve(&resolved, &options, "test", NULL), TAC_STATUS_OK);
  ck_assert_int_eq(resolved.lanes, 17);
  ck_assert_int_eq(resolved.spin_ns, 0);
  ck_assert_ptr_eq(resolved.allocator, &allocator);
}
END_TEST

static void refuses(size_t size, int lanes, int spin_ns, const char *named) {
  struct tac_executor_options options = {.size = size, .lanes = lanes, .spin_ns = spin_ns}, resolved;
  struct tac_error error;
  ck_assert_int_eq(tac_executor_options_resolve(&resolved, &options, "test", &error), TAC_STATUS_INVALID);
  ck_assert_str_eq(error.where, "test");
  ck_assert_ptr_nonnull(strstr(error.text, named));
}

START_TEST(nonsense_is_refused_by_name) {
  refuses(0, 1, -1, "size 0");
  refuses(sizeof(struct tac_executor_options) + 8, 1, -1, "size");
  refuses(sizeof(struct tac_executor_options), -1, -1, "-1 lanes");
  refuses(sizeof(struct tac_executor_options), INT_MAX, -1, "lanes");
  refuses(sizeof(struct tac_executor_options), TAC_EXECUTOR_LANES_MAX + 1, -1, "4097 lanes");
  refuses(sizeof(struct tac_executor_options), 1, -2, "spin_ns -2");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      init_gives_the_defaults,
      defaults_are_resolved,
      what_is_given_is_kept,
      nonsense_is_refused_by_name,
  };
  return RUN_SUITE("executor_options", tests);
}
