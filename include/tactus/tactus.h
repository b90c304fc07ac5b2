/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_TACTUS_H
#define TACTUS_TACTUS_H

/* Everything of libtactus but <tactus/measure/variant.h>, which files compiled once per level include themselves. */
#include <tactus/measure/device_counters.h>
#include <tactus/measure/device_report.h>
#include <tactus/measure/operation_counts.h>
#include <tactus/measure/phase_profile.h>
#include <tactus/measure/phase_report.h>
#include <tactus/measure/report.h>
#include <tactus/measure/trace.h>
#include <tactus/runtime/clock.h>
#include <tactus/runtime/dense.h>
#include <tactus/runtime/device.h>
#include <tactus/runtime/device_dense.h>
#include <tactus/runtime/error.h>
#include <tactus/runtime/executor.h>
#include <tactus/runtime/memory.h>
#include <tactus/runtime/version.h>
#include <tactus/scheduler/scheduler.h>

#endif
