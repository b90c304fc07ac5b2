/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/emitter.h"

#include "measure/json_text.h"

static void begin(struct tac_emitter *json, const char *key) {
  if (json->follows)
    tac_write_text(&json->writer, ",");
  json->follows = 1;
  if (key) {
    tac_write_text(&json->writer, "\"");
    tac_write_text(&json->writer, key);
    tac_write_text(&json->writer, "\":");
  }
}

void tac_emit_key(struct tac_emitter *json, const char *key) {
  begin(json, NULL);
  tac_json_write_text(&json->writer, key);
  tac_write_text(&json->writer, ":");
}

void tac_emit_open(struct tac_emitter *json, const char *key, char bracket) {
  begin(json, key);
  tac_write(&json->writer, &bracket, 1);
  json->follows = 0;
}

void tac_emit_close(struct tac_emitter *json, char bracket) {
  tac_write(&json->writer, &bracket, 1);
  json->follows = 1;
}

void tac_emit_text(struct tac_emitter *json, const char *key, const char *text) {
  begin(json, key);
  if (text)
    tac_json_write_text(&json->writer, text);
  else
    tac_write_text(&json->writer, "null");
}

void tac_emit_integer(struct tac_emitter *json, const char *key, int64_t value) {
  begin(json, key);
  tac_json_write_integer(&json->writer, value);
}

void tac_emit_count(struct tac_emitter *json, const char *key, uint64_t count) {
  tac_emit_integer(json, key, count <= INT64_MAX ? (int64_t)count : INT64_MAX);
}

void tac_emit_us(struct tac_emitter *json, const char *key, int64_t time_ns) {
  begin(json, key);
  tac_json_write_us(&json->writer, time_ns);
}

void tac_emit_real(struct tac_emitter *json, const char *key, double value) {
  begin(json, key);
  tac_json_write_real(&json->writer, value);
}

void tac_emit_flag(struct tac_emitter *json, const char *key, int flag) {
  begin(json, key);
  tac_write_text(&json->writer, flag ? "true" : "false");
}
