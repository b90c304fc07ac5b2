/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_CHAIN_H
#define MEASURE_KOKKOS_CHAIN_H

#include "measure/kokkos/abi.h"

/* The next tool of the list that this module was loaded from. Kokkos loads the first one only; each calls the one after it.
 * Functions that the tool lacks are NULL. Its handles are its own. */
#define TAC_CHAIN_LIST(X)                                                                                                      \
  X(init_library, (int, uint64_t, uint32_t, struct kokkosp_device *))                                                          \
  X(finalize_library, (void))                                                                                                  \
  X(parse_args, (int, char **))                                                                                                \
  X(print_help, (char *))                                                                                                      \
  X(begin_parallel_for, (const char *, uint32_t, uint64_t *))                                                                  \
  X(begin_parallel_reduce, (const char *, uint32_t, uint64_t *))                                                               \
  X(begin_parallel_scan, (const char *, uint32_t, uint64_t *))                                                                 \
  X(end_parallel_for, (uint64_t))                                                                                              \
  X(end_parallel_reduce, (uint64_t))                                                                                           \
  X(end_parallel_scan, (uint64_t))                                                                                             \
  X(begin_fence, (const char *, uint32_t, uint64_t *))                                                                         \
  X(end_fence, (uint64_t))                                                                                                     \
  X(begin_deep_copy,                                                                                                           \
    (struct kokkosp_space, const char *, const void *, struct kokkosp_space, const char *, const void *, uint64_t))            \
  X(end_deep_copy, (void))                                                                                                     \
  X(allocate_data, (struct kokkosp_space, const char *, const void *, uint64_t))                                               \
  X(deallocate_data, (struct kokkosp_space, const char *, const void *, uint64_t))                                             \
  X(push_profile_region, (const char *))                                                                                       \
  X(pop_profile_region, (void))                                                                                                \
  X(create_profile_section, (const char *, uint32_t *))                                                                        \
  X(start_profile_section, (uint32_t))                                                                                         \
  X(stop_profile_section, (uint32_t))                                                                                          \
  X(destroy_profile_section, (uint32_t))                                                                                       \
  X(profile_event, (const char *))                                                                                             \
  X(dual_view_sync, (const char *, const void *, bool))                                                                        \
  X(dual_view_modify, (const char *, const void *, bool))                                                                      \
  X(declare_metadata, (const char *, const char *))                                                                            \
  X(request_tool_settings, (uint32_t, struct kokkosp_settings *))                                                              \
  X(provide_tool_programming_interface, (uint32_t, struct kokkosp_interface))

struct tac_chain {
#define TAC_CHAIN_MEMBER(name, parameters) void(*name) parameters;
  TAC_CHAIN_LIST(TAC_CHAIN_MEMBER)
#undef TAC_CHAIN_MEMBER
};
extern struct tac_chain tac_chain;

/* Loads the tool that stands behind the place `sequence` of the list, where this module stands there. What cannot be loaded is
 * told on standard error. */
void tac_chain_load(int sequence);

/* The tool's number of a section that has this one here, remembered (0: there is no memory for it) and found again. */
int tac_chain_section_keep(uint32_t section, uint32_t theirs);
int tac_chain_section_find(uint32_t section, uint32_t *theirs);

/* Around a fork(): nobody is amid one of these two then. */
void tac_chain_lock(void);
void tac_chain_unlock(void);

#endif
