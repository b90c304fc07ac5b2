/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/info.h"

#include <jansson.h>
#include <stdbool.h>

#include <tactus/tactus.h>

#include "apps/program/availability.h"
#include "apps/program/devices.h"
#include "apps/program/hooks.h"

/* The version of the JSON form; it changes when a key changes its meaning or goes away. */
#define INFO_SCHEMA 1

/* What a plain `meson setup` builds where it finds what is needed; meson.build says what it found. */
static const struct {
  const char *name;
  bool built;
} parts[] = {
    {"openmp", TACTUS_HAVE_OPENMP}, {"dmrg", TACTUS_HAVE_DMRG}, {"fmm", TACTUS_HAVE_FMM},   {"zlib", TACTUS_HAVE_ZLIB},
    {"opencl", TACTUS_HAVE_OPENCL}, {"cuda", TACTUS_HAVE_CUDA}, {"nvtx", TACTUS_HAVE_NVTX}, {"papi", TACTUS_HAVE_PAPI},
};

static void print_executors(FILE *stream) {
  size_t count;
  const struct tac_executor *const *executors = tac_executor_list(&count);
  fputs("executors\n", stream);
  for (size_t i = 0; i < count; i++) {
    const struct tac_choice choice = {executors[i]->name, executors[i]->summary, executors[i]->probe};
    if (tac_availability_print(stream, 2, 10, &choice) && executors[i]->device)
      tac_devices_print(stream, executors[i]->name, "             ");
  }
}

static void print_hooks(FILE *stream) {
  size_t count;
  const struct tac_hook_kind *const *kinds = tac_hook_kinds(&count);
  fputs("hooks\n", stream);
  for (size_t i = 0; i < count; i++) {
    const struct tac_choice choice = {kinds[i]->name, kinds[i]->summary, kinds[i]->probe};
    tac_availability_print(stream, 2, 10, &choice);
  }
}

int tac_info_print_text(FILE *stream) {
  const struct tac_clock *clock = tac_clock_monotonic();
  struct tac_blas_info blas = tac_blas_info();
  fprintf(stream, "tactus %s\n", tac_version());
  print_executors(stream);
  print_hooks(stream);
  fprintf(stream, "lanes        %d (processors this process may use)\n", tac_processors_allowed());
  fprintf(stream, "blas         %s, kernel %s, ", blas.name, blas.kernel);
  if (blas.threads > 0)
    fprintf(stream, "%d thread%s by default (the programs set 1)\n", blas.threads, blas.threads == 1 ? "" : "s");
  else
    fputs("threads unknown\n", stream);
  fprintf(stream, "clock        %s, resolution %lld ns\n", clock->name, (long long)tac_clock_resolution_ns(clock, 0));
  fputs("parts       ", stream);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    fprintf(stream, " %s: %s%s", parts[i].name, parts[i].built ? "built" : "not built",
            i + 1 < sizeof parts / sizeof *parts ? "," : "\n");
  return ferror(stream);
}

static json_t *executors_to_json(int *failed) {
  size_t count;
  const struct tac_executor *const *executors = tac_executor_list(&count);
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) {
    const struct tac_choice choice = {executors[i]->name, executors[i]->summary, executors[i]->probe};
    json_t *object = tac_availability_json(&choice);
    if (executors[i]->device)
      json_object_set_new(object, "devices",
                          json_is_true(json_object_get(object, "available")) ? tac_json_devices(executors[i]->name, failed)
                                                                             : json_array());
    tac_json_append(array, object, failed);
  }
  return array;
}

static json_t *hooks_to_json(int *failed) {
  size_t count;
  const struct tac_hook_kind *const *kinds = tac_hook_kinds(&count);
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) {
    const struct tac_choice choice = {kinds[i]->name, kinds[i]->summary, kinds[i]->probe};
    tac_json_append(array, tac_availability_json(&choice), failed);
  }
  return array;
}

static json_t *parts_to_json(void) {
  json_t *object = json_object();
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    json_object_set_new(object, parts[i].name, json_boolean(parts[i].built));
  return object;
}

int tac_info_print_json(FILE *stream) {
  const struct tac_clock *clock = tac_clock_monotonic();
  struct tac_blas_info blas = tac_blas_info();
  int failed = 0;
  json_t *info =
      json_pack("{s:i, s:s, s:o, s:o, s:i, s:{s:s, s:s, s:i}, s:{s:s, s:I}, s:o}", "schema", INFO_SCHEMA, "version",
                tac_version(), "executors", executors_to_json(&failed), "hooks", hooks_to_json(&failed), "lanes",
                tac_processors_allowed(), "blas", "name", blas.name, "kernel", blas.kernel, "threads", blas.threads, "clock",
                "name", clock->name, "resolution_ns", (json_int_t)tac_clock_resolution_ns(clock, 0), "parts", parts_to_json());
  failed |= !info || json_dumpf(info, stream, JSON_INDENT(2) | JSON_PRESERVE_ORDER) != 0 || fputc('\n', stream) == EOF;
  json_decref(info);
  return failed;
}
