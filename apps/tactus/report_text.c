/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/report_text.h"

#include <tactus/measure/report.h>

#include "apps/program/hooks.h"
#include "apps/program/streams.h"
#include "apps/tactus/report_costs.h"
#include "apps/tactus/report_hooks.h"
#include "apps/tactus/report_kokkos.h"
#include "apps/tactus/report_phases.h"

static void print_text(FILE *stream, const char *before, const char *text) {
  if (!text)
    return;
  fputs(before, stream);
  tac_stream_text(stream, text, 0);
}

void tac_record_print_run(FILE *stream, const struct tac_record *record) {
  const char *program = tac_record_run_text(record, "program");
  const long long lanes = (long long)json_integer_value(json_object_get(json_object_get(record->root, "run"), "lanes"));
  print_text(stream, "", program ? program : "a program that does not say its name");
  print_text(stream, " ", tac_record_run_text(record, "version"));
  print_text(stream, ", measured by ", tac_record_run_text(record, "tool"));
  print_text(stream, " ", tac_record_run_text(record, "tool_version"));
  print_text(stream, ", executor ", tac_record_run_text(record, "executor"));
  if (lanes > 0)
    fprintf(stream, " with %lld lane%s", lanes, lanes == 1 ? "" : "s");
  if (record->kind == TAC_RECORD_RUN)
    fprintf(stream, ", measurements %s", tac_level_name(record->level));
  fputc('\n', stream);
}

void tac_record_print_path(FILE *stream, const char *before, const char *path) {
  print_text(stream, before, path);
  fputs(":\n", stream);
}

static void print_blas(FILE *stream, const struct tac_record *record) {
  const json_t *blas = json_object_get(json_object_get(record->root, "run"), "blas");
  const long long threads = (long long)json_integer_value(json_object_get(blas, "threads"));
  if (!blas)
    return;
  print_text(stream, "BLAS ", tac_record_run_text(record, "blas.name"));
  print_text(stream, ", kernel ", tac_record_run_text(record, "blas.kernel"));
  if (threads > 0)
    fprintf(stream, ", %lld thread%s\n", threads, threads == 1 ? "" : "s");
  else
    fputs(", threads unknown\n", stream);
}

static enum tac_status print_phases(FILE *stream, const struct tac_record *record, struct tac_error *error) {
  struct tac_record_phases phases;
  enum tac_status status = tac_record_phases_restore(&phases, record, error);
  if (status == TAC_STATUS_OK && phases.profile) {
    fputc('\n', stream);
    status = tac_phase_report_text(&phases.report, tac_stream_sink, stream, error);
  }
  tac_record_phases_release(&phases);
  return status;
}

static enum tac_status print_hooks(FILE *stream, const struct tac_record *record, struct tac_error *error) {
  struct tac_hook_figures *figures;
  enum tac_status status = tac_record_hooks_restore(&figures, record, error);
  if (status == TAC_STATUS_OK)
    status = tac_hooks_print(stream, figures, error);
  tac_hook_figures_destroy(&figures);
  return status;
}

static enum tac_status print_counters(FILE *stream, const struct tac_record *record, struct tac_error *error) {
  struct tac_device_counters *counters;
  struct tac_device_memory_stats memory;
  int has_memory = 0;
  enum tac_status status = tac_record_counters_restore(&counters, &memory, &has_memory, record, error);
  if (counters) {
    fputc('\n', stream);
    status = tac_device_report_text(counters, has_memory ? &memory : NULL, tac_stream_sink, stream, error);
  }
  tac_device_counters_destroy(&counters);
  return status;
}

enum tac_status tac_record_print(FILE *stream, const struct tac_record *record, struct tac_error *error) {
  tac_record_print_run(stream, record);
  if (record->kind == TAC_RECORD_KOKKOS)
    return tac_record_print_kokkos(stream, record, error);
  print_blas(stream, record);
  if (!record->recorder) {
    fputs("\nNothing was measured: a run with --measurements=coarse, detailed or hooked has tables.\n", stream);
    return TAC_STATUS_OK;
  }
  enum tac_status status = print_phases(stream, record, error);
  if (status != TAC_STATUS_OK)
    return status;
  fputc('\n', stream);
  status = tac_report_text(record->recorder, tac_stream_sink, stream, error);
  if (status == TAC_STATUS_OK)
    status = print_hooks(stream, record, error);
  if (status == TAC_STATUS_OK)
    status = print_counters(stream, record, error);
  return status == TAC_STATUS_OK ? tac_record_print_costs(stream, record, error) : status;
}
