/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_REPORT_HOOKS_H
#define APPS_TACTUS_REPORT_HOOKS_H

#include <tactus/measure/hook_report.h>

#include "apps/tactus/record.h"

/* The member "hooks" as the figures that it was written from; NULL without it. The record's recorder is there; its texts and
 * events are the figures', which the caller destroys. INVALID: error->where is the member. MEMORY. */
enum tac_status tac_record_hooks_restore(struct tac_hook_figures **out, const struct tac_record *record,
                                         struct tac_error *error);

#endif
