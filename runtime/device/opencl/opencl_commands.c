/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdint.h>

#include "runtime/device/opencl/opencl.h"

/* An event of ours is OpenCL's. */
static cl_event *event_of(struct tac_backend_event **event) {
  return (cl_event *)(void *)event;
}

static enum tac_status outcome(cl_int code, const char *what, struct tac_error *error) {
  return code == CL_SUCCESS ? TAC_STATUS_OK : tac_opencl_failure(error, tac_opencl_status(code), what, code);
}

static cl_int set_arguments(cl_kernel kernel, const struct tac_backend_argument *arguments, size_t count) {
  cl_int code = CL_SUCCESS;
  for (size_t i = 0; i < count && code == CL_SUCCESS; i++) {
    cl_mem memory = arguments[i].memory;
    code = memory ? clSetKernelArg(kernel, (cl_uint)i, sizeof memory, &memory)
                  : clSetKernelArg(kernel, (cl_uint)i, arguments[i].bytes, arguments[i].value);
  }
  return code;
}

/* OpenCL keeps arguments from one launch to the next, so that it would take those of another launch for the missing ones. */
static enum tac_status check_launch(const struct tac_opencl_kernel *kernel, const size_t groups[3], const size_t items[3],
                                    size_t count, struct tac_error *error) {
  if (count != kernel->arguments)
    return tac_error_set(error, TAC_STATUS_INVALID, "opencl", "%zu arguments for a kernel of %u", count, kernel->arguments);
  for (int d = 0; d < 3; d++)
    if (groups[d] > SIZE_MAX / items[d])
      return tac_error_set(error, TAC_STATUS_INVALID, "opencl", "%zu groups of %zu items are more than can be counted",
                           groups[d], items[d]);
  return TAC_STATUS_OK;
}

enum tac_status tac_opencl_launch(void *context, void *stream, void *kernel, const size_t groups[3], const size_t items[3],
                                  const struct tac_backend_argument *arguments, size_t count, struct tac_backend_event **event,
                                  struct tac_error *error) {
  (void)context;
  struct tac_opencl_kernel *own = kernel;
  const enum tac_status status = check_launch(own, groups, items, count, error);
  if (status)
    return status;
  const size_t global[3] = {groups[0] * items[0], groups[1] * items[1], groups[2] * items[2]};
  pthread_mutex_lock(&own->lock);
  cl_int code = set_arguments(own->kernel, arguments, count);
  const char *what = "clSetKernelArg";
  if (code == CL_SUCCESS) {
    what = "clEnqueueNDRangeKernel";
    code = clEnqueueNDRangeKernel(stream, own->kernel, 3, NULL, global, items, 0, NULL, event_of(event));
  }
  pthread_mutex_unlock(&own->lock);
  return outcome(code, what, error);
}

enum tac_status tac_opencl_write(void *context, void *stream, void *to, size_t offset, const void *from, size_t bytes,
                                 struct tac_backend_event **event, struct tac_error *error) {
  (void)context;
  return outcome(clEnqueueWriteBuffer(stream, to, CL_FALSE, offset, bytes, from, 0, NULL, event_of(event)),
                 "clEnqueueWriteBuffer", error);
}

enum tac_status tac_opencl_read(void *context, void *stream, void *from, size_t offset, void *to, size_t bytes,
                                struct tac_backend_event **event, struct tac_error *error) {
  (void)context;
  return outcome(clEnqueueReadBuffer(stream, from, CL_TRUE, offset, bytes, to, 0, NULL, event_of(event)), "clEnqueueReadBuffer",
                 error);
}

enum tac_status tac_opencl_copy(void *context, void *stream, void *to, size_t to_offset, void *from, size_t from_offset,
                                size_t bytes, struct tac_backend_event **event, struct tac_error *error) {
  (void)context;
  return outcome(clEnqueueCopyBuffer(stream, from, to, from_offset, to_offset, bytes, 0, NULL, event_of(event)),
                 "clEnqueueCopyBuffer", error);
}

enum tac_status tac_opencl_clear(void *context, void *stream, void *memory, size_t offset, size_t bytes,
                                 struct tac_backend_event **event, struct tac_error *error) {
  (void)context;
  const cl_uchar zero[8] = {0};
  const size_t pattern = offset % 8 == 0 && bytes % 8 == 0 ? 8 : 1;
  return outcome(clEnqueueFillBuffer(stream, memory, zero, pattern, offset, bytes, 0, NULL, event_of(event)),
                 "clEnqueueFillBuffer", error);
}

enum tac_status tac_opencl_map(void *context, void *stream, void *memory, size_t offset, size_t bytes, enum tac_map_mode mode,
                               int wait, void **pointer, struct tac_error *error) {
  (void)context;
  cl_map_flags flags = 0;
  if (mode & TAC_MAP_READ)
    flags |= CL_MAP_READ;
  if (mode & TAC_MAP_WRITE)
    flags |= CL_MAP_WRITE;
  cl_int code = CL_SUCCESS;
  *pointer = clEnqueueMapBuffer(stream, memory, wait ? CL_TRUE : CL_FALSE, flags, offset, bytes, 0, NULL, NULL, &code);
  return outcome(code, "clEnqueueMapBuffer", error);
}

enum tac_status tac_opencl_unmap(void *context, void *stream, void *memory, void *pointer, struct tac_error *error) {
  (void)context;
  return outcome(clEnqueueUnmapMemObject(stream, memory, pointer, 0, NULL, NULL), "clEnqueueUnmapMemObject", error);
}

enum tac_status tac_opencl_wait(void *context, void *stream, void *other, struct tac_error *error) {
  (void)context;
  cl_event reached = NULL;
  cl_int code = clEnqueueMarkerWithWaitList(other, 0, NULL, &reached);
  if (code != CL_SUCCESS)
    return outcome(code, "clEnqueueMarkerWithWaitList", error);
  code = clEnqueueBarrierWithWaitList(stream, 1, &reached, NULL);
  clReleaseEvent(reached);
  if (code == CL_SUCCESS)
    code = clFlush(other);
  return outcome(code, "clEnqueueBarrierWithWaitList", error);
}

enum tac_status tac_opencl_finish(void *context, void *stream, struct tac_error *error) {
  struct tac_opencl *own = context;
  const cl_int code = clFinish(stream);
  if (own->timing)
    tac_opencl_follow_clock(own);
  return code == CL_SUCCESS ? TAC_STATUS_OK : tac_opencl_failure(error, TAC_STATUS_DEVICE, "clFinish", code);
}

void tac_opencl_discard(void *context, struct tac_backend_event *event) {
  (void)context;
  clReleaseEvent((cl_event)(void *)event);
}

enum tac_status tac_opencl_times(void *context, struct tac_backend_event *event, int64_t *start_ns, int64_t *finish_ns,
                                 struct tac_error *error) {
  struct tac_opencl *own = context;
  const int64_t shift_ns = atomic_load_explicit(&own->shift_ns, memory_order_relaxed);
  cl_event native = (cl_event)(void *)event;
  cl_ulong start = 0, end = 0;
  /* A finished queue does not promise that the event's times are there yet; a finished event does. */
  cl_int code = clWaitForEvents(1, &native);
  if (code == CL_SUCCESS)
    code = clGetEventProfilingInfo(native, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
  if (code == CL_SUCCESS)
    code = clGetEventProfilingInfo(native, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  clReleaseEvent(native);
  *start_ns = (int64_t)start + shift_ns;
  *finish_ns = (int64_t)end + shift_ns;
  return code == CL_SUCCESS ? TAC_STATUS_OK
                            : tac_opencl_failure(error, TAC_STATUS_DEVICE, "the reading of an event's times", code);
}
