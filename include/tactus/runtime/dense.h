/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_RUNTIME_DENSE_H
#define TACTUS_RUNTIME_DENSE_H

#include <tactus/runtime/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the BLAS in use says of itself; "unknown" where it says nothing. */
struct tac_blas_info {
  char name[64];      /* "OpenBLAS 0.3.21" */
  const char *kernel; /* "Zen"; static */
  int threads;        /* 0: unknown */
};
TAC_API struct tac_blas_info tac_blas_info(void);

/* Sets BLAS' own thread count, which is a setting of the whole process: for programs, the libraries never call it.
 * Below 1 leaves it as it is. Returns the count in force afterwards, 0 when the BLAS offers no such call. */
TAC_API int tac_blas_set_threads(int threads);

#ifdef __cplusplus
}
#endif
#endif
