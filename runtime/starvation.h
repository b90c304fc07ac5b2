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

/* Whether it pays that a thread which starves now and then takes part in batches. While it runs, the caller gains a
 * second lane; while it starves inside an item, the caller waits. */
struct tac_patience {
  int64_t since_ns; /* it has taken part since then: the last loss, or the end of the last rest */
  int factor;       /* the next rest, in multiples of the loss */
};

void tac_patience_init(struct tac_patience *patience, int64_t now_ns);

/* After a loss of `starved_ns`, how long the thread should keep out of batches. 0 when the time it took part outweighs the
 * loss, or the loss is too small to matter; otherwise ever longer with each loss in a row, and bounded, since a batch whose
 * items wait for each other waits for its end. */
int64_t tac_patience_rest_ns(struct tac_patience *patience, int64_t now_ns, int64_t starved_ns);

#endif
