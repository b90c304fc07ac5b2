/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>

#include "tests/cuda/fake/runtime.h"

#define DRIVER_VERSION 13000

static _Thread_local int current;
static const int major[FAKE_DEVICES] = {9, 8}, minor[FAKE_DEVICES] = {0, 9};

int fake_current_device(void) {
  return current;
}

cudaError_t cudaGetDeviceCount(int *count) {
  fake_lock();
  const cudaError_t code = fake_runtime_outcome("cudaGetDeviceCount");
  if (code == cudaSuccess)
    *count = FAKE_DEVICES;
  fake_unlock();
  return code;
}

cudaError_t cudaSetDevice(int device) {
  fake_lock();
  const cudaError_t code = fake_runtime_outcome("cudaSetDevice");
  if (code == cudaSuccess)
    current = device;
  fake_unlock();
  return code != cudaSuccess ? code : device >= 0 && device < FAKE_DEVICES ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
  fake_lock();
  const cudaError_t code = fake_runtime_outcome("cudaGetDeviceProperties");
  fake_unlock();
  if (code != cudaSuccess)
    return code;
  *properties = (struct cudaDeviceProp){.totalGlobalMem = FAKE_MEMORY_BYTES,
                                        .sharedMemPerBlock = 48 * 1024,
                                        .multiProcessorCount = 4,
                                        .major = major[device],
                                        .minor = minor[device]};
  snprintf(properties->name, sizeof(properties->name), "an emulated CUDA device on the host, number %d", device);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  fake_lock();
  const cudaError_t code = fake_runtime_outcome("cudaDeviceGetAttribute");
  fake_unlock();
  if (code != cudaSuccess)
    return code;
  if (attribute != cudaDevAttrComputeCapabilityMajor && attribute != cudaDevAttrComputeCapabilityMinor)
    return cudaErrorInvalidValue;
  *value = attribute == cudaDevAttrComputeCapabilityMajor ? major[device] : minor[device];
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version) {
  *version = DRIVER_VERSION;
  return cudaSuccess;
}

/* Nothing is kept: the module looks at what a call returns. */
cudaError_t cudaGetLastError(void) {
  return cudaSuccess;
}

/* Those that the tests order. */
const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define NAME(name)                                                                                                             \
  case name:                                                                                                                   \
    return #name
    NAME(cudaSuccess);
    NAME(cudaErrorInvalidValue);
    NAME(cudaErrorMemoryAllocation);
    NAME(cudaErrorInitializationError);
    NAME(cudaErrorInvalidConfiguration);
    NAME(cudaErrorStubLibrary);
    NAME(cudaErrorInsufficientDriver);
    NAME(cudaErrorInvalidDevice);
    NAME(cudaErrorNoDevice);
    NAME(cudaErrorInvalidResourceHandle);
    NAME(cudaErrorSymbolNotFound);
    NAME(cudaErrorNotReady);
    NAME(cudaErrorIllegalAddress);
    NAME(cudaErrorLaunchFailure);
#undef NAME
  default:
    return "an error without a name here";
  }
}

const char *cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "emulated: out of memory" : "emulated";
}
