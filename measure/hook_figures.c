/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/hook_report.h>

#include <math.h>
#include <string.h>

enum tac_status tac_hook_figures_create(struct tac_hook_figures **out, const char *name, const struct tac_event_set *events,
                                        const struct tac_allocator *allocator, struct tac_error *error) {
  if (!out)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no place for the figures");
  *out = NULL;
  if (!name || !events || (events->count > 0 && !events->events))
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no name, or no event set");
  const struct tac_allocator *of = allocator ? allocator : tac_allocator_system();
  struct tac_hook_figures *figures = of->allocate(of->context, sizeof *figures);
  if (figures) {
    *figures = (struct tac_hook_figures){.name = name, .events = events, .allocator = of};
    figures->phase = of->allocate(of->context, (events->count + 1) * sizeof *figures->phase);
    figures->item = of->allocate(of->context, (events->count + 1) * sizeof *figures->item);
  }
  if (!figures || !figures->phase || !figures->item) {
    tac_hook_figures_destroy(&figures);
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for the figures of %zu events", events->count);
  }
  tac_hook_figures_reset(figures);
  *out = figures;
  return TAC_STATUS_OK;
}

void tac_hook_figures_destroy(struct tac_hook_figures **figures) {
  if (!figures || !*figures)
    return;
  const struct tac_allocator *allocator = (*figures)->allocator;
  allocator->release(allocator->context, (*figures)->phase);
  allocator->release(allocator->context, (*figures)->item);
  allocator->release(allocator->context, *figures);
  *figures = NULL;
}

void tac_hook_figures_reset(struct tac_hook_figures *figures) {
  memset(figures->phase, 0, figures->events->count * sizeof *figures->phase);
  memset(figures->item, 0, figures->events->count * sizeof *figures->item);
  figures->failures = 0;
  figures->failure[0] = '\0';
}

static int64_t scaled(const struct tac_hook_value *raw) {
  if (raw->counted_ns == raw->enabled_ns)
    return raw->value;
  return raw->counted_ns > 0 ? llround((double)raw->value * ((double)raw->enabled_ns / (double)raw->counted_ns)) : 0;
}

void tac_hook_value_add(struct tac_hook_value *sum, const struct tac_hook_value *raw) {
  sum->value += scaled(raw);
  sum->enabled_ns += raw->enabled_ns;
  sum->counted_ns += raw->counted_ns;
}
