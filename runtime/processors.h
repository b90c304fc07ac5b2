/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_PROCESSORS_H
#define RUNTIME_PROCESSORS_H

/* Moves the calling thread to another processor that it may use, if there is one; where it may run stays as it was. The kernel
 * moves a thread of itself only when its load balancer comes by, milliseconds later, and never one that sleeps. */
void tac_processor_leave(int processor);

#endif
