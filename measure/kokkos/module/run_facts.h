/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_RUN_FACTS_H
#define MEASURE_KOKKOS_RUN_FACTS_H

#include "measure/kokkos/emitter.h"

/* Members by the same names in every form that the module writes. */

/* What runs, by whom it is measured, when and where: "program", "command_line", "tool", "tool_version", "date", "host". The
 * program's version is not known, and "version" would be it. */
void tac_module_write_run(struct tac_emitter *json);

/* What Kokkos and the program have declared: "interface_version", "metadata". */
void tac_module_write_kokkos(struct tac_emitter *json);

/* "global" (null: Kokkos never asked), "asked_by". */
void tac_module_write_fencing(struct tac_emitter *json);

#endif
