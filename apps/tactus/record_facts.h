/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_RECORD_FACTS_H
#define APPS_TACTUS_RECORD_FACTS_H

#include <tactus/measure/report.h>

#include "apps/tactus/record.h"

/* What a record says of its run, by the names under which programs tell it to other forms; what it does not say is left out. */
struct tac_record_facts {
  struct tac_report_facts list;
  struct tac_report_fact fact[12];
  char *command_line;
  char lanes[24], blas_threads[24];
};

/* The record lives as long. MEMORY; released by the caller in any case. */
enum tac_status tac_record_facts_gather(struct tac_record_facts *out, const struct tac_record *record, struct tac_error *error);
void tac_record_facts_release(struct tac_record_facts *facts);

#endif
