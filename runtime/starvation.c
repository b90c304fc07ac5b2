/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/starvation.h"

#include <stdbool.h>
#include <sys/resource.h>

#include <tactus/runtime/clock.h>

#define NEGLIGIBLE_NS 100000
#define LONGEST_NS    100000000
#define FIRST_FACTOR  4
#define LAST_FACTOR   32

/* With one helper the balance is at twice the loss; the margin is for the switches and the cold caches around it. */
#define PAYING_MULTIPLE 4

static int64_t timeval_ns(struct timeval time) {
  return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
}

struct tac_usage tac_usage_now(void) {
  const struct tac_clock *clock = tac_clock_monotonic();
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return (struct tac_usage){
      .wall_ns = clock->now_ns(clock->context),
      .processor_ns = timeval_ns(usage.ru_utime) + timeval_ns(usage.ru_stime),
      .blocked = usage.ru_nvcsw,
  };
}

int64_t tac_starved_ns(const struct tac_usage *before, const struct tac_usage *now, int64_t waited_ns) {
  if (now->blocked != before->blocked)
    return 0;
  int64_t lag_ns = now->wall_ns - before->wall_ns - (now->processor_ns - before->processor_ns);
  if (lag_ns <= 0 || waited_ns <= 0)
    return 0;
  return lag_ns < waited_ns ? lag_ns : waited_ns;
}

void tac_patience_init(struct tac_patience *patience, int64_t now_ns) {
  *patience = (struct tac_patience){.since_ns = now_ns, .factor = FIRST_FACTOR};
}

int64_t tac_patience_rest_ns(struct tac_patience *patience, int64_t now_ns, int64_t starved_ns) {
  if (starved_ns < NEGLIGIBLE_NS)
    return 0;
  bool pays = (now_ns - patience->since_ns) / PAYING_MULTIPLE >= starved_ns;
  int factor = patience->factor;
  patience->since_ns = now_ns;
  patience->factor = pays ? FIRST_FACTOR : factor < LAST_FACTOR ? 2 * factor : LAST_FACTOR;
  if (pays)
    return 0;
  return starved_ns < LONGEST_NS / factor ? starved_ns * factor : LONGEST_NS;
}
