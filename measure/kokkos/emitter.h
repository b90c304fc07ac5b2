/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_EMITTER_H
#define MEASURE_KOKKOS_EMITTER_H

#include <stdint.h>

#include "measure/writer.h"

/* JSON piece by piece, without memory of its own and without a library, as it is also written inside of programs that have
 * their own. Zero-initialise it and set the writer. Keys are NULL in an array; they and the brackets are ours, texts are of any
 * bytes. */
struct tac_emitter {
  struct tac_writer writer;
  int follows; /* something stands before in the same brackets */
};

/* A key of any bytes, whose value the caller writes. */
void tac_emit_key(struct tac_emitter *json, const char *key);
void tac_emit_open(struct tac_emitter *json, const char *key, char bracket);
void tac_emit_close(struct tac_emitter *json, char bracket);
void tac_emit_text(struct tac_emitter *json, const char *key, const char *text); /* NULL: null */
void tac_emit_count(struct tac_emitter *json, const char *key, uint64_t count);
void tac_emit_integer(struct tac_emitter *json, const char *key, int64_t value);
void tac_emit_us(struct tac_emitter *json, const char *key, int64_t time_ns); /* nanoseconds as microseconds, exactly */
void tac_emit_real(struct tac_emitter *json, const char *key, double value);  /* null when not finite */
void tac_emit_flag(struct tac_emitter *json, const char *key, int flag);

#endif
