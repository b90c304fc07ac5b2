/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_LEDGER_H
#define MEASURE_KOKKOS_LEDGER_H

#include <pthread.h>

#include <tactus/measure/kokkos.h>

#include "measure/label_table.h"

enum { SPACE_LIMIT = 64 };

struct tac_kokkos_line;

/* One creation of a profile section, which a program may create again under its name. */
struct tac_section_use {
  size_t name; /* number of its label */
  size_t row;  /* while it runs */
  int64_t start_ns;
  int used, running;
};

/* What does not belong to one thread: memory allocated here is freed there, a section started here is stopped there. Behind a
 * lock, as these events are rare. */
struct tac_kokkos_ledger {
  pthread_mutex_t lock;
  struct tac_kokkos_space spaces[SPACE_LIMIT];
  size_t space_count;
  struct tac_label_table names;        /* of sections */
  struct tac_label_table places;       /* a section's name behind those of the regions in which it was started */
  struct tac_kokkos_section *sections; /* the rows, by place */
  size_t section_capacity;
  struct tac_section_use *uses;
  size_t use_count, use_capacity;
  uint64_t section_mismatches, dropped;
  uint64_t unfinished; /* running sections of merged ledgers */
};

void tac_ledger_init(struct tac_kokkos_ledger *ledger, const struct tac_allocator *allocator, size_t section_limit);
void tac_ledger_release(struct tac_kokkos_ledger *ledger);
/* Forgets the counts, but neither the memory in use nor what sections there are; a running one starts anew at now_ns. */
void tac_ledger_reset(struct tac_kokkos_ledger *ledger, int64_t now_ns);
void tac_ledger_merge(struct tac_kokkos_ledger *into, struct tac_kokkos_ledger *from);

/* Memory taken (bytes > 0) or given back; returns what the space holds then. */
int64_t tac_ledger_memory(struct tac_kokkos_ledger *ledger, const char *space, uint64_t bytes, int is_release);

/* A section's number; UINT32_MAX without room for it. */
uint32_t tac_ledger_section_create(struct tac_kokkos_ledger *ledger, const char *name);
void tac_ledger_section_destroy(struct tac_kokkos_ledger *ledger, uint32_t section);
/* Within the innermost of the regions that are open, NULL: none. */
void tac_ledger_section_start(struct tac_kokkos_ledger *ledger, uint32_t section, const struct tac_kokkos_line *region,
                              const struct tac_clock *clock);
/* Its name and, in *start_ns, when it started, not after now_ns; NULL where it was not running. The name lasts as long as the
 * ledger. */
const char *tac_ledger_section_stop(struct tac_kokkos_ledger *ledger, uint32_t section, int64_t now_ns, int64_t *start_ns);
/* Sections that run, and those that ran in ledgers that were merged. */
uint64_t tac_ledger_unfinished(const struct tac_kokkos_ledger *ledger);

/* Takes the name of the next region off a place, *bytes of it; NULL where none is left: *place is the section's name then. */
const char *tac_ledger_next_region(const char **place, size_t *bytes);

#endif
