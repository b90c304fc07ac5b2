/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_RUNTIME_STATUS_H
#define TACTUS_RUNTIME_STATUS_H

/* One list gives the codes and their texts: X(name, value, text). Values never change meaning once released. */
#define TAC_STATUS_LIST(X)                                                                                                     \
  X(OK, 0, "done")                                                                                                             \
  X(INVALID, 1, "invalid argument")                                                                                            \
  X(MEMORY, 2, "out of memory")                                                                                                \
  X(BUSY, 3, "the scheduler already serves a caller")                                                                          \
  X(UNAVAILABLE, 4, "not available in this build or on this machine")                                                          \
  X(LEVEL, 5, "measurement levels do not match")                                                                               \
  X(CONTRACT, 6, "an executor broke its contract")                                                                             \
  X(NUMERICAL, 7, "numerical failure")                                                                                         \
  X(ITEM, 8, "an item failed")                                                                                                 \
  X(IO, 9, "input or output failed")                                                                                           \
  X(SYSTEM, 10, "a system call failed")                                                                                        \
  X(DEVICE, 11, "a device failed")

enum tac_status {
#define TAC_STATUS_ENUM(name, value, text) TAC_STATUS_##name = value,
  TAC_STATUS_LIST(TAC_STATUS_ENUM)
#undef TAC_STATUS_ENUM
};

#endif
