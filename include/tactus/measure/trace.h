/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_TRACE_H
#define TACTUS_MEASURE_TRACE_H

#include <tactus/measure/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What tac_report_trace writes, while it happens: Chrome's trace events in the form of an array, in which a file may end
 * anywhere. Recorders that have it as their option `trace` tell it of every phase and batch that ends, as long as they keep
 * them one by one: phases and batches up to their timeline_limit, items of batches up to their batch_limit. Writing takes time
 * within the phases around what is written, not within it. Used by one thread at a time, that which drives the recorders. */
struct tac_trace;

struct tac_trace_options {
  size_t size;                           /* sizeof(struct tac_trace_options) */
  enum tac_level level;                  /* of the recorders; coarse by default */
  const struct tac_clock *clock;         /* theirs; NULL: tac_clock_monotonic() */
  const struct tac_allocator *allocator; /* NULL: the system's */
  const struct tac_report_facts *facts;  /* what the file says of the run, for the call only; NULL for nothing */
};
TAC_API void tac_trace_options_init(struct tac_trace_options *options);

/* Begins the array; now is the origin of its times. The sink is given whole lines, one an event, each time 100 ms after the
 * last time or more when something ends, and earlier where there is much. What it refused once it is never given again.
 * INVALID: no sink, level off, a fact without key or value. MEMORY. */
TAC_API enum tac_status tac_trace_create(struct tac_trace **out, const struct tac_trace_options *options, tac_sink_fn sink,
                                         void *context, struct tac_error *error);

/* Ends the array; what ends later is not told. IO: the sink refused something. */
TAC_API enum tac_status tac_trace_finish(struct tac_trace *trace, struct tac_error *error);

/* After its recorders. One that is not finished is what the sink has been given so far. Bears NULL. */
TAC_API void tac_trace_destroy(struct tac_trace **trace);

#ifdef __cplusplus
}
#endif
#endif
