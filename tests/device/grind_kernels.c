/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* PROGRAM dense | races | bounds | uninitialised: runs every kernel of the dense blocks on small problems, real and complex, in
 * both forms; or one kernel with a planted fault. To be run under Oclgrind by grind.py. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/dense_common.h"
#include "runtime/device/queue.h"

static const enum tac_device_form forms[] = {TAC_FORM_CPU, TAC_FORM_GPU};

struct stage {
  struct tac_device *device;
  struct tac_queue *queue;
  struct tac_device_memory *memory[4];
};

static void need(enum tac_status status, const struct tac_error *error) {
  if (status == TAC_STATUS_OK)
    return;
  fprintf(stderr, "%s: %s\n", error->where, error->text);
  exit(EXIT_FAILURE);
}

/* Numbers in every byte that kernels may read: halves, quarters and so on, which both precisions hold. */
static void fill(struct stage *stage, enum tac_device_scalar scalar) {
  static double in_double[4096];
  static float in_float[4096];
  struct tac_error error;
  for (int i = 0; i < 4096; i++)
    in_float[i] = (float)(in_double[i] = (i * 37 % 64 - 31) / 32.0);
  const int single = scalar == TAC_DEVICE_REAL32 || scalar == TAC_DEVICE_COMPLEX32;
  for (int m = 0; m < 4; m++)
    need(tac_queue_write(stage->queue, stage->memory[m], 0, single ? (void *)in_float : (void *)in_double,
                         single ? sizeof in_float : sizeof in_double, &error),
         &error);
}

static struct tac_device_array at(const struct stage *stage, int memory) {
  return (struct tac_device_array){stage->memory[memory], 3};
}

static void run_gemm(struct stage *stage, enum tac_device_scalar scalar, enum tac_device_form form) {
  struct tac_error error;
  struct tac_device_gemm *gemm;
  const struct tac_device_product products[] = {
      {17, 9, 5, 'N', 'N', 0, 18, 5, 17, 0, 0, 0, 0},      {17, 9, 7, 'N', 'C', 0, 18, 9, 17, 30, 60, 0, 1},
      {5, 7, 11, 'C', 'N', 1, 11, 12, 6, 100, 50, 200, 0}, {13, 6, 18, 'N', 'C', 0, 13, 6, 13, 7, 3, 300, 0},
      {3, 35, 2, 'C', 'C', 0, 2, 35, 3, 0, 0, 400, 0},     {4, 4, 0, 'N', 'N', 0, 4, 0, 4, 0, 0, 600, 0},
  };
  need(tac_device_gemm_create_form(&gemm, stage->device, scalar, form, &error), &error);
  need(tac_device_gemm_plan(gemm, stage->queue, products, sizeof products / sizeof *products, &error), &error);
  need(tac_device_gemm_run(gemm, stage->queue, at(stage, 0), at(stage, 1), at(stage, 2), &error), &error);
  need(tac_queue_finish(stage->queue, "gemm", &error), &error);
  tac_device_gemm_destroy(&gemm);
}

static void run_blocks(struct stage *stage, enum tac_device_scalar scalar, enum tac_device_form form) {
  struct tac_error error;
  struct tac_device_blocks *blocks;
  const struct tac_device_block block[] = {{9, 7, 10, 1, 0, 0, 2, 0}, {34, 3, 34, 0, 100, 1, 2, 0}, {4, 4, 4, 0, 300, 0, 0, 0}};
  const struct tac_device_term term[] = {{0.5, 0, 9, 'N', 0}, {-2, 3, 34, 'N', 1}, {1, 40, 7, 'C', 0}};
  const struct tac_device_term square[] = {{0.5, 0, 34, 'N', 0}, {-2, 3, 34, 'N', 1}, {1, 40, 7, 'C', 0}};
  need(tac_device_blocks_create_form(&blocks, stage->device, scalar, form, &error), &error);
  need(tac_device_blocks_plan(blocks, stage->queue, block, 1, term, 3, &error), &error);
  need(tac_device_blocks_run(blocks, stage->queue, at(stage, 2), at(stage, 0), at(stage, 1), &error), &error);
  need(tac_queue_finish(stage->queue, "blocks", &error), &error);
  need(tac_device_blocks_plan(blocks, stage->queue, block, 3, square, 3, &error), &error);
  need(tac_device_blocks_run(blocks, stage->queue, at(stage, 2), at(stage, 0), at(stage, 1), &error), &error);
  need(tac_queue_finish(stage->queue, "blocks", &error), &error);
  tac_device_blocks_destroy(&blocks);
}

static void run_kept_sums(struct stage *stage, struct tac_device_vectors *vectors) {
  struct tac_error error;
  struct tac_queue *queue = stage->queue;
  const struct tac_device_ratio ratio = {0, 1};
  double sums[3];
  need(tac_device_slots_reserve(vectors, queue, 3, &error), &error);
  need(tac_device_slot_dot(vectors, queue, 1500, at(stage, 0), at(stage, 1), 0, &error), &error);
  need(tac_device_slot_dot(vectors, queue, 1500, at(stage, 0), at(stage, 0), 1, &error), &error);
  need(tac_device_slot_axpy_dot(vectors, queue, 1500, ratio, at(stage, 0), at(stage, 1), at(stage, 2), 2, &error), &error);
  need(tac_device_slot_axpy_dot(vectors, queue, 1500, ratio, at(stage, 0), at(stage, 1), at(stage, 1), 2, &error), &error);
  need(tac_device_slots_read(sums, vectors, queue, 1500, 0, 3, &error), &error);
}

static void run_vectors(struct stage *stage, enum tac_device_scalar scalar, enum tac_device_form form) {
  struct tac_error error;
  struct tac_device_vectors *vectors;
  const double factors[] = {1, 0.5, -1, 2, 0.25, 3, 1};
  struct tac_device_array terms[7];
  double value;
  for (int t = 0; t < 7; t++)
    terms[t] = at(stage, t % 3);
  const struct tac_device_columns columns[] = {
      {5, 3, 6, 0, 0}, {17, 2, 17, 20, 3}, {0, 1, 1, 0, 5}, {1, 1, 1, 0, 6}, {2, 2, 2, 0, 7}};
  need(tac_device_vectors_create_form(&vectors, stage->device, scalar, form, &error), &error);
  need(tac_device_axpy(vectors, stage->queue, 133, 0.5, at(stage, 0), at(stage, 1), &error), &error);
  need(tac_device_scale(vectors, stage->queue, 133, 0.5, at(stage, 0), &error), &error);
  need(tac_device_combine(vectors, stage->queue, 77, 7, factors, terms, at(stage, 2), &error), &error);
  need(tac_device_dot(&value, vectors, stage->queue, 1500, at(stage, 0), at(stage, 1), &error), &error);
  need(tac_device_norm(&value, vectors, stage->queue, 55, at(stage, 2), &error), &error);
  need(tac_device_column_squares(vectors, stage->queue, columns, 5, at(stage, 0), at(stage, 3), &error), &error);
  run_kept_sums(stage, vectors);
  /* The largest element is looked for where squares vanish. */
  need(tac_device_scale(vectors, stage->queue, 40, 0, at(stage, 2), &error), &error);
  need(tac_device_norm(&value, vectors, stage->queue, 40, at(stage, 2), &error), &error);
  tac_device_vectors_destroy(&vectors);
}

static void run_svd(struct stage *stage, enum tac_device_scalar scalar, enum tac_device_form form) {
  struct tac_error error;
  struct tac_device_svd *svd;
  const struct tac_device_svd_problem problems[] = {
      {.m = 7, .n = 5, .lda = 7, .ldu = 8, .ldv = 5, .a = 0, .u = 0, .v = 0, .s = 0},
      {.m = 3, .n = 9, .lda = 4, .ldu = 3, .ldv = 9, .a = 100, .u = 100, .v = 100, .s = 10},
      {.m = 1, .n = 1, .lda = 1, .ldu = 1, .ldv = 1, .a = 150, .u = 150, .v = 150, .s = 20},
  };
  need(tac_device_svd_create_form(&svd, stage->device, scalar, form, &error), &error);
  need(tac_device_svd_plan(svd, stage->queue, problems, 3, &error), &error);
  need(tac_device_svd_run(svd, stage->queue, at(stage, 0), at(stage, 1), at(stage, 2), at(stage, 3), &error), &error);
  need(tac_device_svd_check(svd, stage->queue, &error), &error);
  tac_device_svd_destroy(&svd);
}

static void run_dense(struct stage *stage) {
  /* These two compile every line that there is. */
  for (int scalar = TAC_DEVICE_REAL64; scalar <= TAC_DEVICE_COMPLEX32; scalar += TAC_DEVICE_COMPLEX32 - TAC_DEVICE_REAL64)
    for (int f = 0; f < 2; f++) {
      void (*const runs[])(struct stage *, enum tac_device_scalar, enum tac_device_form) = {run_gemm, run_blocks, run_vectors,
                                                                                            run_svd};
      for (int r = 0; r < 4; r++) {
        fill(stage, (enum tac_device_scalar)scalar);
        runs[r](stage, (enum tac_device_scalar)scalar, forms[f]);
      }
    }
}

/* Sums of neighbours through local memory, with a fault. */
static const char faulty[] = "TAC_KERNEL(faulty)(TAC_GLOBAL TAC_REAL *out, TAC_GLOBAL const TAC_REAL *in) {\n"
                             "  TAC_LOCAL TAC_REAL near[16];\n"
                             "  const int i = (int)TAC_ITEM(0);\n"
                             "#if FAULT != 3\n"
                             "  near[i] = in[i];\n"
                             "#endif\n"
                             "#if FAULT != 1\n"
                             "  TAC_BARRIER();\n"
                             "#endif\n"
                             "#if FAULT == 2\n"
                             "  out[i + 4096] = near[(i + 1) % 16];\n"
                             "#else\n"
                             "  out[i] = near[(i + 1) % 16];\n"
                             "#endif\n"
                             "}\n";

static void run_faulty(struct stage *stage, int fault) {
  char options[32];
  struct tac_error error;
  struct tac_device_program *program;
  struct tac_device_kernel *kernel;
  snprintf(options, sizeof options, "-DFAULT=%d", fault);
  need(tac_device_program(&program, stage->device, "faulty", faulty, options, &error), &error);
  need(tac_device_kernel(&kernel, program, "faulty", &error), &error);
  const struct tac_argument arguments[] = {tac_argument_memory(stage->memory[0]), tac_argument_memory(stage->memory[1])};
  const struct tac_launch launch = {
      .kernel = kernel, .groups = {1, 1, 1}, .items = {16, 1, 1}, .arguments = arguments, .argument_count = 2};
  need(tac_queue_launch(stage->queue, &launch, &error), &error);
  need(tac_queue_finish(stage->queue, "faulty", &error), &error);
}

int main(int argc, char **argv) {
  static const char *const modes[] = {"none", "races", "bounds", "uninitialised"};
  const struct tac_device_options options = {.blas_handles = 1, .solver_handles = 1};
  struct stage stage;
  struct tac_error error;
  const char *mode = argc > 1 ? argv[1] : "";
  need(tac_device_open(&stage.device, &tac_backend_opencl, &options, &error), &error);
  need(tac_queue_open(&stage.queue, stage.device, 0, 1, &error), &error);
  for (int m = 0; m < 4; m++)
    need(tac_device_memory_take(&stage.memory[m], stage.device, 4096 * sizeof(double), &error), &error);
  fill(&stage, TAC_DEVICE_REAL64);
  int known = strcmp(mode, "dense") == 0;
  if (known)
    run_dense(&stage);
  for (int fault = 0; fault < 4; fault++)
    if (strcmp(mode, modes[fault]) == 0) {
      run_faulty(&stage, fault);
      known = 1;
    }
  for (int m = 0; m < 4; m++)
    tac_device_memory_give(&stage.memory[m]);
  tac_queue_close(&stage.queue);
  tac_device_close(&stage.device);
  return known ? EXIT_SUCCESS : EXIT_FAILURE;
}
