/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_UNIT_PHASE_PROFILES_H
#define TESTS_UNIT_PHASE_PROFILES_H

/* What the tests of phase profiles share: profiles on a clock that the test drives, and phases of known length. */
#include <tactus/measure/phase_profile.h>

#include "tests/support/driven_clock.h"
#include "tests/unit/suite.h"

static struct driven_clock driven;

static inline struct tac_phase_profile_options driven_options(void) {
  struct tac_phase_profile_options options;
  tac_phase_profile_options_init(&options);
  driven_clock_init(&driven, 5000, 0);
  options.clock = &driven.clock;
  return options;
}

static inline struct tac_phase_profile *create(const struct tac_phase_profile_options *options) {
  struct tac_phase_profile *profile;
  ck_assert_int_eq(tac_phase_profile_create(&profile, options, NULL), TAC_STATUS_OK);
  return profile;
}

static inline struct tac_phase_profile *driven_profile(void) {
  const struct tac_phase_profile_options options = driven_options();
  return create(&options);
}

static inline void enter(struct tac_phase_profile *profile, const char *name, int64_t duration_ns) {
  ck_assert_int_eq(tac_phase_enter(profile, name, NULL), TAC_STATUS_OK);
  driven_clock_advance(&driven, duration_ns);
}

static inline void leave(struct tac_phase_profile *profile, const char *name) {
  ck_assert_int_eq(tac_phase_leave(profile, name, NULL), TAC_STATUS_OK);
}

static inline void run(struct tac_phase_profile *profile, const char *name, int64_t duration_ns) {
  enter(profile, name, duration_ns);
  leave(profile, name);
}

static inline void assert_phase(const struct tac_phase_profile *profile, size_t number, const char *name, int64_t total_ns,
                                uint64_t calls, int nested) {
  const struct tac_phase phase = tac_phase_profile_at(profile, number);
  ck_assert_str_eq(phase.name, name);
  ck_assert_int_eq(phase.total_ns, total_ns);
  ck_assert_uint_eq(phase.calls, calls);
  ck_assert_int_eq(phase.nested, nested);
}

#endif
