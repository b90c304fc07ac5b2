/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/device/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum tac_status open_stream(void *context, void **stream, struct tac_error *error) {
  const struct tac_opencl *own = context;
  cl_int code = CL_SUCCESS;
  cl_command_queue queue = clCreateCommandQueue(own->context, own->device, own->timing ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
  if (code != CL_SUCCESS)
    return tac_opencl_failure(error, tac_opencl_status(code), "clCreateCommandQueue", code);
  *stream = queue;
  return TAC_STATUS_OK;
}

static void close_stream(void *context, void *stream) {
  (void)context;
  clReleaseCommandQueue(stream);
}

static void *native(void *stream) {
  return stream;
}

static void close_device(void *context) {
  struct tac_opencl *own = context;
  if (own->context)
    clReleaseContext(own->context);
  free(own);
}

static enum tac_status open_device(void **out, int number, const struct tac_backend_options *options, struct tac_error *error) {
  struct tac_opencl *own = calloc(1, sizeof *own);
  if (!own)
    return tac_error_set(error, TAC_STATUS_MEMORY, "opencl", "no memory for a device");
  own->timing = options->timing;
  enum tac_status status = tac_opencl_find(&own->device, number, error);
  cl_int code = CL_SUCCESS;
  if (!status) {
    own->context = clCreateContext(NULL, 1, &own->device, NULL, NULL, &code);
    if (code != CL_SUCCESS)
      status = tac_opencl_failure(error, tac_opencl_status(code), "clCreateContext", code);
  }
  cl_uint unified = 0;
  if (!status && clGetDeviceInfo(own->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified, NULL) == CL_SUCCESS)
    own->shares_memory = unified != 0;
  if (!status && own->timing)
    status = tac_opencl_place_clock(own, error);
  if (status)
    close_device(own);
  else
    *out = own;
  return status;
}

static enum tac_status allocate(void *context, size_t bytes, void **memory, struct tac_error *error) {
  const struct tac_opencl *own = context;
  cl_int code = CL_SUCCESS;
  cl_mem made =
      clCreateBuffer(own->context, CL_MEM_READ_WRITE | (own->shares_memory ? CL_MEM_ALLOC_HOST_PTR : 0), bytes, NULL, &code);
  if (code != CL_SUCCESS)
    return tac_opencl_failure(error, tac_opencl_status(code), "clCreateBuffer", code);
  *memory = made;
  return TAC_STATUS_OK;
}

static void release(void *context, void *memory) {
  (void)context;
  clReleaseMemObject(memory);
}

static char *build_log(const struct tac_opencl *own, cl_program program) {
  size_t bytes = 0;
  if (clGetProgramBuildInfo(program, own->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) != CL_SUCCESS || bytes == 0)
    return NULL;
  char *log = malloc(bytes + 1);
  if (log && clGetProgramBuildInfo(program, own->device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL) == CL_SUCCESS) {
    log[bytes] = '\0';
    return log;
  }
  free(log);
  return NULL;
}

static int is_pocl(cl_device_id device) {
  cl_platform_id platform = NULL;
  char name[64] = "";
  return clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) == CL_SUCCESS &&
         clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
         strcmp(name, "Portable Computing Language") == 0;
}

static enum tac_status build(void *context, const char *name, const char *source, const char *options, void **program,
                             char **log, struct tac_error *error) {
  const struct tac_opencl *own = context;
  cl_int code = CL_SUCCESS;
  cl_program made = clCreateProgramWithSource(own->context, 1, &source, NULL, &code);
  if (code != CL_SUCCESS)
    return tac_opencl_failure(error, tac_opencl_status(code), "clCreateProgramWithSource", code);
  /* Some drivers print the number of warnings themselves, on the program's standard error. */
  char quiet[512];
  if (snprintf(quiet, sizeof quiet, "-w %s", options) >= (int)sizeof quiet) {
    clReleaseProgram(made);
    return tac_error_set(error, TAC_STATUS_INVALID, "opencl", "the options of %.60s are too long", name);
  }
  code = clBuildProgram(made, 1, &own->device, quiet, NULL, NULL);
  *log = build_log(own, made);
  if (code == CL_SUCCESS) {
    *program = made;
    return TAC_STATUS_OK;
  }
  clReleaseProgram(made);
  if (code == CL_BUILD_PROGRAM_FAILURE && !(*log && strstr(*log, "error:")) && is_pocl(own->device))
    return tac_error_set(error, TAC_STATUS_DEVICE, "opencl",
                         "%.60s does not build, and its compiler does not say why: PoCL must be able to write to "
                         "$POCL_CACHE_DIR or ~/.cache/pocl",
                         name);
  char what[96];
  snprintf(what, sizeof what, "the build of %.60s", name);
  return tac_opencl_failure(error, code == CL_BUILD_PROGRAM_FAILURE ? TAC_STATUS_INVALID : tac_opencl_status(code), what, code);
}

static void release_program(void *context, void *program) {
  (void)context;
  clReleaseProgram(program);
}

static enum tac_status make_kernel(void *context, void *program, const char *name, void **kernel, struct tac_error *error) {
  (void)context;
  struct tac_opencl_kernel *made = malloc(sizeof *made);
  if (!made)
    return tac_error_set(error, TAC_STATUS_MEMORY, "opencl", "no memory for the kernel %.60s", name);
  cl_int code = CL_SUCCESS;
  made->kernel = clCreateKernel(program, name, &code);
  if (code == CL_SUCCESS)
    code = clGetKernelInfo(made->kernel, CL_KERNEL_NUM_ARGS, sizeof made->arguments, &made->arguments, NULL);
  if (code != CL_SUCCESS) {
    if (made->kernel)
      clReleaseKernel(made->kernel);
    free(made);
    char what[96];
    snprintf(what, sizeof what, "clCreateKernel of %.60s", name);
    return tac_opencl_failure(error, tac_opencl_status(code), what, code);
  }
  pthread_mutex_init(&made->lock, NULL);
  *kernel = made;
  return TAC_STATUS_OK;
}

static void release_kernel(void *context, void *kernel) {
  (void)context;
  struct tac_opencl_kernel *own = kernel;
  clReleaseKernel(own->kernel);
  pthread_mutex_destroy(&own->lock);
  free(own);
}

const struct tac_backend tac_backend_opencl = {
    .abi = TAC_BACKEND_ABI,
    .name = "opencl",
    .list = tac_opencl_list,
    .open = open_device,
    .close = close_device,
    .allocate = allocate,
    .release = release,
    .build = build,
    .release_program = release_program,
    .kernel = make_kernel,
    .release_kernel = release_kernel,
    .open_stream = open_stream,
    .close_stream = close_stream,
    .native = native,
    .launch = tac_opencl_launch,
    .write = tac_opencl_write,
    .read = tac_opencl_read,
    .copy = tac_opencl_copy,
    .clear = tac_opencl_clear,
    .map = tac_opencl_map,
    .unmap = tac_opencl_unmap,
    .wait = tac_opencl_wait,
    .finish = tac_opencl_finish,
    .times = tac_opencl_times,
    .discard = tac_opencl_discard,
};
