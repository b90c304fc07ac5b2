/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/calls.h"

#include <string.h>

#include "measure/kokkos/abi.h"

enum { FIRST_FRAMES = 64 };
#define NO_FRAME    SIZE_MAX
#define TAG_MASK    (UINT64_MAX << 32)
#define THREAD_MASK (UINT64_MAX << 48)

int64_t tac_calls_now(const struct tac_kokkos_counters *counters) {
  return counters->options.clock->now_ns(counters->options.clock->context);
}

static size_t depth_of(const struct tac_kokkos_counters *counters) {
  return atomic_load_explicit(&counters->depth, memory_order_relaxed);
}

static void set_depth(struct tac_kokkos_counters *counters, size_t depth) {
  atomic_store_explicit(&counters->depth, depth, memory_order_relaxed);
}

static int grow_frames(struct tac_kokkos_counters *counters) {
  const struct tac_allocator *allocator = counters->options.allocator;
  const size_t capacity = counters->frame_capacity ? 2 * counters->frame_capacity : FIRST_FRAMES;
  struct tac_kokkos_frame *frames =
      capacity <= SIZE_MAX / 2 / sizeof *frames ? allocator->allocate(allocator->context, capacity * sizeof *frames) : NULL;
  if (!frames)
    return 0;
  if (counters->frames)
    memcpy(frames, counters->frames, counters->frame_capacity * sizeof *frames);
  allocator->release(allocator->context, counters->frames);
  counters->frames = frames;
  counters->frame_capacity = capacity;
  return 1;
}

static struct tac_kokkos_line *line_of(struct tac_kokkos_counters *counters, const struct tac_row_key *key) {
  struct tac_kokkos_line *line = tac_row_table_add(&counters->table, key);
  return line ? line : &counters->unrecorded[tac_kokkos_group_of(key->kind)];
}

static void count(const struct tac_kokkos_counters *counters, struct tac_kokkos_line *line) {
  tac_counter_add(&line->count, 1);
  if (counters->steps_open > 0)
    tac_counter_add(&line->step_count, 1);
}

/* The clock is read last, so that the bookkeeping is not in the time. Above what has no memory all are untimed, so that ends
 * still find their begins. */
static struct tac_kokkos_frame *push(struct tac_kokkos_counters *counters, struct tac_kokkos_line *line,
                                     enum tac_kokkos_kind kind, uint64_t handle) {
  const size_t depth = depth_of(counters);
  if (counters->untimed > 0 || (depth == counters->frame_capacity && !grow_frames(counters))) {
    counters->untimed++;
    return NULL;
  }
  struct tac_kokkos_frame *frame = &counters->frames[depth];
  *frame = (struct tac_kokkos_frame){.line = line, .handle = handle, .kind = kind};
  set_depth(counters, depth + 1);
  frame->start_ns = tac_calls_now(counters);
  return frame;
}

/* Most launches of a kernel are in the region of the one before. */
struct tac_kokkos_line *tac_calls_by_region(struct tac_kokkos_counters *counters, struct tac_kokkos_line *kernel) {
  struct tac_kokkos_line *region = counters->region;
  if (!region || kernel->number == TAC_KOKKOS_UNRECORDED)
    return NULL;
  if (kernel->by_region && kernel->by_region->parent == region)
    return kernel->by_region;
  if (region->number == TAC_KOKKOS_UNRECORDED)
    return &counters->unrecorded[TAC_KOKKOS_REGION_KERNELS];
  const struct tac_row_key key = {kernel->kind, kernel->device, region, kernel->label, kernel->label_bytes};
  struct tac_kokkos_line *line = tac_row_table_add(&counters->table, &key);
  if (!line)
    return &counters->unrecorded[TAC_KOKKOS_REGION_KERNELS];
  return kernel->by_region = line;
}

struct tac_kokkos_frame *tac_calls_begin_kernel(struct tac_kokkos_counters *counters, enum tac_kokkos_kind kind,
                                                const char *label, uint32_t device, uint64_t *handle) {
  const char *name = label ? label : "";
  struct tac_kokkos_line *line = line_of(counters, &(struct tac_row_key){kind, device, NULL, name, strlen(name)});
  struct tac_kokkos_line *by_region = tac_calls_by_region(counters, line);
  count(counters, line);
  if (by_region)
    count(counters, by_region);
  *handle = counters->tag | (uint32_t)line->number;
  struct tac_kokkos_frame *frame = push(counters, line, kind, *handle);
  if (frame)
    frame->by_region = by_region;
  return frame;
}

struct tac_kokkos_frame *tac_calls_begin_fence(struct tac_kokkos_counters *counters, const char *label, uint32_t device,
                                               uint64_t *handle) {
  const char *name = label ? label : "";
  struct tac_kokkos_line *line = line_of(counters, &(struct tac_row_key){TAC_KOKKOS_FENCE, device, NULL, name, strlen(name)});
  *handle = counters->tag;
  return push(counters, line, TAC_KOKKOS_FENCE, *handle);
}

struct tac_kokkos_frame *tac_calls_begin_copy(struct tac_kokkos_counters *counters,
                                              const struct tac_kokkos_transfer *transfer) {
  char name[2 * SPACE_NAME_BYTES];
  const size_t from_bytes = strnlen(transfer->from, SPACE_NAME_BYTES - 1);
  const size_t to_bytes = strnlen(transfer->to, SPACE_NAME_BYTES - 1);
  memcpy(name, transfer->from, from_bytes);
  name[from_bytes] = '\0';
  memcpy(name + from_bytes + 1, transfer->to, to_bytes);
  struct tac_kokkos_line *line =
      line_of(counters, &(struct tac_row_key){TAC_KOKKOS_COPY, 0, NULL, name, from_bytes + 1 + to_bytes});
  const int is_fill = transfer->from_label && strcmp(transfer->from_label, "Scalar") == 0;
  count(counters, line);
  tac_line_add_bytes(line, transfer->bytes, !is_fill && transfer->to_pointer == transfer->from_pointer, is_fill);
  return push(counters, line, TAC_KOKKOS_COPY, ++counters->nesting->copies);
}

/* Below a region that has found no room there is none to find. */
struct tac_kokkos_frame *tac_calls_push_region(struct tac_kokkos_counters *counters, const char *name) {
  struct tac_kokkos_line *unrecorded = &counters->unrecorded[TAC_KOKKOS_REGIONS];
  const char *text = name ? name : "";
  struct tac_kokkos_line *line =
      counters->region == unrecorded
          ? unrecorded
          : line_of(counters, &(struct tac_row_key){TAC_KOKKOS_REGION, 0, counters->region, text, strlen(text)});
  count(counters, line);
  struct tac_kokkos_frame *frame = push(counters, line, TAC_KOKKOS_REGION, ++counters->nesting->regions);
  if (frame) {
    counters->region = line;
    counters->steps_open += (size_t)line->step;
  }
  return frame;
}

struct tac_kokkos_line *tac_calls_mark(struct tac_kokkos_counters *counters, const char *name) {
  const char *text = name ? name : "";
  struct tac_kokkos_line *line = line_of(counters, &(struct tac_row_key){TAC_KOKKOS_MARK, 0, NULL, text, strlen(text)});
  count(counters, line);
  return line;
}

static size_t find_last(const struct tac_kokkos_counters *counters, enum tac_kokkos_group group) {
  size_t i = depth_of(counters);
  while (i > 0)
    if (tac_kokkos_group_of(counters->frames[--i].kind) == group)
      return i;
  return NO_FRAME;
}

int tac_calls_is_open(const struct tac_kokkos_counters *counters) {
  return find_last(counters, TAC_KOKKOS_KERNELS) != NO_FRAME || find_last(counters, TAC_KOKKOS_FENCES) != NO_FRAME;
}

static void take_off(struct tac_kokkos_counters *counters, size_t index, struct tac_kokkos_closed *closed) {
  struct tac_kokkos_frame *frames = counters->frames;
  const size_t depth = depth_of(counters);
  closed->frame = frames[index];
  for (size_t i = index + 1; i < depth; i++) {
    frames[i - 1] = frames[i];
    frames[i - 1].crossed = 1;
  }
  set_depth(counters, depth - 1);
}

/* Tells the frame below, if any, what was counted within it. */
static void pass_down(struct tac_kokkos_counters *counters, size_t index, int64_t within_ns) {
  if (index > 0)
    counters->frames[index - 1].within_ns += within_ns;
}

/* A frame that ends and adds no time; what was counted within it stays counted. */
static enum tac_closing discard_frame(struct tac_kokkos_counters *counters, size_t index, struct tac_kokkos_closed *closed) {
  take_off(counters, index, closed);
  pass_down(counters, index, closed->frame.within_ns);
  return TAC_CLOSED_UNTIMED;
}

/* Every moment is in the exclusive time of one frame at most, the last one begun, so that the exclusive times of a thread add
 * up to no more than what has passed. What was begun after this frame and goes on has had the time since then. The tool layer's
 * fences stay in the time of what they are in, as they make that time. */
static enum tac_closing close_frame(struct tac_kokkos_counters *counters, size_t index, struct tac_kokkos_closed *closed) {
  struct tac_kokkos_line *line = counters->frames[index].line;
  if (!line)
    return discard_frame(counters, index, closed);
  const int is_last = index + 1 == depth_of(counters);
  const int64_t others_ns = is_last ? 0 : closed->end_ns - counters->frames[index + 1].start_ns;
  take_off(counters, index, closed);
  const int64_t duration_ns = closed->end_ns - closed->frame.start_ns, within_ns = closed->frame.within_ns;
  if (line->kind == TAC_KOKKOS_FENCE)
    count(counters, line);
  tac_line_add_time(line, duration_ns, within_ns + others_ns, counters->steps_open > 0);
  if (closed->frame.by_region)
    tac_line_add_time(closed->frame.by_region, duration_ns, within_ns + others_ns, counters->steps_open > 0);
  pass_down(counters, index, line->tool ? within_ns : duration_ns - others_ns);
  return TAC_CLOSED;
}

static void count_mismatch(struct tac_kokkos_counters *counters, enum tac_kokkos_group group) {
  tac_counter_add(&counters->mismatches[group], 1);
}

/* An end with a handle: of another thread it is a mismatch that ends nothing here, of an earlier scope of this thread it is
 * nothing. */
static enum tac_closing end_call(struct tac_kokkos_counters *counters, enum tac_kokkos_kind kind, uint64_t handle,
                                 struct tac_kokkos_closed *closed) {
  const enum tac_kokkos_group group = tac_kokkos_group_of(kind);
  closed->end_ns = tac_calls_now(counters);
  if ((handle ^ counters->tag) & TAG_MASK) {
    if ((handle ^ counters->tag) & THREAD_MASK)
      count_mismatch(counters, group);
    return TAC_CLOSED_NOTHING;
  }
  if (counters->untimed > 0) {
    counters->untimed--;
    return TAC_CLOSED_NOTHING;
  }
  const size_t index = find_last(counters, group);
  if (index == NO_FRAME) {
    count_mismatch(counters, group);
    return TAC_CLOSED_NOTHING;
  }
  const struct tac_kokkos_frame *frame = &counters->frames[index];
  if (frame->line && (frame->handle != handle || frame->kind != kind)) {
    count_mismatch(counters, group);
    return discard_frame(counters, index, closed);
  }
  return close_frame(counters, index, closed);
}

enum tac_closing tac_calls_end_kernel(struct tac_kokkos_counters *counters, enum tac_kokkos_kind kind, uint64_t handle,
                                      struct tac_kokkos_closed *closed) {
  return end_call(counters, kind, handle, closed);
}

enum tac_closing tac_calls_end_fence(struct tac_kokkos_counters *counters, uint64_t handle, struct tac_kokkos_closed *closed) {
  return end_call(counters, TAC_KOKKOS_FENCE, handle, closed);
}

/* An end without a handle ends what the thread has begun at that depth, when that was counted here. */
static enum tac_closing end_nested(struct tac_kokkos_counters *counters, enum tac_kokkos_group group, uint64_t *nesting,
                                   struct tac_kokkos_closed *closed) {
  closed->end_ns = tac_calls_now(counters);
  if (*nesting == 0) {
    count_mismatch(counters, group);
    return TAC_CLOSED_NOTHING;
  }
  const uint64_t depth = (*nesting)--;
  if (counters->untimed > 0) {
    counters->untimed--;
    return TAC_CLOSED_NOTHING;
  }
  const size_t index = find_last(counters, group);
  if (index == NO_FRAME || counters->frames[index].handle != depth)
    return TAC_CLOSED_NOTHING;
  return close_frame(counters, index, closed);
}

enum tac_closing tac_calls_end_copy(struct tac_kokkos_counters *counters, struct tac_kokkos_closed *closed) {
  return end_nested(counters, TAC_KOKKOS_COPIES, &counters->nesting->copies, closed);
}

enum tac_closing tac_calls_pop_region(struct tac_kokkos_counters *counters, struct tac_kokkos_closed *closed) {
  const int excess = counters->nesting->regions == 0;
  const enum tac_closing closing = end_nested(counters, TAC_KOKKOS_REGIONS, &counters->nesting->regions, closed);
  if (excess)
    atomic_store_explicit(&counters->last_region, counters->last_popped, memory_order_release);
  if (closing == TAC_CLOSED_NOTHING)
    return closing;
  struct tac_kokkos_line *line = closed->frame.line;
  if (line) {
    counters->steps_open -= (size_t)line->step;
    counters->last_popped = line;
  }
  const size_t around = find_last(counters, TAC_KOKKOS_REGIONS);
  counters->region = around == NO_FRAME ? NULL : counters->frames[around].line;
  return closing;
}
