/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * How many products become few calls of cuBLAS. Products of one shape form a group. A group with much work whose matrices lie
 * at regular distances, a single large product among them, is worth a launch of its own; all other groups share one. */
#include "runtime/device/cuda/gemm.h"

#include <stdlib.h>

/* Ten microseconds of a large device, a few times what a launch costs. */
#define OWN_CALL_FLOPS (2.0 * 512 * 512 * 512)

static int compare_numbers(size_t a, size_t b) {
  return (a > b) - (a < b);
}

/* -1, 0, 1 by shape alone. */
static int compare_shapes(const struct tac_device_product *p, const struct tac_device_product *q) {
  const int keys[][2] = {{p->m, q->m},       {p->n, q->n},       {p->k, q->k},
                         {p->op_a, q->op_a}, {p->op_b, q->op_b}, {p->accumulate != 0, q->accumulate != 0},
                         {p->lda, q->lda},   {p->ldb, q->ldb},   {p->ldc, q->ldc}};
  for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
    if (keys[k][0] != keys[k][1])
      return keys[k][0] < keys[k][1] ? -1 : 1;
  return 0;
}

/* By shape and then by place, so that regular distances show. Results do not overlap, so the order is free and definite. */
static int compare_products(const void *a, const void *b) {
  const struct tac_device_product *p = a, *q = b;
  const int shape = compare_shapes(p, q);
  return shape ? shape : compare_numbers(p->c, q->c);
}

/* Sorts the products with something to sum; the others are cleared or, with nothing to do, left out. */
static size_t sort_out(struct tac_cuda_gemm_plan *plan, struct tac_device_product *sorted,
                       const struct tac_device_product *products, size_t count) {
  size_t kept = 0;
  for (size_t k = 0; k < count; k++) {
    const struct tac_device_product *product = &products[k];
    if (product->m == 0 || product->n == 0)
      continue;
    if (product->k > 0)
      sorted[kept++] = *product;
    else if (!product->accumulate)
      plan->clears[plan->clear_count++] = *product;
  }
  qsort(sorted, kept, sizeof(*sorted), compare_products);
  return kept;
}

static bool is_regular(const struct tac_device_product *group, size_t count) {
  for (size_t k = 2; k < count; k++)
    if (group[k].a - group[k - 1].a != group[1].a - group[0].a || group[k].b - group[k - 1].b != group[1].b - group[0].b ||
        group[k].c - group[k - 1].c != group[1].c - group[0].c)
      return false;
  /* Distances backwards are no strides. */
  return count < 2 || (group[1].a >= group[0].a && group[1].b >= group[0].b);
}

static void add_call(struct tac_cuda_gemm_plan *plan, const struct tac_device_product *group, size_t count) {
  struct tac_cuda_gemm_call *call = &plan->calls[plan->call_count++];
  *call = (struct tac_cuda_gemm_call){.first = group[0], .count = (int)count};
  if (count > 1) {
    call->stride_a = (long long)(group[1].a - group[0].a);
    call->stride_b = (long long)(group[1].b - group[0].b);
    call->stride_c = (long long)(group[1].c - group[0].c);
  }
}

static cublasOperation_t operation(char op) {
  return op == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;
}

static void set_factor(void *factors, int at, enum tac_device_scalar scalar, int value) {
  if (scalar == TAC_DEVICE_REAL64)
    ((double *)factors)[at] = value;
  else
    ((float *)factors)[at] = (float)value;
}

/* `most`: what the arrays have room for. */
static void add_group(struct tac_cuda_gemm_plan *plan, const struct tac_device_product *group, size_t count, size_t most) {
  struct tac_cuda_gemm_groups *groups = &plan->groups;
  const int at = groups->count++;
  groups->op_a[at] = operation(group->op_a);
  groups->op_b[at] = operation(group->op_b);
  groups->m[at] = group->m;
  groups->n[at] = group->n;
  groups->k[at] = group->k;
  groups->lda[at] = group->lda;
  groups->ldb[at] = group->ldb;
  groups->ldc[at] = group->ldc;
  groups->size[at] = (int)count;
  set_factor(groups->alpha, at, plan->scalar, 1);
  set_factor(groups->beta, at, plan->scalar, group->accumulate ? 1 : 0);
  for (size_t k = 0; k < count; k++, groups->problems++) {
    groups->places[groups->problems] = group[k].a * plan->scalar_bytes;
    groups->places[most + groups->problems] = group[k].b * plan->scalar_bytes;
    groups->places[2 * most + groups->problems] = group[k].c * plan->scalar_bytes;
  }
}

/* The three parts of `places` move together once the number of problems is known. */
static void close_places(struct tac_cuda_gemm_groups *groups, size_t most) {
  for (size_t part = 1; part < 3; part++)
    for (size_t k = 0; k < groups->problems; k++)
      groups->places[part * groups->problems + k] = groups->places[part * most + k];
}

static void form_groups(struct tac_cuda_gemm_plan *plan, const struct tac_device_product *sorted, size_t count, size_t most) {
  for (size_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1; end < count && compare_shapes(&sorted[begin], &sorted[end]) == 0; end++)
      ;
    const struct tac_device_product *group = &sorted[begin];
    const size_t members = end - begin;
    const bool is_alone = members == count;
    const double flops = 2.0 * group->m * group->n * group->k * (double)members;
    if ((is_alone || flops >= OWN_CALL_FLOPS) && is_regular(group, members))
      add_call(plan, group, members);
    else
      add_group(plan, group, members, most);
  }
  close_places(&plan->groups, most);
}

static void *array(size_t count, size_t bytes) {
  return calloc(count ? count : 1, bytes);
}

static bool allocate(struct tac_cuda_gemm_plan *plan, size_t count) {
  struct tac_cuda_gemm_groups *groups = &plan->groups;
  plan->calls = array(count, sizeof(*plan->calls));
  plan->clears = array(count, sizeof(*plan->clears));
  groups->op_a = array(count, sizeof(*groups->op_a));
  groups->op_b = array(count, sizeof(*groups->op_b));
  groups->alpha = array(count, plan->scalar_bytes);
  groups->beta = array(count, plan->scalar_bytes);
  groups->places = array(3 * count, sizeof(*groups->places));
  int **const integers[] = {&groups->m, &groups->n, &groups->k, &groups->lda, &groups->ldb, &groups->ldc, &groups->size};
  bool is_complete =
      plan->calls && plan->clears && groups->op_a && groups->op_b && groups->alpha && groups->beta && groups->places;
  for (size_t k = 0; k < sizeof(integers) / sizeof(integers[0]); k++) {
    *integers[k] = array(count, sizeof(int));
    is_complete = is_complete && *integers[k];
  }
  return is_complete;
}

void tac_cuda_gemm_release(void *context, void *released) {
  struct tac_cuda *cuda = context;
  struct tac_cuda_gemm_plan *plan = released;
  struct tac_cuda_gemm_groups *groups = &plan->groups;
  void *const arrays[] = {plan->calls, plan->clears, groups->op_a, groups->op_b, groups->m,     groups->n,    groups->k,
                          groups->lda, groups->ldb,  groups->ldc,  groups->size, groups->alpha, groups->beta, groups->places};
  for (size_t k = 0; k < sizeof(arrays) / sizeof(arrays[0]); k++)
    free(arrays[k]);
  tac_cuda_enter(cuda, NULL);
  if (plan->used)
    tac_cuda_check(cudaEventDestroy(plan->used), "cudaEventDestroy", NULL);
  tac_cuda_block_give(cuda, plan->block);
  free(plan);
}

static enum tac_status send_places(struct tac_cuda *cuda, const struct tac_cuda_stream *stream, struct tac_cuda_gemm_plan *plan,
                                   const struct tac_backend_watcher *watcher, struct tac_error *error) {
  const size_t bytes = 3 * plan->groups.problems * sizeof(uint64_t);
  if (bytes == 0)
    return TAC_STATUS_OK;
  const struct tac_cuda_kernels *kernels;
  enum tac_status status = tac_cuda_own_kernels(cuda, plan->scalar, &kernels, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_block_take(cuda, 2 * bytes, &plan->block, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_send(stream, plan->block->memory, plan->groups.places, bytes, watcher, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaEventCreateWithFlags(&plan->used, cudaEventDisableTiming), "cudaEventCreateWithFlags", error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaEventRecord(plan->used, stream->stream), "cudaEventRecord", error);
  return status;
}

enum tac_status tac_cuda_gemm_plan(void *context, void *stream, enum tac_device_scalar scalar,
                                   const struct tac_device_product *products, size_t count, void **out,
                                   const struct tac_backend_watcher *watcher, struct tac_error *error) {
  struct tac_cuda *cuda = context;
  enum tac_status status = tac_cuda_enter(cuda, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_cuda_gemm_plan *plan = calloc(1, sizeof(*plan));
  if (!plan)
    return tac_cuda_no_memory(error);
  plan->scalar = scalar;
  plan->scalar_bytes = scalar == TAC_DEVICE_REAL64 ? sizeof(double) : sizeof(float);
  struct tac_device_product *sorted = array(count, sizeof(*sorted));
  if (sorted && allocate(plan, count)) {
    form_groups(plan, sorted, sort_out(plan, sorted, products, count), count);
    status = send_places(cuda, stream, plan, watcher, error);
  } else {
    status = tac_cuda_no_memory(error);
  }
  free(sorted);
  if (status == TAC_STATUS_OK) {
    *out = plan;
  } else {
    tac_cuda_settle(stream);
    tac_cuda_gemm_release(cuda, plan);
  }
  return status;
}
