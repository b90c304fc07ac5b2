/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The backend of a kind that is not built: its row in the list, with a probe that says why. */
#ifndef MEASURE_HOOKS_ABSENT_H
#define MEASURE_HOOKS_ABSENT_H

#include "measure/hooks/backend.h"

#define TAC_HOOK_ABSENT(backend, kind_name, kind_summary, why)                                                                 \
  static enum tac_status probe(struct tac_error *error) {                                                                      \
    return tac_error_set(error, TAC_STATUS_UNAVAILABLE, kind_name, why);                                                       \
  }                                                                                                                            \
  static enum tac_status list(tac_hook_counter_fn take, void *context, struct tac_error *error) {                              \
    (void)take, (void)context;                                                                                                 \
    return probe(error);                                                                                                       \
  }                                                                                                                            \
  const struct tac_hook_backend backend = {.kind = {kind_name, kind_summary, probe, list}};

#endif
