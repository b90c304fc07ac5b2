/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/dense.h>

#include <string.h>

#ifdef TAC_HAVE_OPENBLAS

char *openblas_get_config(void);
char *openblas_get_corename(void);
int openblas_get_num_threads(void);
void openblas_set_num_threads(int threads);

/* OpenBLAS tells its name, its version and then how it was built; the first two words are kept. */
static void copy_two_words(char *out, size_t size, const char *text) {
  size_t length = strcspn(text, " ");
  if (text[length])
    length += 1 + strcspn(text + length + 1, " ");
  if (length >= size)
    length = size - 1;
  memcpy(out, text, length);
  out[length] = '\0';
}

struct tac_blas_info tac_blas_info(void) {
  struct tac_blas_info info = {.kernel = openblas_get_corename(), .threads = openblas_get_num_threads()};
  copy_two_words(info.name, sizeof info.name, openblas_get_config());
  return info;
}

int tac_blas_set_threads(int threads) {
  if (threads > 0)
    openblas_set_num_threads(threads);
  return openblas_get_num_threads();
}

#else

struct tac_blas_info tac_blas_info(void) {
  return (struct tac_blas_info){.name = "unknown", .kernel = "unknown"};
}

int tac_blas_set_threads(int threads) {
  (void)threads;
  return 0;
}

#endif
