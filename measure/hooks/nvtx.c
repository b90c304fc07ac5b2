/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hooks/backend.h"

#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

enum { CATEGORY_PHASE = 1, CATEGORY_ITEM };

struct nvtx {
  nvtxDomainHandle_t domain;
  nvtxStringHandle_t name[]; /* of each event */
};

static enum tac_status probe(struct tac_error *error) {
  (void)error;
  return TAC_STATUS_OK;
}

static enum tac_status list(tac_hook_counter_fn take, void *context, struct tac_error *error) {
  (void)take, (void)context, (void)error;
  return TAC_STATUS_OK;
}

static enum tac_status create(struct tac_hook_plan *plan, struct tac_error *error) {
  if (plan->names)
    return tac_error_set(error, TAC_STATUS_INVALID, "nvtx", "'%s': nvtx makes ranges and counts nothing", plan->names);
  const size_t count = plan->events->count;
  const enum tac_status status =
      tac_hook_plan_state(plan, sizeof(struct nvtx) + count * sizeof(nvtxStringHandle_t), "nvtx", error);
  if (status != TAC_STATUS_OK)
    return status;
  struct nvtx *nvtx = plan->state;
  nvtx->domain = nvtxDomainCreateA("tactus");
  if (!nvtx->domain)
    snprintf(plan->note, sizeof plan->note,
             "No profiler took the ranges: run under one, such as nsys profile, or name one by NVTX_INJECTION64_PATH");
  nvtxDomainNameCategoryA(nvtx->domain, CATEGORY_PHASE, "phase");
  nvtxDomainNameCategoryA(nvtx->domain, CATEGORY_ITEM, "item");
  for (size_t i = 0; i < count; i++)
    nvtx->name[i] = nvtxDomainRegisterStringA(nvtx->domain, plan->events->events[i].name);
  return TAC_STATUS_OK;
}

static void destroy(struct tac_hook_plan *plan) {
  const struct nvtx *nvtx = plan->state;
  nvtxDomainDestroy(nvtx->domain);
}

static void enter(const struct tac_hook_plan *plan, int event, const size_t *index) {
  const struct nvtx *nvtx = plan->state;
  nvtxEventAttributes_t attributes = {
      .version = NVTX_VERSION, .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE, .category = index ? CATEGORY_ITEM : CATEGORY_PHASE};
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = nvtx->name[event];
  if (!nvtx->name[event]) { /* a profiler that registers none */
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = plan->events->events[event].name;
  }
  if (index) {
    attributes.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    attributes.payload.ullValue = *index;
  }
  nvtxDomainRangePushEx(nvtx->domain, &attributes);
}

static void leave(const struct tac_hook_plan *plan) {
  const struct nvtx *nvtx = plan->state;
  nvtxDomainRangePop(nvtx->domain);
}

const struct tac_hook_backend tac_hook_backend_nvtx = {
    .kind = {"nvtx", "ranges for Nsight Systems and other profilers that take NVTX", probe, list},
    .create = create,
    .destroy = destroy,
    .enter = enter,
    .leave = leave,
};
