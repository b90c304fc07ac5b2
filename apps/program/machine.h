/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_MACHINE_H
#define APPS_PROGRAM_MACHINE_H

#include <stdio.h>
#include <time.h>

#include <tactus/measure/device_counters.h>
#include <tactus/measure/recorder.h>
#include <tactus/runtime/dense.h>
#include <tactus/scheduler/scheduler.h>

#include "apps/program/facts.h"
#include "apps/program/machine_options.h"
#include "apps/program/record_options.h"
#include "apps/program/trace_file.h"

/* Sets BLAS to one thread and makes the scheduler. Lanes that were not given are the processors this process may use, 1 for the
 * executor "serial". MEMORY also where BLAS would wait for memory for ever. */
enum tac_status tac_machine_prepare(struct tac_scheduler **scheduler, struct tac_blas_info *blas,
                                    const struct tac_machine_options *machine, enum tac_level level, struct tac_error *error);

/* Another scheduler like it, of any level. */
enum tac_status tac_machine_scheduler(struct tac_scheduler **scheduler, const struct tac_machine_options *machine,
                                      enum tac_level level, struct tac_error *error);

/* A recorder for the level that keeps what those files need, and tells the trace; none (NULL) at off. */
enum tac_status tac_machine_recorder(struct tac_recorder **recorder, const struct tac_event_set *events, enum tac_level level,
                                     const struct tac_record_options *record, struct tac_trace *trace, struct tac_error *error);

/* What the files say of the run, and its trace, where one is asked for. argv: NULL where it is not known. */
enum tac_status tac_machine_trace(struct tac_trace_file **trace, struct tac_run_facts *facts, const char *program,
                                  char *const argv[], const struct tac_scheduler *scheduler, const struct tac_blas_info *blas,
                                  const struct tac_record_options *record, struct tac_error *error);

/* The first lines of a program's header: version, executor, lanes, level; the BLAS, its kernel and threads; the device, if
 * there is one. */
void tac_machine_print(FILE *stream, const char *program, const struct tac_scheduler *scheduler,
                       const struct tac_blas_info *blas);

/* Counters for what the queues of a device do; none (NULL) at off and on a host executor. */
enum tac_status tac_machine_counters(struct tac_device_counters **counters, const struct tac_scheduler *scheduler,
                                     struct tac_error *error);

/* What they hold and the device's memory, as tac_device_report_text, after an empty line; nothing without counters. */
enum tac_status tac_machine_print_counters(FILE *stream, const struct tac_device_counters *counters,
                                           const struct tac_scheduler *scheduler, struct tac_error *error);

/* The recorder's tables, as tac_report_text. */
enum tac_status tac_machine_print_records(FILE *stream, const struct tac_recorder *recorder, struct tac_error *error);

double tac_machine_seconds(clockid_t clock);

#endif
