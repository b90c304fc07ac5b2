/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_OPERATION_COUNTS_H
#define TACTUS_MEASURE_OPERATION_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/runtime/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What one phase of an algorithm amounts to. A number whose flag is 0 is not known, whatever stands in it; one part that is
 * not known makes the whole unknown. Nothing is estimated. */
struct tac_operation_count {
  const char *phase;
  uint64_t operations; /* in the unit of the set, exact */
  double flops;        /* floating-point operations that run, 2 a multiply-add; finite and not negative */
  int operations_known, flops_known;
};

/* The counts of an algorithm, one entry a phase. The caller's own arrays and texts. */
struct tac_operation_counts {
  const char *unit; /* what one operation is: "coefficient touch" */
  const char
      *counting_rule; /* tag of the rule by which `operations` were counted, so that figures compare only with their like */
  size_t count;
  struct tac_operation_count *phases;
};

/* A set of those phases whose counts are all unknown. `entries` holds `count` entries and lives as long as the set, as do
 * the names and both texts. */
TAC_API void tac_operation_counts_init(struct tac_operation_counts *out, struct tac_operation_count *entries,
                                       const char *const *phases, size_t count, const char *unit, const char *counting_rule);

/* *sum += times * each. Returns 1, or 0 when that does not fit into 64 bits: *sum stays as it was, and the count that it
 * belongs to is not known. */
TAC_API int tac_operations_add(uint64_t *sum, uint64_t times, uint64_t each);

/* The entry of that phase, NULL when there is none. */
TAC_API const struct tac_operation_count *tac_operation_counts_find(const struct tac_operation_counts *counts,
                                                                    const char *phase);

/* Sums over the `count` phases of that list. Return 1 and the sum in *out, or 0 when the set lacks one of them, when one is
 * not known, or when the sum does not fit into 64 bits (operations) or a double (flops). An empty list sums to 0. */
TAC_API int tac_operation_counts_total(uint64_t *out, const struct tac_operation_counts *counts, const char *const *phases,
                                       size_t count);
TAC_API int tac_operation_counts_total_flops(double *out, const struct tac_operation_counts *counts, const char *const *phases,
                                             size_t count);

#ifdef __cplusplus
}
#endif
#endif
