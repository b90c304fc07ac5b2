/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_RUNTIME_EXPORT_H
#define TACTUS_RUNTIME_EXPORT_H

/* TAC_API marks what a shared library exports; everything else is compiled with hidden visibility. */
#if defined(__GNUC__)
#define TAC_API __attribute__((visibility("default")))
#else
#define TAC_API
#endif

#endif
