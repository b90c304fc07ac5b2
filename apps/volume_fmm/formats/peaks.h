/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_PEAKS_H
#define VOLUME_FMM_FORMATS_PEAKS_H

#include "apps/volume_fmm/formats/samples.h"

/* Samples larger in magnitude than all their neighbours, the largest 1024, as seeds; *out is for free(), NULL for none. The
 * grid has a third extent also in 2D. */
enum tac_status tac_peaks_find(struct tac_fmm_seed **out, size_t *count, const struct tac_samples_grid *grid,
                               const double *values, struct tac_error *error);

#endif
