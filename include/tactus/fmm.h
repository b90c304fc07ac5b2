/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_FMM_H
#define TACTUS_FMM_H

#include <tactus/fmm/counts.h>
#include <tactus/fmm/kernel.h>
#include <tactus/fmm/plan.h>
#include <tactus/fmm/tree.h>

#endif
