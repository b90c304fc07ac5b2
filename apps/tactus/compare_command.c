/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/tactus/command.h"
#include "apps/tactus/comparison.h"
#include "apps/tactus/output.h"

struct options {
  struct tac_option_words words, sides[TAC_SIDES];
  int figure; /* enum tac_compared_figure */
  const char *events, *json;
  double min_share, fail_above;
  int help;
};

static const struct tac_option_choice figures[] = {
    {"total", TAC_COMPARE_TOTAL}, {"mean", TAC_COMPARE_MEAN}, {"min", TAC_COMPARE_MIN}, {NULL, 0}};

#define MEMBER(name) offsetof(struct options, name)
#define SIDES        "The sides"
#define EVENTS       "What is compared"
#define OUTPUT       "Output"

static const struct tac_option rows[] = {
    {"", SIDES, TAC_OPTION_WORDS, MEMBER(words), "BASE NEW", NULL,
     "Two records, or two lists of records of repeated runs with commas between.", 0, 0, NULL},
    {"--base", SIDES, TAC_OPTION_WORDS, MEMBER(sides[TAC_SIDE_BASE]), "FILE...", NULL,
     "Instead: the words that follow, up to --new, are the records of the base. A shell's patterns fit here.", 0, 0, NULL},
    {"--new", SIDES, TAC_OPTION_WORDS, MEMBER(sides[TAC_SIDE_NEW]), "FILE...", NULL,
     "And those that follow this one are compared with them.", 0, 0, NULL},

    {"--by", EVENTS, TAC_OPTION_CHOICE, MEMBER(figure), "total|mean|min", "total",
     "Of each run and event: the whole time, the mean of a call where runs differ in calls, or the fastest call.", 0, 0,
     figures},
    {"--events", EVENTS, TAC_OPTION_TEXT, MEMBER(events), "NAME,...", NULL, "Only these events; * stands for any characters.",
     0, 0, NULL},
    {"--min-share", EVENTS, TAC_OPTION_REAL, MEMBER(min_share), "X", "0.01",
     "Leave out events that take less than this share of the time on both sides.", 0, 1, NULL},
    {"--fail-above", EVENTS, TAC_OPTION_REAL, MEMBER(fail_above), "X", NULL,
     "Exit with status 4 when the ratio of an event's medians is more than X, and its verdict is slower. Needs three runs a "
     "side.",
     1, 1e6, NULL},

    {"--json", OUTPUT, TAC_OPTION_TEXT, MEMBER(json), "FILE", NULL,
     "Everything that is printed, and more, as JSON; - is standard output, which then has no tables.", 0, 0, NULL},
    {"--help", OUTPUT, TAC_OPTION_FLAG, MEMBER(help), NULL, NULL, "This text.", 0, 0, NULL},
};
static const struct tac_option_table table = {rows, sizeof rows / sizeof *rows};

static const char *const usage[] = {"tactus compare [--name=value]... BASE NEW",
                                    "tactus compare [--name=value]... --base FILE... --new FILE...", NULL};

static const char description[] =
    "Compares runs event by event: the ratio of their times, what it can be between any two runs of the\n"
    "two sides, and whether that is outside of the noise, which is how far runs of one side lie apart. A\n"
    "side is one record, or better three or more of the same run repeated.\n";

static const struct tac_manual_example examples[] = {
    {"tactus compare old.json new.json", "two runs; no verdict, as the noise is unknown"},
    {"tactus compare --base old-*.json --new new-*.json", "repeated runs"},
    {"tactus compare o1.json,o2.json,o3.json n1.json,n2.json,n3.json", "the same, as two words"},
    {"tactus compare --fail-above=1.1 --base old-*.json --new new-*.json", "a gate for one's CI"},
    {NULL, NULL}};

static const struct tac_manual_section sections[] = {
    {"Verdicts", "An event is slower when its fastest run of the new side took longer than its slowest one of the base,\n"
                 "faster the other way round, and within noise otherwise. Of ten runs and more, a tenth is left\n"
                 "aside at either end. Below three runs a side there is no verdict.\n"
                 "\n"
                 "Runs that were not made alike (program, version, executor, lanes, level, BLAS, host, problem) are\n"
                 "compared all the same; what is not the same is told first.\n"},
    {"Kokkos programs",
     "Their runs are compared as a whole, too: the wall time, what of it no kernel, fence or copy explains,\n"
     "copies, and steps where they are marked. Sums of different calls have no mean and no fastest call. A\n"
     "kernel that was launched in regions is compared as a whole and in each of them.\n"},
    {NULL, NULL}};

static const struct tac_manual_status statuses[] = {{0, "done"},
                                                    {1, "a file cannot be read, or the output could not be written"},
                                                    {2, "the command line, or what a record holds, is wrong; or nothing is "
                                                        "there to compare"},
                                                    {4, "an event is slower than --fail-above allows, and outside the noise"},
                                                    {0, NULL}};

static const struct tac_manual manual = {
    .name = "tactus compare",
    .summary = "compare records of runs, event by event",
    .usage = usage,
    .description = description,
    .examples = examples,
    .options = &table,
    .sections = sections,
    .statuses = statuses,
};

/* The paths of both sides, and the copies in which lists were cut at their commas. */
struct paths {
  struct tac_option_words side[TAC_SIDES];
  char *copies[TAC_SIDES];
};

static enum tac_status split(struct tac_option_words *out, char *list, struct tac_error *error) {
  for (char *rest = list; rest;) {
    char *comma = strchr(rest, ',');
    if (comma)
      *comma = '\0';
    if (!*rest)
      return tac_error_set(error, TAC_STATUS_INVALID, "BASE NEW", "a file without a name stands in a list");
    if (out->count == TAC_OPTION_WORDS_MOST)
      return tac_error_set(error, TAC_STATUS_INVALID, "BASE NEW", "more than %d files in a list", TAC_OPTION_WORDS_MOST);
    out->word[out->count++] = rest;
    rest = comma ? comma + 1 : NULL;
  }
  return TAC_STATUS_OK;
}

static enum tac_status split_words(struct paths *out, const struct options *options, struct tac_error *error) {
  if (options->words.count != TAC_SIDES)
    return tac_error_set(error, TAC_STATUS_INVALID, "BASE NEW",
                         "two words are needed, %zu given; more files a side go with commas, or --base and --new",
                         options->words.count);
  for (int side = 0; side < TAC_SIDES; side++) {
    out->copies[side] = strdup(options->words.word[side]);
    if (!out->copies[side])
      return tac_error_set(error, TAC_STATUS_MEMORY, "BASE NEW", "no memory for the names of files");
    const enum tac_status status = split(&out->side[side], out->copies[side], error);
    if (status != TAC_STATUS_OK)
      return status;
  }
  return TAC_STATUS_OK;
}

static enum tac_status check_side(const struct tac_option_words *side, const char *name, struct tac_error *error) {
  for (size_t i = 0; i < side->count; i++)
    for (size_t j = 0; j < i; j++)
      if (strcmp(side->word[i], side->word[j]) == 0)
        return tac_error_set(error, TAC_STATUS_INVALID, name, "'%s' is given twice: one run is no repetition of itself",
                             side->word[i]);
  return TAC_STATUS_OK;
}

static enum tac_status find_paths(struct paths *out, const struct options *options, uint64_t given, struct tac_error *error) {
  static const char *const names[TAC_SIDES] = {"--base", "--new"};
  const int named = tac_option_given(&table, given, names[0]) || tac_option_given(&table, given, names[1]);
  enum tac_status status = TAC_STATUS_OK;
  if (!named)
    status = split_words(out, options, error);
  else if (options->words.count > 0)
    status = tac_error_set(error, TAC_STATUS_INVALID, options->words.word[0],
                           "stands before --base and --new, which name all files");
  for (int side = 0; side < TAC_SIDES && status == TAC_STATUS_OK; side++) {
    if (named)
      out->side[side] = options->sides[side];
    if (out->side[side].count == 0)
      status = tac_error_set(error, TAC_STATUS_INVALID, names[side], "no file is given");
    else
      status = check_side(&out->side[side], named ? names[side] : "BASE NEW", error);
  }
  return status;
}

static void release_runs(struct tac_runs *runs) {
  for (size_t i = 0; i < runs->count; i++)
    tac_record_release(&runs->records[i]);
  free(runs->records);
}

/* A copy under another name would count as a repetition without any noise. */
static enum tac_status check_repetition(const struct tac_runs *runs, size_t number, struct tac_error *error) {
  for (size_t i = 0; i < number; i++)
    if (json_equal(runs->records[i].root, runs->records[number].root))
      return tac_error_set(error, TAC_STATUS_INVALID, "file",
                           "holds the same run as '%s', on the same side: one run is no repetition of itself",
                           runs->records[i].path);
  return TAC_STATUS_OK;
}

/* 1, or 0 and the exit status. */
static int read_runs(struct tac_runs *out, const struct tac_option_words *paths, enum tac_exit *status) {
  struct tac_error error;
  tac_error_clear(&error);
  out->records = calloc(paths->count, sizeof *out->records);
  if (!out->records) {
    tac_error_set(&error, TAC_STATUS_MEMORY, "compare", "no memory for %zu records", paths->count);
    *status = tac_command_fail(&error);
    return 0;
  }
  for (size_t i = 0; i < paths->count; i++) {
    struct tac_record *record = &out->records[out->count++];
    enum tac_status read = tac_record_read(record, paths->word[i], &error);
    if (read == TAC_STATUS_OK && record->kind == TAC_RECORD_RUN && record->level == TAC_OFF)
      read = tac_error_set(&error, TAC_STATUS_INVALID, "level", "is off: nothing was measured that could be compared");
    if (read == TAC_STATUS_OK)
      read = check_repetition(out, i, &error);
    if (read != TAC_STATUS_OK) {
      *status = tac_command_fail_file(paths->word[i], &error);
      return 0;
    }
  }
  return 1;
}

static enum tac_status write_value(void *value, tac_sink_fn sink, void *stream, struct tac_error *error) {
  return tac_output_json(value, sink, stream, error);
}

static enum tac_status write_json(const struct tac_comparison *comparison, const json_t *differences, const char *path,
                                  struct tac_error *error) {
  json_t *value = tac_comparison_json(comparison, differences);
  const enum tac_status status = value ? tac_output_write(path, "--json", write_value, value, error)
                                       : tac_error_set(error, TAC_STATUS_MEMORY, "--json", "no memory for the JSON text");
  json_decref(value);
  return status;
}

static enum tac_status tell(const struct tac_comparison *comparison, const struct options *options, struct tac_error *error) {
  json_t *differences = tac_comparison_differences(comparison->sides);
  if (!differences)
    return tac_error_set(error, TAC_STATUS_MEMORY, "compare", "no memory to compare the runs");
  enum tac_status status = TAC_STATUS_OK;
  if (!options->json || !tac_output_is_standard(options->json)) {
    tac_comparison_print(stdout, comparison, differences);
    status = tac_program_check_output(error);
  }
  if (status == TAC_STATUS_OK && options->json)
    status = write_json(comparison, differences, options->json, error);
  json_decref(differences);
  return status;
}

/* One line, of the worst. */
static enum tac_exit fail_above(const struct tac_comparison *comparison) {
  const struct tac_compared_event *worst = NULL;
  for (size_t i = 0; i < comparison->shown; i++) {
    const struct tac_compared_event *event = &comparison->events[comparison->order[i]];
    if (event->failed && (!worst || event->time.ratio.median > worst->time.ratio.median))
      worst = event;
  }
  if (!worst)
    return TAC_EXIT_DONE;
  const char *within = worst->parent == TAC_NO_EVENT ? NULL : comparison->events[worst->parent].name;
  struct tac_error error;
  tac_error_set(&error, TAC_STATUS_INVALID, "--fail-above",
                "%zu event%s took more than %.6g times as long; the worst is '%s'%s%s%s, %.3f times", comparison->failed,
                comparison->failed == 1 ? "" : "s", comparison->options->fail_above, worst->name, within ? " in '" : "",
                within ? within : "", within ? "'" : "", worst->time.ratio.median);
  (void)tac_command_fail(&error);
  return TAC_EXIT_MISSED;
}

static enum tac_exit compare(const struct tac_runs sides[TAC_SIDES], const struct options *options) {
  const struct tac_comparison_options how = {(enum tac_compared_figure)options->figure, options->min_share, options->fail_above,
                                             options->events};
  struct tac_comparison comparison;
  struct tac_error error;
  tac_error_clear(&error);
  enum tac_status status = tac_comparison_make(&comparison, sides, &how, &error);
  if (status == TAC_STATUS_OK)
    status = tell(&comparison, options, &error);
  const enum tac_exit leave = status == TAC_STATUS_OK ? fail_above(&comparison) : tac_command_fail(&error);
  tac_comparison_release(&comparison);
  return leave;
}

/* A gate that cannot know the noise would pass or fail by chance. */
static enum tac_status check_gate(const struct paths *paths, const struct options *options, struct tac_error *error) {
  for (int side = 0; side < TAC_SIDES; side++)
    if (options->fail_above > 0 && paths->side[side].count < TAC_VERDICT_RUNS)
      return tac_error_set(error, TAC_STATUS_INVALID, "--fail-above", "needs %d runs a side to know the noise, and one has %zu",
                           TAC_VERDICT_RUNS, paths->side[side].count);
  return TAC_STATUS_OK;
}

static enum tac_status check_output(const struct paths *paths, const struct options *options, struct tac_error *error) {
  const struct tac_output_target target = {"--json", options->json, 0};
  enum tac_status status = TAC_STATUS_OK;
  for (int side = 0; side < TAC_SIDES && status == TAC_STATUS_OK; side++)
    status = tac_output_check(&target, 1, paths->side[side].word, paths->side[side].count, error);
  return status;
}

static enum tac_exit run(int argc, char *const argv[]) {
  struct options options = {.help = 0};
  struct paths paths = {.copies = {NULL, NULL}};
  struct tac_runs sides[TAC_SIDES] = {{NULL, 0}, {NULL, 0}};
  struct tac_error error;
  enum tac_exit status = TAC_EXIT_DONE;
  uint64_t given = 0;
  tac_error_clear(&error);
  if (!tac_command_parse(&options, &options.help, &given, &tac_command_compare, argc, argv, &status))
    return status;
  if (find_paths(&paths, &options, given, &error) != TAC_STATUS_OK || check_gate(&paths, &options, &error) != TAC_STATUS_OK ||
      check_output(&paths, &options, &error) != TAC_STATUS_OK)
    status = tac_command_fail(&error);
  else if (read_runs(&sides[TAC_SIDE_BASE], &paths.side[TAC_SIDE_BASE], &status) &&
           read_runs(&sides[TAC_SIDE_NEW], &paths.side[TAC_SIDE_NEW], &status))
    status = compare(sides, &options);
  for (int side = 0; side < TAC_SIDES; side++) {
    release_runs(&sides[side]);
    free(paths.copies[side]);
  }
  return status;
}

const struct tac_command tac_command_compare = {"compare", run, &manual};
