/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_RUNTIME_ERROR_H
#define TACTUS_RUNTIME_ERROR_H

#include <stddef.h>

#include <tactus/runtime/export.h>
#include <tactus/runtime/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TAC_ERROR_NO_ITEM ((size_t)-1)

/* What went wrong, owned by the caller and passed last; every function that takes one accepts NULL. A call that
 * succeeds leaves it untouched. The library never prints, exits or keeps a last-error global. */
struct tac_error {
  enum tac_status status;
  int native_code; /* errno, LAPACK info or a device code; 0 when there is none */
  size_t item;     /* index of the failed item in its batch, or TAC_ERROR_NO_ITEM */
  char where[48];  /* function or phase, always terminated */
  char text[208];  /* one line for a person, always terminated */
};

/* Empties an error: status OK, no item, empty texts. NULL is accepted. */
TAC_API void tac_error_clear(struct tac_error *error);

/* Fills an error (a NULL error is accepted) with a printf text, cut to fit and made one line, and returns `status`,
 * so that `return tac_error_set(...)` reads well. native_code is 0 and item TAC_ERROR_NO_ITEM afterwards. */
TAC_API enum tac_status tac_error_set(struct tac_error *error, enum tac_status status, const char *where, const char *format,
                                      ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* The fixed text of a status ("out of memory"), and its short name ("MEMORY"). Unknown values give "unknown status". */
TAC_API const char *tac_status_text(enum tac_status status);
TAC_API const char *tac_status_name(enum tac_status status);

#ifdef __cplusplus
}
#endif
#endif
