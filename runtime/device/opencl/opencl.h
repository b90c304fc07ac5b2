/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_DEVICE_OPENCL_H
#define RUNTIME_DEVICE_OPENCL_H

#include <pthread.h>
#include <stdatomic.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "runtime/device/backend.h"

struct tac_opencl {
  cl_device_id device;
  cl_context context;
  int shares_memory, timing;
  _Atomic int64_t shift_ns; /* from the device's clock to CLOCK_MONOTONIC; timing only, as the next */
  int counts_raw;           /* 1: the device's clock is CLOCK_MONOTONIC_RAW */
};

/* Arguments are kept in the kernel object between setting and launch: one launch of it at a time. */
struct tac_opencl_kernel {
  cl_kernel kernel;
  cl_uint arguments; /* that it takes */
  pthread_mutex_t lock;
};

/* The error's text: what failed, and OpenCL's name of the reason; native_code is the code. */
enum tac_status tac_opencl_failure(struct tac_error *error, enum tac_status status, const char *what, cl_int code);
/* MEMORY for the codes of allocations that do not fit, INVALID for those of what the caller gave, else DEVICE. */
enum tac_status tac_opencl_status(cl_int code);

enum tac_status tac_opencl_list(struct tac_device_info *infos, size_t room, size_t *count, struct tac_error *error);
/* The device of that number, as tac_opencl_list counts. */
enum tac_status tac_opencl_find(cl_device_id *out, int number, struct tac_error *error);

/* Finds the shift of the device's clock when the device is opened, and follows it from one finish to the next. */
enum tac_status tac_opencl_place_clock(struct tac_opencl *own, struct tac_error *error);
void tac_opencl_follow_clock(struct tac_opencl *own);

/* What the table of opencl.c needs of opencl_commands.c. */
enum tac_status tac_opencl_launch(void *context, void *stream, void *kernel, const size_t groups[3], const size_t items[3],
                                  const struct tac_backend_argument *arguments, size_t count, struct tac_backend_event **event,
                                  struct tac_error *error);
enum tac_status tac_opencl_write(void *context, void *stream, void *to, size_t offset, const void *from, size_t bytes,
                                 struct tac_backend_event **event, struct tac_error *error);
enum tac_status tac_opencl_read(void *context, void *stream, void *from, size_t offset, void *to, size_t bytes,
                                struct tac_backend_event **event, struct tac_error *error);
enum tac_status tac_opencl_copy(void *context, void *stream, void *to, size_t to_offset, void *from, size_t from_offset,
                                size_t bytes, struct tac_backend_event **event, struct tac_error *error);
enum tac_status tac_opencl_clear(void *context, void *stream, void *memory, size_t offset, size_t bytes,
                                 struct tac_backend_event **event, struct tac_error *error);
enum tac_status tac_opencl_map(void *context, void *stream, void *memory, size_t offset, size_t bytes, enum tac_map_mode mode,
                               int wait, void **pointer, struct tac_error *error);
enum tac_status tac_opencl_unmap(void *context, void *stream, void *memory, void *pointer, struct tac_error *error);
enum tac_status tac_opencl_wait(void *context, void *stream, void *other, struct tac_error *error);
enum tac_status tac_opencl_finish(void *context, void *stream, struct tac_error *error);
enum tac_status tac_opencl_times(void *context, struct tac_backend_event *event, int64_t *start_ns, int64_t *finish_ns,
                                 struct tac_error *error);
void tac_opencl_discard(void *context, struct tac_backend_event *event);

#endif
