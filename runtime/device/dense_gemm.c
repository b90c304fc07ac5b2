/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/device_dense.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/dense_common.h"
#include "runtime/device/device.h"

extern const char tac_kernel_source_gemm[];

/* As in gemm.kernel, with its flags and extents. */
struct kernel_product {
  uint64_t a, b, c;
  int32_t m, n, k, lda, ldb, ldc;
  uint32_t flags, unused;
};
struct kernel_block {
  uint32_t product;
  int32_t row, column, rows, columns;
  uint32_t depth; /* k of its product */
};
_Static_assert(sizeof(struct kernel_product) == 56 && sizeof(struct kernel_block) == 24, "the layout of gemm.kernel");
enum { ADJOINT_A = 1, ADJOINT_B = 2, ACCUMULATE = 4, CONTINUED = 8 };

/* Of c: what one work-item (CPU form) or one work-group (GPU form) computes. Rows of the CPU form fill its packed block. */
#define CPU_ROW_BYTES 384
#define CPU_COLUMNS   96
#define GPU_TILE      32
#define GPU_ITEMS     64

/* What run is given. */
enum { FIRST_A, FIRST_B, SECOND_A, SECOND_B, RESULT, ARRAYS };

struct tac_device_gemm {
  struct tac_device *device;
  enum tac_device_scalar scalar;
  const struct tac_backend_dense *vendor; /* NULL: kernels of ours */
  void *vendor_plan[2]; /* of a library, which takes one product after the other: those that continue come second */
  enum tac_device_form form;
  const struct tac_device_kernel *kernel;
  struct tac_dense_table table; /* blocks, then products; of a library's plan only what was sent */
  size_t products, blocks, products_at;
  size_t end[ARRAYS]; /* of what the plan reads or writes of each array, elements */
  double flops;
};

static enum tac_status find_kernel(struct tac_device_gemm *gemm, struct tac_error *error) {
  struct tac_device_program *program = NULL;
  struct tac_device_kernel *kernel = NULL;
  enum tac_status status =
      tac_dense_program(&program, gemm->device, "gemm", tac_kernel_source_gemm, gemm->scalar, gemm->form, error);
  if (!status)
    status = tac_device_kernel(&kernel, program, gemm->form == TAC_FORM_CPU ? "tac_gemm_blocked" : "tac_gemm_tiled", error);
  gemm->kernel = kernel;
  return status;
}

enum tac_status tac_device_gemm_create_form(struct tac_device_gemm **out, struct tac_device *device,
                                            enum tac_device_scalar scalar, enum tac_device_form form, struct tac_error *error) {
  enum tac_status status = tac_device_scalar_check(device, scalar, error);
  if (status)
    return status;
  struct tac_device_gemm *gemm = tac_device_allocate(device, sizeof *gemm);
  if (!gemm)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for products");
  *gemm = (struct tac_device_gemm){.device = device, .scalar = scalar, .form = tac_dense_form(device, form)};
  const struct tac_backend_dense *vendor = tac_device_backend(device)->dense;
  if (form == TAC_FORM_CHOSEN && vendor && vendor->gemm_plan && vendor->gemm_supports && vendor->gemm_supports(scalar))
    gemm->vendor = vendor;
  else
    status = find_kernel(gemm, error);
  if (status) {
    tac_device_gemm_destroy(&gemm);
    return status;
  }
  *out = gemm;
  return TAC_STATUS_OK;
}

enum tac_status tac_device_gemm_create(struct tac_device_gemm **out, struct tac_device *device, enum tac_device_scalar scalar,
                                       struct tac_error *error) {
  return tac_device_gemm_create_form(out, device, scalar, TAC_FORM_CHOSEN, error);
}

/* A library's plan may still be sending from its memory, as the table of ours. */
static enum tac_status forget_plan(struct tac_device_gemm *gemm, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  if (gemm->vendor)
    status = tac_sent_settle(&gemm->table.sent, "descriptors", error);
  for (int part = 0; part < 2; part++) {
    if (gemm->vendor && gemm->vendor_plan[part])
      gemm->vendor->gemm_release(tac_device_context(gemm->device), gemm->vendor_plan[part]);
    gemm->vendor_plan[part] = NULL;
  }
  gemm->products = gemm->blocks = 0;
  gemm->flops = 0;
  for (int i = 0; i < ARRAYS; i++)
    gemm->end[i] = 0;
  return status;
}

void tac_device_gemm_destroy(struct tac_device_gemm **gemm) {
  if (!gemm || !*gemm)
    return;
  forget_plan(*gemm, NULL);
  tac_dense_table_release(&(*gemm)->table, (*gemm)->device);
  tac_device_free((*gemm)->device, *gemm);
  *gemm = NULL;
}

void tac_device_gemm_share(struct tac_device_gemm *gemm, struct tac_device_tables *tables) {
  forget_plan(gemm, NULL);
  tac_dense_table_share(&gemm->table, gemm->device, tables);
}

static int is_op(char op) {
  return op == 'N' || op == 'C';
}

/* Its result is that of the product before it, which continues none itself. */
static int continues_well(const struct tac_device_product *p, size_t index) {
  return index > 0 && !p[-1].continues && p[-1].m == p->m && p[-1].n == p->n && p[-1].c == p->c && p[-1].ldc == p->ldc;
}

static enum tac_status check_product(const struct tac_device_product *p, size_t index, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  if (p->m < 0 || p->n < 0 || p->k < 0)
    status =
        tac_error_set(error, TAC_STATUS_INVALID, __func__, "product %zu has extents %d x %d x %d", index, p->m, p->n, p->k);
  else if (!is_op(p->op_a) || !is_op(p->op_b))
    status = tac_error_set(error, TAC_STATUS_INVALID, __func__, "an op of product %zu is neither 'N' nor 'C'", index);
  else if (p->lda < (p->op_a == 'N' ? p->m : p->k) || p->ldb < (p->op_b == 'N' ? p->k : p->n) || p->ldc < p->m)
    status = tac_error_set(error, TAC_STATUS_INVALID, __func__, "a leading dimension of product %zu is below its rows", index);
  else if (p->continues && !continues_well(p, index))
    status = tac_error_set(error, TAC_STATUS_INVALID, __func__, "product %zu continues none with its result", index);
  if (status && error)
    error->item = index;
  return status;
}

static void add_extents(struct tac_device_gemm *gemm, const struct tac_device_product *p) {
  tac_dense_extend(&gemm->end[RESULT], p->c, p->m, p->n, p->ldc);
  if (p->m > 0 && p->n > 0) {
    tac_dense_extend(&gemm->end[p->continues ? SECOND_A : FIRST_A], p->a, p->op_a == 'N' ? p->m : p->k,
                     p->op_a == 'N' ? p->k : p->m, p->lda);
    tac_dense_extend(&gemm->end[p->continues ? SECOND_B : FIRST_B], p->b, p->op_b == 'N' ? p->k : p->n,
                     p->op_b == 'N' ? p->n : p->k, p->ldb);
  }
  gemm->flops += (tac_dense_is_complex(gemm->scalar) ? 8.0 : 2.0) * p->m * p->n * p->k;
}

struct cut {
  int rows, columns;
};

static struct cut cut_of(const struct tac_device_gemm *gemm) {
  if (gemm->form == TAC_FORM_CPU)
    return (struct cut){CPU_ROW_BYTES / (int)tac_device_scalar_bytes(gemm->scalar), CPU_COLUMNS};
  return (struct cut){GPU_TILE, GPU_TILE};
}

/* Into how many pieces of at most `most` an extent is cut. */
static size_t pieces(int extent, int most) {
  return ((size_t)extent + (size_t)most - 1) / (size_t)most;
}

/* The inner extents of a product and of the one that continues it, which `last` says. */
static uint32_t depth_of(const struct tac_device_product *p, int last) {
  return (uint32_t)p->k + (last || !p[1].continues ? 0 : (uint32_t)p[1].k);
}

static size_t blocks_of(const struct tac_device_product *p, int last, struct cut cut) {
  if (p->continues || (depth_of(p, last) == 0 && p->accumulate))
    return 0;
  return pieces(p->m, cut.rows) * pieces(p->n, cut.columns);
}

static struct kernel_block *write_blocks(struct kernel_block *block, const struct tac_device_product *p, uint32_t index,
                                         int last, struct cut cut) {
  if (blocks_of(p, last, cut) == 0)
    return block;
  const int rows = (int)pieces(p->m, cut.rows), columns = (int)pieces(p->n, cut.columns);
  for (int j = 0; j < columns; j++) /* row and column would overflow behind the last */
    for (int i = 0; i < rows; i++)
      *block++ = (struct kernel_block){.product = index,
                                       .row = i * cut.rows,
                                       .column = j * cut.columns,
                                       .rows = i + 1 == rows ? p->m - i * cut.rows : cut.rows,
                                       .columns = j + 1 == columns ? p->n - j * cut.columns : cut.columns,
                                       .depth = depth_of(p, last)};
  return block;
}

/* The most work first, so that on a GPU the last to run are short; ties in the order of the products. */
static int by_work(const void *left, const void *right) {
  const struct kernel_block *a = left, *b = right;
  const double work_a = (double)a->rows * a->columns * a->depth, work_b = (double)b->rows * b->columns * b->depth;
  if (work_a != work_b)
    return work_a > work_b ? -1 : 1;
  if (a->product != b->product)
    return a->product < b->product ? -1 : 1;
  if (a->column != b->column)
    return a->column < b->column ? -1 : 1;
  return (a->row > b->row) - (a->row < b->row);
}

/* Runtimes on a CPU hand stretches of neighbouring work-groups to their threads, half of all to the first of two: with sorted
 * blocks one would get the most work. In bit-reversed order every stretch has its share of long and of short ones. `sorted` is
 * room for a copy. */
static void spread(struct kernel_block *block, struct kernel_block *sorted, size_t count) {
  unsigned bits = 0;
  while ((size_t)1 << bits < count)
    bits++;
  if (count > 0)
    memcpy(sorted, block, count * sizeof *block);
  for (size_t i = 0; i < (size_t)1 << bits; i++) {
    size_t reversed = 0;
    for (unsigned b = 0; b < bits; b++)
      reversed |= (i >> b & 1) << (bits - 1 - b);
    if (reversed < count)
      *block++ = sorted[reversed];
  }
}

static struct kernel_product describe(const struct tac_device_product *p, int last) {
  return (struct kernel_product){
      .a = p->a,
      .b = p->b,
      .c = p->c,
      .m = p->m,
      .n = p->n,
      .k = p->k,
      .lda = p->lda,
      .ldb = p->ldb,
      .ldc = p->ldc,
      .flags = (p->op_a == 'C' ? ADJOINT_A : 0U) | (p->op_b == 'C' ? ADJOINT_B : 0U) |
               (p->accumulate || p->continues ? ACCUMULATE : 0U) | (!last && p[1].continues ? CONTINUED : 0U),
  };
}

static enum tac_status plan_kernels(struct tac_device_gemm *gemm, struct tac_queue *queue,
                                    const struct tac_device_product *products, size_t count, struct tac_error *error) {
  const struct cut cut = cut_of(gemm);
  size_t blocks = 0;
  for (size_t i = 0; i < count && blocks <= INT32_MAX; i++)
    blocks += blocks_of(products + i, i + 1 == count, cut);
  if (count > UINT32_MAX || blocks > INT32_MAX)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "too many products for one plan: %zu", count);
  gemm->products_at = blocks * sizeof(struct kernel_block);
  const size_t bytes = gemm->products_at + count * sizeof(struct kernel_product);
  /* Behind the table, on the host alone, a copy of the blocks. */
  const size_t copy = (bytes + 7) / 8 * 8;
  enum tac_status status = tac_dense_table_reserve(&gemm->table, gemm->device, copy + gemm->products_at, error);
  if (status)
    return status;
  struct kernel_block *block = gemm->table.host;
  struct kernel_block *sorted = (struct kernel_block *)(void *)((char *)gemm->table.host + copy);
  for (size_t i = 0; i < count; i++)
    block = write_blocks(block, products + i, (uint32_t)i, i + 1 == count, cut);
  qsort(gemm->table.host, blocks, sizeof *block, by_work);
  if (gemm->form == TAC_FORM_CPU)
    spread(gemm->table.host, sorted, blocks);
  struct kernel_product *described = (struct kernel_product *)(void *)((char *)gemm->table.host + gemm->products_at);
  for (size_t i = 0; i < count; i++)
    described[i] = describe(products + i, i + 1 == count);
  status = tac_dense_table_send(&gemm->table, queue, bytes, error);
  if (!status)
    gemm->blocks = blocks;
  return status;
}

static enum tac_status plan_part(struct tac_device_gemm *gemm, struct tac_queue *queue, int part,
                                 const struct tac_device_product *products, size_t count, struct tac_error *error) {
  struct tac_queue_watch watch;
  gemm->table.sent = tac_queue_sent(queue); /* by the call, also by one that then fails, or by the part before */
  return gemm->vendor->gemm_plan(tac_device_context(gemm->device), tac_queue_stream(queue), gemm->scalar, products, count,
                                 &gemm->vendor_plan[part], tac_queue_watch(queue, &watch, "gemm"), error);
}

/* A library knows no product that continues another: those are a plan of their own. */
static enum tac_status plan_vendor(struct tac_device_gemm *gemm, struct tac_queue *queue,
                                   const struct tac_device_product *products, size_t count, struct tac_error *error) {
  size_t continuing = 0;
  for (size_t i = 0; i < count; i++)
    continuing += products[i].continues != 0;
  if (continuing == 0)
    return plan_part(gemm, queue, 0, products, count, error);
  struct tac_device_product *sorted = tac_device_allocate(gemm->device, count * sizeof *sorted);
  if (!sorted)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for %zu products", count);
  size_t at[2] = {0, count - continuing};
  for (size_t i = 0; i < count; i++) {
    struct tac_device_product *to = &sorted[at[products[i].continues != 0]++];
    *to = products[i];
    to->accumulate = to->accumulate || to->continues;
    to->continues = 0;
  }
  enum tac_status status = plan_part(gemm, queue, 0, sorted, count - continuing, error);
  if (!status)
    status = plan_part(gemm, queue, 1, sorted + count - continuing, continuing, error);
  tac_device_free(gemm->device, sorted);
  return status;
}

enum tac_status tac_device_gemm_plan(struct tac_device_gemm *gemm, struct tac_queue *queue,
                                     const struct tac_device_product *products, size_t count, struct tac_error *error) {
  enum tac_status status = forget_plan(gemm, error);
  for (size_t i = 0; i < count && !status; i++)
    status = check_product(products + i, i, error);
  if (status)
    return status;
  for (size_t i = 0; i < count; i++)
    add_extents(gemm, products + i);
  if (count == 0)
    return TAC_STATUS_OK;
  if (gemm->vendor)
    status = plan_vendor(gemm, queue, products, count, error);
  else
    status = plan_kernels(gemm, queue, products, count, error);
  if (status) {
    forget_plan(gemm, NULL);
    return status;
  }
  gemm->products = count;
  return TAC_STATUS_OK;
}

static enum tac_status run_vendor(struct tac_device_gemm *gemm, struct tac_queue *queue, int part,
                                  const struct tac_device_array *factors, struct tac_device_array result,
                                  struct tac_error *error) {
  const struct tac_device_array arrays[3] = {factors[0], factors[1], result};
  struct tac_backend_array places[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
  if (!gemm->vendor_plan[part])
    return TAC_STATUS_OK;
  for (int i = 0; i < 3; i++)
    if (arrays[i].memory)
      places[i] = (struct tac_backend_array){tac_memory_handle(arrays[i].memory), arrays[i].offset};
  struct tac_queue_call call;
  struct tac_queue_watch watch;
  const struct tac_backend_watcher *watcher = tac_queue_watch(queue, &watch, "gemm");
  struct tac_backend_event **event = tac_queue_call_begin(queue, &call, "gemm");
  enum tac_status status =
      gemm->vendor->gemm_run(tac_device_context(gemm->device), tac_queue_stream(queue), gemm->vendor_plan[part], places[0],
                             places[1], places[2], event, watcher, error);
  return tac_queue_call_end(queue, &call, "gemm", status, error);
}

static enum tac_status run_kernels(struct tac_device_gemm *gemm, struct tac_queue *queue,
                                   const struct tac_device_array arrays[ARRAYS], struct tac_error *error) {
  struct tac_argument arguments[3 + 2 * ARRAYS];
  const uint64_t blocks_at = gemm->table.at, products_at = blocks_at + gemm->products_at;
  const enum tac_status status = tac_dense_table_ready(&gemm->table, queue, error);
  if (status)
    return status;
  arguments[0] = tac_argument_memory(gemm->table.memory);
  arguments[1] = TAC_ARGUMENT_VALUE(blocks_at);
  arguments[2] = TAC_ARGUMENT_VALUE(products_at);
  size_t count = 3;
  for (int i = 0; i < ARRAYS; i++) { /* a factor that is never read may have no memory */
    uint64_t offset = arrays[i].offset;
    arguments[count++] = tac_argument_memory(arrays[i].memory ? arrays[i].memory : gemm->table.memory);
    arguments[count++] = TAC_ARGUMENT_VALUE(offset);
  }
  const struct tac_launch launch = {
      .kernel = gemm->kernel,
      .groups = {gemm->blocks, 1, 1},
      .items = {gemm->form == TAC_FORM_CPU ? 1 : GPU_ITEMS, 1, 1},
      .arguments = arguments,
      .argument_count = count,
  };
  return tac_queue_launch(queue, &launch, error);
}

enum tac_status tac_device_gemm_run_continued(struct tac_device_gemm *gemm, struct tac_queue *queue,
                                              const struct tac_device_array first[2], const struct tac_device_array second[2],
                                              struct tac_device_array c, struct tac_error *error) {
  static const char *const names[ARRAYS] = {"a", "b", "the second a", "the second b", "c"};
  const struct tac_device_array arrays[ARRAYS] = {first[0], first[1], second[0], second[1], c};
  enum tac_status status = TAC_STATUS_OK;
  for (int i = 0; i < ARRAYS && !status; i++)
    status = tac_dense_check_extent(arrays[i], gemm->end[i], tac_device_scalar_bytes(gemm->scalar), names[i], error);
  if (status || gemm->products == 0)
    return status;
  if (!gemm->vendor)
    return run_kernels(gemm, queue, arrays, error);
  status = run_vendor(gemm, queue, 0, first, c, error);
  return status ? status : run_vendor(gemm, queue, 1, second, c, error);
}

enum tac_status tac_device_gemm_run(struct tac_device_gemm *gemm, struct tac_queue *queue, struct tac_device_array a,
                                    struct tac_device_array b, struct tac_device_array c, struct tac_error *error) {
  const struct tac_device_array factors[2] = {a, b};
  return tac_device_gemm_run_continued(gemm, queue, factors, factors, c, error);
}

double tac_device_gemm_flops(const struct tac_device_gemm *gemm) {
  return gemm->flops;
}
