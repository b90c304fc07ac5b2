/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_INFO_H
#define APPS_TACTUS_INFO_H

#include <stdio.h>

/* What this build and this machine offer, for a person or as one JSON object. Nonzero: the stream took it badly. */
int tac_info_print_text(FILE *stream);
int tac_info_print_json(FILE *stream);

#endif
