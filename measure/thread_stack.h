/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_THREAD_STACK_H
#define MEASURE_THREAD_STACK_H

/* For the pointers to what is active on a thread. Without it each read in the shared library is a call of the dynamic
 * linker's. What is so small has its place in every thread also when the library is opened late. */
#if defined(__GNUC__) && defined(__ELF__)
#define TAC_ONE_READ __attribute__((tls_model("initial-exec")))
#else
#define TAC_ONE_READ
#endif

#endif
