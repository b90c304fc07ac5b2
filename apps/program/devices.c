/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/devices.h"

#include <tactus/measure/device_report.h>

enum { DEVICES_MOST = 64 };

const char *tac_device_kind_name(enum tac_device_kind kind) {
  return kind == TAC_DEVICE_CPU ? "CPU" : kind == TAC_DEVICE_GPU ? "GPU" : "other";
}

void tac_device_print(FILE *stream, const struct tac_device_info *info) {
  fprintf(stream, "%s (%s), %s, %d unit%s, %.3g GB%s, %s", info->name, info->platform, tac_device_kind_name(info->kind),
          info->units, info->units == 1 ? "" : "s", 1e-9 * (double)info->memory_bytes,
          info->shares_memory ? " shared with the host" : "", info->fp64 ? "fp64" : "no fp64");
}

static size_t list(struct tac_device_info infos[DEVICES_MOST], const char *executor) {
  size_t count = 0;
  if (tac_device_list(executor, infos, DEVICES_MOST, &count, NULL) != TAC_STATUS_OK)
    return 0;
  return count < DEVICES_MOST ? count : DEVICES_MOST;
}

void tac_devices_print(FILE *stream, const char *executor, const char *indentation) {
  struct tac_device_info infos[DEVICES_MOST];
  const size_t count = list(infos, executor);
  for (size_t i = 0; i < count; i++) {
    fprintf(stream, "%sdevice %d: ", indentation, infos[i].number);
    tac_device_print(stream, &infos[i]);
    fputc('\n', stream);
  }
}

json_t *tac_json_device(const struct tac_device_info *info, int *failed) {
  struct tac_json object = tac_json_object(failed);
  tac_json_set_int(object, "number", info->number);
  tac_json_set(object, "name", tac_json_any_bytes(info->name));
  tac_json_set(object, "platform", tac_json_any_bytes(info->platform));
  tac_json_set(object, "driver", tac_json_any_bytes(info->driver));
  tac_json_set_text(object, "kind", tac_device_kind_name(info->kind));
  tac_json_set_int(object, "units", info->units);
  tac_json_set_count(object, "memory_bytes", info->memory_bytes);
  tac_json_set_count(object, "largest_block_bytes", info->block_bytes);
  tac_json_set_bool(object, "fp64", info->fp64);
  tac_json_set_bool(object, "shares_memory", info->shares_memory);
  tac_json_set_bool(object, "vendor_svd", info->has_svd);
  return object.value;
}

json_t *tac_json_devices(const char *executor, int *failed) {
  struct tac_device_info infos[DEVICES_MOST];
  const size_t count = list(infos, executor);
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    tac_json_append(array, tac_json_device(&infos[i], failed), failed);
  return array;
}

void tac_json_set_queues(struct tac_json object, const struct tac_machine_options *machine, int lanes) {
  tac_json_set_int(object, "streams", machine->streams ? machine->streams : lanes);
  tac_json_set_int(object, "blas_handles", machine->blas_handles ? machine->blas_handles : lanes);
  tac_json_set_int(object, "solver_handles", machine->solver_handles ? machine->solver_handles : lanes);
}

struct counted {
  const struct tac_device_counters *counters;
  struct tac_device_memory_stats memory;
};

static enum tac_status report_counted(const void *subject, tac_sink_fn sink, void *context, struct tac_error *error) {
  const struct counted *counted = subject;
  return tac_device_report_json(counted->counters, &counted->memory, sink, context, error);
}

json_t *tac_json_counters(const struct tac_device_counters *counters, const struct tac_device *device) {
  return tac_json_report(report_counted, &(struct counted){counters, tac_device_memory_stats(device)});
}

json_t *tac_json_device_memory(const struct tac_device *device, int *failed) {
  const struct tac_device_memory_stats memory = tac_device_memory_stats(device);
  struct tac_json object = tac_json_object(failed);
  tac_json_set_count(object, "allocations", memory.allocations);
  tac_json_set_count(object, "reuses", memory.reuses);
  tac_json_set_count(object, "used_bytes", memory.used_bytes);
  tac_json_set_count(object, "spare_bytes", memory.spare_bytes);
  tac_json_set_count(object, "peak_bytes", memory.peak_bytes);
  return object.value;
}
