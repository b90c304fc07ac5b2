/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_BLAS_MEMORY_H
#define APPS_PROGRAM_BLAS_MEMORY_H

#include <stddef.h>

#include <tactus/runtime/error.h>

/* OpenBLAS maps this much for every thread that is inside it at the same time, and where it cannot, it tries for ever. */
#define TAC_BLAS_BUFFER_BYTES ((size_t)128 << 20)

/* Maps as much as `threads` threads inside BLAS will, and unmaps it again. MEMORY: the system refuses it. */
enum tac_status tac_blas_memory_probe(int threads, struct tac_error *error);

#endif
