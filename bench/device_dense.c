/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* The dense building blocks of devices beside BLAS and LAPACK of one host thread, in turn in one run: batched products against
 * dgemm, batches of decompositions against dgesdd. On a CPU device both are rates a second of one core, by the CPU time of the
 * whole process; elsewhere the device's is by wall time. */

#include <cblas.h>
#include <lapacke.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tactus/runtime/dense.h>
#include <tactus/runtime/device_dense.h>
#include <tactus/scheduler/scheduler.h>

#include "bench/options.h"

static const int gemm_sizes[] = {8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512};
static const int svd_sizes[] = {8, 16, 24, 32, 48, 64, 96};
enum { GEMM_SIZES = sizeof gemm_sizes / sizeof *gemm_sizes, SVD_SIZES = sizeof svd_sizes / sizeof *svd_sizes };
enum { MATRICES = 64, ARRAYS = 4 };

struct bench {
  struct tac_scheduler *scheduler;
  struct tac_device *device;
  struct tac_queue *queue;
  struct tac_device_memory *memory[ARRAYS];
  double *host[ARRAYS];
  clockid_t clock; /* of the device's share */
  int rounds;
  int64_t flops; /* of a sample, at least */
  struct tac_error error;
};

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct tac_device_array at(const struct bench *bench, int array) {
  return (struct tac_device_array){bench->memory[array], 0};
}

/* Of a batch: fewer of the large ones, so that memory suffices. */
static size_t matrices_of(int n) {
  return n > 128 ? MATRICES / 8 : MATRICES;
}

/* Room for a batch of n x n in each array, filled with numbers. */
static enum tac_status take(struct bench *bench, int n) {
  const size_t count = matrices_of(n) * (size_t)n * (size_t)n;
  enum tac_status status = TAC_STATUS_OK;
  for (int a = 0; a < ARRAYS && !status; a++) {
    bench->host[a] = malloc(count * sizeof(double));
    if (!bench->host[a])
      return tac_error_set(&bench->error, TAC_STATUS_MEMORY, __func__, "no memory for matrices of %d x %d", n, n);
    for (size_t i = 0; i < count; i++)
      bench->host[a][i] = rand() / (double)RAND_MAX - 0.5;
    status = tac_device_memory_take(&bench->memory[a], bench->device, count * sizeof(double), &bench->error);
    if (!status)
      status = tac_queue_write(bench->queue, bench->memory[a], 0, bench->host[a], count * sizeof(double), &bench->error);
  }
  if (!status)
    status = tac_queue_finish(bench->queue, "take", &bench->error);
  return status;
}

static void give(struct bench *bench) {
  for (int a = 0; a < ARRAYS; a++) {
    free(bench->host[a]);
    bench->host[a] = NULL;
    tac_device_memory_give(&bench->memory[a]);
  }
}

static void multiply_on_host(const struct bench *bench, int n) {
  for (size_t i = 0; i < matrices_of(n); i++) {
    const size_t at_matrix = i * (size_t)n * (size_t)n;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, bench->host[0] + at_matrix, n,
                bench->host[1] + at_matrix, n, 0, bench->host[2] + at_matrix, n);
  }
}

/* Seconds of one batch on the device and on the host, the least of the rounds. */
static enum tac_status time_gemm(struct bench *bench, struct tac_device_gemm *gemm, int n, double *device, double *host) {
  const int repeats = 1 + (int)(bench->flops / (int64_t)tac_device_gemm_flops(gemm));
  *device = *host = 1e300;
  for (int round = 0; round <= bench->rounds; round++) { /* the first one compiles and warms */
    const double start = seconds(bench->clock);
    for (int r = 0; r < repeats; r++)
      if (tac_device_gemm_run(gemm, bench->queue, at(bench, 0), at(bench, 1), at(bench, 2), &bench->error))
        return bench->error.status;
    if (tac_queue_finish(bench->queue, "gemm", &bench->error))
      return bench->error.status;
    const double middle = seconds(bench->clock), on_host = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int r = 0; r < repeats; r++)
      multiply_on_host(bench, n);
    const double of_host = (seconds(CLOCK_PROCESS_CPUTIME_ID) - on_host) / repeats, of_device = (middle - start) / repeats;
    *device = round > 0 && of_device < *device ? of_device : *device;
    *host = round > 0 && of_host < *host ? of_host : *host;
  }
  return TAC_STATUS_OK;
}

static enum tac_status bench_gemm(struct bench *bench, struct tac_device_gemm *gemm, int n) {
  struct tac_device_product products[MATRICES];
  double device = 0, host = 0;
  for (size_t i = 0; i < matrices_of(n); i++) {
    const size_t at_matrix = i * (size_t)n * (size_t)n;
    products[i] = (struct tac_device_product){n, n, n, 'N', 'N', 0, n, n, n, at_matrix, at_matrix, at_matrix, 0};
  }
  enum tac_status status = take(bench, n);
  if (!status)
    status = tac_device_gemm_plan(gemm, bench->queue, products, matrices_of(n), &bench->error);
  if (!status)
    status = time_gemm(bench, gemm, n, &device, &host);
  if (!status) {
    const double flops = tac_device_gemm_flops(gemm);
    printf("%6d %12.1f %12.1f %10.2f\n", n, 1e-9 * flops / device, 1e-9 * flops / host, host / device);
  }
  give(bench);
  return status;
}

static int decompose_on_host(const struct bench *bench, int n, double *values) {
  lapack_int failed = 0;
  double *right = malloc(sizeof(double) * (size_t)n * (size_t)n);
  for (size_t i = 0; i < matrices_of(n) && right; i++) {
    const size_t at_matrix = i * (size_t)n * (size_t)n;
    memcpy(bench->host[1] + at_matrix, bench->host[0] + at_matrix, sizeof(double) * (size_t)n * (size_t)n);
    failed |= LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', n, n, bench->host[1] + at_matrix, n, values, bench->host[2] + at_matrix, n,
                             right, n);
  }
  free(right);
  return failed != 0 || !right;
}

static enum tac_status bench_svd(struct bench *bench, struct tac_device_svd *svd, int n) {
  struct tac_device_svd_problem problems[MATRICES];
  double values[256], device = 1e300, host = 1e300;
  for (size_t i = 0; i < matrices_of(n); i++) {
    const size_t a = i * (size_t)n * (size_t)n;
    problems[i] = (struct tac_device_svd_problem){
        .m = n, .n = n, .lda = n, .ldu = n, .ldv = n, .a = a, .u = a, .v = a, .s = i * (size_t)n};
  }
  enum tac_status status = take(bench, n);
  if (!status)
    status = tac_device_svd_plan(svd, bench->queue, problems, matrices_of(n), &bench->error);
  for (int round = 0; round <= bench->rounds && !status; round++) {
    const size_t bytes = sizeof(double) * matrices_of(n) * (size_t)n * (size_t)n;
    status = tac_queue_write(bench->queue, bench->memory[0], 0, bench->host[0], bytes, &bench->error);
    const double start = seconds(bench->clock);
    if (!status)
      status = tac_device_svd_run(svd, bench->queue, at(bench, 0), at(bench, 1), at(bench, 2), at(bench, 3), &bench->error);
    if (!status)
      status = tac_queue_finish(bench->queue, "svd", &bench->error);
    const double middle = seconds(bench->clock), on_host = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (!status && decompose_on_host(bench, n, values))
      status = tac_error_set(&bench->error, TAC_STATUS_NUMERICAL, __func__, "dgesdd failed");
    const double of_host = seconds(CLOCK_PROCESS_CPUTIME_ID) - on_host, of_device = middle - start;
    device = round > 0 && of_device < device ? of_device : device;
    host = round > 0 && of_host < host ? of_host : host;
  }
  if (!status)
    status = tac_device_svd_check(svd, bench->queue, &bench->error);
  if (!status)
    printf("%6d %12.1f %12.1f %10.2f\n", n, 1e6 * device / (double)matrices_of(n), 1e6 * host / (double)matrices_of(n),
           device / host);
  give(bench);
  return status;
}

static enum tac_status run(struct bench *bench, int quick) {
  struct tac_device_gemm *gemm = NULL;
  struct tac_device_svd *svd = NULL;
  enum tac_status status = tac_device_gemm_create(&gemm, bench->device, TAC_DEVICE_REAL64, &bench->error);
  if (!status)
    status = tac_device_svd_create(&svd, bench->device, TAC_DEVICE_REAL64, &bench->error);
  printf("%d products of n x n, %d above 128\n%6s %12s %12s %10s\n", MATRICES, MATRICES / 8, "n", "device GF/s", "dgemm GF/s",
         "ratio");
  for (int s = 0; s < (quick ? 3 : GEMM_SIZES) && !status; s++)
    status = bench_gemm(bench, gemm, gemm_sizes[s]);
  printf("\n%d decompositions of n x n, microseconds each\n%6s %12s %12s %10s\n", MATRICES, "n", "device", "dgesdd", "ratio");
  for (int s = 0; s < (quick ? 2 : SVD_SIZES) && !status; s++)
    status = bench_svd(bench, svd, svd_sizes[s]);
  tac_device_gemm_destroy(&gemm);
  tac_device_svd_destroy(&svd);
  return status;
}

int main(int argc, char **argv) {
  struct bench_options options;
  const int read =
      bench_options_read(&options, argc, argv, "Dense building blocks of an OpenCL device beside BLAS and LAPACK.\n");
  if (read)
    return read == 1 ? 0 : read;
  struct bench bench = {.rounds = options.rounds  ? options.rounds
                                  : options.quick ? 1
                                                  : 5,
                        .flops = options.quick ? 1000000 : 500000000};
  struct tac_scheduler_options of_scheduler;
  tac_scheduler_options_init(&of_scheduler);
  of_scheduler.executor = "opencl";
  of_scheduler.executor_options.lanes = 1;
  tac_blas_set_threads(1);
  enum tac_status status = tac_scheduler_create(&bench.scheduler, &of_scheduler, &bench.error);
  if (status == TAC_STATUS_UNAVAILABLE) {
    printf("%s\n", bench.error.text);
    return 77;
  }
  if (!status) {
    bench.device = tac_scheduler_device(bench.scheduler);
    bench.queue = tac_scheduler_queue(bench.scheduler);
    bench.clock = tac_device_info(bench.device)->kind == TAC_DEVICE_CPU ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    printf("%s, %s\n", tac_device_info(bench.device)->name, tac_blas_info().name);
    status = run(&bench, options.quick);
  }
  tac_scheduler_destroy(&bench.scheduler);
  if (status)
    fprintf(stderr, "device_dense: %s: %s\n", bench.error.where, bench.error.text);
  return status ? 1 : 0;
}
