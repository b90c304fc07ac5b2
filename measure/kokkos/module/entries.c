/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* What Kokkos calls. A tool behind this one is called first at a begin and last at an end, so that its time is not in ours. */

#include <string.h>

#include "measure/kokkos/abi.h"
#include "measure/kokkos/calls.h"
#include "measure/kokkos/module/chain.h"
#include "measure/kokkos/module/host_threads.h"
#include "measure/kokkos/module/module.h"
#include "measure/kokkos/module/run_facts.h"
#include "measure/kokkos/module/trace.h"

#define ENTRY __attribute__((visibility("default"))) void

#define TAC_DECLARE(name, parameters) ENTRY kokkosp_##name parameters;
TAC_CHAIN_LIST(TAC_DECLARE)
#undef TAC_DECLARE

static struct tac_trace_buffer *own_trace(void) {
  return tac_host_thread ? tac_host_thread->trace : NULL;
}

ENTRY kokkosp_init_library(int sequence, uint64_t interface_version, uint32_t device_count, struct kokkosp_device *devices) {
  tac_module.interface_version = interface_version;
  tac_module_start();
  tac_chain_load(sequence);
  if (tac_chain.init_library)
    tac_chain.init_library(sequence + 1, interface_version, device_count, devices);
}

ENTRY kokkosp_finalize_library(void) {
  if (tac_chain.finalize_library)
    tac_chain.finalize_library();
  tac_module_report(0);
}

/* Where the program never finalized Kokkos, or went on after it. */
__attribute__((destructor)) static void report_at_exit(void) {
  tac_module_report(1);
}

static void write_fencing(struct tac_emitter *json, const void *context) {
  (void)context;
  tac_module_write_fencing(json);
}

/* Unless a tool says otherwise Kokkos waits for all devices around everything it tells. */
ENTRY kokkosp_request_tool_settings(uint32_t count, struct kokkosp_settings *settings) {
  tac_module_start();
  if (count == 0 || !settings)
    return;
  int chained = 0;
  if (tac_chain.request_tool_settings) {
    tac_chain.request_tool_settings(count, settings);
    chained = settings->requires_global_fencing;
  }
  settings->requires_global_fencing = tac_module.settings.fence || chained;
  tac_module.fencing = settings->requires_global_fencing;
  tac_module.fencing_by = tac_module.settings.fence ? "TACTUS_KOKKOS_FENCE" : chained ? "the next tool" : NULL;
  tac_trace_file_note("tactus_fencing", write_fencing, NULL);
}

ENTRY kokkosp_provide_tool_programming_interface(uint32_t count, struct kokkosp_interface functions) {
  if (tac_chain.provide_tool_programming_interface)
    tac_chain.provide_tool_programming_interface(count, functions);
}

ENTRY kokkosp_parse_args(int count, char **arguments) {
  if (tac_chain.parse_args)
    tac_chain.parse_args(count, arguments);
}

ENTRY kokkosp_print_help(char *program) {
  tac_module_complain("set by TACTUS_KOKKOS_OUT=text|json:FILE|trace:FILE|html:FILE (in FILE %%p process, %%h host), "
                      "TACTUS_KOKKOS_FENCE=0|1, TACTUS_KOKKOS_STEP=REGION and TACTUS_KOKKOS_TRACE_LIMIT=EVENTS");
  if (tac_chain.print_help)
    tac_chain.print_help(program);
}

ENTRY kokkosp_declare_metadata(const char *key, const char *value) {
  tac_module_fact_add(key, value);
  if (tac_chain.declare_metadata)
    tac_chain.declare_metadata(key, value);
}

/* Begins whose handle Kokkos has from the tool behind, as there was no set for the thread. */
static _Thread_local size_t without_set;

/* Whether an end that comes now is that of a begin that has no frame: Kokkos then gives back the other tool's own handle. What
 * has no set was begun before all that has one, and what found no memory above all that did. */
static int ends_without_frame(struct tac_kokkos_counters *counters) {
  if (counters->untimed > 0) {
    counters->untimed--;
    return 1;
  }
  if (without_set == 0 || tac_calls_is_open(counters))
    return 0;
  without_set--;
  return 1;
}

/* A begin that the tool behind has answered with this handle. */
static void keep_handle(const struct tac_kokkos_counters *counters, struct tac_kokkos_frame *frame, int is_chained,
                        uint64_t theirs, uint64_t *handle) {
  if (frame)
    frame->chained = theirs;
  if (!counters || (!frame && is_chained))
    *handle = theirs;
  without_set += !counters && is_chained;
}

static void begin_kernel(enum tac_kokkos_kind kind, const char *label, uint32_t device, uint64_t *handle,
                         void (*chained)(const char *, uint32_t, uint64_t *)) {
  uint64_t theirs = 0;
  if (chained)
    chained(label, device, &theirs);
  struct tac_kokkos_counters *counters = tac_host_counters();
  struct tac_kokkos_frame *frame = counters ? tac_calls_begin_kernel(counters, kind, label, device, handle) : NULL;
  keep_handle(counters, frame, chained != NULL, theirs, handle);
}

/* What was closed, to the trace and to the tool behind. */
static void pass_on(enum tac_closing closing, const struct tac_kokkos_closed *closed, void (*chained)(uint64_t)) {
  if (closing == TAC_CLOSED && tac_module.settings.form == TAC_FORM_TRACE)
    tac_trace_slice(own_trace(), closed, tac_module.interface_version);
  if (closing != TAC_CLOSED_NOTHING && chained)
    chained(closed->frame.chained);
}

static void end_call(enum tac_kokkos_kind kind, uint64_t handle, void (*chained)(uint64_t)) {
  struct tac_kokkos_closed closed;
  struct tac_kokkos_counters *counters = tac_host_counters();
  if (chained && (!counters || ends_without_frame(counters))) {
    without_set -= !counters && without_set > 0;
    chained(handle);
  } else if (counters) {
    pass_on(tac_calls_end_kernel(counters, kind, handle, &closed), &closed, chained);
  }
}

ENTRY kokkosp_begin_parallel_for(const char *label, uint32_t device, uint64_t *handle) {
  begin_kernel(TAC_KOKKOS_FOR, label, device, handle, tac_chain.begin_parallel_for);
}

ENTRY kokkosp_end_parallel_for(uint64_t handle) {
  end_call(TAC_KOKKOS_FOR, handle, tac_chain.end_parallel_for);
}

ENTRY kokkosp_begin_parallel_reduce(const char *label, uint32_t device, uint64_t *handle) {
  begin_kernel(TAC_KOKKOS_REDUCE, label, device, handle, tac_chain.begin_parallel_reduce);
}

ENTRY kokkosp_end_parallel_reduce(uint64_t handle) {
  end_call(TAC_KOKKOS_REDUCE, handle, tac_chain.end_parallel_reduce);
}

ENTRY kokkosp_begin_parallel_scan(const char *label, uint32_t device, uint64_t *handle) {
  begin_kernel(TAC_KOKKOS_SCAN, label, device, handle, tac_chain.begin_parallel_scan);
}

ENTRY kokkosp_end_parallel_scan(uint64_t handle) {
  end_call(TAC_KOKKOS_SCAN, handle, tac_chain.end_parallel_scan);
}

ENTRY kokkosp_begin_fence(const char *label, uint32_t device, uint64_t *handle) {
  uint64_t theirs = 0;
  if (tac_chain.begin_fence)
    tac_chain.begin_fence(label, device, &theirs);
  struct tac_kokkos_counters *counters = tac_host_counters();
  struct tac_kokkos_frame *frame = counters ? tac_calls_begin_fence(counters, label, device, handle) : NULL;
  keep_handle(counters, frame, tac_chain.begin_fence != NULL, theirs, handle);
}

ENTRY kokkosp_end_fence(uint64_t handle) {
  end_call(TAC_KOKKOS_FENCE, handle, tac_chain.end_fence);
}

ENTRY kokkosp_begin_deep_copy(struct kokkosp_space to, const char *to_label, const void *to_pointer, struct kokkosp_space from,
                              const char *from_label, const void *from_pointer, uint64_t bytes) {
  if (tac_chain.begin_deep_copy)
    tac_chain.begin_deep_copy(to, to_label, to_pointer, from, from_label, from_pointer, bytes);
  struct tac_kokkos_counters *counters = tac_host_counters();
  if (counters)
    tac_calls_begin_copy(
        counters, &(struct tac_kokkos_transfer){to.name, to_label, from.name, from_label, to_pointer, from_pointer, bytes});
}

ENTRY kokkosp_end_deep_copy(void) {
  struct tac_kokkos_closed closed;
  struct tac_kokkos_counters *counters = tac_host_counters();
  if (counters)
    pass_on(tac_calls_end_copy(counters, &closed), &closed, NULL);
  if (tac_chain.end_deep_copy)
    tac_chain.end_deep_copy();
}

ENTRY kokkosp_push_profile_region(const char *name) {
  if (tac_chain.push_profile_region)
    tac_chain.push_profile_region(name);
  struct tac_kokkos_counters *counters = tac_host_counters();
  if (counters)
    tac_calls_push_region(counters, name);
}

ENTRY kokkosp_pop_profile_region(void) {
  struct tac_kokkos_closed closed;
  struct tac_kokkos_counters *counters = tac_host_counters();
  if (counters)
    pass_on(tac_calls_pop_region(counters, &closed), &closed, NULL);
  if (tac_chain.pop_profile_region)
    tac_chain.pop_profile_region();
}

static void count_memory(const struct kokkosp_space *space, uint64_t bytes, int is_release) {
  if (!tac_host_counters())
    return;
  const int64_t held = tac_ledger_memory(&tac_module.ledger, space->name, bytes, is_release);
  if (tac_module.settings.form == TAC_FORM_TRACE)
    tac_trace_memory(own_trace(), space->name, held, tac_module_now_ns());
}

ENTRY kokkosp_allocate_data(struct kokkosp_space space, const char *label, const void *pointer, uint64_t bytes) {
  if (tac_chain.allocate_data)
    tac_chain.allocate_data(space, label, pointer, bytes);
  count_memory(&space, bytes, 0);
}

ENTRY kokkosp_deallocate_data(struct kokkosp_space space, const char *label, const void *pointer, uint64_t bytes) {
  count_memory(&space, bytes, 1);
  if (tac_chain.deallocate_data)
    tac_chain.deallocate_data(space, label, pointer, bytes);
}

/* Each tool numbers sections itself. Where nothing is measured the numbers are the other tool's; one that has no room here, or
 * no memory for what it is there, is the other tool's alone, with a mark. */
#define THEIRS_ALONE (UINT32_C(1) << 31)

ENTRY kokkosp_create_profile_section(const char *name, uint32_t *section) {
  uint32_t theirs = 0;
  if (tac_chain.create_profile_section)
    tac_chain.create_profile_section(name, &theirs);
  struct tac_kokkos_counters *counters = tac_host_counters();
  *section = counters ? tac_ledger_section_create(&tac_module.ledger, name) : UINT32_MAX;
  if (!tac_module.measuring) {
    *section = theirs;
  } else if (tac_chain.create_profile_section && !tac_chain_section_keep(*section, theirs) &&
             theirs < UINT32_MAX - THEIRS_ALONE) {
    tac_ledger_section_destroy(&tac_module.ledger, *section);
    *section = THEIRS_ALONE | theirs;
  }
}

/* Of a section of its own the other tool alone is told: 1. */
static int is_theirs_alone(uint32_t section) {
  return tac_module.measuring && section >= THEIRS_ALONE && section < UINT32_MAX;
}

static void pass_section(void (*chained)(uint32_t), uint32_t section) {
  uint32_t theirs = is_theirs_alone(section) ? section & ~THEIRS_ALONE : section;
  if (chained && (!tac_module.measuring || theirs != section || tac_chain_section_find(section, &theirs)))
    chained(theirs);
}

ENTRY kokkosp_start_profile_section(uint32_t section) {
  pass_section(tac_chain.start_profile_section, section);
  struct tac_kokkos_counters *counters = is_theirs_alone(section) ? NULL : tac_host_counters();
  if (counters)
    tac_ledger_section_start(&tac_module.ledger, section, counters->region, tac_module.clock);
}

ENTRY kokkosp_stop_profile_section(uint32_t section) {
  int64_t start_ns = 0;
  const int is_ours = !is_theirs_alone(section) && tac_host_counters(); /* the first call of all makes the clock */
  const int64_t end_ns = is_ours ? tac_module_now_ns() : 0;
  const char *name = is_ours ? tac_ledger_section_stop(&tac_module.ledger, section, end_ns, &start_ns) : NULL;
  if (name)
    tac_trace_section(own_trace(), name, section, start_ns, end_ns);
  pass_section(tac_chain.stop_profile_section, section);
}

ENTRY kokkosp_destroy_profile_section(uint32_t section) {
  if (!is_theirs_alone(section) && tac_host_counters())
    tac_ledger_section_destroy(&tac_module.ledger, section);
  pass_section(tac_chain.destroy_profile_section, section);
}

ENTRY kokkosp_profile_event(const char *name) {
  struct tac_kokkos_counters *counters = tac_host_counters();
  if (tac_chain.profile_event)
    tac_chain.profile_event(name);
  if (!counters)
    return;
  tac_calls_mark(counters, name);
  tac_trace_mark(own_trace(), name ? name : "", tac_module_now_ns());
}

ENTRY kokkosp_dual_view_sync(const char *label, const void *pointer, bool to_device) {
  if (tac_chain.dual_view_sync)
    tac_chain.dual_view_sync(label, pointer, to_device);
}

ENTRY kokkosp_dual_view_modify(const char *label, const void *pointer, bool on_device) {
  if (tac_chain.dual_view_modify)
    tac_chain.dual_view_modify(label, pointer, on_device);
}
