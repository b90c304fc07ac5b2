/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hooks/absent.h"

TAC_HOOK_ABSENT(tac_hook_backend_papi, "papi", "counters of PAPI, by its names of presets and native events",
                "not built: PAPI (Debian: libpapi-dev) was not found, or -Dpapi=disabled")
