/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_FUTEX_H
#define RUNTIME_FUTEX_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Sleeps while *word is `value`. May return early: callers look again. */
static inline void tac_futex_wait(_Atomic uint32_t *word, uint32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

/* The same, until a time of CLOCK_MONOTONIC at the latest. */
static inline void tac_futex_wait_until(_Atomic uint32_t *word, uint32_t value, int64_t until_ns) {
  struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, &until, NULL, FUTEX_BITSET_MATCH_ANY);
}

static inline void tac_futex_wake_one(_Atomic uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#endif
