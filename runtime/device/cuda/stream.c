/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Streams and the commands on them. A block's handle is its device pointer. */
#include <limits.h>
#include <stdlib.h>

#include "runtime/device/cuda/cuda.h"

enum tac_status tac_cuda_open_stream(void *context, void **out, struct tac_error *error) {
  struct tac_cuda *cuda = context;
  enum tac_status status = tac_cuda_enter(cuda, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_cuda_stream *stream = calloc(1, sizeof(*stream));
  if (!stream)
    return tac_cuda_no_memory(error);
  /* One that the legacy default stream, which is somebody else's, does not wait for. */
  status =
      tac_cuda_check(cudaStreamCreateWithFlags(&stream->stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags", error);
  if (status == TAC_STATUS_OK)
    status =
        tac_cuda_check(cudaEventCreateWithFlags(&stream->order, cudaEventDisableTiming), "cudaEventCreateWithFlags", error);
  if (status == TAC_STATUS_OK)
    *out = stream;
  else
    tac_cuda_close_stream(cuda, stream);
  return status;
}

void tac_cuda_close_stream(void *context, void *closed) {
  struct tac_cuda *cuda = context;
  struct tac_cuda_stream *stream = closed;
  tac_cuda_enter(cuda, NULL);
  if (stream->stream) {
    tac_cuda_check(cudaStreamSynchronize(stream->stream), "cudaStreamSynchronize", NULL);
    tac_cuda_check(cudaStreamDestroy(stream->stream), "cudaStreamDestroy", NULL);
  }
  if (stream->order)
    tac_cuda_check(cudaEventDestroy(stream->order), "cudaEventDestroy", NULL);
  tac_cuda_block_give(cuda, stream->workspace);
  free(stream);
}

void *tac_cuda_native(void *stream) {
  return ((struct tac_cuda_stream *)stream)->stream;
}

static enum tac_status check_shape(const size_t groups[3], const size_t items[3], struct tac_error *error) {
  if (groups[0] > INT_MAX || groups[1] > USHRT_MAX || groups[2] > USHRT_MAX)
    return tac_error_set(error, TAC_STATUS_INVALID, "cuda", "%zu x %zu x %zu groups: a grid has at most %d x %d x %d",
                         groups[0], groups[1], groups[2], INT_MAX, USHRT_MAX, USHRT_MAX);
  if (items[0] > 1024 || items[1] > 1024 || items[2] > 64)
    return tac_error_set(error, TAC_STATUS_INVALID, "cuda", "%zu x %zu x %zu items: a group has at most 1024 x 1024 x 64",
                         items[0], items[1], items[2]);
  return TAC_STATUS_OK;
}

static enum tac_status check_arguments(const struct tac_cuda_kernel *kernel, const struct tac_backend_argument *arguments,
                                       size_t count, struct tac_error *error) {
  if (count > TAC_LAUNCH_ARGUMENTS_MAX)
    return tac_error_set(error, TAC_STATUS_INVALID, "cuda", "%zu arguments: at most %d", count, TAC_LAUNCH_ARGUMENTS_MAX);
  if (!kernel->is_known)
    return TAC_STATUS_OK;
  if (count != kernel->arguments)
    return tac_error_set(error, TAC_STATUS_INVALID, "cuda", "%zu arguments for a kernel of %zu", count, kernel->arguments);
  for (size_t k = 0; k < count; k++) {
    const size_t bytes = arguments[k].memory ? sizeof(void *) : arguments[k].bytes;
    if (bytes != kernel->argument_bytes[k])
      return tac_error_set(error, TAC_STATUS_INVALID, "cuda", "argument %zu has %zu bytes, and the kernel's has %zu", k, bytes,
                           kernel->argument_bytes[k]);
  }
  return TAC_STATUS_OK;
}

enum tac_status tac_cuda_launch(void *context, void *on, void *launched, const size_t groups[3], const size_t items[3],
                                const struct tac_backend_argument *arguments, size_t count, struct tac_backend_event **event,
                                struct tac_error *error) {
  struct tac_cuda *cuda = context;
  struct tac_cuda_stream *stream = on;
  const struct tac_cuda_kernel *kernel = launched;
  void *values[TAC_LAUNCH_ARGUMENTS_MAX], *blocks[TAC_LAUNCH_ARGUMENTS_MAX];
  enum tac_status status = check_shape(groups, items, error);
  if (status == TAC_STATUS_OK)
    status = check_arguments(kernel, arguments, count, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_command_begin(cuda, stream, event, error);
  if (status != TAC_STATUS_OK)
    return status;
  for (size_t k = 0; k < count; k++) {
    blocks[k] = arguments[k].memory;
    values[k] = arguments[k].memory ? (void *)&blocks[k] : (void *)arguments[k].value;
  }
  const struct dim3 grid = {(unsigned)groups[0], (unsigned)groups[1], (unsigned)groups[2]};
  const struct dim3 group = {(unsigned)items[0], (unsigned)items[1], (unsigned)items[2]};
  status = tac_cuda_check(cudaLaunchKernel(kernel->kernel, grid, group, values, 0, stream->stream), "cudaLaunchKernel", error);
  return tac_cuda_command_end(cuda, stream, event, status, error);
}

static enum tac_status copy_bytes(struct tac_cuda *cuda, struct tac_cuda_stream *stream, void *to, const void *from,
                                  size_t bytes, enum cudaMemcpyKind kind, struct tac_backend_event **event,
                                  struct tac_error *error) {
  enum tac_status status = tac_cuda_command_begin(cuda, stream, event, error);
  if (status != TAC_STATUS_OK)
    return status;
  status = tac_cuda_check(cudaMemcpyAsync(to, from, bytes, kind, stream->stream), "cudaMemcpyAsync", error);
  return tac_cuda_command_end(cuda, stream, event, status, error);
}

enum tac_status tac_cuda_write(void *context, void *stream, void *to, size_t offset, const void *from, size_t bytes,
                               struct tac_backend_event **event, struct tac_error *error) {
  return copy_bytes(context, stream, (char *)to + offset, from, bytes, cudaMemcpyHostToDevice, event, error);
}

enum tac_status tac_cuda_read(void *context, void *on, void *from, size_t offset, void *to, size_t bytes,
                              struct tac_backend_event **event, struct tac_error *error) {
  struct tac_cuda *cuda = context;
  struct tac_cuda_stream *stream = on;
  enum tac_status status =
      copy_bytes(cuda, stream, to, (const char *)from + offset, bytes, cudaMemcpyDeviceToHost, event, error);
  if (status != TAC_STATUS_OK) {
    tac_cuda_settle(stream); /* the copy itself may have been submitted */
    return status;
  }
  status = tac_cuda_check(cudaStreamSynchronize(stream->stream), "cudaStreamSynchronize", error);
  if (status != TAC_STATUS_OK && event) {
    tac_cuda_discard(cuda, *event);
    *event = NULL;
  }
  return status;
}

enum tac_status tac_cuda_copy(void *context, void *stream, void *to, size_t to_offset, void *from, size_t from_offset,
                              size_t bytes, struct tac_backend_event **event, struct tac_error *error) {
  return copy_bytes(context, stream, (char *)to + to_offset, (const char *)from + from_offset, bytes, cudaMemcpyDeviceToDevice,
                    event, error);
}

enum tac_status tac_cuda_send(const struct tac_cuda_stream *stream, void *to, const void *from, size_t bytes,
                              const struct tac_backend_watcher *watcher, struct tac_error *error) {
  const enum tac_status status =
      tac_cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream->stream), "cudaMemcpyAsync", error);
  if (status == TAC_STATUS_OK)
    tac_backend_copied(watcher, TAC_COPY_TO_DEVICE, bytes);
  return status;
}

enum tac_status tac_cuda_clear(void *context, void *on, void *memory, size_t offset, size_t bytes,
                               struct tac_backend_event **event, struct tac_error *error) {
  struct tac_cuda *cuda = context;
  struct tac_cuda_stream *stream = on;
  enum tac_status status = tac_cuda_command_begin(cuda, stream, event, error);
  if (status != TAC_STATUS_OK)
    return status;
  status = tac_cuda_check(cudaMemsetAsync((char *)memory + offset, 0, bytes, stream->stream), "cudaMemsetAsync", error);
  return tac_cuda_command_end(cuda, stream, event, status, error);
}

/* The wait keeps what was recorded, so the event is free for the next wait at once. */
enum tac_status tac_cuda_wait(void *context, void *on, void *other, struct tac_error *error) {
  struct tac_cuda *cuda = context;
  struct tac_cuda_stream *stream = on, *before = other;
  enum tac_status status = tac_cuda_enter(cuda, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaEventRecord(stream->order, before->stream), "cudaEventRecord", error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaStreamWaitEvent(stream->stream, stream->order, 0), "cudaStreamWaitEvent", error);
  return status;
}

void tac_cuda_settle(const struct tac_cuda_stream *stream) {
  tac_cuda_check(cudaStreamSynchronize(stream->stream), "cudaStreamSynchronize", NULL);
}

enum tac_status tac_cuda_finish(void *context, void *on, struct tac_error *error) {
  struct tac_cuda *cuda = context;
  struct tac_cuda_stream *stream = on;
  enum tac_status status = tac_cuda_enter(cuda, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaStreamSynchronize(stream->stream), "cudaStreamSynchronize", error);
  if (status == TAC_STATUS_OK && cuda->timing)
    status = tac_cuda_times_renew(cuda, error);
  return status;
}
