/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/options.h"

#include <stdlib.h>
#include <string.h>

#include <tactus/dmrg/state.h>
#include <tactus/dmrg/sweep.h>
#include <tactus/measure/level.h>

#include "tests/unit/suite.h"

#define MOST_ARGUMENTS 32

/* Parses up to 31 arguments; the list ends with NULL. */
static enum tac_status parse(struct tac_heisenberg_options *out, const char *const *arguments, struct tac_error *error) {
  char *argv[MOST_ARGUMENTS + 1] = {(char *)"heisenberg_dmrg"};
  int argc = 1;
  for (; arguments[argc - 1]; argc++)
    argv[argc] = (char *)arguments[argc - 1];
  tac_error_clear(error);
  return tac_heisenberg_options_parse(out, argc, argv, error);
}

#define PARSE(out, error, ...) parse(out, (const char *const[]){__VA_ARGS__, NULL}, error)

START_TEST(defaults) {
  struct tac_heisenberg_options o;
  struct tac_error error;
  ck_assert_int_eq(parse(&o, (const char *const[]){NULL}, &error), TAC_STATUS_OK);
  ck_assert_int_eq(o.sites, 100);
  ck_assert_int_eq(o.max_states, 256);
  ck_assert_int_eq(o.max_sweeps, 40);
  ck_assert_int_eq(o.min_sweeps, 2);
  ck_assert_double_eq(o.cutoff, 0);
  ck_assert_double_eq(o.energy_tol, 1e-11);
  ck_assert_int_eq(o.local_matvecs, 4);
  ck_assert_int_eq(o.steady_sweeps, 0);
  ck_assert_int_eq(o.trajectory, 0);
  ck_assert_int_eq(o.twice_spin, 1);
  ck_assert_double_eq(o.jxy, 1);
  ck_assert_double_eq(o.jz, 1);
  ck_assert_double_eq(o.field, 0);
  ck_assert_int_eq(o.twice_sz, 0);
  ck_assert_int_eq(o.start, TAC_DMRG_NEEL);
  ck_assert_uint_eq(o.seed, 1);
  ck_assert_int_eq(o.complex_scalar | o.single_precision, 0);
  ck_assert_str_eq(o.machine.executor, "threads");
  ck_assert_int_eq(o.machine.threads, 0);
  ck_assert_int_eq(o.machine.device | o.machine.submitters | o.machine.streams, 0);
  ck_assert_int_eq(o.machine.blas_handles | o.machine.solver_handles, 0);
  ck_assert_int_eq(o.split, TAC_DMRG_SPLIT_AUTO);
  ck_assert_int_eq(o.level, TAC_OFF);
  ck_assert(!o.record.json && !o.record.csv && !o.record.trace && !o.record.speedscope && !o.record.report);
  ck_assert_int_eq(o.record.detail_limit, 10000);
  ck_assert_int_eq(o.check | o.quiet | o.help | o.version, 0);
  ck_assert_uint_eq(o.given, 0);
}
END_TEST

START_TEST(every_option_sets_its_member) {
  struct tac_heisenberg_options o;
  struct tac_error error;
  ck_assert_int_eq(PARSE(&o, &error, "--sites=7", "--max-states=8", "--max-sweeps=9", "--min-sweeps=3", "--cutoff=1e-9",
                         "--energy-tol=2e-8", "--local-matvecs=5", "--steady-sweeps=6", "--trajectory=uni20", "--spin=1",
                         "--jxy=-0.5", "--jz=2.", "--field=.25"),
                   TAC_STATUS_OK);
  ck_assert_int_eq(o.sites, 7);
  ck_assert_int_eq(o.max_states, 8);
  ck_assert_int_eq(o.max_sweeps, 9);
  ck_assert_int_eq(o.min_sweeps, 3);
  ck_assert_double_eq(o.cutoff, 1e-9);
  ck_assert_double_eq(o.energy_tol, 2e-8);
  ck_assert_int_eq(o.local_matvecs, 5);
  ck_assert_int_eq(o.steady_sweeps, 6);
  ck_assert_int_eq(o.trajectory, 1);
  ck_assert_int_eq(o.twice_spin, 2);
  ck_assert_double_eq(o.jxy, -0.5);
  ck_assert_double_eq(o.jz, 2);
  ck_assert_double_eq(o.field, 0.25);
  ck_assert_int_eq(PARSE(&o, &error, "--twice-sz=-3", "--start=random", "--seed=18446744073709551615", "--scalar=complex",
                         "--precision=fp32", "--executor=openmp", "--threads=3", "--measurements=detailed", "--json=a=b",
                         "--device=3", "--submitters=3", "--streams=7", "--blas-handles=2", "--solver-handles=1",
                         "--split=device", "--check", "--quiet", "--help", "--version"),
                   TAC_STATUS_OK);
  ck_assert_int_eq(o.twice_sz, -3);
  ck_assert_int_eq(o.start, TAC_DMRG_RANDOM);
  ck_assert_uint_eq(o.seed, UINT64_MAX);
  ck_assert_int_eq(o.complex_scalar, 1);
  ck_assert_int_eq(o.single_precision, 1);
  ck_assert_str_eq(o.machine.executor, "openmp");
  ck_assert_int_eq(o.machine.threads, 3);
  ck_assert_int_eq(o.machine.device, 3);
  ck_assert_int_eq(o.machine.submitters, 3);
  ck_assert_int_eq(o.machine.streams, 7);
  ck_assert_int_eq(o.machine.blas_handles, 2);
  ck_assert_int_eq(o.machine.solver_handles, 1);
  ck_assert_int_eq(o.split, TAC_DMRG_SPLIT_DEVICE);
  ck_assert_int_eq(o.level, TAC_DETAILED);
  ck_assert_str_eq(o.record.json, "a=b");
  ck_assert_int_eq(o.check & o.quiet & o.help & o.version, 1);
  ck_assert(tac_heisenberg_option_given(&o, "--twice-sz"));
  ck_assert(!tac_heisenberg_option_given(&o, "--sites"));
}
END_TEST

START_TEST(spins_in_three_spellings) {
  const char *const spellings[] = {"--spin=1/2", "--spin=0.5", "--spin=1"};
  const int twice_spin[] = {1, 1, 2};
  for (int i = 0; i < 3; i++) {
    struct tac_heisenberg_options o;
    struct tac_error error;
    ck_assert_int_eq(PARSE(&o, &error, spellings[i]), TAC_STATUS_OK);
    ck_assert_int_eq(o.twice_spin, twice_spin[i]);
  }
}
END_TEST

static const struct {
  const char *argument, *where, *text;
} refused[] = {
    {"--sites=0", "--sites", "'0' is out of range: 1 to 100000 is allowed"},
    {"--sites=-4", "--sites", "'-4' is out of range"},
    {"--sites=99999999999999999999", "--sites", "'99999999999999999999' is out of range"},
    {"--sites=4x", "--sites", "'4x' is not a whole number"},
    {"--sites=4.0", "--sites", "'4.0' is not a whole number"},
    {"--sites= 4", "--sites", "' 4' is not a whole number"},
    {"--sites=0x4", "--sites", "'0x4' is not a whole number"},
    {"--sites=--4", "--sites", "'--4' is not a whole number"},
    {"--sites=nan", "--sites", "'nan' is not a whole number"},
    {"--sites=", "--sites", "needs a value: --sites=N"},
    {"--sites", "--sites", "needs a value: --sites=N"},
    {"--max-states=0", "--max-states", "'0' is out of range"},
    {"--max-sweeps=0", "--max-sweeps", "'0' is out of range"},
    {"--min-sweeps=0", "--min-sweeps", "'0' is out of range"},
    {"--local-matvecs=0", "--local-matvecs", "'0' is out of range"},
    {"--steady-sweeps=-1", "--steady-sweeps", "'-1' is out of range"},
    {"--threads=0", "--threads", "'0' is out of range"},
    {"--cutoff=nan", "--cutoff", "'nan' is not a finite number"},
    {"--cutoff=1.5", "--cutoff", "'1.5' is out of range: 0 to 1 is allowed"},
    {"--cutoff=-1e-9", "--cutoff", "'-1e-9' is out of range"},
    {"--energy-tol=-1", "--energy-tol", "'-1' is out of range: a finite number from 0 is needed"},
    {"--energy-tol=inf", "--energy-tol", "'inf' is not a finite number"},
    {"--jz=1e999", "--jz", "'1e999' is not a finite number"},
    {"--jxy=NaN", "--jxy", "'NaN' is not a finite number"},
    {"--field=1,5", "--field", "'1,5' is not a finite number"},
    {"--field=0x1p3", "--field", "'0x1p3' is not a finite number"},
    {"--seed=-1", "--seed", "'-1' is not a whole number without a sign"},
    {"--seed=18446744073709551616", "--seed", "'18446744073709551616' is out of range: 64 bits are allowed"},
    {"--spin=3/2", "--spin", "'3/2' is none of 1/2|1"},
    {"--start=Neel", "--start", "'Neel' is none of neel|random"},
    {"--executor=", "--executor", "needs a value: --executor=NAME"},
    {"--split=gpu", "--split", "'gpu' is none of auto|device|host"},
    {"--device=-1", "--device", "'-1' is out of range"},
    {"--submitters=0", "--submitters", "'0' is out of range"},
    {"--streams=0", "--streams", "'0' is out of range"},
    {"--blas-handles=0", "--blas-handles", "'0' is out of range"},
    {"--solver-handles=0", "--solver-handles", "'0' is out of range"},
    {"--measurements=hook", "--measurements", "'hook' is none of off|coarse|detailed|hooked"},
    {"--json=", "--json", "needs a value: --json=FILE"},
    {"--check=yes", "--check", "takes no value, but 'yes' is given"},
    {"--check=", "--check", "takes no value, but '' is given"},
    {"--max-state=4", "--max-state", "unknown option; did you mean --max-states?"},
    {"--site=4", "--site", "unknown option; did you mean --sites?"},
    {"--zzzzzzzzzzzzzzzz", "--zzzzzzzzzzzzzzzz", "unknown option; --help lists all"},
    {"--", "--", "unknown option; --help lists all"},
    {"-s", "-s", "is no option; options are written --name=value, see --help"},
    {"20", "20", "is no option"},
    {"", "", "is no option"},
};

START_TEST(refusals_name_option_and_value) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    struct tac_heisenberg_options o;
    struct tac_error error;
    ck_assert_msg(PARSE(&o, &error, refused[i].argument) == TAC_STATUS_INVALID, "%s is taken", refused[i].argument);
    ck_assert_str_eq(error.where, refused[i].where);
    ck_assert_msg(strncmp(error.text, refused[i].text, strlen(refused[i].text)) == 0, "%s: %s", refused[i].argument,
                  error.text);
  }
}
END_TEST

START_TEST(an_option_given_twice_is_refused) {
  struct tac_heisenberg_options o;
  struct tac_error error;
  ck_assert_int_eq(PARSE(&o, &error, "--sites=4", "--quiet", "--sites=4"), TAC_STATUS_INVALID);
  ck_assert_str_eq(error.where, "--sites");
  ck_assert_str_eq(error.text, "is given twice, the second time as '--sites=4'");
  ck_assert_int_eq(PARSE(&o, &error, "--quiet", "--quiet"), TAC_STATUS_INVALID);
}
END_TEST

START_TEST(the_first_error_is_reported) {
  struct tac_heisenberg_options o;
  struct tac_error error;
  ck_assert_int_eq(PARSE(&o, &error, "--help", "--sites=0", "--jz=x"), TAC_STATUS_INVALID);
  ck_assert_str_eq(error.where, "--sites");
}
END_TEST

/* A value of any length and with any bytes gives one line that ends. */
START_TEST(wild_values_stay_one_line) {
  char argument[5000] = "--sites=";
  memset(argument + 8, 'x', sizeof argument - 9);
  argument[20] = '\n';
  argument[sizeof argument - 1] = '\0';
  struct tac_heisenberg_options o;
  struct tac_error error;
  ck_assert_int_eq(PARSE(&o, &error, argument), TAC_STATUS_INVALID);
  ck_assert_ptr_null(strchr(error.text, '\n'));
  argument[1] = 'x';
  ck_assert_int_eq(PARSE(&o, &error, argument + 2), TAC_STATUS_INVALID);
  ck_assert_ptr_null(strchr(error.where, '\n'));
}
END_TEST

START_TEST(choice_names) {
  ck_assert_str_eq(tac_heisenberg_choice_name("--split", TAC_DMRG_SPLIT_HOST), "host");
  ck_assert_str_eq(tac_heisenberg_choice_name("--spin", 1), "1/2");
  ck_assert_str_eq(tac_heisenberg_choice_name("--spin", 2), "1");
  ck_assert_str_eq(tac_heisenberg_choice_name("--spin", 3), "unknown");
}
END_TEST

static char *help_text(void) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *stream = open_memstream(&text, &bytes);
  tac_manual_help(stream, &tac_heisenberg_manual);
  fclose(stream);
  return text;
}

START_TEST(help_is_complete) {
  char *text = help_text();
  const char *const needed[] = {"off", "coarse", "detailed", "Exit status", "Measurement levels", "usage"};
  for (size_t i = 0; i < tac_heisenberg_option_table.count; i++) {
    const struct tac_option *option = &tac_heisenberg_option_table.options[i];
    char left[80];
    snprintf(left, sizeof left, "\n  %s%s%s", option->name, option->form ? "=" : " ", option->form ? option->form : "");
    ck_assert_msg(strstr(text, left) != NULL, "--help lacks %s", option->name);
  }
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    ck_assert_ptr_nonnull(strstr(text, needed[i]));
  free(text);
}
END_TEST

START_TEST(help_fits_a_terminal) {
  char *text = help_text();
  for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
    ck_assert_msg(strcspn(line, "\n") <= 100, "long line: %.100s", line);
  free(text);
}
END_TEST

/* What the parser takes is what --help shows: each word of a choice's form is a choice. */
START_TEST(forms_list_the_choices) {
  for (size_t i = 0; i < tac_heisenberg_option_table.count; i++) {
    const struct tac_option *option = &tac_heisenberg_option_table.options[i];
    if (option->kind != TAC_OPTION_CHOICE)
      continue;
    for (const char *word = option->form; *word; word += strcspn(word, "|") + (word[strcspn(word, "|")] != '\0')) {
      char argument[80];
      snprintf(argument, sizeof argument, "%s=%.*s", option->name, (int)strcspn(word, "|"), word);
      struct tac_heisenberg_options o;
      struct tac_error error;
      ck_assert_msg(PARSE(&o, &error, argument) == TAC_STATUS_OK, "%s", argument);
    }
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      defaults,
      every_option_sets_its_member,
      spins_in_three_spellings,
      refusals_name_option_and_value,
      an_option_given_twice_is_refused,
      the_first_error_is_reported,
      wild_values_stay_one_line,
      choice_names,
      help_is_complete,
      help_fits_a_terminal,
      forms_list_the_choices,
  };
  return RUN_SUITE("options", tests);
}
