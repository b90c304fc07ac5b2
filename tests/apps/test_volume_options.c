/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/options.h"

#include <stdlib.h>
#include <string.h>

#include <tactus/fmm/plan.h>
#include <tactus/measure/level.h>

#include "apps/volume_fmm/formats/cube.h"
#include "tests/unit/suite.h"

#define MOST_ARGUMENTS 40

/* Parses and checks the words of a line. */
static enum tac_status read_line(struct tac_volume_options *out, const char *line, struct tac_error *error) {
  static char words[512];
  char *argv[MOST_ARGUMENTS] = {(char *)"volume_fmm"}, *rest = NULL;
  int argc = 1;
  snprintf(words, sizeof words, "%s", line);
  for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    argv[argc++] = word;
  tac_error_clear(error);
  enum tac_status status = tac_volume_options_parse(out, argc, argv, error);
  return status == TAC_STATUS_OK ? tac_volume_options_check(out, error) : status;
}

START_TEST(defaults) {
  struct tac_volume_options o;
  struct tac_error error;
  ck_assert_int_eq(read_line(&o, "", &error), TAC_STATUS_OK);
  ck_assert_int_eq(o.dim, 2);
  ck_assert_int_eq(o.kernel, TAC_FMM_LAPLACE);
  ck_assert_double_eq(o.param, 1);
  ck_assert_str_eq(o.density, "gaussian");
  ck_assert(o.box[0] == -0.5 && o.box[1] == 0.5);
  ck_assert_int_eq(o.order, 8);
  ck_assert_int_eq(o.basis, TAC_FMM_TOTAL);
  ck_assert_double_eq(o.tol, 1e-6);
  ck_assert_double_eq(o.eps, 1e-6);
  ck_assert_int_eq(o.levels, -1);
  ck_assert_int_eq(o.max_leaves, 4000000);
  ck_assert_int_eq(o.near, TAC_FMM_NEAR_SPLIT);
  ck_assert_int_eq(o.split_order | o.smooth_order, 0);
  ck_assert_int_eq(o.path, TAC_FMM_PATH_AUTO);
  ck_assert(!o.cache && !o.targets && !o.output && !o.plot && !o.record.json && !o.record.csv && !o.record.trace && !o.phases);
  ck_assert_str_eq(o.machine.executor, "threads");
  ck_assert_int_eq(o.machine.threads, 0);
  ck_assert_int_eq(o.level, TAC_OFF);
  ck_assert_int_eq(o.repeat, 1);
  ck_assert_int_eq(o.grad | o.grid | o.check | o.quiet | o.help | o.version, 0);
}
END_TEST

START_TEST(every_option_sets_its_member) {
  struct tac_volume_options o;
  struct tac_error error;
  ck_assert_int_eq(
      read_line(&o,
                "--dim=3 --kernel=yukawa --param=2.5 --density=ball --box=-1,2.5 --order=6 --basis=tensor --tol=1e-4 "
                "--levels=3 --max-leaves=77 --eps=1e-7 --near=split --split-order=3 --smooth-order=9 --path=plain "
                "--cache=none --grad --grid=11",
                &error),
      TAC_STATUS_OK);
  ck_assert_int_eq(o.dim, 3);
  ck_assert_int_eq(o.kernel, TAC_FMM_YUKAWA);
  ck_assert_double_eq(o.param, 2.5);
  ck_assert_str_eq(o.density, "ball");
  ck_assert(o.box[0] == -1 && o.box[1] == 2.5);
  ck_assert_int_eq(o.order, 6);
  ck_assert_int_eq(o.basis, TAC_FMM_TENSOR);
  ck_assert_double_eq(o.tol, 1e-4);
  ck_assert_int_eq(o.levels, 3);
  ck_assert_int_eq(o.max_leaves, 77);
  ck_assert_double_eq(o.eps, 1e-7);
  ck_assert_int_eq(o.split_order, 3);
  ck_assert_int_eq(o.smooth_order, 9);
  ck_assert_int_eq(o.path, TAC_FMM_PATH_PLAIN);
  ck_assert_str_eq(o.cache, "none");
  ck_assert(o.grad && o.grid == 11);
  ck_assert_int_eq(
      read_line(&o,
                "--density=a.cube --units=angstrom --near=tables --kernel=helmholtz --output=u.csv --plot=u.svg "
                "--targets=t.txt --check --executor=serial --threads=1 --measurements=detailed --repeat=4 --json=j "
                "--csv=c --trace=t --speedscope=s --report=r --detail-limit=7 --phases=p --quiet --version --help",
                &error),
      TAC_STATUS_OK);
  ck_assert_int_eq(o.dim, 3);
  ck_assert_int_eq(o.units, TAC_CUBE_UNITS_ANGSTROM);
  ck_assert_int_eq(o.near, TAC_FMM_NEAR_TABLES);
  ck_assert_int_eq(o.kernel, TAC_FMM_HELMHOLTZ);
  ck_assert_str_eq(o.output, "u.csv");
  ck_assert_str_eq(o.plot, "u.svg");
  ck_assert_str_eq(o.targets, "t.txt");
  ck_assert_str_eq(o.machine.executor, "serial");
  ck_assert_int_eq(o.machine.threads, 1);
  ck_assert_int_eq(o.level, TAC_DETAILED);
  ck_assert_int_eq(o.repeat, 4);
  ck_assert(strcmp(o.record.json, "j") == 0 && strcmp(o.record.csv, "c") == 0 && strcmp(o.record.trace, "t") == 0);
  ck_assert(strcmp(o.record.speedscope, "s") == 0 && strcmp(o.record.report, "r") == 0 && o.record.detail_limit == 7);
  ck_assert_str_eq(o.phases, "p");
  ck_assert(o.check && o.quiet && o.version && o.help);
}
END_TEST

START_TEST(eps_follows_the_tolerance_as_far_as_it_may) {
  const char *const lines[] = {"--tol=1e-9", "--tol=1e-14", "--tol=0.4", "--tol=1e-9 --eps=1e-3"};
  const double eps[] = {1e-9, 1e-13, 0.1, 1e-3};
  for (int i = 0; i < 4; i++) {
    struct tac_volume_options o;
    struct tac_error error;
    ck_assert_int_eq(read_line(&o, lines[i], &error), TAC_STATUS_OK);
    ck_assert_double_eq(o.eps, eps[i]);
  }
}
END_TEST

static const struct {
  const char *line, *where, *text;
} refused[] = {
    {"--dim=4", "--dim", "'4' is none of 2|3"},
    {"--kernel=stokes", "--kernel", "'stokes' is none of laplace|yukawa|helmholtz"},
    {"--kernel=yukawa --param=0", "--param", "'0' is out of range"},
    {"--kernel=yukawa --param=-1", "--param", "'-1' is out of range"},
    {"--param=3", "--param", "is of --kernel=yukawa and helmholtz"},
    {"--near=tables", "--near", "is of --kernel=yukawa and helmholtz"},
    {"--split-order=2", "--split-order", "is of --kernel=yukawa and helmholtz"},
    {"--smooth-order=2", "--smooth-order", "is of --kernel=yukawa and helmholtz"},
    {"--kernel=yukawa --near=tables --split-order=2", "--split-order", "'2' with --near=tables"},
    {"--kernel=yukawa --near=tables --smooth-order=9", "--smooth-order", "'9' with --near=tables"},
    {"--order=1", "--order", "'1' is out of range: 2 to 16 is allowed"},
    {"--order=17", "--order", "'17' is out of range: 2 to 16 is allowed"},
    {"--order=0", "--order", "'0' is out of range"},
    {"--tol=0", "--tol", "'0' is out of range"},
    {"--tol=1", "--tol", "'1' is out of range"},
    {"--tol=nan", "--tol", "'nan' is not a finite number"},
    {"--eps=1e-14", "--eps", "'1e-14' is out of range: 1e-13 to 0.1 is allowed"},
    {"--levels=31", "--levels", "'31' is out of range: 0 to 30 is allowed"},
    {"--levels=-1", "--levels", "'-1' is out of range"},
    {"--max-leaves=0", "--max-leaves", "'0' is out of range"},
    {"--box=1", "--box", "'1' is not two numbers with a comma between"},
    {"--box=1,", "--box", "'1,' is not two numbers"},
    {"--box=,1", "--box", "',1' is not two numbers"},
    {"--box=1,2,3", "--box", "'1,2,3' is not two numbers"},
    {"--box=1,1", "--box", "'1,1': two finite numbers are needed, the first one less"},
    {"--box=0,inf", "--box", "'0,inf' is not two numbers"},
    {"--box=0,1e999", "--box", "'0,1e999': two finite numbers"},
    {"--units=bohr", "--units", "'bohr' without a cube file"},
    {"--density=a.cube --dim=2", "--dim", "'2' with a cube file, which is 3D"},
    {"--density=a.cube --box=0,1", "--box", "'0,1' with a cube file"},
    {"--grid=1", "--grid", "'1' is out of range"},
    {"--grid=5 --targets=t", "--grid", "'5' with --targets='t'"},
    {"--grid=2000 --dim=3", "--grid", "'2000' makes 8e+09 points in 3D"},
    {"--output=u.txt", "--output", "'u.txt' ends in none of .csv, .npy, .cube"},
    {"--output=.csv", "--output", "'.csv' ends in none of"},
    {"--output=u.cube --grid=5", "--output", "'u.cube': a cube file is 3D"},
    {"--output=u.cube --dim=3", "--output", "'u.cube': a cube file holds a grid: --grid=N is needed"},
    {"--output=u.cube --dim=3 --grid=5 --grad", "--output", "'u.cube': a cube file holds one number a point"},
    {"--output=u.cube --dim=3 --targets=t", "--output", "'u.cube': a cube file holds a grid, not --targets"},
    {"--output=u.cube --dim=3 --grid=5 --kernel=helmholtz", "--output", "'u.cube': a cube file holds real numbers"},
    {"--plot=u.png", "--plot", "'u.png' does not end in .svg"},
    {"--executor=thread", "--executor", "unknown executor 'thread'; did you mean 'threads'? (see --executor=help)"},
    {"--executor=gpu", "--executor", "unknown executor 'gpu'; choose one of serial, threads, "},
    {"--executor=serial --threads=2", "--threads", "'2' with --executor=serial"},
    {"--device=0", "--device", "belongs to --executor=opencl and cuda, not to threads"},
    {"--executor=openmp --streams=4", "--streams", "belongs to --executor=opencl and cuda, not to openmp"},
    {"--executor=serial --submitters=1", "--submitters", "belongs to --executor=opencl and cuda, not to serial"},
    {"--executor=opencl --threads=2 --submitters=3", "--submitters", "'3' with --threads=2"},
    {"--executor=cuda --submitters=3 --streams=2", "--streams", "'2' is less than one for each of 3 submitters"},
    {"--threads=0", "--threads", "'0' is out of range"},
    {"--csv=p.csv", "--csv", "'p.csv' needs --measurements=coarse, detailed or hooked"},
    {"--phases=p.csv", "--phases", "'p.csv' needs --measurements=coarse, detailed or hooked"},
    {"--trace=t", "--trace", "'t' needs --measurements=coarse, detailed or hooked"},
    {"--speedscope=s", "--speedscope", "'s' needs --measurements=coarse, detailed or hooked"},
    {"--report=r", "--report", "'r' needs --measurements=coarse, detailed or hooked"},
    {"--detail-limit=5", "--detail-limit", "'5' needs --measurements=coarse, detailed or hooked"},
    {"--measurements=coarse --detail-limit=-1", "--detail-limit", "'-1' is out of range"},
    {"--measurements=coarse --json=x --report=x", "--report", "'x' is the file of --json too"},
    {"--repeat=0", "--repeat", "'0' is out of range"},
    {"--check=1", "--check", "takes no value"},
    {"--denstiy=ball", "--denstiy", "unknown option; did you mean --density?"},
};

START_TEST(refusals_name_option_and_value) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    struct tac_volume_options o;
    struct tac_error error;
    ck_assert_msg(read_line(&o, refused[i].line, &error) == TAC_STATUS_INVALID, "%s is taken", refused[i].line);
    ck_assert_msg(strcmp(error.where, refused[i].where) == 0, "%s: %s", refused[i].line, error.where);
    ck_assert_msg(strncmp(error.text, refused[i].text, strlen(refused[i].text)) == 0, "%s: %s", refused[i].line, error.text);
  }
}
END_TEST

START_TEST(help_is_complete_and_fits_a_terminal) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *stream = open_memstream(&text, &bytes);
  tac_manual_help(stream, &tac_volume_manual);
  fclose(stream);
  for (size_t i = 0; i < tac_volume_option_table.count; i++) {
    const struct tac_option *option = &tac_volume_option_table.options[i];
    char left[80];
    snprintf(left, sizeof left, "\n  %s%s%s", option->name, option->form ? "=" : " ", option->form ? option->form : "");
    ck_assert_msg(strstr(text, left) != NULL, "--help lacks %s", option->name);
  }
  for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
    ck_assert_msg(strcspn(line, "\n") <= 100, "long line: %.100s", line);
  ck_assert_ptr_nonnull(strstr(text, "Exit status"));
  free(text);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {defaults, every_option_sets_its_member, eps_follows_the_tolerance_as_far_as_it_may,
                                refusals_name_option_and_value, help_is_complete_and_fits_a_terminal};
  return RUN_SUITE("volume_options", tests);
}
