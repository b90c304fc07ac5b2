/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_KOKKOS_HPP
#define TACTUS_KOKKOS_HPP

/* Connects the counters of <tactus/measure/kokkos.h> with Kokkos, in process. It is compiled in the user's program, which links
 * Kokkos; libtactus does not. C++17. */

#include <cstdint>

#include <cxxabi.h>

#include <Kokkos_Core.hpp>

#include <tactus/measure/kokkos.h>

namespace tactus {
namespace kokkos {

enum class status {
  installed, /* the counters are told everything, and Kokkos will issue no fences of its own for it */
  late,      /* they are, but Kokkos was initialized before, and may wait for all devices around each event; these fences are
                known by their names and counted apart (tac_kokkos_row.tool) */
  deferred   /* a tool is loaded already, which keeps its place; nothing was changed */
};

namespace detail {

inline void begin_for(const char *label, const std::uint32_t device, std::uint64_t *handle) {
  tac_kokkos_begin_kernel(TAC_KOKKOS_FOR, label, device, handle);
}
inline void begin_reduce(const char *label, const std::uint32_t device, std::uint64_t *handle) {
  tac_kokkos_begin_kernel(TAC_KOKKOS_REDUCE, label, device, handle);
}
inline void begin_scan(const char *label, const std::uint32_t device, std::uint64_t *handle) {
  tac_kokkos_begin_kernel(TAC_KOKKOS_SCAN, label, device, handle);
}
inline void end_for(std::uint64_t handle) {
  tac_kokkos_end_kernel(TAC_KOKKOS_FOR, handle);
}
inline void end_reduce(std::uint64_t handle) {
  tac_kokkos_end_kernel(TAC_KOKKOS_REDUCE, handle);
}
inline void end_scan(std::uint64_t handle) {
  tac_kokkos_end_kernel(TAC_KOKKOS_SCAN, handle);
}

inline void begin_copy(Kokkos_Profiling_SpaceHandle to, const char *to_label, const void *to_pointer,
                       Kokkos_Profiling_SpaceHandle from, const char *from_label, const void *from_pointer,
                       std::uint64_t bytes) {
  tac_kokkos_begin_copy(to.name, to_label, to_pointer, from.name, from_label, from_pointer, bytes);
}
inline void allocate(const Kokkos_Profiling_SpaceHandle space, const char *, const void *, const std::uint64_t bytes) {
  tac_kokkos_allocate(space.name, bytes);
}
inline void deallocate(const Kokkos_Profiling_SpaceHandle space, const char *, const void *, const std::uint64_t bytes) {
  tac_kokkos_deallocate(space.name, bytes);
}
inline void ask_for_no_fences(const std::uint32_t count, Kokkos_Tools_ToolSettings *settings) {
  if (count > 0)
    settings->requires_global_fencing = false;
}

inline status install() {
  if (Kokkos::Tools::profileLibraryLoaded())
    return status::deferred;
  auto callbacks = Kokkos::Tools::Experimental::get_callbacks();
  callbacks.begin_parallel_for = begin_for;
  callbacks.begin_parallel_reduce = begin_reduce;
  callbacks.begin_parallel_scan = begin_scan;
  callbacks.end_parallel_for = end_for;
  callbacks.end_parallel_reduce = end_reduce;
  callbacks.end_parallel_scan = end_scan;
  callbacks.begin_fence = tac_kokkos_begin_fence;
  callbacks.end_fence = tac_kokkos_end_fence;
  callbacks.begin_deep_copy = begin_copy;
  callbacks.end_deep_copy = tac_kokkos_end_copy;
  callbacks.allocate_data = allocate;
  callbacks.deallocate_data = deallocate;
  callbacks.push_region = tac_kokkos_push_region;
  callbacks.pop_region = tac_kokkos_pop_region;
  callbacks.create_profile_section = tac_kokkos_create_section;
  callbacks.start_profile_section = tac_kokkos_start_section;
  callbacks.stop_profile_section = tac_kokkos_stop_section;
  callbacks.destroy_profile_section = tac_kokkos_destroy_section;
  callbacks.profile_event = tac_kokkos_mark;
  callbacks.request_tool_settings = ask_for_no_fences;
  Kokkos::Tools::Experimental::set_callbacks(callbacks);
  return Kokkos::is_initialized() ? status::late : status::installed;
}

} // namespace detail

/* Registers the callbacks with Kokkos; best before Kokkos::initialize. The first call of the process decides, later ones return
 * its answer. Events are counted on threads that are in a scope, and nowhere else. A tool of the environment that
 * Kokkos::initialize loads later takes the place over, and sets stay empty: receiving() tells. */
inline status install() {
  static const status answer = detail::install();
  return answer;
}

/* Whether Kokkos calls the counters now; to be asked after Kokkos::initialize. */
inline bool receiving() {
  return Kokkos::Tools::Experimental::get_callbacks().begin_parallel_for == detail::begin_for;
}

/* The options of a set by default, and kernels without a label have the name of their type as C++ writes it. */
inline tac_kokkos_options options() {
  tac_kokkos_options made;
  tac_kokkos_options_init(&made);
  made.demangle = abi::__cxa_demangle;
  return made;
}

/* A scope of the calling thread, for as long as the object lives. It is not entered where tac_kokkos_scope_begin refuses:
 * status() says why. */
class scope {
public:
  explicit scope(tac_kokkos_counters *counters) : counters_(counters), status_(tac_kokkos_scope_begin(counters, nullptr)) {}
  ~scope() {
    if (status_ == TAC_STATUS_OK)
      tac_kokkos_scope_end(counters_, nullptr);
  }
  scope(const scope &) = delete;
  scope &operator=(const scope &) = delete;
  tac_status status() const {
    return status_;
  }

private:
  tac_kokkos_counters *counters_;
  tac_status status_;
};

} // namespace kokkos
} // namespace tactus

#endif
