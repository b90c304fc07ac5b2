/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_REPORT_JSON_H
#define MEASURE_REPORT_JSON_H

#include "measure/json_value.h"

struct tac_report_builder {
  struct tac_value_builder json;
  const struct tac_recorder *recorder;
};

/* The name of an event, null for TAC_NO_EVENT. */
void tac_report_set_event(struct tac_report_builder *builder, json_t *object, const char *key, int event);

/* A kept batch, its items and commands included where they are kept. */
json_t *tac_report_batch_value(struct tac_report_builder *builder, size_t number);

#endif
