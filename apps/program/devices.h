/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_DEVICES_H
#define APPS_PROGRAM_DEVICES_H

#include <stdio.h>

#include <tactus/measure/device_counters.h>
#include <tactus/runtime/device.h>

#include "apps/program/json.h"
#include "apps/program/machine_options.h"

/* "GPU", "CPU", "other". */
const char *tac_device_kind_name(enum tac_device_kind kind);

/* A device in one line, without its number and the line break. */
void tac_device_print(FILE *stream, const struct tac_device_info *info);

/* A line for each device of an executor: the indentation, its number, what it is. Nothing where they cannot be listed. */
void tac_devices_print(FILE *stream, const char *executor, const char *indentation);

json_t *tac_json_device(const struct tac_device_info *info, int *failed);
/* Members of tac_device_report_json as an object: what the counters hold, and the memory of the device. NULL: no memory. */
json_t *tac_json_counters(const struct tac_device_counters *counters, const struct tac_device *device);
/* The memory of a device alone, for a run that counts nothing else. */
json_t *tac_json_device_memory(const struct tac_device *device, int *failed);
/* How many queues and handles the lanes of a device executor have. */
void tac_json_set_queues(struct tac_json object, const struct tac_machine_options *machine, int lanes);
/* The devices of an executor as an array; an empty one where they cannot be listed. */
json_t *tac_json_devices(const char *executor, int *failed);

#endif
