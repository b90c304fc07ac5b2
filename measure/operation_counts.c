/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/operation_counts.h>

#include <math.h>
#include <string.h>

void tac_operation_counts_init(struct tac_operation_counts *out, struct tac_operation_count *entries, const char *const *phases,
                               size_t count, const char *unit, const char *counting_rule) {
  *out = (struct tac_operation_counts){unit, counting_rule, count, entries};
  for (size_t i = 0; i < count; i++)
    entries[i] = (struct tac_operation_count){.phase = phases[i]};
}

int tac_operations_add(uint64_t *sum, uint64_t times, uint64_t each) {
  if (each != 0 && times > (UINT64_MAX - *sum) / each)
    return 0;
  *sum += times * each;
  return 1;
}

const struct tac_operation_count *tac_operation_counts_find(const struct tac_operation_counts *counts, const char *phase) {
  for (size_t i = 0; i < counts->count; i++)
    if (strcmp(counts->phases[i].phase, phase) == 0)
      return &counts->phases[i];
  return NULL;
}

int tac_operation_counts_total(uint64_t *out, const struct tac_operation_counts *counts, const char *const *phases,
                               size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    const struct tac_operation_count *entry = tac_operation_counts_find(counts, phases[i]);
    if (!entry || !entry->operations_known || !tac_operations_add(&sum, entry->operations, 1))
      return 0;
  }
  *out = sum;
  return 1;
}

int tac_operation_counts_total_flops(double *out, const struct tac_operation_counts *counts, const char *const *phases,
                                     size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    const struct tac_operation_count *entry = tac_operation_counts_find(counts, phases[i]);
    if (!entry || !entry->flops_known || !isfinite(entry->flops) || entry->flops < 0)
      return 0;
    sum += entry->flops;
  }
  if (!isfinite(sum))
    return 0;
  *out = sum;
  return 1;
}
