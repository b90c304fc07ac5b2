/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_LIST_SCHEDULE_H
#define MEASURE_LIST_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

/* Fills order with 0 … count-1 by falling cost, ties by index, as a batch with these costs starts its items; by index without
 * costs. */
void tac_list_order(size_t *order, const double *cost, size_t count);

/* When the last of `count` items ends if they start in that order, each on the lane that is free first. free_ns: room for a
 * time a lane. */
int64_t tac_list_schedule(const int64_t *duration_ns, const size_t *order, size_t count, int lanes, int64_t *free_ns);

/* Before this no schedule ends: the longest item, or the lanes' equal share of all. */
int64_t tac_list_bound(const int64_t *duration_ns, size_t count, int lanes);

#endif
