/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_FACTS_H
#define APPS_PROGRAM_FACTS_H

#include <tactus/measure/report.h>
#include <tactus/runtime/dense.h>
#include <tactus/scheduler/scheduler.h>

#define TAC_DATE_BYTES 32
#define TAC_HOST_BYTES 256

/* Now as ISO 8601 in UTC, and the machine's name. */
void tac_facts_date(char date[TAC_DATE_BYTES]);
void tac_facts_host(char host[TAC_HOST_BYTES]);

/* What every file says of the run that it is of: program, version, date, host, command_line, executor, lanes, blas,
 * blas_kernel, blas_threads, and on a device its name as device. */
struct tac_run_facts {
  struct tac_report_fact fact[12];
  size_t count;
  char *command_line;
  char date[TAC_DATE_BYTES], host[TAC_HOST_BYTES], lanes[16], blas_threads[16];
};

/* The scheduler, its device and the BLAS outlive them. argv ends with NULL; a word of it with other than letters, digits and
 * -_./=,:+@% stands in quotes as for a shell. MEMORY: release it all the same. */
enum tac_status tac_run_facts_gather(struct tac_run_facts *facts, const char *program, char *const argv[],
                                     const struct tac_scheduler *scheduler, const struct tac_blas_info *blas,
                                     struct tac_error *error);
void tac_run_facts_release(struct tac_run_facts *facts);

/* As reports take them. */
static inline struct tac_report_facts tac_run_facts_list(const struct tac_run_facts *facts) {
  return (struct tac_report_facts){facts->fact, facts->count};
}

#endif
