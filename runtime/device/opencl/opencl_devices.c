/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <string.h>

#include "runtime/device/opencl/opencl.h"

enum { PLATFORMS_MOST = 16, DEVICES_MOST = 64 };

struct found {
  cl_platform_id platform;
  cl_device_id device;
};

static enum tac_status none(struct tac_error *error, const char *what) {
  return tac_error_set(error, TAC_STATUS_UNAVAILABLE, "opencl",
                       "%s: install the driver of a device, or pocl-opencl-icd for the "
                       "processor itself",
                       what);
}

/* All devices of all platforms. A platform without devices is none. */
static enum tac_status find_all(struct found *out, size_t *count, struct tac_error *error) {
  cl_platform_id platforms[PLATFORMS_MOST];
  cl_uint platform_count = 0;
  *count = 0;
  cl_int code = clGetPlatformIDs(PLATFORMS_MOST, platforms, &platform_count);
  if (code == -1001 || (code == CL_SUCCESS && platform_count == 0)) /* CL_PLATFORM_NOT_FOUND_KHR */
    return none(error, "this machine has no OpenCL platform");
  if (code != CL_SUCCESS)
    return tac_opencl_failure(error, TAC_STATUS_DEVICE, "clGetPlatformIDs", code);
  if (platform_count > PLATFORMS_MOST)
    platform_count = PLATFORMS_MOST;
  for (cl_uint p = 0; p < platform_count; p++) {
    cl_device_id devices[DEVICES_MOST];
    cl_uint device_count = 0;
    code = clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, DEVICES_MOST, devices, &device_count);
    if (code == CL_DEVICE_NOT_FOUND)
      continue;
    if (code != CL_SUCCESS)
      return tac_opencl_failure(error, TAC_STATUS_DEVICE, "clGetDeviceIDs", code);
    for (cl_uint d = 0; d < device_count && d < DEVICES_MOST && *count < DEVICES_MOST; d++)
      out[(*count)++] = (struct found){platforms[p], devices[d]};
  }
  return *count ? TAC_STATUS_OK
                : tac_error_set(error, TAC_STATUS_UNAVAILABLE, "opencl",
                                "this machine has an OpenCL platform but no device: install a device's driver; PoCL "
                                "shows none where it can't write to $POCL_CACHE_DIR or ~/.cache/pocl");
}

static void text_of(cl_device_id device, cl_device_info what, char *out, size_t room) {
  char text[1024];
  size_t bytes = 0;
  out[0] = '\0';
  if (clGetDeviceInfo(device, what, sizeof text, text, &bytes) != CL_SUCCESS || bytes == 0 || bytes > sizeof text)
    return;
  bytes = bytes < room ? bytes : room;
  memcpy(out, text, bytes);
  out[bytes - 1] = '\0';
}

static uint64_t number_of(cl_device_id device, cl_device_info what, size_t bytes) {
  cl_ulong wide = 0;
  cl_uint narrow = 0;
  if (bytes == sizeof wide)
    return clGetDeviceInfo(device, what, sizeof wide, &wide, NULL) == CL_SUCCESS ? wide : 0;
  return clGetDeviceInfo(device, what, sizeof narrow, &narrow, NULL) == CL_SUCCESS ? narrow : 0;
}

static enum tac_device_kind kind_of(cl_device_id device) {
  cl_device_type type = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL) != CL_SUCCESS)
    return TAC_DEVICE_OTHER;
  if (type & CL_DEVICE_TYPE_CPU)
    return TAC_DEVICE_CPU;
  return type & CL_DEVICE_TYPE_GPU ? TAC_DEVICE_GPU : TAC_DEVICE_OTHER;
}

static void describe(struct tac_device_info *out, const struct found *found, int number) {
  cl_device_id device = found->device;
  *out = (struct tac_device_info){
      .executor = "opencl",
      .number = number,
      .kind = kind_of(device),
      .units = (int)number_of(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint)),
      .memory_bytes = number_of(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong)),
      .block_bytes = number_of(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong)),
      .local_bytes = number_of(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong)),
      .fp64 = number_of(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(cl_ulong)) != 0,
      .shares_memory = number_of(device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(cl_uint)) != 0,
  };
  text_of(device, CL_DEVICE_NAME, out->name, sizeof out->name);
  text_of(device, CL_DRIVER_VERSION, out->driver, sizeof out->driver);
  size_t bytes = 0;
  if (clGetPlatformInfo(found->platform, CL_PLATFORM_NAME, sizeof out->platform, out->platform, &bytes) != CL_SUCCESS)
    out->platform[0] = '\0';
  out->platform[sizeof out->platform - 1] = '\0';
}

enum tac_status tac_opencl_list(struct tac_device_info *infos, size_t room, size_t *count, struct tac_error *error) {
  struct found found[DEVICES_MOST];
  const enum tac_status status = find_all(found, count, error);
  for (size_t i = 0; !status && i < *count && i < room; i++)
    describe(&infos[i], &found[i], (int)i);
  return status;
}

enum tac_status tac_opencl_find(cl_device_id *out, int number, struct tac_error *error) {
  struct found found[DEVICES_MOST];
  size_t count = 0;
  const enum tac_status status = find_all(found, &count, error);
  if (status)
    return status;
  if (number < 0 || (size_t)number >= count)
    return tac_error_set(error, TAC_STATUS_INVALID, "opencl", "there is no device %d: this machine has %zu, counted from 0",
                         number, count);
  *out = found[number].device;
  return TAC_STATUS_OK;
}
