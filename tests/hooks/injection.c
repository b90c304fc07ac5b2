/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * A profiler for tests: named by NVTX_INJECTION64_PATH it writes a line for each call into the file TACTUS_NVTX_LOG. */
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NAMES = 256 };

/* Handles are made of them; nothing is freed, the process owns them. */
struct nvtxDomainRegistration_st {
  const char *name;
};
struct nvtxStringRegistration_st {
  char text[64];
};

static FILE *file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct nvtxDomainRegistration_st domain;
static struct nvtxStringRegistration_st strings[NAMES];
static int string_count;

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table);

static long thread(void) {
  return syscall(SYS_gettid);
}

static nvtxDomainHandle_t create_domain(const char *name) {
  domain.name = name;
  fprintf(file, "domain %s\n", name);
  return &domain;
}

static void destroy_domain(nvtxDomainHandle_t handle) {
  fprintf(file, "destroy %d\n", handle == &domain);
}

static void name_category(nvtxDomainHandle_t handle, uint32_t category, const char *name) {
  fprintf(file, "category %d %u %s\n", handle == &domain, category, name);
}

static nvtxStringHandle_t register_string(nvtxDomainHandle_t handle, const char *text) {
  if (string_count == NAMES)
    return NULL;
  snprintf(strings[string_count].text, sizeof strings->text, "%s", text);
  fprintf(file, "string %d %s\n", handle == &domain, text);
  return &strings[string_count++];
}

static int push(nvtxDomainHandle_t handle, const nvtxEventAttributes_t *event) {
  pthread_mutex_lock(&lock);
  if (handle == &domain && event->messageType == NVTX_MESSAGE_TYPE_REGISTERED && event->version == NVTX_VERSION)
    fprintf(file, "push %ld %u %d %llu %s\n", thread(), event->category, event->payloadType,
            (unsigned long long)event->payload.ullValue, event->message.registered->text);
  else
    fprintf(file, "foreign push\n");
  pthread_mutex_unlock(&lock);
  return 0;
}

static int pop(nvtxDomainHandle_t handle) {
  pthread_mutex_lock(&lock);
  fprintf(file, handle == &domain ? "pop %ld\n" : "foreign pop %ld\n", thread());
  pthread_mutex_unlock(&lock);
  return 0;
}

static void set(NvtxFunctionTable table, unsigned entry, NvtxFunctionPointer function) {
  *table[entry] = function;
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  const NvtxExportTableCallbacks *callbacks = get_table(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable table = NULL;
  unsigned size = 0;
  const char *path = getenv("TACTUS_NVTX_LOG");
  if (!path || !callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) ||
      size <= NVTX_CBID_CORE2_DomainRegisterStringA || !(file = fopen(path, "w")))
    return 0;
  set(table, NVTX_CBID_CORE2_DomainCreateA, (NvtxFunctionPointer)create_domain);
  set(table, NVTX_CBID_CORE2_DomainDestroy, (NvtxFunctionPointer)destroy_domain);
  set(table, NVTX_CBID_CORE2_DomainNameCategoryA, (NvtxFunctionPointer)name_category);
  set(table, NVTX_CBID_CORE2_DomainRegisterStringA, (NvtxFunctionPointer)register_string);
  set(table, NVTX_CBID_CORE2_DomainRangePushEx, (NvtxFunctionPointer)push);
  set(table, NVTX_CBID_CORE2_DomainRangePop, (NvtxFunctionPointer)pop);
  return 1;
}
