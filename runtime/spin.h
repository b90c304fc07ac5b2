/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_SPIN_H
#define RUNTIME_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#include <tactus/runtime/clock.h>

/* A wait that looks, pauses and looks again for a bounded time. How long a pause takes differs tenfold between processors,
 * so a clock bounds it; it is read once in so many pauses, and short waits never read it. */
#define TAC_SPIN_PAUSES_A_READ 32

struct tac_spin {
  int64_t bound_ns, until_ns; /* until_ns 0: the clock was not read yet */
  int pauses_a_look;          /* more take the word looked at less often from whoever writes it */
  int pauses;                 /* since the clock was read */
};

static inline void tac_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("isb" ::: "memory");
#endif
}

/* Pauses until the next look; false when the time is over. A bound of 0 never pauses. */
static inline bool tac_spin_once(struct tac_spin *spin) {
  if (spin->bound_ns == 0)
    return false;
  for (int i = 0; i < spin->pauses_a_look; i++)
    tac_pause();
  spin->pauses += spin->pauses_a_look;
  if (spin->pauses < TAC_SPIN_PAUSES_A_READ)
    return true;
  spin->pauses = 0;
  const struct tac_clock *clock = tac_clock_monotonic();
  int64_t now_ns = clock->now_ns(clock->context);
  if (spin->until_ns == 0)
    spin->until_ns = now_ns + spin->bound_ns;
  return now_ns < spin->until_ns;
}

#endif
