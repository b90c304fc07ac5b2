/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/machine.h"

#include <tactus/measure/device_report.h>
#include <tactus/measure/report.h>
#include <tactus/runtime/version.h>

#include "apps/program/blas_memory.h"
#include "apps/program/devices.h"
#include "apps/program/program.h"
#include "apps/program/streams.h"

#define PLURAL(count)   ((count) == 1 ? "" : "s")
#define SLOT_LIMIT      1000000 /* items kept one by one */
#define TIMELINE_FACTOR 10      /* phases and batches kept one by one for each batch that is */

/* Told by the option's name, before the library tells it by its own. */
static enum tac_status check_device(const struct tac_machine_options *machine, struct tac_error *error) {
  size_t count = 0;
  if (machine->device == 0 || tac_device_list(machine->executor, NULL, 0, &count, NULL) != TAC_STATUS_OK ||
      (size_t)machine->device < count)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_INVALID, "--device",
                       "'%d': %s has %zu device%s here, counted from 0 (see --executor=help)", machine->device,
                       machine->executor, count, PLURAL(count));
}

enum tac_status tac_machine_scheduler(struct tac_scheduler **scheduler, const struct tac_machine_options *machine,
                                      enum tac_level level, struct tac_error *error) {
  struct tac_scheduler_options options;
  tac_scheduler_options_init(&options);
  options.executor = machine->executor;
  options.executor_options = tac_machine_executor_options(machine);
  options.level = level;
  return tac_scheduler_create(scheduler, &options, error);
}

enum tac_status tac_machine_prepare(struct tac_scheduler **scheduler, struct tac_blas_info *blas,
                                    const struct tac_machine_options *machine, enum tac_level level, struct tac_error *error) {
  /* BLAS' own threads, idle from here on, take a buffer too, now or a little later. */
  const int started = tac_blas_info().threads, idle = started > 1 ? started - 1 : 0;
  tac_blas_set_threads(1);
  *blas = tac_blas_info();
  enum tac_status status = check_device(machine, error);
  if (status == TAC_STATUS_OK)
    status = tac_machine_scheduler(scheduler, machine, level, error);
  return status == TAC_STATUS_OK ? tac_blas_memory_probe(tac_scheduler_lanes(*scheduler) + idle, error) : status;
}

enum tac_status tac_machine_recorder(struct tac_recorder **recorder, const struct tac_event_set *events, enum tac_level level,
                                     const struct tac_record_options *record, struct tac_trace *trace,
                                     const struct tac_hooks *hooks, struct tac_error *error) {
  const int one_by_one = record->json || record->trace || record->speedscope || record->report;
  struct tac_recorder_options options;
  if (level == TAC_OFF) {
    *recorder = NULL;
    return TAC_STATUS_OK;
  }
  tac_recorder_options_init(&options);
  options.events = events;
  options.level = level;
  options.batch_limit = (size_t)record->detail_limit;
  options.slot_limit = SLOT_LIMIT;
  options.keep_slots = record->json || record->report || record->keeps_items;
  options.timeline_limit = one_by_one ? TIMELINE_FACTOR * (size_t)record->detail_limit : 0;
  options.trace = trace;
  options.hooks = hooks;
  const enum tac_status status = tac_recorder_create(recorder, &options, error);
  if (status != TAC_STATUS_MEMORY || options.timeline_limit == 0)
    return status;
  return tac_error_set(error, status, "--detail-limit", "no memory for the %zu entries of the timeline that '%d' allows",
                       options.timeline_limit, record->detail_limit);
}

enum tac_status tac_machine_trace(struct tac_trace_file **trace, struct tac_run_facts *facts, const char *program,
                                  char *const argv[], const struct tac_scheduler *scheduler, const struct tac_blas_info *blas,
                                  const struct tac_record_options *record, struct tac_error *error) {
  char *const nothing[] = {NULL};
  const enum tac_status status = tac_run_facts_gather(facts, program, argv ? argv : nothing, scheduler, blas, error);
  if (status != TAC_STATUS_OK || !record->trace)
    return status;
  const struct tac_report_facts list = tac_run_facts_list(facts);
  return tac_program_name_option(tac_trace_file_open(trace, record->trace, tac_scheduler_level(scheduler), &list, error),
                                 "--trace", error);
}

void tac_machine_print(FILE *stream, const char *program, const struct tac_scheduler *scheduler,
                       const struct tac_blas_info *blas) {
  const int lanes = tac_scheduler_lanes(scheduler);
  fprintf(stream, "%s %s, executor %s with %d lane%s, measurements %s\n", program, tac_version(),
          tac_scheduler_executor(scheduler)->name, lanes, PLURAL(lanes), tac_level_name(tac_scheduler_level(scheduler)));
  fprintf(stream, "BLAS %s, kernel %s, ", blas->name, blas->kernel);
  if (blas->threads > 0)
    fprintf(stream, "%d thread%s\n", blas->threads, PLURAL(blas->threads));
  else
    fputs("threads unknown\n", stream);
  const struct tac_device *device = tac_scheduler_device(scheduler);
  if (device) {
    fprintf(stream, "device %d: ", tac_device_info(device)->number);
    tac_device_print(stream, tac_device_info(device));
    fputc('\n', stream);
  }
}

enum tac_status tac_machine_counters(struct tac_device_counters **counters, const struct tac_scheduler *scheduler,
                                     struct tac_error *error) {
  *counters = NULL;
  if (tac_scheduler_level(scheduler) == TAC_OFF || !tac_scheduler_device(scheduler))
    return TAC_STATUS_OK;
  return tac_device_counters_create(counters, NULL, error);
}

enum tac_status tac_machine_print_counters(FILE *stream, const struct tac_device_counters *counters,
                                           const struct tac_scheduler *scheduler, struct tac_error *error) {
  if (!counters)
    return TAC_STATUS_OK;
  const struct tac_device_memory_stats memory = tac_device_memory_stats(tac_scheduler_device(scheduler));
  fputc('\n', stream);
  return tac_device_report_text(counters, &memory, tac_stream_sink, stream, error);
}

enum tac_status tac_machine_print_records(FILE *stream, const struct tac_recorder *recorder, struct tac_error *error) {
  const enum tac_status status = tac_report_text(recorder, tac_stream_sink, stream, error);
  if (status == TAC_STATUS_OK && tac_recorder_dropped(recorder) + tac_recorder_timeline_dropped(recorder) > 0)
    fputs("A larger --detail-limit keeps more of them.\n", stream);
  return status;
}

double tac_machine_seconds(clockid_t clock) {
  struct timespec now = {0};
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
