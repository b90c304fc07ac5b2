/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/device_dense.h>

#include <stdint.h>
#include <stdlib.h>

#include "runtime/device/dense_common.h"
#include "runtime/device/device.h"

extern const char tac_kernel_source_svd[];

/* As in svd.kernel. */
struct kernel_problem {
  uint64_t a, u, s, v, work;
  int32_t m, n, lda, ldu, ldv;
  uint32_t index;
};
_Static_assert(sizeof(struct kernel_problem) == 64, "the layout of svd.kernel");
enum { CONVERGED = 0, NOT_CONVERGED = 1, NOT_FINITE = 2 };
#define GPU_CREWS 8 /* TAC_DENSE_TEAM / MEMBERS there */

struct tac_device_svd {
  struct tac_device *device;
  enum tac_device_scalar scalar;
  const struct tac_backend_dense *vendor; /* NULL: kernels of ours */
  void *vendor_plan;
  enum tac_device_form form;
  struct tac_device_kernel *decompose, *rotate, *complete, *write;
  struct tac_dense_table table; /* problems; of a library's plan only what was sent */
  struct tac_device_memory *work;
  struct tac_dense_table info; /* a 32-bit outcome a problem */
  size_t problems, described;  /* described: those that have a singular value, which the kernels see */
  size_t end[4];               /* of what the plan reaches in a, u, s and v, elements */
};

static enum tac_status find_kernels(struct tac_device_svd *svd, struct tac_error *error) {
  struct tac_device_program *program = NULL;
  enum tac_status status =
      tac_dense_program(&program, svd->device, "svd", tac_kernel_source_svd, svd->scalar, svd->form, error);
  if (!status)
    status = tac_device_kernel(&svd->decompose, program, "tac_svd_decompose", error);
  if (!status)
    status = tac_device_kernel(&svd->rotate, program, "tac_svd_rotate", error);
  if (!status)
    status = tac_device_kernel(&svd->complete, program, "tac_svd_complete", error);
  if (!status)
    status = tac_device_kernel(&svd->write, program, "tac_svd_write", error);
  return status;
}

enum tac_status tac_device_svd_create_form(struct tac_device_svd **out, struct tac_device *device,
                                           enum tac_device_scalar scalar, enum tac_device_form form, struct tac_error *error) {
  enum tac_status status = tac_device_scalar_check(device, scalar, error);
  if (status)
    return status;
  struct tac_device_svd *svd = tac_device_allocate(device, sizeof *svd);
  if (!svd)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for singular value decompositions");
  *svd = (struct tac_device_svd){.device = device, .scalar = scalar, .form = tac_dense_form(device, form)};
  const struct tac_backend_dense *vendor = tac_device_backend(device)->dense;
  if (form == TAC_FORM_CHOSEN && vendor && vendor->svd_plan && vendor->svd_supports && vendor->svd_supports(scalar))
    svd->vendor = vendor;
  else
    status = find_kernels(svd, error);
  if (status) {
    tac_device_svd_destroy(&svd);
    return status;
  }
  *out = svd;
  return TAC_STATUS_OK;
}

enum tac_status tac_device_svd_create(struct tac_device_svd **out, struct tac_device *device, enum tac_device_scalar scalar,
                                      struct tac_error *error) {
  return tac_device_svd_create_form(out, device, scalar, TAC_FORM_CHOSEN, error);
}

/* A library's plan may still be sending from its memory, as the table of ours. */
static enum tac_status forget_plan(struct tac_device_svd *svd, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  if (svd->vendor_plan) {
    status = tac_sent_settle(&svd->table.sent, "descriptors", error);
    svd->vendor->svd_release(tac_device_context(svd->device), svd->vendor_plan);
  }
  svd->vendor_plan = NULL;
  svd->problems = svd->described = 0;
  for (int i = 0; i < 4; i++)
    svd->end[i] = 0;
  return status;
}

void tac_device_svd_destroy(struct tac_device_svd **svd) {
  if (!svd || !*svd)
    return;
  struct tac_device_svd *gone = *svd;
  forget_plan(gone, NULL);
  tac_dense_table_release(&gone->table, gone->device);
  tac_dense_table_release(&gone->info, gone->device);
  tac_device_memory_give(&gone->work);
  tac_device_free(gone->device, gone);
  *svd = NULL;
}

static int lesser(int a, int b) {
  return a < b ? a : b;
}

static enum tac_status check_problem(const struct tac_device_svd_problem *p, size_t index, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  if (p->m < 0 || p->n < 0)
    status = tac_error_set(error, TAC_STATUS_INVALID, __func__, "matrix %zu is %d x %d", index, p->m, p->n);
  else if (p->lda < p->m || p->ldu < p->m || p->ldv < p->n)
    status = tac_error_set(error, TAC_STATUS_INVALID, __func__, "a leading dimension of matrix %zu is below its rows", index);
  if (status && error)
    error->item = index;
  return status;
}

static void add_extents(struct tac_device_svd *svd, const struct tac_device_svd_problem *p) {
  const int rank = lesser(p->m, p->n);
  tac_dense_extend(&svd->end[0], p->a, p->m, p->n, p->lda);
  tac_dense_extend(&svd->end[1], p->u, p->m, rank, p->ldu);
  tac_dense_extend(&svd->end[2], p->s, rank, 1, rank);
  tac_dense_extend(&svd->end[3], p->v, p->n, rank, p->ldv);
}

/* Reals of a problem's work space, a whole number of cache lines: see lay_out in svd.kernel. */
static size_t work_of(const struct tac_device_svd *svd, const struct tac_device_svd_problem *p) {
  const size_t lanes = 32 / tac_dense_real_bytes(svd->scalar), parts = tac_dense_is_complex(svd->scalar) ? 2 : 1;
  const size_t rank = (size_t)lesser(p->m, p->n), crews = svd->form == TAC_FORM_CPU ? 1 : GPU_CREWS;
  const size_t tall = ((size_t)p->m + (size_t)p->n - rank + lanes - 1) / lanes * lanes,
               wide = (rank + lanes - 1) / lanes * lanes;
  const size_t reals = lanes + parts * (tall * (rank + crews) + 2 * wide * rank + rank) + 4 * rank;
  return (reals + 15) / 16 * 16;
}

/* The most work first. */
static int by_work(const void *left, const void *right) {
  const struct kernel_problem *a = left, *b = right;
  const int rank_a = lesser(a->m, a->n), rank_b = lesser(b->m, b->n);
  const double work_a = (double)a->m * a->n * rank_a, work_b = (double)b->m * b->n * rank_b;
  if (work_a != work_b)
    return work_a > work_b ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

static enum tac_status reserve_work(struct tac_device_svd *svd, size_t bytes, struct tac_error *error) {
  if (svd->work && tac_device_memory_bytes(svd->work) >= bytes)
    return TAC_STATUS_OK;
  tac_device_memory_give(&svd->work);
  return tac_device_memory_take(&svd->work, svd->device, bytes, error);
}

static enum tac_status plan_kernels(struct tac_device_svd *svd, struct tac_queue *queue,
                                    const struct tac_device_svd_problem *problems, size_t count, struct tac_error *error) {
  enum tac_status status = tac_dense_table_reserve(&svd->table, svd->device, count * sizeof(struct kernel_problem), error);
  if (status)
    return status;
  struct kernel_problem *described = svd->table.host;
  size_t work = 0;
  for (size_t i = 0; i < count; i++) {
    const struct tac_device_svd_problem *p = problems + i;
    if (lesser(p->m, p->n) == 0)
      continue;
    described[svd->described++] = (struct kernel_problem){.a = p->a,
                                                          .u = p->u,
                                                          .s = p->s,
                                                          .v = p->v,
                                                          .work = work,
                                                          .m = p->m,
                                                          .n = p->n,
                                                          .lda = p->lda,
                                                          .ldu = p->ldu,
                                                          .ldv = p->ldv,
                                                          .index = (uint32_t)i};
    work += work_of(svd, p);
  }
  if (svd->described == 0)
    return TAC_STATUS_OK;
  qsort(described, svd->described, sizeof *described, by_work);
  status = reserve_work(svd, work * tac_dense_real_bytes(svd->scalar), error);
  if (!status)
    status = tac_dense_table_send(&svd->table, queue, svd->described * sizeof *described, error);
  return status;
}

static enum tac_status plan_vendor(struct tac_device_svd *svd, struct tac_queue *queue,
                                   const struct tac_device_svd_problem *problems, size_t count, struct tac_error *error) {
  struct tac_queue_watch watch;
  svd->table.sent = tac_queue_sent(queue);
  return svd->vendor->svd_plan(tac_device_context(svd->device), tac_queue_stream(queue), svd->scalar, problems, count,
                               &svd->vendor_plan, tac_queue_watch(queue, &watch, "svd"), error);
}

enum tac_status tac_device_svd_plan(struct tac_device_svd *svd, struct tac_queue *queue,
                                    const struct tac_device_svd_problem *problems, size_t count, struct tac_error *error) {
  enum tac_status status = forget_plan(svd, error);
  for (size_t i = 0; i < count && !status; i++)
    status = check_problem(problems + i, i, error);
  if (!status && count > INT32_MAX)
    status = tac_error_set(error, TAC_STATUS_INVALID, __func__, "too many matrices for one plan: %zu", count);
  if (status || count == 0)
    return status;
  status = tac_dense_table_reserve(&svd->info, svd->device, count * sizeof(int32_t), error);
  if (!status) /* for those that no kernel sees */
    status = tac_queue_clear(queue, svd->info.memory, 0, count * sizeof(int32_t), error);
  if (!status && svd->vendor)
    status = plan_vendor(svd, queue, problems, count, error);
  else if (!status)
    status = plan_kernels(svd, queue, problems, count, error);
  if (status) {
    forget_plan(svd, NULL);
    return status;
  }
  for (size_t i = 0; i < count; i++)
    add_extents(svd, problems + i);
  svd->problems = count;
  return TAC_STATUS_OK;
}

static enum tac_status run_vendor(struct tac_device_svd *svd, struct tac_queue *queue, const struct tac_device_array arrays[4],
                                  struct tac_error *error) {
  struct tac_backend_array places[4] = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
  for (int i = 0; i < 4; i++)
    if (arrays[i].memory)
      places[i] = (struct tac_backend_array){tac_memory_handle(arrays[i].memory), arrays[i].offset};
  struct tac_queue_call call;
  struct tac_queue_watch watch;
  const struct tac_backend_watcher *watcher = tac_queue_watch(queue, &watch, "svd");
  struct tac_backend_event **event = tac_queue_call_begin(queue, &call, "svd");
  enum tac_status status =
      svd->vendor->svd_run(tac_device_context(svd->device), tac_queue_stream(queue), svd->vendor_plan, places[0], places[1],
                           places[2], places[3], tac_memory_handle(svd->info.memory), event, watcher, error);
  return tac_queue_call_end(queue, &call, "svd", status, error);
}

static enum tac_status launch(struct tac_device_svd *svd, struct tac_queue *queue, const struct tac_device_kernel *kernel,
                              const struct tac_argument *arguments, size_t count, struct tac_error *error) {
  const struct tac_launch one_a_problem = {
      .kernel = kernel,
      .groups = {svd->described, 1, 1},
      .items = {svd->form == TAC_FORM_CPU ? 1 : TAC_DENSE_TEAM, 1, 1},
      .arguments = arguments,
      .argument_count = count,
  };
  return tac_queue_launch(queue, &one_a_problem, error);
}

static enum tac_status run_kernels(struct tac_device_svd *svd, struct tac_queue *queue, const struct tac_device_array arrays[4],
                                   struct tac_error *error) {
  const struct tac_argument problems = tac_argument_memory(svd->table.memory), work = tac_argument_memory(svd->work);
  const struct tac_argument info = tac_argument_memory(svd->info.memory);
  struct tac_argument memory[4], offset[4];
  for (int i = 0; i < 4; i++) {
    const uint64_t elements = arrays[i].offset;
    memory[i] = tac_argument_memory(arrays[i].memory);
    offset[i] = TAC_ARGUMENT_VALUE(elements);
  }
  const struct tac_argument of_decompose[] = {problems, work, info, memory[0], offset[0]};
  const struct tac_argument of_rotate[] = {problems, work, info}, of_complete[] = {problems, work};
  const struct tac_argument of_write[] = {problems, work, memory[1], offset[1], memory[2], offset[2], memory[3], offset[3]};
  enum tac_status status = launch(svd, queue, svd->decompose, of_decompose, 5, error);
  if (!status)
    status = launch(svd, queue, svd->rotate, of_rotate, 3, error);
  if (!status)
    status = launch(svd, queue, svd->complete, of_complete, 2, error);
  if (!status)
    status = launch(svd, queue, svd->write, of_write, 8, error);
  return status;
}

enum tac_status tac_device_svd_run(struct tac_device_svd *svd, struct tac_queue *queue, struct tac_device_array a,
                                   struct tac_device_array u, struct tac_device_array s, struct tac_device_array v,
                                   struct tac_error *error) {
  static const char *const names[4] = {"a", "u", "s", "v"};
  const struct tac_device_array arrays[4] = {a, u, s, v};
  for (int i = 0; i < 4; i++) {
    const size_t bytes = i == 2 ? tac_dense_real_bytes(svd->scalar) : tac_device_scalar_bytes(svd->scalar);
    enum tac_status status = tac_dense_check_extent(arrays[i], svd->end[i], bytes, names[i], error);
    if (status)
      return status;
  }
  if (svd->problems == 0 || (!svd->vendor && svd->described == 0))
    return TAC_STATUS_OK;
  return svd->vendor ? run_vendor(svd, queue, arrays, error) : run_kernels(svd, queue, arrays, error);
}

enum tac_status tac_device_svd_check(struct tac_device_svd *svd, struct tac_queue *queue, struct tac_error *error) {
  if (svd->problems == 0)
    return TAC_STATUS_OK;
  int32_t *info = svd->info.host;
  enum tac_status status = tac_queue_read(queue, svd->info.memory, 0, info, svd->problems * sizeof *info, error);
  for (size_t i = 0; i < svd->problems && !status; i++) {
    if (info[i] == CONVERGED)
      continue;
    const char *what = svd->vendor             ? "the library's solver failed"
                       : info[i] == NOT_FINITE ? "it is not finite"
                                               : "rotations did not end";
    status = tac_error_set(error, TAC_STATUS_NUMERICAL, __func__, "matrix %zu was not decomposed: %s", i, what);
    if (error) {
      error->item = i;
      error->native_code = info[i];
    }
  }
  return status;
}

int tac_device_svd_failed(const struct tac_device_svd *svd, size_t problem) {
  const int32_t *info = svd->info.host;
  return problem < svd->problems && info[problem] != CONVERGED;
}
