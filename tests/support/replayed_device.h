/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_REPLAYED_DEVICE_H
#define TESTS_SUPPORT_REPLAYED_DEVICE_H

#include <tactus/runtime/device.h>
#include <tactus/runtime/executor.h>

/* An executor whose device replays times that the test gives: commands move bytes of the host's memory and end at once,
 * launches do nothing. Lanes run on the calling thread, one position after another, position p on lane p mod lanes. */
extern const struct tac_executor test_executor_replayed;

/* The command that is submitted next occupied [start, finish) on the device. */
void replay(int64_t start_ns, int64_t finish_ns);

/* What happened since the last call. */
struct replayed {
  int timed_streams, untimed_streams; /* opened with and without timing */
  int events;                         /* made */
  int events_left;                    /* neither read nor discarded; counts on from call to call */
};
struct replayed replayed_take(void);

/* From now on the device refuses to tell times, or to finish (0: it does not). */
void replay_refuse(int times, int finishes);

/* A kernel of that name. */
struct tac_device_kernel *replayed_kernel(struct tac_device *device, const char *name);

#endif
