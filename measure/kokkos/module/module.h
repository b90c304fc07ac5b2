/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_MODULE_H
#define MEASURE_KOKKOS_MODULE_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include <tactus/runtime/clock.h>
#include <tactus/runtime/error.h>

#include "measure/kokkos/ledger.h"

/* The module that Kokkos loads as a tool: what belongs to the process. */

enum tac_module_form { TAC_FORM_TEXT = 0, TAC_FORM_JSON, TAC_FORM_TRACE, TAC_FORM_HTML };

struct tac_module_settings {
  enum tac_module_form form;
  char path[PATH_MAX];  /* of the file; empty for text */
  uint64_t trace_limit; /* events of a trace */
  int fence;            /* global fencing is asked for */
  const char *step;     /* the region that marks a step, or NULL */
};

struct tac_module {
  int measuring; /* 0: a setting was refused; events are passed on to a chained tool and counted nowhere */
  pid_t process; /* a child by fork() reports nothing */
  const struct tac_clock *clock;
  int64_t origin_ns;
  uint64_t interface_version;      /* 0: never told */
  int fencing;                     /* global fencing: 1 on, 0 off, -1 Kokkos never asked */
  const char *fencing_by;          /* who wanted it on, NULL: nobody */
  tac_kokkos_demangle_fn demangle; /* of the program's C++ runtime; NULL: it has none */
  struct tac_module_settings settings;
  struct tac_kokkos_ledger ledger;
};
extern struct tac_module tac_module;

/* Makes the process' state at the first call, whichever thread's it is. */
void tac_module_start(void);

/* Reads the environment. INVALID: an unknown value. */
enum tac_status tac_module_settings_read(struct tac_module_settings *settings, struct tac_error *error);

static inline int64_t tac_module_now_ns(void) {
  return tac_module.clock->now_ns(tac_module.clock->context);
}

/* One line on standard error. */
void tac_module_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes the report of what was counted since the last one, or all of it into the file anew. At the exit of the process nothing
 * is written where nothing has come since. */
void tac_module_report(int at_exit);

/* Facts of the program for reports: at most 127 declared by Kokkos, copied; more are left out. */
struct tac_module_fact {
  char *key, *value;
};
void tac_module_fact_add(const char *key, const char *value);
size_t tac_module_facts(struct tac_module_fact out[], size_t room);

#endif
