/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/report_phases.h"

#include <math.h>
#include <stdlib.h>

#include "apps/tactus/member_reader.h"
#include "measure/phase_profile.h"

static int64_t total_of(struct tac_member_reader *reader, const json_t *profile, const char *key) {
  return json_is_integer(json_object_get(profile, key)) ? tac_read_count(reader, profile, key, TAC_MEMBER_OPTIONAL)
                                                        : TAC_NO_TOTAL;
}

/* Counts beyond the integers of JSON were written as real numbers. */
static void read_operations(struct tac_operation_count *out, struct tac_member_reader *reader, const json_t *value) {
  const double operations = tac_read_real(reader, value, "operations", TAC_MEMBER_OPTIONAL);
  const double flops = tac_read_real(reader, value, "flops", TAC_MEMBER_OPTIONAL);
  out->operations_known = operations >= 0 && operations < 0x1p64;
  out->flops_known = isfinite(flops) && flops >= 0;
  out->flops = out->flops_known ? flops : 0;
  if (json_is_integer(json_object_get(value, "operations")))
    out->operations = (uint64_t)tac_read_count(reader, value, "operations", TAC_MEMBER_OPTIONAL);
  else
    out->operations = out->operations_known ? (uint64_t)operations : 0;
}

static void read_phase(struct tac_record_phases *out, struct tac_member_reader *reader, const json_t *list, size_t number) {
  const json_t *value = tac_read_element(reader, list, "profile.phases", number);
  const char *name = tac_read_text(reader, value, "name", TAC_MEMBER_REQUIRED);
  const int64_t total_ns = tac_read_count(reader, value, "total_ns", TAC_MEMBER_REQUIRED);
  const uint64_t calls = tac_read_number(reader, value, "calls");
  const int nested = tac_read_flag(reader, value, "nested");
  const json_t *device = json_object_get(value, "device_ns");
  const int64_t device_ns = tac_read_count(reader, value, "device_ns", TAC_MEMBER_OPTIONAL);
  if (name && tac_phase_profile_find(out->profile, name).calls > 0)
    tac_reader_fail(reader, "name", "'%s' is the name of a phase before it", name);
  read_operations(&out->entries[number], reader, value);
  out->names[number] = out->entries[number].phase = name;
  if (reader->status != TAC_STATUS_OK)
    return;
  reader->status = tac_phase_record(out->profile, name, total_ns, calls, reader->error);
  if (reader->status != TAC_STATUS_OK)
    return;
  struct tac_phase *phase = &out->profile->phases[out->profile->count - 1];
  phase->nested = nested;
  phase->device_known = json_is_integer(device);
  phase->device_ns = device_ns;
}

static void read_head(struct tac_record_phases *out, struct tac_member_reader *reader, const json_t *profile) {
  const char *unit = tac_read_text(reader, profile, "operations_unit", TAC_MEMBER_OPTIONAL);
  const char *rule = tac_read_text(reader, profile, "counting_rule", TAC_MEMBER_OPTIONAL);
  out->counts.unit = unit;
  out->counts.counting_rule = rule;
  tac_phase_report_init(&out->report);
  out->report.profiled_ns = total_of(reader, profile, "profiled_total_ns");
  out->report.off_ns = total_of(reader, profile, "off_total_ns");
  out->report.kernel = tac_read_text(reader, profile, "kernel", TAC_MEMBER_REQUIRED);
  out->report.near = tac_read_text(reader, profile, "near", TAC_MEMBER_REQUIRED);
  out->report.scope = tac_read_text(reader, profile, "scope", TAC_MEMBER_REQUIRED);
}

static void make_room(struct tac_record_phases *out, struct tac_member_reader *reader, size_t count) {
  out->names = calloc(count + 1, sizeof *out->names);
  out->entries = calloc(count + 1, sizeof *out->entries);
  struct tac_phase_profile_options options;
  tac_phase_profile_options_init(&options);
  options.name_limit = count;
  if (!out->names || !out->entries)
    reader->status = tac_error_set(reader->error, TAC_STATUS_MEMORY, "profile", "no memory for %zu phases", count);
  else
    reader->status = tac_phase_profile_create(&out->profile, &options, reader->error);
}

enum tac_status tac_record_phases_restore(struct tac_record_phases *out, const struct tac_record *record,
                                          struct tac_error *error) {
  struct tac_member_reader reader = {.error = error};
  *out = (struct tac_record_phases){0};
  const json_t *profile = tac_read_object(&reader, record->root, "profile", TAC_MEMBER_OPTIONAL);
  if (!profile)
    return reader.status;
  tac_reader_at(&reader, "profile");
  read_head(out, &reader, profile);
  const json_t *phases = tac_read_array(&reader, profile, "phases", TAC_MEMBER_REQUIRED);
  const size_t count = json_array_size(phases);
  if (reader.status == TAC_STATUS_OK)
    make_room(out, &reader, count);
  for (size_t i = 0; i < count && reader.status == TAC_STATUS_OK; i++)
    read_phase(out, &reader, phases, i);
  out->counts.count = out->report.phase_count = count;
  out->counts.phases = out->entries;
  out->report.phases = out->names;
  out->report.profile = out->profile;
  out->report.counts = out->counts.unit && out->counts.counting_rule ? &out->counts : NULL;
  return reader.status;
}

void tac_record_phases_release(struct tac_record_phases *phases) {
  tac_phase_profile_destroy(&phases->profile);
  free(phases->names);
  free(phases->entries);
  *phases = (struct tac_record_phases){0};
}
