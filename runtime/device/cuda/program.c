/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/cuda/cuda.h"

#define OPTIONS_MAX 32

struct options {
  char *text; /* the caller's, cut into words */
  char target[48];
  const char *words[OPTIONS_MAX];
  int count;
};

/* Machine code of an architecture runs on later ones of the same major version; PTX on every later one. */
bool tac_cuda_architecture(int device, const int *known, int count, int *best, bool *is_binary) {
  int binary = 0, any = 0;
  for (int k = 0; k < count; k++) {
    if (known[k] > device)
      continue;
    any = known[k] > any ? known[k] : any;
    if (known[k] / 10 == device / 10)
      binary = known[k] > binary ? known[k] : binary;
  }
  *is_binary = binary != 0;
  *best = binary ? binary : any;
  return *best != 0;
}

static enum tac_status choose_target(struct tac_cuda *cuda, struct options *options, bool *is_binary, struct tac_error *error) {
  int count = 0, best = 0;
  enum tac_status status =
      tac_cuda_check_compiler(cuda, cuda->libraries.nvrtcGetNumSupportedArchs(&count), "nvrtcGetNumSupportedArchs", error);
  if (status != TAC_STATUS_OK)
    return status;
  int *known = calloc((size_t)count + 1, sizeof(*known));
  if (!known)
    return tac_cuda_no_memory(error);
  status = tac_cuda_check_compiler(cuda, cuda->libraries.nvrtcGetSupportedArchs(known), "nvrtcGetSupportedArchs", error);
  if (status == TAC_STATUS_OK && !tac_cuda_architecture(cuda->architecture, known, count, &best, is_binary))
    status = tac_error_set(error, TAC_STATUS_UNAVAILABLE, "cuda",
                           "CUDA %d.%d compiles for no device as old as this one (compute capability %d.%d)",
                           CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10, cuda->architecture / 10, cuda->architecture % 10);
  free(known);
  if (status == TAC_STATUS_OK)
    snprintf(options->target, sizeof(options->target), "--gpu-architecture=%s_%d", *is_binary ? "sm" : "compute", best);
  return status;
}

/* Products and sums are joined only where the source says so: then every compiler means the same arithmetic. */
static enum tac_status read_options(struct tac_cuda *cuda, const char *text, struct options *options, bool *is_binary,
                                    struct tac_error *error) {
  enum tac_status status = choose_target(cuda, options, is_binary, error);
  if (status != TAC_STATUS_OK)
    return status;
  options->text = strdup(text ? text : "");
  if (!options->text)
    return tac_cuda_no_memory(error);
  options->words[options->count++] = options->target;
  options->words[options->count++] = "--fmad=false";
  char *rest = NULL;
  for (char *word = strtok_r(options->text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    if (options->count == OPTIONS_MAX)
      return tac_error_set(error, TAC_STATUS_INVALID, "cuda", "more than %d options for a program", OPTIONS_MAX - 2);
    options->words[options->count++] = word;
  }
  return TAC_STATUS_OK;
}

static void keep_log(struct tac_cuda *cuda, nvrtcProgram program, char **log) {
  size_t bytes = 0;
  if (!log || cuda->libraries.nvrtcGetProgramLogSize(program, &bytes) != NVRTC_SUCCESS || bytes < 2)
    return;
  char *text = calloc(bytes + 1, 1);
  if (text && cuda->libraries.nvrtcGetProgramLog(program, text) == NVRTC_SUCCESS) {
    *log = text;
    return;
  }
  free(text);
}

/* The first line of the log that speaks of an error, or the first of all. */
static enum tac_status refuse(const char *name, const char *log, struct tac_error *error) {
  const char *text = log ? log : "the compiler says nothing more", *line = strstr(text, "error");
  if (!line)
    line = text;
  while (line > text && line[-1] != '\n')
    line--;
  return tac_error_set(error, TAC_STATUS_INVALID, "cuda", "%s does not compile: %.*s", name, (int)strcspn(line, "\n"), line);
}

static enum tac_status load(struct tac_cuda *cuda, nvrtcProgram program, bool is_binary, void **out, struct tac_error *error) {
  size_t bytes = 0;
  enum tac_status status =
      is_binary ? tac_cuda_check_compiler(cuda, cuda->libraries.nvrtcGetCUBINSize(program, &bytes), "nvrtcGetCUBINSize", error)
                : tac_cuda_check_compiler(cuda, cuda->libraries.nvrtcGetPTXSize(program, &bytes), "nvrtcGetPTXSize", error);
  if (status != TAC_STATUS_OK)
    return status;
  char *code = malloc(bytes ? bytes : 1);
  if (!code)
    return tac_cuda_no_memory(error);
  status = is_binary ? tac_cuda_check_compiler(cuda, cuda->libraries.nvrtcGetCUBIN(program, code), "nvrtcGetCUBIN", error)
                     : tac_cuda_check_compiler(cuda, cuda->libraries.nvrtcGetPTX(program, code), "nvrtcGetPTX", error);
  cudaLibrary_t library = NULL;
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check(cudaLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0), "cudaLibraryLoadData", error);
  if (status == TAC_STATUS_OK)
    *out = library;
  free(code);
  return status;
}

enum tac_status tac_cuda_build(void *context, const char *name, const char *source, const char *options_text, void **out,
                               char **log, struct tac_error *error) {
  struct tac_cuda *cuda = context;
  struct options options = {0};
  nvrtcProgram program = NULL;
  bool is_binary = true;
  char *said = NULL;
  enum tac_status status = tac_cuda_enter(cuda, error);
  if (status == TAC_STATUS_OK)
    status = read_options(cuda, options_text, &options, &is_binary, error);
  if (status == TAC_STATUS_OK)
    status = tac_cuda_check_compiler(cuda, cuda->libraries.nvrtcCreateProgram(&program, source, name, 0, NULL, NULL),
                                     "nvrtcCreateProgram", error);
  if (status != TAC_STATUS_OK)
    goto done;
  const nvrtcResult result = cuda->libraries.nvrtcCompileProgram(program, options.count, options.words);
  keep_log(cuda, program, &said);
  status = result == NVRTC_ERROR_COMPILATION ? refuse(name, said, error)
                                             : tac_cuda_check_compiler(cuda, result, "nvrtcCompileProgram", error);
  if (status == TAC_STATUS_OK)
    status = load(cuda, program, is_binary, out, error);
done:
  if (program)
    cuda->libraries.nvrtcDestroyProgram(&program);
  free(options.text);
  if (log)
    *log = said;
  else
    free(said);
  return status;
}

void tac_cuda_release_program(void *context, void *program) {
  tac_cuda_enter(context, NULL);
  tac_cuda_check(cudaLibraryUnload(program), "cudaLibraryUnload", NULL);
}

enum tac_status tac_cuda_find_kernel(struct tac_cuda *cuda, void *program, const char *name, cudaKernel_t *kernel,
                                     struct tac_error *error) {
  const enum tac_status status = tac_cuda_enter(cuda, error);
  if (status != TAC_STATUS_OK)
    return status;
  const cudaError_t code = cudaLibraryGetKernel(kernel, program, name);
  if (code != cudaErrorSymbolNotFound && code != cudaErrorInvalidDeviceFunction)
    return tac_cuda_check(code, "cudaLibraryGetKernel", error);
  tac_cuda_check(code, "cudaLibraryGetKernel", NULL);
  tac_error_set(error, TAC_STATUS_INVALID, "cuda", "cudaLibraryGetKernel: %s: no kernel %s", cudaGetErrorName(code), name);
  if (error)
    error->native_code = (int)code;
  return TAC_STATUS_INVALID;
}

/* One after another, until there is none of that number. A driver of a CUDA before 12.4, which the runtime bears with, does not
 * know the question. */
static enum tac_status find_arguments(struct tac_cuda_kernel *kernel, const char *name, struct tac_error *error) {
  for (size_t k = 0;; k++) {
    size_t offset = 0, bytes = 0;
    const cudaError_t code = cudaFuncGetParamInfo(kernel->kernel, k, &offset, &bytes);
    if (code == cudaErrorInvalidValue || code == cudaErrorCallRequiresNewerDriver) {
      tac_cuda_check(code, "cudaFuncGetParamInfo", NULL);
      kernel->is_known = code == cudaErrorInvalidValue;
      return TAC_STATUS_OK;
    }
    if (code != cudaSuccess)
      return tac_cuda_check(code, "cudaFuncGetParamInfo", error);
    if (k == TAC_LAUNCH_ARGUMENTS_MAX)
      return tac_error_set(error, TAC_STATUS_INVALID, "cuda", "kernel %s has more than %d arguments", name,
                           TAC_LAUNCH_ARGUMENTS_MAX);
    kernel->argument_bytes[kernel->arguments++] = bytes;
  }
}

enum tac_status tac_cuda_kernel(void *context, void *program, const char *name, void **out, struct tac_error *error) {
  struct tac_cuda_kernel *kernel = calloc(1, sizeof(*kernel));
  if (!kernel)
    return tac_cuda_no_memory(error);
  enum tac_status status = tac_cuda_find_kernel(context, program, name, &kernel->kernel, error);
  if (status == TAC_STATUS_OK)
    status = find_arguments(kernel, name, error);
  if (status == TAC_STATUS_OK)
    *out = kernel;
  else
    free(kernel);
  return status;
}

/* What the driver has of it goes with the program. */
void tac_cuda_release_kernel(void *context, void *kernel) {
  (void)context;
  free(kernel);
}
