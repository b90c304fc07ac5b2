/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_RECORD_H
#define TACTUS_MEASURE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/measure/device_record.h>
#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Durations of one event. A never entered event is all zeros. */
struct tac_event_stats {
  uint64_t count;
  int64_t total_ns, min_ns, max_ns;
};

/* total/count, 0 for an event never entered. */
TAC_API double tac_event_stats_mean_ns(const struct tac_event_stats *stats);

/* What one lane wrote about one item, in a cache line of its own. The sequence numbers give the item's start and its finish
 * a place in one order over the batch, from 1; 0 means that it did not start, or did not finish. */
struct tac_slot {
  uint64_t index;
  int64_t start_ns, finish_ns;
  uint64_t start_sequence, finish_sequence;
  int32_t lane;
  int32_t status;  /* enum tac_status that the item returned */
  uint32_t starts; /* more than 1: the executor started the index twice */
  uint32_t reserved[3];
};

/* One phase or batch by itself. */
struct tac_timeline_entry {
  int event;
  int depth; /* phases that were open around it */
  int64_t begin_ns;
  int64_t duration_ns; /* -1: it has not ended */
};

/* One batch, computed after the join. Times are host wall nanoseconds, but for those in `device`; spreads are latest minus
 * earliest. */
struct tac_batch_record {
  int event;
  uint64_t number;                        /* in the order in which the recorder's batches ran, from 0 */
  int lanes;                              /* lanes that took part: 1 for a batch that ran inline */
  int ran_inline;                         /* 1: on the caller's thread, without the executor */
  int status;                             /* enum tac_status of the batch */
  int submission;                         /* 1: items submitted to a device, and their host times are of the submission */
  uint64_t requested, started, completed; /* completed: items that returned, failed or not */
  uint64_t peak_overlap;                  /* from the sequence numbers; ties cannot happen */
  int64_t begin_ns;                       /* of the batch on the recorder's clock */
  int64_t wall_ns;
  int64_t item_total_ns, item_max_ns; /* completed items */
  int64_t first_start_delay_ns;       /* batch begin to first item start */
  int64_t start_spread_ns, finish_spread_ns;
  int64_t return_after_last_finish_ns; /* last item finish to the end of the join */
  uint64_t slowest_index;              /* index of the longest item */
  struct tac_device_record device;     /* zeros without a device */
};

/* All batches of one event, those beyond the recorder's limit included. */
struct tac_batch_summary {
  uint64_t batches, ran_inline, failed;
  uint64_t submissions; /* batches whose items submitted to a device */
  uint64_t requested, started, completed, peak_overlap;
  int64_t wall_ns, lane_wall_ns; /* lane_wall_ns: sum of wall times lanes that took part */
  int64_t item_total_ns, item_max_ns;
  int64_t first_start_delay_max_ns, start_spread_max_ns, finish_spread_max_ns;
  int64_t return_after_last_finish_ns; /* summed */
  /* The item time of a batch's busiest lane, and the mean over the lanes that took part; both summed over the batches. */
  int64_t lane_busy_max_ns;
  double lane_busy_mean_ns;
  uint64_t slowest_batch, slowest_index; /* number of the batch and index of the longest item, the first of several */
  struct tac_device_summary device;
};

/* lane_busy_max_ns over lane_busy_mean_ns: 1 where all lanes are busy alike. 0 where nothing was recorded, and where items
 * submitted to a device, of which their time tells nothing. */
TAC_API double tac_batch_summary_imbalance(const struct tac_batch_summary *summary);

/* Share of the time of the lanes that took part in which no item ran, 0 … 1; 0 when nothing was recorded. */
TAC_API double tac_batch_summary_idle_share(const struct tac_batch_summary *summary);

/* Computes a record from slots (slots[i] belongs to index i) and the batch's own two clock reads. `scratch` holds
 * 2*count+1 bytes. Fills every field but event, number, lanes, ran_inline, status, submission and device. count 0 gives zeros,
 * but for begin. CONTRACT with the index in the text when an index was started twice; the record is complete then too. */
TAC_API enum tac_status tac_batch_record_compute(struct tac_batch_record *out, const struct tac_slot *slots, size_t count,
                                                 int64_t begin_ns, int64_t end_ns, signed char *scratch,
                                                 struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
