/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* For files that are compiled once per level (-DTAC_LEVEL=0 … 3): turns the level into a name suffix and into statements
 * that vanish. A file compiled so never tests the level itself. At off it includes no measurement header and declares no
 * recorder.
 *
 *   TAC_VARIANT(name)             name_off, name_coarse, name_detailed, name_hooked
 *   TAC_RECORDER_PARAMETER        ", struct tac_recorder *recorder" in a parameter list, nothing at off
 *   TAC_RECORDER_ARGUMENT         ", recorder" in a call, nothing at off
 *   TAC_PHASE_ENTER(event)        starts an inclusive phase of `recorder` (one clock read), nothing at off
 *   TAC_PHASE_LEAVE(event)        ends it (one clock read), nothing at off; phases nest
 *   TAC_DETAIL_ENTER/LEAVE(event) the same, but only at detailed: for phases too fine for coarse
 *   TAC_OFF_OR_MEASURED(a, b)     a at off, b otherwise: names of types that differ by the recorder
 *   TAC_RUN_BATCH(s, b, error)    tac_run_batch at off, tac_run_batch_measured with `recorder` otherwise
 *   TAC_PHASE_SYNC(status, s, e)  before the leave of a phase that submits to a device outside of batches: after `status` OK it
 *                                 becomes that of tac_scheduler_sync, nothing at off
 *   TAC_DETAIL_SYNC(status, s, e) the same, but only at detailed
 *
 * A phase is recorded also when it fails: enter, call, leave, then look at the status. */
#ifndef TACTUS_MEASURE_VARIANT_H
#define TACTUS_MEASURE_VARIANT_H

#ifndef TAC_LEVEL
#error "define TAC_LEVEL as 0 (off), 1 (coarse), 2 (detailed) or 3 (hooked) before including <tactus/measure/variant.h>"
#endif

#include <tactus/measure/level.h>

#if TAC_LEVEL == TAC_LEVEL_OFF
#define TAC_VARIANT(name) name##_off
#define TAC_RECORDER_PARAMETER
#define TAC_RECORDER_ARGUMENT
#define TAC_PHASE_ENTER(event)
#define TAC_PHASE_LEAVE(event)
#define TAC_PHASE_SYNC(status, scheduler, error)
#define TAC_RUN_BATCH(scheduler, batch, error) tac_run_batch((scheduler), (batch), (error))

#elif TAC_LEVEL == TAC_LEVEL_COARSE || TAC_LEVEL == TAC_LEVEL_DETAILED || TAC_LEVEL == TAC_LEVEL_HOOKED
#include <tactus/measure/recorder.h>
#if TAC_LEVEL == TAC_LEVEL_COARSE
#define TAC_VARIANT(name) name##_coarse
#elif TAC_LEVEL == TAC_LEVEL_DETAILED
#define TAC_VARIANT(name) name##_detailed
#else
#define TAC_VARIANT(name) name##_hooked
#endif
#define TAC_RECORDER_PARAMETER , struct tac_recorder *recorder
#define TAC_RECORDER_ARGUMENT  , recorder
#define TAC_PHASE_ENTER(event) tac_recorder_enter(recorder, (event));
#define TAC_PHASE_LEAVE(event) tac_recorder_leave(recorder, (event));
#define TAC_PHASE_SYNC(status, scheduler, error)                                                                               \
  if (!(status))                                                                                                               \
    (status) = tac_scheduler_sync((scheduler), recorder, (error));
#define TAC_RUN_BATCH(scheduler, batch, error) tac_run_batch_measured((scheduler), (batch), recorder, (error))

#else
#error "unknown TAC_LEVEL: 0 (off), 1 (coarse), 2 (detailed) or 3 (hooked)"
#endif

#if TAC_LEVEL == TAC_LEVEL_OFF
#define TAC_OFF_OR_MEASURED(off, measured) off
#define TAC_DETAIL_ENTER(event)
#define TAC_DETAIL_LEAVE(event)
#define TAC_DETAIL_SYNC(status, scheduler, error) (void)(scheduler);
#elif TAC_LEVEL == TAC_LEVEL_DETAILED
#define TAC_OFF_OR_MEASURED(off, measured)        measured
#define TAC_DETAIL_ENTER(event)                   TAC_PHASE_ENTER(event)
#define TAC_DETAIL_LEAVE(event)                   TAC_PHASE_LEAVE(event)
#define TAC_DETAIL_SYNC(status, scheduler, error) TAC_PHASE_SYNC(status, scheduler, error)
#else
#define TAC_OFF_OR_MEASURED(off, measured) measured
#define TAC_DETAIL_ENTER(event)            (void)recorder;
#define TAC_DETAIL_LEAVE(event)
#define TAC_DETAIL_SYNC(status, scheduler, error) (void)(scheduler);
#endif

#endif
