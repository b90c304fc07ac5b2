/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Commands run one after another: threads of OpenBLAS, where it is that, would only be in the way. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

__attribute__((constructor)) static void use_one_thread(void) {
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
}
