/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_LEDGER_H
#define MEASURE_KOKKOS_LEDGER_H

#include <pthread.h>

#include <tactus/measure/kokkos.h>

#include "measure/label_table.h"

enum { SPACE_LIMIT = 64 };

/* One creation of a profile section, which a program may create again under its name. */
struct tac_section_use {
  size_t section; /* its row */
  int64_t start_ns;
  int used, running;
};

/* What does not belong to one thread: memory allocated here is freed there, a section started here is stopped there. Behind a
 * lock, as these events are rare. */
struct tac_kokkos_ledger {
  pthread_mutex_t lock;
  struct tac_kokkos_space spaces[SPACE_LIMIT];
  size_t space_count;
  struct tac_label_table names; /* of sections */
  struct tac_kokkos_section *sections;
  size_t section_capacity;
  struct tac_section_use *uses;
  size_t use_count, use_capacity;
  uint64_t section_mismatches, dropped;
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
void tac_ledger_section_start(struct tac_kokkos_ledger *ledger, uint32_t section, int64_t now_ns);
/* Its name and, in *start_ns, when it started; NULL where it was not running. The name lasts as long as the ledger. */
const char *tac_ledger_section_stop(struct tac_kokkos_ledger *ledger, uint32_t section, int64_t now_ns, int64_t *start_ns);

#endif
