/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_RUNTIME_VERSION_H
#define TACTUS_RUNTIME_VERSION_H

#include <tactus/runtime/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0": the version of the library that runs, which may differ from the headers'. */
TAC_API const char *tac_version(void);

#ifdef __cplusplus
}
#endif
#endif
