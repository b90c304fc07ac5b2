/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Tells a thread that wanted a processor and had none from one that worked or waited for something of its own. */
#ifndef RUNTIME_STARVATION_H
#define RUNTIME_STARVATION_H

#include <stdint.h>

/* What a thread had used at one moment. */
struct tac_usage {
  int64_t wall_ns, processor_ns;
  long blocked; /* times it gave its processor away of itself */
};

/* Of the calling thread. One system call. */
struct tac_usage tac_usage_now(void);

/* How much of a wait of `waited_ns` that ended `now` the thread was without a processor; 0 when it blocked of itself since
 * `before`, as an item that waits for input or for another item does. */
int64_t tac_starved_ns(const struct tac_usage *before, const struct tac_usage *now, int64_t waited_ns);

/* How long such a thread should keep out of batches: long enough that losing as much at each return costs an eighth, and
 * bounded, since a batch whose items wait for each other waits for its end. 0 for a loss too small to matter. */
int64_t tac_rest_ns(int64_t starved_ns);

#endif
