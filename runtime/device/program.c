/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Programs and kernels, built when first asked for and kept with the device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/device.h"

extern const char tac_kernel_source_names[];

static char *copy_text(const struct tac_device *device, const char *text) {
  const size_t bytes = strlen(text) + 1;
  char *copy = tac_device_allocate(device, bytes);
  return copy ? memcpy(copy, text, bytes) : NULL;
}

/* A build log's first line that speaks of an error, to its end; the first line where none does. */
static void first_error(const char *log, char *out, size_t room) {
  const char *line = strstr(log, "error");
  while (line && line > log && line[-1] != '\n')
    line--;
  if (!line)
    line = log;
  size_t length = strcspn(line, "\n");
  if (length >= room)
    length = room - 1;
  memcpy(out, line, length);
  out[length] = '\0';
}

/* The names and the source as one text, in which lines are counted from the source's first. */
static char *whole_source(const struct tac_device_program *program, const char *name) {
  static const char form[] = "%s#line 1 \"%.60s\"\n%s";
  const int length = snprintf(NULL, 0, form, tac_kernel_source_names, name, program->source);
  char *source = length < 0 ? NULL : tac_device_allocate(program->device, (size_t)length + 1);
  if (source)
    snprintf(source, (size_t)length + 1, form, tac_kernel_source_names, name, program->source);
  return source;
}

static enum tac_status build(struct tac_device_program *program, const char *name, struct tac_error *error) {
  const struct tac_device *device = program->device;
  char *source = whole_source(program, name), *log = NULL;
  if (!source)
    return tac_error_set(error, TAC_STATUS_MEMORY, device->backend->name, "no memory for the source of %.60s", name);
  enum tac_status status =
      device->backend->build(device->context, name, source, program->options, &program->handle, &log, error);
  if (log) {
    char line[128];
    first_error(log, line, sizeof line);
    if (status == TAC_STATUS_INVALID)
      tac_error_set(error, status, device->backend->name, "%.40s does not build: %s", name, line);
    program->log = copy_text(device, log);
    free(log);
  }
  tac_device_free(device, source);
  return status;
}

static void release_program(struct tac_device_program *program) {
  const struct tac_device *device = program->device;
  while (program->kernels) {
    struct tac_device_kernel *kernel = program->kernels;
    program->kernels = kernel->next;
    if (kernel->handle)
      device->backend->release_kernel(device->context, kernel->handle);
    tac_device_free(device, kernel->name);
    tac_device_free(device, kernel);
  }
  if (program->handle)
    device->backend->release_program(device->context, program->handle);
  tac_device_free(device, program->options);
  tac_device_free(device, program->source);
  tac_device_free(device, program->log);
  tac_device_free(device, program);
}

void tac_device_release_programs(struct tac_device *device) {
  while (device->programs) {
    struct tac_device_program *program = device->programs;
    device->programs = program->next;
    release_program(program);
  }
}

static enum tac_status make_program(struct tac_device_program **out, struct tac_device *device, const char *name,
                                    const char *source, const char *options, struct tac_error *error) {
  struct tac_device_program *program = tac_device_allocate(device, sizeof *program);
  if (!program)
    return tac_error_set(error, TAC_STATUS_MEMORY, device->backend->name, "no memory for the program %.60s", name);
  *program =
      (struct tac_device_program){.device = device, .source = copy_text(device, source), .options = copy_text(device, options)};
  const enum tac_status status =
      program->options && program->source
          ? build(program, name, error)
          : tac_error_set(error, TAC_STATUS_MEMORY, device->backend->name, "no memory for the program %.60s", name);
  if (status) {
    release_program(program);
    return status;
  }
  program->next = device->programs;
  device->programs = program;
  *out = program;
  return TAC_STATUS_OK;
}

/* Other options mean different things to different compilers, and not every OpenCL bears a -D without a name. */
static int are_definitions(const char *options) {
  for (options += strspn(options, " "); *options; options += strspn(options, " ")) {
    if (options[0] != '-' || options[1] != 'D' || strcspn(options + 2, " =") == 0)
      return 0;
    options += strcspn(options, " ");
  }
  return 1;
}

enum tac_status tac_device_program(struct tac_device_program **out, struct tac_device *device, const char *name,
                                   const char *source, const char *options, struct tac_error *error) {
  *out = NULL;
  if (!device || !name || !source)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "a program needs a device, a name and a source");
  if (!options)
    options = "";
  if (!are_definitions(options))
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "the options of %.60s are not of the form -DNAME=VALUE: %.80s",
                         name, options);
  enum tac_status status = TAC_STATUS_OK;
  pthread_mutex_lock(&device->program_lock);
  struct tac_device_program *found = device->programs;
  while (found && (strcmp(found->source, source) != 0 || strcmp(found->options, options) != 0))
    found = found->next;
  if (!found)
    status = make_program(&found, device, name, source, options, error);
  pthread_mutex_unlock(&device->program_lock);
  if (!status)
    *out = found;
  return status;
}

static enum tac_status make_kernel(struct tac_device_kernel **out, struct tac_device_program *program, const char *name,
                                   struct tac_error *error) {
  const struct tac_device *device = program->device;
  struct tac_device_kernel *kernel = tac_device_allocate(device, sizeof *kernel);
  char *copy = copy_text(device, name);
  enum tac_status status = TAC_STATUS_MEMORY;
  if (kernel && copy) {
    *kernel = (struct tac_device_kernel){.program = program, .name = copy, .next = program->kernels};
    status = device->backend->kernel(device->context, program->handle, name, &kernel->handle, error);
  } else {
    tac_error_set(error, status, device->backend->name, "no memory for the kernel %.60s", name);
  }
  if (status) {
    tac_device_free(device, kernel);
    tac_device_free(device, copy);
    return status;
  }
  *out = program->kernels = kernel;
  return TAC_STATUS_OK;
}

enum tac_status tac_device_kernel(struct tac_device_kernel **out, struct tac_device_program *program, const char *name,
                                  struct tac_error *error) {
  *out = NULL;
  enum tac_status status = TAC_STATUS_OK;
  if (!program || !name)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "a kernel needs a program and a name");
  pthread_mutex_lock(&program->device->program_lock);
  struct tac_device_kernel *found = program->kernels;
  while (found && strcmp(found->name, name) != 0)
    found = found->next;
  if (!found)
    status = make_kernel(&found, program, name, error);
  pthread_mutex_unlock(&program->device->program_lock);
  if (!status)
    *out = found;
  return status;
}

const char *tac_device_program_log(const struct tac_device_program *program) {
  return program->log ? program->log : "";
}
