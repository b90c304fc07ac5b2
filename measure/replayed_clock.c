/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/replayed_clock.h"

static int64_t tick(void *context) {
  struct tac_replayed_clock *replayed = context;
  return replayed->now_ns = replayed->now_ns > 0 ? 0 : replayed->resolution_ns;
}

void tac_replayed_clock_init(struct tac_replayed_clock *out, const char *name, int64_t resolution_ns,
                             const struct tac_record_cost *cost) {
  *out = (struct tac_replayed_clock){.clock = {name, tick, out}, .resolution_ns = resolution_ns, .cost = *cost};
}

const struct tac_replayed_clock *tac_replayed_clock_find(const struct tac_clock *clock) {
  return clock->now_ns == tick ? clock->context : NULL;
}
