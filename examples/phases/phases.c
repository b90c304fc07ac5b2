/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* phases [csv]: solves -u'' = 1 on (0, 1) with u = 0 at both ends by elimination, and says how the time was divided. The
 * differences are exact for the answer x (1 - x) / 2, so that only rounding is left. */
#include <stdio.h>
#include <string.h>

#include <tactus/tactus.h>

enum { ROWS = 200000 };
enum { ASSEMBLE, FACTOR, SOLVE, PHASES };
static const char *const phase_names[PHASES] = {"assemble", "factor", "solve"};

/* Tridiagonal, symmetric. */
struct matrix {
  double diagonal[ROWS], beside[ROWS], factor[ROWS];
};

/* These two stand for a library whose interface has no place for a handle: its phases go to whoever profiles the thread. */
static enum tac_status factorise(struct matrix *matrix, struct tac_error *error) {
  enum tac_status status = tac_active_phase_enter(phase_names[FACTOR], error);
  for (int i = 1; i < ROWS && !status; i++) {
    matrix->factor[i] = matrix->beside[i - 1] / matrix->diagonal[i - 1];
    matrix->diagonal[i] -= matrix->factor[i] * matrix->beside[i - 1];
    if (!(matrix->diagonal[i] > 0))
      status = tac_error_set(error, TAC_STATUS_NUMERICAL, __func__, "row %d has no positive pivot", i);
  }
  const enum tac_status left = tac_active_phase_leave(phase_names[FACTOR], status ? NULL : error);
  return status ? status : left;
}

static enum tac_status solve(double *vector, const struct matrix *matrix, struct tac_error *error) {
  const enum tac_status status = tac_active_phase_enter(phase_names[SOLVE], error);
  if (!status) {
    for (int i = 1; i < ROWS; i++)
      vector[i] -= matrix->factor[i] * vector[i - 1];
    vector[ROWS - 1] /= matrix->diagonal[ROWS - 1];
    for (int i = ROWS - 1; i-- > 0;)
      vector[i] = (vector[i] - matrix->beside[i] * vector[i + 1]) / matrix->diagonal[i];
  }
  const enum tac_status left = tac_active_phase_leave(phase_names[SOLVE], status ? NULL : error);
  return status ? status : left;
}

/* Here the handle is at hand. */
static enum tac_status assemble(struct matrix *matrix, double *vector, struct tac_phase_profile *profile,
                                struct tac_error *error) {
  const double step = 1.0 / (ROWS + 1);
  const enum tac_status status = tac_phase_enter(profile, phase_names[ASSEMBLE], error);
  for (int i = 0; i < ROWS && !status; i++) {
    matrix->diagonal[i] = 2;
    matrix->beside[i] = -1;
    vector[i] = step * step;
  }
  const enum tac_status left = tac_phase_leave(profile, phase_names[ASSEMBLE], status ? NULL : error);
  return status ? status : left;
}

static enum tac_status run(struct matrix *matrix, double *vector, struct tac_phase_profile *profile, struct tac_error *error) {
  enum tac_status status = tac_phase_activation_begin(profile, error);
  if (status)
    return status;
  status = assemble(matrix, vector, profile, error);
  if (!status)
    status = factorise(matrix, error);
  if (!status)
    status = solve(vector, matrix, error);
  const enum tac_status ended = tac_phase_activation_end(profile, status ? NULL : error);
  return status ? status : ended;
}

/* A row written or read counts as one operation. Assembly does no arithmetic worth the name: its flops stay blank. */
static void count_operations(struct tac_operation_counts *counts, struct tac_operation_count *entries) {
  tac_operation_counts_init(counts, entries, phase_names, PHASES, "row", "rows, once a pass");
  entries[ASSEMBLE].operations = ROWS;
  entries[FACTOR].operations = ROWS - 1;
  entries[SOLVE].operations = 2 * ROWS - 1;
  for (int i = 0; i < PHASES; i++)
    entries[i].operations_known = 1;
  entries[FACTOR].flops = 3.0 * (ROWS - 1);
  entries[SOLVE].flops = 5.0 * (ROWS - 1) + 1;
  entries[FACTOR].flops_known = entries[SOLVE].flops_known = 1;
}

static int print_piece(void *context, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, context) != bytes;
}

static enum tac_status print(const struct tac_phase_profile *profile, int64_t total_ns, int as_csv, struct tac_error *error) {
  struct tac_operation_count entries[PHASES];
  struct tac_operation_counts counts;
  struct tac_phase_report report;
  count_operations(&counts, entries);
  tac_phase_report_init(&report);
  report.phases = phase_names;
  report.phase_count = PHASES;
  report.profile = profile;
  report.counts = &counts;
  report.profiled_ns = total_ns;
  report.kernel = "tridiagonal";
  report.scope = "solve";
  if (!as_csv)
    return tac_phase_report_text(&report, print_piece, stdout, error);
  const enum tac_status status = tac_phase_report_csv_header(print_piece, stdout, error);
  return status ? status : tac_phase_report_csv(&report, print_piece, stdout, error);
}

/* The largest difference from x (1 - x) / 2. */
static double largest_error(const double *vector) {
  double largest = 0;
  for (int i = 0; i < ROWS; i++) {
    const double x = (i + 1.0) / (ROWS + 1), difference = vector[i] - x * (1 - x) / 2;
    if (difference > largest || -difference > largest)
      largest = difference < 0 ? -difference : difference;
  }
  return largest;
}

int main(int argc, char **argv) {
  static struct matrix matrix;
  static double vector[ROWS];
  const struct tac_clock *clock = tac_clock_monotonic();
  const int as_csv = argc > 1 && strcmp(argv[1], "csv") == 0;
  struct tac_phase_profile *profile = NULL;
  struct tac_error error;
  enum tac_status status = tac_phase_profile_create(&profile, NULL, &error);
  if (status)
    goto done;
  const int64_t start_ns = clock->now_ns(clock->context);
  status = run(&matrix, vector, profile, &error);
  const int64_t total_ns = clock->now_ns(clock->context) - start_ns;
  if (!status)
    status = print(profile, total_ns, as_csv, &error);
  if (!status && !as_csv)
    printf("largest error %.1e\n", largest_error(vector));
done:
  if (status)
    fprintf(stderr, "phases: %s: %s\n", error.where, error.text);
  tac_phase_profile_destroy(&profile);
  return status != TAC_STATUS_OK;
}
