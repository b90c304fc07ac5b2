/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_CUDA_FAKE_RUNTIME_H
#define TESTS_CUDA_FAKE_RUNTIME_H

#include "tests/cuda/fake/fake.h"

/* Inside of the emulated runtime; all with the lock held. */

#define FAKE_DEVICES      2
#define FAKE_MEMORY_BYTES ((size_t)3 << 30)

int fake_current_device(void);
void fake_run_all_streams(void);

#endif
