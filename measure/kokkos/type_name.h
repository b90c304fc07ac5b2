/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_TYPE_NAME_H
#define MEASURE_KOKKOS_TYPE_NAME_H

#include <tactus/measure/kokkos.h>

/* The name in C++ of the type that Kokkos made a kernel's label from, where the program gave none: that of the functor, with
 * that of a work tag behind a slash. It is the caller's to free(). NULL, so that a label of the program's own stays: where it
 * does not begin as the mangled name of a class, or does not demangle as a whole, and without memory. The plain name of a class
 * counts from four letters on that begin with a capital: "7Functor", but not "2nd". */
char *tac_kokkos_type_name(const char *label, tac_kokkos_demangle_fn demangle);

#endif
