/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/type_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_PLAIN_BYTES = 4 };

/* Nested (N…E), local (Z…), of std (St…), or the length of its name. */
static int begins_like_a_class(const char *label) {
  char *name;
  if (label[0] == 'N' || label[0] == 'Z' || (label[0] == 'S' && label[1] == 't'))
    return 1;
  if (!isdigit((unsigned char)label[0]))
    return 0;
  const size_t length = strtoul(label, &name, 10), bytes = strlen(name);
  return bytes > length || (bytes == length && length >= LEAST_PLAIN_BYTES && isupper((unsigned char)name[0]));
}

static char *demangled(const char *label, tac_kokkos_demangle_fn demangle) {
  int status = 0;
  return begins_like_a_class(label) ? demangle(label, NULL, NULL, &status) : NULL;
}

static char *joined(const char *functor, const char *tag) {
  const size_t bytes = strlen(functor) + 1 + strlen(tag) + 1;
  char *name = malloc(bytes);
  if (name)
    snprintf(name, bytes, "%s/%s", functor, tag);
  return name;
}

/* No mangled name has a slash. */
char *tac_kokkos_type_name(const char *label, tac_kokkos_demangle_fn demangle) {
  const char *slash = strchr(label, '/');
  if (!slash)
    return demangled(label, demangle);
  char *first = strndup(label, (size_t)(slash - label)), *functor = first ? demangled(first, demangle) : NULL;
  char *tag = functor ? demangled(slash + 1, demangle) : NULL;
  char *name = tag ? joined(functor, tag) : NULL;
  free(first);
  free(functor);
  free(tag);
  return name;
}
