/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_KOKKOS_H
#define TACTUS_MEASURE_KOKKOS_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/measure/report.h>
#include <tactus/runtime/clock.h>
#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>
#include <tactus/runtime/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a Kokkos program asks of its devices, counted in the program itself. <tactus/kokkos.hpp> connects the callbacks below
 * with Kokkos; libtactus does not know Kokkos. Times are host wall time: a kernel on an asynchronous device returns before its
 * work is done, so that its time is that of the dispatch. A set is used by one thread at a time. */
struct tac_kokkos_counters;

/* As abi::__cxa_demangle of the C++ runtime: the text is free()'s, NULL where there is none. */
typedef char *(*tac_kokkos_demangle_fn)(const char *mangled, char *buffer, size_t *bytes, int *status);

struct tac_kokkos_options {
  size_t size;                           /* sizeof(struct tac_kokkos_options) */
  const struct tac_clock *clock;         /* NULL: tac_clock_monotonic() */
  const struct tac_allocator *allocator; /* NULL: the system's */
  size_t row_limit;           /* rows of all groups together, and ten times as many of kernels by region; default 10000 */
  const char *step;           /* the region that marks a step, copied; NULL: none */
  uint64_t interface_version; /* of Kokkos, which says how device numbers are read; default 20240906 */
  /* For kernels without a label, which Kokkos names by the mangled name of their type: called once for a new row with such a
   * name, on the thread that counts. NULL: these names stay as they are. tactus::kokkos::options() sets it. */
  tac_kokkos_demangle_fn demangle;
};
TAC_API void tac_kokkos_options_init(struct tac_kokkos_options *options);

/* options NULL: the defaults. INVALID: options not filled by _init. MEMORY. */
TAC_API enum tac_status tac_kokkos_counters_create(struct tac_kokkos_counters **out, const struct tac_kokkos_options *options,
                                                   struct tac_error *error);
/* Ends its scope on the calling thread, if any. One whose scope is another thread's must not be destroyed. */
TAC_API void tac_kokkos_counters_destroy(struct tac_kokkos_counters **counters);

/* Forgets everything but the memory in use. What has begun and not ended stays open; its end counts nowhere. */
TAC_API void tac_kokkos_counters_reset(struct tac_kokkos_counters *counters);

/* Adds what `from` holds, under labels as Kokkos gave them. Rows that find no room are added to what is unrecorded. A
 * high-water mark becomes the larger of both. INVALID: a set is missing, or both are the same. */
TAC_API enum tac_status tac_kokkos_counters_merge(struct tac_kokkos_counters *into, const struct tac_kokkos_counters *from,
                                                  struct tac_error *error);

enum tac_kokkos_kind {
  TAC_KOKKOS_FOR = 0,
  TAC_KOKKOS_REDUCE,
  TAC_KOKKOS_SCAN,
  TAC_KOKKOS_FENCE,
  TAC_KOKKOS_COPY,
  TAC_KOKKOS_REGION,
  TAC_KOKKOS_MARK, /* a profile event, which has no time */
  TAC_KOKKOS_KINDS
};

/* Rows are counted and numbered by group, each in the order in which its rows came. */
enum tac_kokkos_group {
  TAC_KOKKOS_KERNELS = 0,    /* by label, kind, device and instance */
  TAC_KOKKOS_FENCES,         /* by label, device and instance */
  TAC_KOKKOS_COPIES,         /* by pair of spaces */
  TAC_KOKKOS_REGIONS,        /* by name and the region around it */
  TAC_KOKKOS_MARKS,          /* by name */
  TAC_KOKKOS_REGION_KERNELS, /* kernels again, those launched within a region, by the innermost one as well */
  TAC_KOKKOS_GROUPS
};

#define TAC_KOKKOS_NO_PARENT SIZE_MAX

/* One row, or all of a group. Counts, times and bytes stop at the largest value of their type. */
struct tac_kokkos_row {
  enum tac_kokkos_kind kind;
  const char *name; /* the label; of a copy the space it came from. The set's, until its reset or destruction; NULL for a sum */
  const char *to;   /* of a copy: the space it went to; else NULL */
  uint32_t device;  /* as Kokkos gave it; tac_kokkos_device takes it apart */
  size_t parent;    /* of a region and a kernel by region: number of the region around it; else TAC_KOKKOS_NO_PARENT */
  int tool;         /* a fence that the tool layer raised, which is in no sum */
  uint64_t count;   /* kernels, copies and regions by their begins, fences by their ends */
  uint64_t timed;   /* those of them whose end came */
  int64_t total_ns, min_ns, max_ns;       /* of the timed; zeros without one */
  int64_t exclusive_ns;                   /* the total without what was counted within: on a thread these add up */
  uint64_t bytes, self_bytes, fill_bytes; /* copies; those of a view onto itself, and of fills, are in `bytes` as well */
  uint64_t self_count, fill_count;        /* likewise */
  uint64_t step_count;                    /* of the count: within a step */
  int64_t step_ns;                        /* of the total: likewise */
  int saturated;                          /* the bytes are more */
};
TAC_API size_t tac_kokkos_counters_rows(const struct tac_kokkos_counters *counters, enum tac_kokkos_group group);
/* All zeros for a number beyond the rows. */
TAC_API struct tac_kokkos_row tac_kokkos_counters_at(const struct tac_kokkos_counters *counters, enum tac_kokkos_group group,
                                                     size_t number);
/* Those whose row found no memory or no room; and all together, without the tool layer's fences. Their
 * totals are exclusive too, so that nothing is in them twice. Kernels without room by region are among
 * the kernels. */
TAC_API struct tac_kokkos_row tac_kokkos_counters_unrecorded(const struct tac_kokkos_counters *counters,
                                                             enum tac_kokkos_group group);
TAC_API struct tac_kokkos_row tac_kokkos_counters_total(const struct tac_kokkos_counters *counters,
                                                        enum tac_kokkos_group group);
/* Steps that have ended, with their time: a sum of the step's region wherever it stands, but for steps within a step. */
TAC_API struct tac_kokkos_row tac_kokkos_counters_steps(const struct tac_kokkos_counters *counters);

/* Copies folded by one rule: a space whose name begins with Host is the host's, every other a device's; two of one side are
 * the same. */
enum tac_kokkos_direction { TAC_KOKKOS_HOST_TO_DEVICE = 0, TAC_KOKKOS_DEVICE_TO_HOST, TAC_KOKKOS_SAME, TAC_KOKKOS_DIRECTIONS };
TAC_API enum tac_kokkos_direction tac_kokkos_direction(const char *from, const char *to);
TAC_API struct tac_kokkos_row tac_kokkos_counters_copies(const struct tac_kokkos_counters *counters,
                                                         enum tac_kokkos_direction direction);

/* A device number taken apart, by the version of the interface. */
struct tac_kokkos_device {
  const char *type; /* "Serial", "Cuda", …; "unknown" */
  uint32_t number, instance;
  const char *scope; /* "instance"; of a fence also "all" (instances of that type) or "copies" */
};
TAC_API struct tac_kokkos_device tac_kokkos_device(uint32_t device, enum tac_kokkos_group group, uint64_t interface_version);

/* Memory of a space. What was allocated before counting began and freed since makes `bytes` negative. */
struct tac_kokkos_space {
  char name[64];
  uint64_t allocations, deallocations;
  int64_t bytes, high_water_bytes; /* in use, and the most that was */
};
TAC_API size_t tac_kokkos_counters_spaces(const struct tac_kokkos_counters *counters);
TAC_API struct tac_kokkos_space tac_kokkos_counters_space(const struct tac_kokkos_counters *counters, size_t number);

/* A profile section: by name and the region in which it was started, whichever thread started and stopped it. */
struct tac_kokkos_section {
  const char *name;
  size_t parent;  /* the number of that region, or of the innermost one around it that has a row; else TAC_KOKKOS_NO_PARENT */
  uint64_t count; /* stops that had a start */
  int64_t total_ns, min_ns, max_ns;
};
TAC_API size_t tac_kokkos_counters_sections(const struct tac_kokkos_counters *counters);
TAC_API struct tac_kokkos_section tac_kokkos_counters_section(const struct tac_kokkos_counters *counters, size_t number);

/* What did not pair. */
struct tac_kokkos_mismatches {
  uint64_t kernels, fences, copies; /* ends without their begin: nothing was open, another handle, another thread */
  uint64_t regions;                 /* pops without a push */
  uint64_t sections;                /* starts, stops and ends of a section that is not there or not in that state */
  uint64_t unfinished;              /* begun and not ended: still open, or when its scope or thread ended */
  const char *last_region;          /* the region that was popped last before a pop without a push; NULL: none */
};
TAC_API struct tac_kokkos_mismatches tac_kokkos_counters_mismatches(const struct tac_kokkos_counters *counters);
/* Events that found no row, no space and no section. */
TAC_API uint64_t tac_kokkos_counters_dropped(const struct tac_kokkos_counters *counters);

/* A stack of sets per thread, of which the one begun last receives what that thread's callbacks tell. Threads start without.
 *
 * begin: BUSY when the set is in a scope already, on whichever thread; INVALID when there is none. end: INVALID when the set is
 * not the one begun last on this thread, and nothing changes; what was begun within the scope and has not ended counts as
 * unfinished, and its end will do nothing. */
TAC_API enum tac_status tac_kokkos_scope_begin(struct tac_kokkos_counters *counters, struct tac_error *error);
TAC_API enum tac_status tac_kokkos_scope_end(struct tac_kokkos_counters *counters, struct tac_error *error);
/* The set that receives on the calling thread, NULL outside of any scope. */
TAC_API struct tac_kokkos_counters *tac_kokkos_scope(void);

/* The callbacks, for the set that receives. Outside of any scope a begin sets its handle to 0, and nothing else happens. None
 * waits for a device, keeps or follows a pointer into a view, or allocates at an end.
 *
 * A begin of a kernel counts it and sets *handle: in its low half to the number of its row. An end ends what was begun last of
 * its kind and has not ended. With another handle of the same scope it counts as a mismatch and adds nothing; with a handle of
 * another thread it is a mismatch and nothing ends; with one of a scope that has ended it does nothing. */
TAC_API void tac_kokkos_begin_kernel(enum tac_kokkos_kind kind, const char *label, uint32_t device, uint64_t *handle);
TAC_API void tac_kokkos_end_kernel(enum tac_kokkos_kind kind, uint64_t handle);
TAC_API void tac_kokkos_begin_fence(const char *label, uint32_t device, uint64_t *handle);
TAC_API void tac_kokkos_end_fence(uint64_t handle);
/* Names of spaces end after 63 bytes at the latest. The pointers are compared with each other only. */
TAC_API void tac_kokkos_begin_copy(const char *to, const char *to_label, const void *to_pointer, const char *from,
                                   const char *from_label, const void *from_pointer, uint64_t bytes);
TAC_API void tac_kokkos_end_copy(void);
TAC_API void tac_kokkos_allocate(const char *space, uint64_t bytes);
TAC_API void tac_kokkos_deallocate(const char *space, uint64_t bytes);
TAC_API void tac_kokkos_push_region(const char *name);
TAC_API void tac_kokkos_pop_region(void);
/* Numbers of sections are the set's that received their creation. */
TAC_API void tac_kokkos_create_section(const char *name, uint32_t *section);
TAC_API void tac_kokkos_start_section(uint32_t section);
TAC_API void tac_kokkos_stop_section(uint32_t section);
TAC_API void tac_kokkos_destroy_section(uint32_t section);
TAC_API void tac_kokkos_mark(const char *name);

/* For a person and for a script, lines of key=value pairs: one that sums up, one for each kernel (its devices and instances
 * folded), by falling time, one for each pair of spaces that was copied between, for each space and, as their tree is walked,
 * for each region, without its kernels. Names are quoted as in JSON. `prefix` begins each line. MEMORY: all was written, but
 * kernels stand as they came, with devices and instances apart, or regions are left out. */
TAC_API enum tac_status tac_kokkos_report_text(const struct tac_kokkos_counters *counters, const char *prefix, tac_sink_fn sink,
                                               void *context, struct tac_error *error);

/* One JSON object
 * {"schema":1,"kind":"kokkos","clock":{…},"run":{…},"kernels":[…],"fences":[…],"copies":[…],"directions":{…},"spaces":[…],
 * "regions":[…],"kernels_by_region":[…],"kernels_not_by_region":…,"sections":[…],"marks":[…],"steps":[…],"mismatches":{…},
 * "dropped":…}; docs/kokkos.md explains each member.
 * Every text is valid UTF-8, and numbers never depend on the locale. facts: NULL for none; they are the member "run", by which
 * `tactus report` names the program. Values are texts, but for a list of one in "command_line" and numbers, where the text is
 * one, in "threads", "lanes", "wall_ns", "kernels_ns" and "outside_kernels_ns". */
TAC_API enum tac_status tac_kokkos_report_json(const struct tac_kokkos_counters *counters, const struct tac_report_facts *facts,
                                               tac_sink_fn sink, void *context, struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
