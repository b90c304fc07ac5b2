/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_DMRG_DEVICE_CHAIN_H
#define TESTS_DMRG_DEVICE_CHAIN_H

#include "tests/dmrg/chain.h"

/* As chain_init, on the device executor that the test program was started for: "opencl", "cuda", or "host", which stands over
 * the tests' runtime of that name. */
void device_chain_init(struct chain *chain, int sites);

/* Of the runtime "host": calls of one kind fail from number `from` (0 is the next one) on, so many with `status`. */
enum device_call {
  DEVICE_ALLOCATE,
  DEVICE_LAUNCH,
  DEVICE_WRITE,
  DEVICE_READ,
  DEVICE_MAP,
  DEVICE_UNMAP,
  DEVICE_FINISH,
  DEVICE_CALLS
};
void device_calls_fail(enum device_call call, int from, int count, enum tac_status status);
void device_calls_succeed(void);
/* Memory blocks that were allocated and not released. */
int device_blocks_live(void);
/* What crossed to the host since the last call. */
struct device_traffic {
  uint64_t read_bytes, mapped_bytes;
};
struct device_traffic device_traffic(void);
/* What executors that are created from now on say of their device. */
void device_has(int fp64);

#endif
