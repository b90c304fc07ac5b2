/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_RECORD_PARTS_H
#define APPS_TACTUS_RECORD_PARTS_H

#include "apps/tactus/member_reader.h"
#include "apps/tactus/record.h"

/* The whole file as JSON. INVALID, IO, MEMORY. */
enum tac_status tac_record_load(json_t **out, const char *path, struct tac_error *error);

/* Adds an event, without numbers; its name is copied. NULL: no memory, which is noted. */
struct tac_record_event *tac_record_add_event(struct tac_record *record, struct tac_member_reader *reader, const char *name,
                                              int parent, int group);

/* Count, total and extremes of an object's calls. */
struct tac_event_stats tac_record_read_stats(struct tac_member_reader *reader, const json_t *value);

/* The number of the last event of that name so far, TAC_NO_EVENT when there is none. */
int tac_record_find_event(const struct tac_record *record, const char *name);

/* The status of that name (enum tac_status); a fault of the member `key` when there is none. */
int tac_record_find_status(struct tac_member_reader *reader, const char *key, const char *name);

/* The parts of a record, each into *record, faults into *reader. */
void tac_record_read_events(struct tac_record *record, struct tac_member_reader *reader);
void tac_record_read_kokkos(struct tac_record *record, struct tac_member_reader *reader);
void tac_record_restore(struct tac_record *record, struct tac_member_reader *reader); /* the recorder, from events on */
void tac_record_restore_summaries(struct tac_record *record, struct tac_member_reader *reader);
void tac_record_restore_batches(struct tac_record *record, struct tac_member_reader *reader);
void tac_record_restore_labels(struct tac_record *record, struct tac_member_reader *reader); /* of commands */
void tac_record_restore_timeline(struct tac_record *record, struct tac_member_reader *reader);

struct tac_kept_batch;
/* Slots and costs of the items of a batch whose record is restored, and what they had done on a device. `place` is the batch's,
 * where the reader is again at the end. */
void tac_record_restore_items(struct tac_record *record, struct tac_member_reader *reader, struct tac_kept_batch *batch,
                              const json_t *value, const char *place);
void tac_record_restore_commands(struct tac_record *record, struct tac_member_reader *reader, struct tac_kept_batch *batch,
                                 const json_t *value, const char *place);

/* Memory of the recorder's allocator, all zeros; at least one element. NULL: none, which is noted. */
void *tac_record_allocate(struct tac_record *record, struct tac_member_reader *reader, size_t count, size_t bytes);

#endif
