/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/phase_profile.h"

double tac_phase_seconds(const struct tac_phase *phase) {
  return (double)phase->total_ns / 1e9;
}

double tac_phase_mean_seconds(const struct tac_phase *phase) {
  return phase->calls > 0 ? tac_phase_seconds(phase) / (double)phase->calls : 0;
}

int64_t tac_phase_profile_total_ns(const struct tac_phase_profile *profile) {
  int64_t sum_ns = 0;
  for (size_t i = 0; i < profile->count; i++) {
    const int64_t total_ns = profile->phases[i].total_ns;
    sum_ns = total_ns > INT64_MAX - sum_ns ? INT64_MAX : sum_ns + total_ns;
  }
  return sum_ns;
}

uint64_t tac_phase_profile_unrecorded(const struct tac_phase_profile *profile) {
  return profile->unrecorded;
}

const char *tac_phase_profile_withheld(const struct tac_phase_profile *profile) {
  for (size_t i = 0; i < profile->count; i++)
    if (profile->phases[i].nested)
      return "a phase was entered inside another, and its time counts under both";
  return profile->unrecorded > 0 ? "the time of a phase was lost, as there was no room for it" : NULL;
}

size_t tac_phase_profile_shares(double *shares, const struct tac_phase_profile *profile, int64_t denominator_ns) {
  const int64_t whole_ns = denominator_ns == TAC_PHASE_TOTAL ? tac_phase_profile_total_ns(profile) : denominator_ns;
  if (whole_ns <= 0 || tac_phase_profile_withheld(profile))
    return 0;
  for (size_t i = 0; i < profile->count; i++)
    shares[i] = (double)profile->phases[i].total_ns / (double)whole_ns;
  return profile->count;
}

int tac_phase_profile_residual_ns(int64_t *out, const struct tac_phase_profile *profile, int64_t total_ns) {
  if (tac_phase_profile_withheld(profile))
    return 0;
  *out = total_ns - tac_phase_profile_total_ns(profile);
  return 1;
}
