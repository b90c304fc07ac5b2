/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * NVRTC by the host's compiler: a program becomes a library of functions, kept by what it was made of. */
#include <nvrtc.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cuda/fake/fake.h"
#include "tests/cuda/fake/kernel.h"

#define WORDS_MOST 64
#define PATH_MOST  1024

/* As the host's C needs it: nothing joined that the source does not join. */
#define COMPILER_OPTIONS "-std=gnu11", "-O2", "-march=native", "-ffp-contract=off", "-w", "-fPIC", "-shared"
#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

struct _nvrtcProgram {
  char *source, *log;
  char path[PATH_MOST]; /* of the library */
  bool is_binary;
};

static nvrtcResult outcome(const char *function) {
  fake_lock();
  const int code = fake_outcome(function);
  fake_unlock();
  return (nvrtcResult)code;
}

static void count_program(int change) {
  fake_lock();
  fake_count(FAKE_PROGRAM, change);
  fake_unlock();
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *out, const char *source, const char *name, int header_count,
                               const char *const *headers, const char *const *header_names) {
  (void)name;
  (void)headers;
  (void)header_names;
  const nvrtcResult result = outcome("nvrtcCreateProgram");
  if (result != NVRTC_SUCCESS || header_count != 0)
    return result != NVRTC_SUCCESS ? result : NVRTC_ERROR_INVALID_INPUT;
  struct _nvrtcProgram *program = calloc(1, sizeof(*program));
  if (!program)
    return NVRTC_ERROR_OUT_OF_MEMORY;
  program->source = strdup(source);
  *out = program;
  count_program(1);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
  free((*program)->source);
  free((*program)->log);
  free(*program);
  *program = NULL;
  count_program(-1);
  return NVRTC_SUCCESS;
}

static uint64_t hashed(uint64_t hash, const char *text) {
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 1099511628211u; /* FNV-1a */
  return hash;
}

/* Of a file of this folder, which decides what is made of a source, too. */
static uint64_t hashed_file(uint64_t hash, const char *path) {
  char text[512];
  FILE *file = fopen(path, "r");
  while (file && fgets(text, sizeof(text), file))
    hash = hashed(hash, text);
  if (file)
    fclose(file);
  return hash;
}

/* Its first part; what does not fit is read all the same, so that the compiler can end. */
static void keep_output(struct _nvrtcProgram *program, int from) {
  char text[8192], rest[4096];
  size_t used = 0;
  for (ssize_t got; used < sizeof(text) - 1 && (got = read(from, text + used, sizeof(text) - 1 - used)) > 0;)
    used += (size_t)got;
  while (read(from, rest, sizeof(rest)) > 0)
    ;
  text[used] = '\0';
  free(program->log);
  program->log = strdup(text);
}

/* Status of compile.py; what it says goes to the log. */
static int run_compiler(struct _nvrtcProgram *program, char **words) {
  int pipes[2], status = 1;
  pid_t child;
  posix_spawn_file_actions_t actions;
  if (pipe(pipes) != 0)
    return 1;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipes[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, pipes[0]);
  char command[] = "FAKE_CUDA_CC=" FAKE_COMPILER, path[4096], temporary[] = "TMPDIR=/tmp";
  snprintf(path, sizeof(path), "PATH=%s", getenv("PATH"));
  char *environment[] = {command, path, temporary, NULL};
  if (posix_spawn(&child, words[0], &actions, NULL, words, environment) == 0) {
    close(pipes[1]);
    keep_output(program, pipes[0]);
    waitpid(child, &status, 0);
  } else {
    close(pipes[1]);
  }
  close(pipes[0]);
  posix_spawn_file_actions_destroy(&actions);
  return status;
}

static bool write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  const bool is_written = file && fputs(text, file) >= 0;
  return file && fclose(file) == 0 && is_written;
}

static nvrtcResult compile(struct _nvrtcProgram *program, char **defines, int count) {
  char source[PATH_MOST + 32], made[PATH_MOST + 32], runtime[] = FAKE_RUNTIME;
  char python[] = FAKE_PYTHON, root[] = "-I" FAKE_SOURCE_ROOT, script[] = FAKE_SOURCE_ROOT "/tests/cuda/fake/compile.py";
  const char *const options[] = {COMPILER_OPTIONS};
  char *words[WORDS_MOST] = {python, script, source, made};
  int used = 4;
  snprintf(source, sizeof(source), "%s.%d.c", program->path, (int)getpid());
  snprintf(made, sizeof(made), "%s.%d.so", program->path, (int)getpid());
  for (size_t k = 0; k < sizeof(options) / sizeof(options[0]); k++)
    words[used++] = (char *)options[k];
  words[used++] = root;
#ifdef IS_SANITIZED
  char sanitizer[] = "-fsanitize=address";
  words[used++] = sanitizer;
#endif
  for (int k = 0; k < count && used < WORDS_MOST - 2; k++)
    words[used++] = defines[k];
  words[used++] = runtime;
  if (!write_file(source, program->source))
    return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
  const int status = run_compiler(program, words);
  remove(source);
  if (status != 0)
    return NVRTC_ERROR_COMPILATION;
  return rename(made, program->path) == 0 ? NVRTC_SUCCESS : NVRTC_ERROR_INTERNAL_ERROR;
}

/* Of the module's options: it must name an architecture of those known, and forbid joined products and sums. */
static nvrtcResult read_options(struct _nvrtcProgram *program, int count, const char *const *options, char **defines,
                                int *define_count) {
  int known[16], architecture = 0;
  bool is_strict = false, is_known = false;
  for (int k = 0; k < count; k++) {
    if (sscanf(options[k], "--gpu-architecture=sm_%d", &architecture) == 1)
      program->is_binary = true;
    else if (sscanf(options[k], "--gpu-architecture=compute_%d", &architecture) == 1)
      program->is_binary = false;
    else if (strcmp(options[k], "--fmad=false") == 0)
      is_strict = true;
    else if (strncmp(options[k], "-D", 2) == 0)
      defines[(*define_count)++] = (char *)options[k];
    else
      return NVRTC_ERROR_INVALID_OPTION;
  }
  const int known_count = fake_architectures(known);
  for (int k = 0; k < known_count; k++)
    is_known = is_known || known[k] == architecture;
  return is_strict && is_known ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_OPTION;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options) {
  char *defines[WORDS_MOST];
  int define_count = 0;
  nvrtcResult result = outcome("nvrtcCompileProgram");
  if (result == NVRTC_SUCCESS)
    result = read_options(program, count, options, defines, &define_count);
  if (result != NVRTC_SUCCESS)
    return result;
  uint64_t hash = hashed(14695981039346656037u, program->source);
  for (int k = 0; k < define_count; k++)
    hash = hashed(hash, defines[k]);
  hash = hashed_file(hash, FAKE_SOURCE_ROOT "/tests/cuda/fake/compile.py");
  hash = hashed_file(hash, FAKE_SOURCE_ROOT "/tests/cuda/fake/kernel.h");
  mkdir(FAKE_CACHE, 0777);
  snprintf(program->path, sizeof(program->path), FAKE_CACHE "/%016llx.so", (unsigned long long)hash);
  return access(program->path, R_OK) == 0 ? NVRTC_SUCCESS : compile(program, defines, define_count);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes) {
  *bytes = (program->log ? strlen(program->log) : 0) + 1;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
  const char *text = program->log ? program->log : "";
  memcpy(log, text, strlen(text) + 1);
  return NVRTC_SUCCESS;
}

static nvrtcResult code_size(const struct _nvrtcProgram *program, size_t *bytes, bool is_wanted) {
  *bytes = strlen(FAKE_CODE_MARK) + strlen(program->path) + 1;
  return is_wanted ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_PROGRAM;
}

static nvrtcResult code(const struct _nvrtcProgram *program, char *out) {
  sprintf(out, FAKE_CODE_MARK "%s", program->path);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes) {
  const nvrtcResult result = outcome("nvrtcGetCUBINSize");
  return result != NVRTC_SUCCESS ? result : code_size(program, bytes, program->is_binary);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *out) {
  return code(program, out);
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes) {
  const nvrtcResult result = outcome("nvrtcGetPTXSize");
  return result != NVRTC_SUCCESS ? result : code_size(program, bytes, !program->is_binary);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *out) {
  return code(program, out);
}

nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
  const nvrtcResult result = outcome("nvrtcGetNumSupportedArchs");
  if (result == NVRTC_SUCCESS)
    *count = fake_architectures(NULL);
  return result;
}

nvrtcResult nvrtcGetSupportedArchs(int *known) {
  fake_architectures(known);
  return NVRTC_SUCCESS;
}

const char *nvrtcGetErrorString(nvrtcResult result) {
  static char text[32];
  snprintf(text, sizeof(text), "NVRTC error %d", (int)result);
  return text;
}
