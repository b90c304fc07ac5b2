/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_REPORT_KOKKOS_LISTS_H
#define APPS_TACTUS_REPORT_KOKKOS_LISTS_H

#include "apps/tactus/member_reader.h"
#include "apps/tactus/record.h"
#include "measure/writer.h"

/* Tables of the members of a Kokkos record that are lists without a tree: copies, spaces, steps, sections, marks; none of an
 * empty one. Faults are noted. */
void tac_kokkos_print_lists(struct tac_writer *writer, const struct tac_record *record, struct tac_member_reader *reader);

/* A line for each count of what did not pair, never ended or found no room; none of a zero. */
void tac_kokkos_print_losses(struct tac_writer *writer, const struct tac_record *record, struct tac_member_reader *reader);

/* The number of the event that is the first region, and how many there are. */
size_t tac_kokkos_first_region(const struct tac_record *record);
size_t tac_kokkos_region_count(const struct tac_record *record);

#endif
