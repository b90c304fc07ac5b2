/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_DEVICE_LAUNCH_H
#define APPS_FMM_DEVICE_LAUNCH_H

#include "apps/fmm/device/device.h"

/* The arguments of one launch, in the order in which they are given. */
struct tac_call {
  struct tac_argument argument[TAC_LAUNCH_ARGUMENTS_MAX];
  size_t count;
};
void tac_call_memory(struct tac_call *call, const struct tac_device_memory *memory);
void tac_call_u32(struct tac_call *call, tac_u32 value);
void tac_call_u64(struct tac_call *call, size_t value);
enum tac_status tac_call_launch(const struct tac_call *call, const struct tac_fmm_device *device,
                                enum tac_device_kernels kernel, size_t groups, size_t columns, size_t items,
                                struct tac_queue *queue, struct tac_error *error);

#endif
