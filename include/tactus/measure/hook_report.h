/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_HOOK_REPORT_H
#define TACTUS_MEASURE_HOOK_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/measure/event.h>
#include <tactus/measure/report.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TAC_HOOK_COUNTERS_MOST 12

/* What one counter counts: "page-faults" of the unit "" (a plain number), "task-clock" of "ns". */
struct tac_hook_counter {
  char name[64];
  char unit[16];
};

/* One counter over some stretch. Counters that take turns on the hardware count a part of the time only: the value is then
 * scaled up from counted_ns to enabled_ns. Where both are equal, also 0, it is exact. */
struct tac_hook_value {
  int64_t value, enabled_ns, counted_ns;
};

/* Of one event: how often, and the sums of the counters in their order. */
struct tac_hook_sum {
  uint64_t count;
  struct tac_hook_value value[TAC_HOOK_COUNTERS_MOST];
};

/* What hooks gathered, to be reported beside a recorder's times: filled by a tool of <tactus/hooks.h>, or by a table of one's
 * own. `phase` is inclusive and of the thread that drives the recorder alone; `item` is of the items of the event's batches on
 * all lanes. A failure is told once, however often it occurred. */
struct tac_hook_figures {
  const char *name; /* of the hooks, "perf"; any bytes */
  const struct tac_event_set *events;
  size_t counters; /* at most TAC_HOOK_COUNTERS_MOST */
  struct tac_hook_counter counter[TAC_HOOK_COUNTERS_MOST];
  struct tac_hook_sum *phase, *item; /* one per event */
  uint64_t failures;                 /* on how many threads counters are missing, so that sums lack their part */
  char failure[208];                 /* the first of them; empty: none */
  char note[400];                    /* what the reader must know of all figures; empty: nothing */
  const struct tac_allocator *allocator;
};

/* All zeros; `events` outlives it, NULL: the system's allocator. INVALID: no event set. MEMORY. */
TAC_API enum tac_status tac_hook_figures_create(struct tac_hook_figures **out, const char *name,
                                                const struct tac_event_set *events, const struct tac_allocator *allocator,
                                                struct tac_error *error);
TAC_API void tac_hook_figures_destroy(struct tac_hook_figures **figures);

/* Forgets sums and failures; keeps names, counters and note. */
TAC_API void tac_hook_figures_reset(struct tac_hook_figures *figures);

/* Adds a value, its unscaled sum in `raw` brought up to enabled_ns. One that never counted though it was enabled adds 0. */
TAC_API void tac_hook_value_add(struct tac_hook_value *sum, const struct tac_hook_value *raw);

/* The tables for a person: phases with their count and the counters, indented by inclusion, and below them items. Events
 * without figures are left out. Without counters a line says how often hooks were called. Then the note, the failure, and the
 * least share of the time in which a scaled counter counted. INVALID: no figures or no sink. IO: the sink refused a piece. */
TAC_API enum tac_status tac_hook_report_text(const struct tac_hook_figures *figures, tac_sink_fn sink, void *context,
                                             struct tac_error *error);

/* One JSON object {"name":…,"counters":[{"name":…,"unit":…}],"events":[{"name":…,"count":…,"values":[…],"items":…,
 * "item_values":[…]}],"failures":…,"failure":…,"note":…}. Values stand in the order of the counters; an event with scaled ones
 * has "counted_share" and "item_counted_share", too, 1 for an exact one. "failure" and "note" are null where there is none.
 * Texts and numbers as in tac_report_json. MEMORY: nothing, or only a part, was written. */
TAC_API enum tac_status tac_hook_report_json(const struct tac_hook_figures *figures, tac_sink_fn sink, void *context,
                                             struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
