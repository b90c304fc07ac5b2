/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/module/run_facts.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "measure/kokkos/module/module.h"

static void write_command_line(struct tac_emitter *json) {
  char bytes[65536];
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t count = file >= 0 ? read(file, bytes, sizeof bytes - 1) : 0;
  if (file >= 0)
    close(file);
  count = count > 0 ? count : 0;
  bytes[count] = '\0';
  const char *slash = strrchr(bytes, '/');
  tac_emit_text(json, "program", count == 0 ? NULL : slash ? slash + 1 : bytes);
  tac_emit_open(json, "command_line", '[');
  for (ssize_t next = 0; next < count; next += (ssize_t)strlen(bytes + next) + 1)
    tac_emit_text(json, NULL, bytes + next);
  tac_emit_close(json, ']');
}

static void write_place(struct tac_emitter *json) {
  char date[32] = "", host[256] = "";
  struct tm now;
  const time_t seconds = time(NULL);
  if (gmtime_r(&seconds, &now))
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &now);
  if (gethostname(host, sizeof host - 1) != 0)
    host[0] = '\0';
  tac_emit_text(json, "date", date);
  tac_emit_text(json, "host", host);
}

void tac_module_write_run(struct tac_emitter *json) {
  write_command_line(json);
  tac_emit_text(json, "tool", "libtactus_kokkos");
  tac_emit_text(json, "tool_version", TAC_VERSION);
  write_place(json);
}

void tac_module_write_kokkos(struct tac_emitter *json) {
  struct tac_module_fact facts[127];
  const size_t count = tac_module_facts(facts, sizeof facts / sizeof *facts);
  tac_emit_count(json, "interface_version", tac_module.interface_version);
  tac_emit_open(json, "metadata", '[');
  for (size_t i = 0; i < count; i++) {
    tac_emit_open(json, NULL, '{');
    tac_emit_text(json, "key", facts[i].key);
    tac_emit_text(json, "value", facts[i].value);
    tac_emit_close(json, '}');
  }
  tac_emit_close(json, ']');
}

void tac_module_write_fencing(struct tac_emitter *json) {
  if (tac_module.fencing < 0)
    tac_emit_text(json, "global", NULL);
  else
    tac_emit_flag(json, "global", tac_module.fencing);
  tac_emit_text(json, "asked_by", tac_module.fencing_by);
}
