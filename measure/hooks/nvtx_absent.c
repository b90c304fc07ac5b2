/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hooks/absent.h"

TAC_HOOK_ABSENT(tac_hook_backend_nvtx, "nvtx", "ranges for Nsight Systems and other profilers that take NVTX",
                "not built: the CUDA toolkit's header nvtx3/nvToolsExt.h was not found, or -Dnvtx=disabled")
