/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Rates of the products under the fast multipole method: packed GEMM beside cblas_dgemm and a loop of multiply-adds, then
 * whole stencils beside the plain way, a gathered dgemm by offset. One thread, CPU time, the least of the samples. */

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tactus/runtime/dense.h>

#include "apps/fmm/stencil_parts.h"
#include "bench/fma.h"
#include "bench/options.h"
#include "bench/sample.h"
#include "runtime/arena.h"

static double *random_numbers(size_t count) {
  double *numbers = tac_allocator_system()->allocate(NULL, count * sizeof *numbers);
  for (size_t i = 0; numbers && i < count; i++)
    numbers[i] = rand() / (double)RAND_MAX - 0.5;
  return numbers;
}

/* --- Products ----------------------------------------------------------------------------------------------------------- */

enum { TILE = 96 };

struct product {
  const struct tac_gemm_kernel *kernel; /* NULL: cblas_dgemm */
  int rows, inner;
  double *a, *packed, *b, *c;
  const double *from[TILE];
  double *to[TILE];
};

static void run_packed(void *context) {
  const struct product *product = context;
  tac_gemm_packed(product->kernel, product->rows, product->inner, product->packed, TILE, product->from, product->to, 0);
}

static void run_dgemm(void *context) {
  const struct product *p = context;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, p->rows, TILE, p->inner, 1, p->a, p->rows, p->b, p->inner, 0, p->c,
              p->rows);
}

static void run_gemm(void *context) {
  const struct product *p = context;
  tac_gemm(p->rows, TILE, p->inner, p->a, p->rows, p->b, p->inner, p->c, p->rows);
}

static void product_destroy(struct product *product) {
  const struct tac_allocator *system = tac_allocator_system();
  system->release(NULL, product->a);
  system->release(NULL, product->packed);
  system->release(NULL, product->b);
  system->release(NULL, product->c);
}

static int product_create(struct product *product, const struct tac_gemm_kernel *kernel, int rows, int inner) {
  *product = (struct product){.kernel = kernel, .rows = rows, .inner = inner};
  product->a = random_numbers((size_t)rows * (size_t)inner);
  product->packed = random_numbers(tac_gemm_packed_size(kernel, rows, inner));
  product->b = random_numbers((size_t)inner * TILE);
  product->c = random_numbers((size_t)rows * TILE);
  if (!product->a || !product->packed || !product->b || !product->c)
    return -1;
  tac_gemm_pack(kernel, rows, inner, product->a, (size_t)rows, product->packed);
  for (int t = 0; t < TILE; t++) {
    product->from[t] = product->b + (size_t)t * (size_t)inner;
    product->to[t] = product->c + (size_t)t * (size_t)rows;
  }
  return 0;
}

static const struct {
  int rows, inner;
  const char *where;
} shapes[] = {
    {64, 405, "List 1, p=8, a class"}, {81, 560, "List 1, p=9, a class"},    {136, 272, "M2L, a face"},
    {136, 544, "M2L, an edge"},        {136, 1088, "M2L, a corner"},         {48, 1088, "M2L, right factor"},
    {136, 256, "M2L, left factors"},   {220, 1760, "M2L at 1e-9, a corner"}, {17, 15, "P2M, a class"},
    {64, 17, "L2P, a class"},          {16, 54, "2D List 1, a class"},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static int measure_products(const struct bench_plan *plan, double peak, int count) {
  const int kernels = tac_gemm_kernels();
  printf("Products with %d columns, GF/s\n%6s %6s %10s %10s", TILE, "rows", "inner", "dgemm", "tac_gemm");
  for (int k = 0; k < kernels; k++)
    if (tac_gemm_kernel(k))
      printf(" %10s", tac_gemm_kernel(k)->name);
  printf(" %8s\n", "of peak");
  for (int s = 0; s < count; s++) {
    double ns[2], last = 0;
    printf("%6d %6d", shapes[s].rows, shapes[s].inner);
    for (int k = -1; k < kernels; k++) {
      const struct tac_gemm_kernel *kernel = k < 0 ? tac_gemm_best() : tac_gemm_kernel(k);
      if (!kernel)
        continue;
      struct product product;
      const struct bench_subject subjects[2] = {{"dgemm", k < 0 ? run_dgemm : run_packed, &product},
                                                {"tac_gemm", run_gemm, &product}};
      const int failed =
          product_create(&product, kernel, shapes[s].rows, shapes[s].inner) || bench_times(ns, subjects, k < 0 ? 2 : 1, plan);
      product_destroy(&product);
      if (failed)
        return -1;
      const double flops = 2.0 * TILE * shapes[s].rows * shapes[s].inner;
      last = flops / ns[0];
      printf(" %10.1f", last);
      if (k < 0)
        printf(" %10.1f", flops / ns[1]);
    }
    printf(" %8.2f  %s\n", last / peak, shapes[s].where);
  }
  return 0;
}

/* --- Stencils ----------------------------------------------------------------------------------------------------------- */

/* Matrices that are not symmetric serve as well: only blocks that the symmetry allows are read. Blocks of low rank have the
 * rank that is usual between well-separated boxes, 0.35 of their rows. */
struct family {
  struct tac_stencil_shape shape;
  const double *numbers;
  int low_rank;
};

static void fill_low_rank(const struct family *family, int target, int source, int lda, double *out) {
  const int *rows = family->shape.target_begin + target, *columns = family->shape.source_begin + source;
  const int m = rows[1] - rows[0], n = columns[1] - columns[0], rank = (35 * m + 99) / 100;
  /* The left factor belongs to the target class, so that blocks of several source classes keep the rank. */
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, rank, 1, family->numbers + 1000 * target, m,
              family->numbers + 1000 * (8 + source), rank, 0, out + rows[0] + (size_t)columns[0] * (size_t)lda, lda);
}

static enum tac_status give_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  (void)offset, (void)error;
  const struct family *family = context;
  const int targets = family->shape.target_begin[8], sources = family->shape.source_begin[8];
  if (!family->low_rank)
    memcpy(out, family->numbers, sizeof *out * (size_t)targets * (size_t)sources);
  for (int class = 0; family->low_rank && class < 64; class ++)
    fill_low_rank(family, class & 7, class >> 3, targets, out);
  return TAC_STATUS_OK;
}

/* A cube of boxes that closes on itself: every neighbourhood is full. */
struct cube {
  const struct tac_stencil *stencil;
  struct tac_arena *arena;
  int side, sources, targets, passes; /* passes: products of the plain way for one target */
  size_t boxes, next;
  double *source, *target, *numbers, *gathered;
  const double **from;
  double **to;
};

/* Interleaved bits: boxes near each other in space are near in memory. */
static size_t morton(const int place[3]) {
  size_t index = 0;
  for (int bit = 0; bit < 10; bit++)
    for (int axis = 0; axis < 3; axis++)
      index |= (size_t)(place[axis] >> bit & 1) << (3 * bit + axis);
  return index;
}

static void link_cube(struct cube *cube) {
  const int side = cube->side;
  for (int box = 0; box < side * side * side; box++) {
    const int place[3] = {box % side, box / side % side, box / side / side};
    const size_t t = morton(place);
    cube->to[t] = cube->target + t * (size_t)cube->targets;
    for (int n = 0; n < 27; n++) {
      const int other[3] = {(place[0] + n % 3 + side - 1) % side, (place[1] + n / 3 % 3 + side - 1) % side,
                            (place[2] + n / 9 + side - 1) % side};
      cube->from[27 * t + (size_t)n] = cube->source + morton(other) * (size_t)cube->sources;
    }
  }
}

static void cube_destroy(struct cube *cube) {
  const struct tac_allocator *system = tac_allocator_system();
  system->release(NULL, cube->source);
  system->release(NULL, cube->target);
  system->release(NULL, cube->gathered);
  free(cube->from);
  free(cube->to);
  tac_arena_destroy(&cube->arena);
}

static int cube_create(struct cube *cube, const struct tac_stencil *stencil, const struct tac_stencil_shape *shape, int side) {
  *cube = (struct cube){.stencil = stencil, .side = side, .sources = shape->source_begin[8], .targets = shape->target_begin[8]};
  cube->boxes = (size_t)side * (size_t)side * (size_t)side;
  cube->source = random_numbers(cube->boxes * (size_t)cube->sources);
  cube->target = random_numbers(cube->boxes * (size_t)cube->targets);
  cube->gathered = random_numbers((size_t)TILE * (size_t)cube->sources);
  cube->from = calloc(27 * cube->boxes, sizeof *cube->from);
  cube->to = calloc(cube->boxes, sizeof *cube->to);
  if (!cube->source || !cube->target || !cube->gathered || !cube->from || !cube->to ||
      tac_arena_create(&cube->arena, NULL, NULL))
    return -1;
  link_cube(cube);
  return 0;
}

/* Subjects do one tile a call and go on with the next one in the next call, so that samples can be short. */
static size_t next_tile(struct cube *cube, size_t tile) {
  cube->next = cube->next + 2 * tile > cube->boxes ? 0 : cube->next + tile;
  return cube->next;
}

static void run_stencil(void *context) {
  struct cube *cube = context;
  const size_t mark = tac_arena_mark(cube->arena), tile = (size_t)tac_stencil_tile(cube->stencil);
  const size_t first = next_tile(cube, tile);
  tac_stencil_apply(cube->stencil, tile, cube->from + 27 * first, cube->to + first, cube->arena, NULL);
  tac_arena_release(cube->arena, mark);
}

/* The pairing alone: the signed sums of every piece. */
static void run_pairing(void *context) {
  struct cube *cube = context;
  const struct tac_stencil *stencil = cube->stencil;
  const size_t mark = tac_arena_mark(cube->arena), tile = (size_t)tac_stencil_tile(stencil), first = next_tile(cube, tile);
  double *out = tac_arena_take(cube->arena, tile * stencil->combined_stride * sizeof *out);
  for (size_t p = 0; p < stencil->piece_count; p++)
    tac_stencil_combine(stencil, &stencil->pieces[p], tile, cube->from + 27 * first, out);
  tac_arena_release(cube->arena, mark);
}

/* Offset by offset: gathers a tile of sources and multiplies by the offset's matrix. */
static void run_plainly(void *context) {
  struct cube *cube = context;
  const int m = cube->targets, k = cube->sources;
  const size_t first = next_tile(cube, TILE);
  for (int pass = 0; pass < cube->passes; pass++) {
    for (size_t t = 0; t < TILE; t++)
      memcpy(cube->gathered + t * (size_t)k, cube->from[27 * (first + t) + (size_t)pass % 27], sizeof(double) * (size_t)k);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, TILE, k, 1, cube->numbers + (size_t)(pass % 27) * 8, m,
                cube->gathered, k, pass > 0, cube->to[first], m);
  }
}

struct kind {
  const char *name;
  int source_sizes[8], target_sizes[8];
  enum tac_stencil_reach reach;
  int side, leaves; /* of the cube; leaves below a target */
  int low_rank;
  int plain; /* 1: List 1's 27 tables beside it; else the side of a square matrix for 189 offsets, 0: none */
};
#define EQUAL(size)                                                                                                            \
  { size, size, size, size, size, size, size, size }
static const struct kind kinds[] = {
    {"List 1, p=8", {20, 20, 20, 10, 20, 10, 10, 10}, EQUAL(64), TAC_REACH_ALL, 16, 1, 0, 1},
    {"List 1, p=9", {35, 20, 20, 20, 20, 20, 20, 10}, {125, 100, 100, 80, 100, 80, 80, 64}, TAC_REACH_ALL, 16, 1, 0, 1},
    {"M2L, rank 120", EQUAL(120), EQUAL(120), TAC_REACH_NEIGHBOURS, 8, 8, 0, 120},
    {"M2L, rank 120, low", EQUAL(120), EQUAL(120), TAC_REACH_NEIGHBOURS, 8, 8, 1, 120},
    {"M2L, rank 220", EQUAL(220), EQUAL(220), TAC_REACH_NEIGHBOURS, 8, 8, 0, 220},
    {"M2L, rank 220, low", EQUAL(220), EQUAL(220), TAC_REACH_NEIGHBOURS, 8, 8, 1, 220},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The plain way's time for a leaf. */
static int measure_plainly(double *ns, const struct kind *kind, const struct tac_stencil_shape *shape, const double *numbers,
                           const struct bench_plan *plan) {
  struct tac_stencil_shape plain = *shape;
  if (kind->plain > 1)
    for (int class = 0; class < 8; class ++)
      plain.source_begin[class + 1] = plain.target_begin[class + 1] = kind->plain * (class + 1) / 8;
  struct cube cube;
  int failed = cube_create(&cube, NULL, &plain, kind->plain > 1 ? kind->side : 8);
  cube.numbers = (double *)numbers;
  cube.passes = kind->plain > 1 ? 189 : 27;
  failed = failed || bench_times(ns, &(struct bench_subject){"plain", run_plainly, &cube}, 1, plan);
  *ns /= TILE;
  cube_destroy(&cube);
  return failed;
}

static int measure_stencil(const struct kind *kind, const double *numbers, const struct bench_plan *plan) {
  struct family family = {.shape = {.dim = 3, .reach = kind->reach}, .numbers = numbers, .low_rank = kind->low_rank};
  for (int class = 0; class < 8; class ++) {
    family.shape.source_begin[class + 1] = family.shape.source_begin[class] + kind->source_sizes[class];
    family.shape.target_begin[class + 1] = family.shape.target_begin[class] + kind->target_sizes[class];
  }
  struct tac_stencil *stencil = NULL;
  struct cube cube = {0};
  double ns[2], plain = 0;
  const clock_t begin = clock();
  if (tac_stencil_create(&stencil, &family.shape, give_matrix, &family, kind->low_rank ? 1e-9 : 0, NULL, NULL))
    return -1;
  const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  const struct bench_subject subjects[2] = {{"stencil", run_stencil, &cube}, {"pairing", run_pairing, &cube}};
  int failed = cube_create(&cube, stencil, &family.shape, kind->side) || bench_times(ns, subjects, 2, plan) ||
               measure_plainly(&plain, kind, &family.shape, numbers, plan);
  const double tile = tac_stencil_tile(stencil), leaves = tile * kind->leaves, flops = tac_stencil_flops(stencil) * tile;
  if (!failed)
    printf("%-20s %5d %9.2f %9.2f %8.0f%% %9.1f %9.2f %8.1f %9.1f %9.2f\n", kind->name, tac_stencil_tile(stencil),
           ns[0] / leaves / 1000, plain / 1000, 100 * ns[1] / ns[0], flops / ns[0], flops / leaves / 1e6,
           plain * leaves / ns[0], (double)tac_stencil_bytes(stencil) / 1e6, seconds);
  cube_destroy(&cube);
  tac_stencil_destroy(&stencil);
  return failed;
}

static int measure_stencils(const struct bench_plan *plan, int count) {
  const size_t most = (size_t)1760 * 1760;
  double *numbers = random_numbers(most);
  int failed = !numbers;
  printf("\nStencils with full neighbourhoods\n%-20s %5s %9s %9s %9s %9s %9s %8s %9s %9s\n", "", "tile", "us/leaf", "plain",
         "pairing", "GF/s", "MF/leaf", "faster", "MB", "set-up s");
  for (int k = 0; k < count && !failed; k++)
    failed = measure_stencil(&kinds[k], numbers, plan);
  tac_allocator_system()->release(NULL, numbers);
  return failed;
}

int main(int argc, char **argv) {
  struct bench_options options;
  const int read = bench_options_read(&options, argc, argv, "Products and stencils of the fast multipole method.\n");
  if (read)
    return read == 1 ? 0 : read;
  struct bench_plan plan = {.rounds = 41, .least = 1, .cpu_time = 1, .sample_ns = 4000000, .warm_ns = 100000};
  if (options.quick)
    plan = (struct bench_plan){.rounds = 1, .cpu_time = 1, .sample_ns = 10000};
  if (options.rounds)
    plan.rounds = options.rounds;
  tac_blas_set_threads(1);
  const struct tac_blas_info blas = tac_blas_info();
  const struct bench_fma fma = bench_fma_find();
  double ns;
  int failed = bench_times(&ns, &(struct bench_subject){"fma", fma.run, NULL}, 1, &plan);
  printf("One thread, %s, kernel %s; multiply-adds from registers (%s): %.1f GF/s\n\n", blas.name, blas.kernel,
         fma.instructions, fma.flops / ns);
  failed = failed || measure_products(&plan, fma.flops / ns, options.quick ? 2 : SHAPES) ||
           measure_stencils(&plan, options.quick ? 1 : KINDS);
  if (failed)
    fprintf(stderr, "fmm_kernels: out of memory\n");
  return failed ? 1 : 0;
}
