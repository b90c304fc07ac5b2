/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hooks/absent.h"

TAC_HOOK_ABSENT(tac_hook_backend_perf, "perf", "counters of the Linux kernel and the processor, by perf_event_open",
                "not built: perf_event_open is Linux' alone")
