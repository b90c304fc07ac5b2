/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_LEVEL_H
#define TACTUS_MEASURE_LEVEL_H

#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Measurement levels. The numbers are what -DTAC_LEVEL=n selects when a *_tmpl.c file is compiled. */
#define TAC_LEVEL_OFF      0
#define TAC_LEVEL_COARSE   1
#define TAC_LEVEL_DETAILED 2
#define TAC_LEVEL_HOOKED   3
#define TAC_LEVEL_COUNT    4

enum tac_level {
  TAC_OFF = TAC_LEVEL_OFF,           /* nothing is measured: the code that runs never heard of measurement */
  TAC_COARSE = TAC_LEVEL_COARSE,     /* two clock reads a phase or batch */
  TAC_DETAILED = TAC_LEVEL_DETAILED, /* and two clock reads, one slot and two increments an item */
  TAC_HOOKED = TAC_LEVEL_HOOKED      /* as coarse, and phases and items call a table of the user's */
};

/* "off", "coarse", "detailed", "hooked"; "unknown" for another value. */
TAC_API const char *tac_level_name(enum tac_level level);

/* The level of that name; INVALID when there is none. */
TAC_API enum tac_status tac_level_find(enum tac_level *out, const char *name, struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
