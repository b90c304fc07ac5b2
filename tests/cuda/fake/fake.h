/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_CUDA_FAKE_FAKE_H
#define TESTS_CUDA_FAKE_FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

/* An emulation of as much of the CUDA runtime, cuBLAS, cuSOLVER and NVRTC as the CUDA module calls, on the host: libraries of
 * the vendor's names that a test finds in place of the vendor's. It checks the calls (which, in which order, with which
 * addresses, on which stream, and that everything is given back), not the hardware, and says nothing about speed.
 *
 * - Device memory has addresses that the host cannot use; commands and kernels see it elsewhere. What is outside of a block or
 *   in one that was freed ends the process or loses the device; fresh memory holds NaN.
 * - Streams are lazy: a command runs when somebody waits for it, so a missing wait shows as a wrong result.
 * - There are two devices, and every call must come from a thread that has made the right one current.
 * - NVRTC is the host's compiler (tests/support/host_kernel.h); matrices are multiplied and decomposed by BLAS and LAPACK.
 * - A process that ends with something of a device still alive exits with status 3 and says what. */

/* ---- For tests. Functions are named as the module calls them. */

/* The call-th call of a function from now fails with a code; with `lost` the device is lost by it, and every later call that
 * can fails with the same code. */
void fake_fail(const char *function, int call, int code, bool lost);
void fake_forgive(void); /* what was ordered or lost before */
int fake_calls(const char *function);

/* What cudaMemcpyAsync took of a kind. */
struct fake_copies {
  uint64_t count, bytes;
};
struct fake_copies fake_copies(enum cudaMemcpyKind kind);

enum fake_thing {
  FAKE_MEMORY,
  FAKE_STREAM,
  FAKE_EVENT,
  FAKE_LIBRARY,
  FAKE_PROGRAM,
  FAKE_BLAS_HANDLE,
  FAKE_SOLVER_HANDLE,
  FAKE_JACOBI,
  FAKE_THINGS
};
int fake_live(enum fake_thing thing);
int fake_live_in_all(void);

/* gesvdp shifts singular values by this share of the largest, and says so. */
void fake_set_shift(double share);
/* What the compiler says that it compiles for; count 0: what it says by itself. */
void fake_set_architectures(const int *known, int count);

/* ---- Among the libraries. */

void fake_lock(void);
void fake_unlock(void);
/* Counts the call and gives its outcome; 0: go on. */
int fake_outcome(const char *function);
/* The same of a function of the runtime, where a lost device answers. */
cudaError_t fake_runtime_outcome(const char *function);
cudaError_t fake_loss(void); /* why the device is lost, if it is */
void fake_count(enum fake_thing thing, int change);
void fake_count_copy(enum cudaMemcpyKind kind, size_t bytes);
double fake_shift(void);
int fake_architectures(int *out); /* `out` may be NULL */

/* A command of a stream: `run` gets a copy of the bytes. With the lock held. */
cudaError_t fake_enqueue(cudaStream_t stream, void (*run)(void *data), const void *data, size_t bytes);
/* Where commands see device memory; NULL, and the device is lost, where the bytes are not inside one live block. */
void *fake_seen(const void *device, size_t bytes);
/* The same of an address alone. */
void *fake_seen_address(const void *device);
bool fake_is_stream(cudaStream_t stream);
/* The device is lost while a command runs. */
void fake_lose(cudaError_t code, const char *why);

#endif
