/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_CONFORMANCE_SUBJECT_H
#define TESTS_CONFORMANCE_SUBJECT_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <tactus/testing/battery.h>

#include <tactus/measure/recorder.h>
#include <tactus/scheduler/scheduler.h>

/* What the cases run on. Set before Check forks; every case makes its own scheduler from it. */
extern struct tac_battery tac_subject;

/* One scheduler and, at a measured level, one recorder with a clock that counts its reads. */
struct subject {
  struct tac_scheduler *scheduler;
  struct tac_recorder *recorder; /* NULL at off */
  struct tac_error error;        /* of the last batch */
};

void tac_subject_open(struct subject *subject, const struct tac_allocator *allocator);
void tac_subject_close(struct subject *subject);

/* Opens what memory allows; on MEMORY the subject is closed again. */
enum tac_status tac_subject_try_open(struct subject *subject, const struct tac_allocator *allocator);

/* Runs a batch through the entry of the level. At a measured level it also checks that the recorder's numbers agree with
 * the status: one duration more, and at detailed a record with each started item in one slot. */
enum tac_status tac_subject_run(struct subject *subject, struct tac_batch batch);

/* Reads of the recorders' clock, and calls of the item hooks, since the last open. */
int tac_subject_clock_reads(void);
size_t tac_subject_item_hooks(void);

/* The lanes a batch of `count` items gets. */
int tac_subject_lanes(size_t count);

/* A context that counts how often each index ran, whatever thread it ran on. */
struct counts {
  size_t count;
  atomic_uchar *ran;
};
void tac_counts_open(struct counts *counts, size_t count);
void tac_counts_close(struct counts *counts);
enum tac_status tac_count_item(void *context, size_t index, struct tac_lane *lane);
/* Every index ran `times` times. */
void tac_counts_expect(const struct counts *counts, unsigned times);
/* Every index ran at most once; returns how many did. */
size_t tac_counts_ran(const struct counts *counts);

/* The cases, file by file. */
void tac_coverage_cases(TCase *cases);
void tac_order_cases(TCase *cases);
void tac_failure_cases(TCase *cases);
void tac_nesting_cases(TCase *cases);
void tac_memory_cases(TCase *cases);

#endif
