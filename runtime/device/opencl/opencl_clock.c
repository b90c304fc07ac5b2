/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Where the device's clock stands beside CLOCK_MONOTONIC. Most count on a clock of the system; of others the distance is
 * measured when the device is opened. */
#include "runtime/device/opencl/opencl.h"

#include <time.h>

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#ifdef CLOCK_MONOTONIC_RAW
/* A reading between two others that are close together is off by at most half of what lies between them. */
static int64_t raw_to_monotonic(void) {
  enum { READINGS = 8, CLOSE_ENOUGH_NS = 100 };
  int64_t closest_ns = INT64_MAX, shift_ns = 0;
  for (int i = 0; i < READINGS && closest_ns > CLOSE_ENOUGH_NS; i++) {
    const int64_t before = now(CLOCK_MONOTONIC_RAW), between = now(CLOCK_MONOTONIC), after = now(CLOCK_MONOTONIC_RAW);
    if (after - before >= closest_ns)
      continue;
    closest_ns = after - before;
    shift_ns = between - before - (after - before) / 2;
  }
  return shift_ns;
}
#else
static int64_t raw_to_monotonic(void) {
  return 0;
}
#endif

/* A marker's stamp, and CLOCK_MONOTONIC before and after it. */
struct reading {
  int64_t before, stamp, after;
};

static cl_int read_stamp(struct reading *reading, cl_command_queue queue) {
  cl_event event = NULL;
  cl_ulong stamp = 0;
  reading->before = now(CLOCK_MONOTONIC);
  cl_int code = clEnqueueMarkerWithWaitList(queue, 0, NULL, &event);
  if (code == CL_SUCCESS)
    code = clWaitForEvents(1, &event);
  reading->after = now(CLOCK_MONOTONIC);
  if (code == CL_SUCCESS)
    code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof stamp, &stamp, NULL);
  if (event)
    clReleaseEvent(event);
  reading->stamp = (int64_t)stamp;
  return code;
}

static int lies_within(const struct reading *reading, int64_t shift_ns) {
  return reading->stamp + shift_ns >= reading->before && reading->stamp + shift_ns <= reading->after;
}

enum tac_status tac_opencl_place_clock(struct tac_opencl *own, struct tac_error *error) {
  enum { READINGS = 32 };
  const int64_t raw_ns = raw_to_monotonic();
  int monotonic = 1, raw = 1;
  struct reading closest = {0, 0, INT64_MAX};
  cl_int code = CL_SUCCESS;
  cl_command_queue queue = clCreateCommandQueue(own->context, own->device, CL_QUEUE_PROFILING_ENABLE, &code);
  for (int i = 0; i < READINGS && code == CL_SUCCESS; i++) {
    struct reading reading;
    code = read_stamp(&reading, queue);
    monotonic &= lies_within(&reading, 0);
    raw &= lies_within(&reading, raw_ns);
    if (reading.after - reading.before < closest.after - closest.before)
      closest = reading;
  }
  if (queue)
    clReleaseCommandQueue(queue);
  if (code != CL_SUCCESS)
    return tac_opencl_failure(error, TAC_STATUS_DEVICE, "the reading of the device's clock", code);
  own->counts_raw = !monotonic && raw;
  const int64_t measured_ns = closest.before + (closest.after - closest.before) / 2 - closest.stamp;
  atomic_init(&own->shift_ns, monotonic ? 0 : raw ? raw_ns : measured_ns);
  return TAC_STATUS_OK;
}

/* The system's two clocks drift apart by some parts in a million. The shift changes in steps, so that commands that are read
 * together are shifted alike. */
void tac_opencl_follow_clock(struct tac_opencl *own) {
  enum { STEP_NS = 2000 };
  if (!own->counts_raw)
    return;
  const int64_t raw_ns = raw_to_monotonic(), shift_ns = atomic_load_explicit(&own->shift_ns, memory_order_relaxed);
  if (raw_ns - shift_ns > STEP_NS || shift_ns - raw_ns > STEP_NS)
    atomic_store_explicit(&own->shift_ns, raw_ns, memory_order_relaxed);
}
