/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Says whether libtactus finds the CUDA module: the name of the status, then what it has to say. */
#include <stdio.h>

#include "runtime/device/backend.h"

int main(void) {
  const struct tac_backend *first = NULL, *again = NULL;
  struct tac_error error = {.text = ""};
  const enum tac_status status = tac_backend_cuda(&first, &error);
  if (tac_backend_cuda(&again, NULL) != status || again != first)
    puts("another answer the second time");
  printf("%s %s\n", tac_status_name(status), first ? first->name : error.text);
  return 0;
}
