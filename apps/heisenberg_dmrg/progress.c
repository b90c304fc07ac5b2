/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/progress.h"

int tac_heisenberg_progress_show(void *context, int site, int bonds_done, int bonds, double energy) {
  struct tac_heisenberg_progress *progress = context;
  tac_progress_show(&progress->line, "%s %zu, bond %d of %d (site %d), energy %.12g", progress->kind ? progress->kind : "sweep",
                    progress->sweep, bonds_done, bonds, site, energy);
  return 0;
}
