/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/report.h"

/* Numbers of Kokkos for types of devices that are the host's own threads. */
enum { SERIAL = 0, OPENMP = 1, THREADS = 6 };

/* Whether a kernel has run when Kokkos tells its end, fenced or not. */
static int runs_to_its_end(uint32_t device) {
  switch (device >> 24) {
  case SERIAL:
  case OPENMP:
  case THREADS:
    return 1;
  default:
    return 0;
  }
}

const char *tac_kokkos_seconds(const struct tac_kokkos_counters *counters, int fencing) {
  size_t host = 0, other = 0;
  for (size_t i = 0; i < counters->table.groups[TAC_KOKKOS_KERNELS].count; i++)
    if (runs_to_its_end(counters->table.groups[TAC_KOKKOS_KERNELS].lines[i]->device))
      host++;
    else
      other++;
  if (fencing > 0 || (host > 0 && other == 0))
    return "execution";
  if (fencing < 0)
    return "unknown";
  return host > 0 ? "mixed" : "dispatch";
}

int64_t tac_kokkos_outside_ns(const struct tac_kokkos_counters *counters, const struct tac_kokkos_span *span) {
  const int64_t kernels_ns = tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS).total_ns;
  return span->threads > 1 || kernels_ns > span->wall_ns ? TAC_KOKKOS_UNKNOWN_NS : span->wall_ns - kernels_ns;
}
