/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_DEVICE_BUILD_H
#define APPS_FMM_DEVICE_BUILD_H

#include "apps/fmm/device/device.h"

/* Tables while they grow on the host, before they are written to the device. */

struct tac_table_growth {
  void *data;
  size_t count, room; /* entries */
};

/* Numbers of what is in a table already, by its address on the host. */
struct tac_known {
  const void *key;
  tac_u32 number;
};

struct tac_device_build {
  struct tac_fmm_device *device;
  struct tac_fmm_plan *plan;
  struct tac_table_growth table[TAC_TABLES];
  struct tac_known *known;
  size_t known_count, known_room;
  double *matrix; /* scratch */
  size_t matrix_room;
  tac_u32 classes[TAC_FMM_MAX_LEVELS]; /* where a level's begin */
};

size_t tac_table_entry_bytes(enum tac_device_table table);
/* `count` more entries, zeroed, valid until the next call; NULL with the error filled. */
void *tac_build_add(struct tac_device_build *build, enum tac_device_table table, size_t count, struct tac_error *error);
static inline tac_u32 tac_build_count(const struct tac_device_build *build, enum tac_device_table table) {
  return (tac_u32)build->table[table].count;
}
static inline void *tac_build_at(const struct tac_device_build *build, enum tac_device_table table, size_t entry) {
  return (char *)build->table[table].data + entry * tac_table_entry_bytes(table);
}
/* The number under a key; -1: none. */
int64_t tac_build_find(const struct tac_device_build *build, const void *key);
enum tac_status tac_build_remember(struct tac_device_build *build, const void *key, tac_u32 number, struct tac_error *error);
void tac_build_release(struct tac_device_build *build);

/* Numbers of a stencil and of an operator for pairs, packed when they are first asked for. */
enum tac_status tac_build_stencil(tac_u32 *out, struct tac_device_build *build, const struct tac_stencil *stencil,
                                  struct tac_error *error);
enum tac_status tac_build_operator(tac_u32 *out, struct tac_device_build *build, const struct tac_plain_operator *op,
                                   struct tac_error *error);

/* Tables of both ends, of a job's stencils, and of its pairs. */
enum tac_status tac_build_ends(struct tac_device_build *build, struct tac_error *error);
enum tac_status tac_build_stencils(struct tac_device_build *build, struct tac_device_job *job, struct tac_error *error);
enum tac_status tac_build_pairs(struct tac_device_build *build, struct tac_device_job *job, struct tac_error *error);

#endif
