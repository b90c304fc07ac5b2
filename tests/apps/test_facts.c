/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/facts.h"

#include <string.h>

#include "tests/unit/suite.h"

static const struct tac_blas_info blas = {.name = "a BLAS", .kernel = "its kernel", .threads = 3};

static void gather(struct tac_run_facts *facts, struct tac_scheduler **scheduler, char *const argv[]) {
  struct tac_scheduler_options options;
  tac_scheduler_options_init(&options);
  options.executor = "threads";
  options.executor_options.lanes = 2;
  ck_assert_int_eq(tac_scheduler_create(scheduler, &options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_run_facts_gather(facts, "prog", argv, *scheduler, &blas, NULL), TAC_STATUS_OK);
}

START_TEST(each_fact_has_its_key) {
  static const struct {
    const char *key, *value; /* NULL: any but the empty one */
  } expected[] = {{"program", "prog"},           {"version", NULL},       {"date", NULL}, {"host", NULL},
                  {"command_line", "a b"},       {"executor", "threads"}, {"lanes", "2"}, {"blas", "a BLAS"},
                  {"blas_kernel", "its kernel"}, {"blas_threads", "3"}};
  char *argv[] = {"a", "b", NULL};
  struct tac_run_facts facts;
  struct tac_scheduler *scheduler;
  gather(&facts, &scheduler, argv);
  ck_assert_uint_eq(facts.count, sizeof expected / sizeof *expected);
  for (size_t i = 0; i < facts.count; i++) {
    ck_assert_str_eq(facts.fact[i].key, expected[i].key);
    if (expected[i].value)
      ck_assert_str_eq(facts.fact[i].value, expected[i].value);
    else
      ck_assert_uint_gt(strlen(facts.fact[i].value), 0);
  }
  ck_assert_uint_eq(strlen(facts.date), strlen("2000-01-01T00:00:00Z"));
  ck_assert_ptr_eq(tac_run_facts_list(&facts).fact, facts.fact);
  tac_run_facts_release(&facts);
  tac_scheduler_destroy(&scheduler);
}
END_TEST

/* The line can be given to a shell again. */
START_TEST(odd_words_stand_in_quotes) {
  char *argv[] = {"/bin/x", "--a=b", "", "two words", "it's", "\"\\$", "new\nline", "\xff", NULL};
  struct tac_run_facts facts;
  struct tac_scheduler *scheduler;
  gather(&facts, &scheduler, argv);
  ck_assert_str_eq(facts.command_line, "/bin/x --a=b '' 'two words' 'it'\\''s' '\"\\$' 'new\nline' '\xff'");
  tac_run_facts_release(&facts);
  tac_scheduler_destroy(&scheduler);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {each_fact_has_its_key, odd_words_stand_in_quotes};
  return RUN_SUITE("facts", tests);
}
