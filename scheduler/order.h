/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef SCHEDULER_ORDER_H
#define SCHEDULER_ORDER_H

#include <tactus/scheduler/batch.h>

/* Memory that tac_order_by_cost needs for `count` items; 0 when that exceeds the address space. */
size_t tac_order_bytes(size_t count);

/* Orders the indices of a batch by falling cost, ties by index. *order lies in `memory` (aligned to TAC_ALIGNMENT),
 * *total is the summed cost. INVALID, naming the item, for a cost that is not finite or negative. */
enum tac_status tac_order_by_cost(const size_t **order, double *total, void *memory, const struct tac_batch *batch,
                                  struct tac_error *error);

#endif
