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

/* The number of the last event of that name so far, TAC_NO_EVENT when there is none. */
int tac_record_find_event(const struct tac_record *record, const char *name);

/* The parts of a record, each into *record, faults into *reader. */
void tac_record_read_events(struct tac_record *record, struct tac_member_reader *reader);
void tac_record_read_kokkos(struct tac_record *record, struct tac_member_reader *reader);
void tac_record_restore(struct tac_record *record, struct tac_member_reader *reader);         /* the recorder, from events on */
void tac_record_restore_batches(struct tac_record *record, struct tac_member_reader *reader); /* its batches */

#endif
