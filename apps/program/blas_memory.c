/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/blas_memory.h"

#include <stdlib.h>
#include <sys/mman.h>

/* One by one, as BLAS does: a system may refuse in one piece what it gives in many. */
enum tac_status tac_blas_memory_probe(int threads, struct tac_error *error) {
  void **buffer = calloc((size_t)threads, sizeof *buffer);
  int mapped = 0;
  while (buffer && mapped < threads) {
    buffer[mapped] = mmap(NULL, TAC_BLAS_BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer[mapped] == MAP_FAILED)
      break;
    mapped++;
  }
  for (int i = 0; i < mapped; i++)
    munmap(buffer[i], TAC_BLAS_BUFFER_BYTES);
  free(buffer);
  if (mapped == threads)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_MEMORY, "memory", "not enough for BLAS' own buffers: %zu MiB for each of %d thread%s",
                       TAC_BLAS_BUFFER_BYTES >> 20, threads, threads == 1 ? "" : "s");
}
