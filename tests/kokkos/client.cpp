/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* A Kokkos program whose every event is known: client SCENE. What it does is counted by hand in client_test.py. */

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include <Kokkos_Core.hpp>

struct Plain {
  KOKKOS_FUNCTION void operator()(int) const {}
};

namespace {

struct tag {};
template <class number> struct functor {
  KOKKOS_FUNCTION void operator()(int) const {}
  KOKKOS_FUNCTION void operator()(tag, int) const {}
};

void labels() {
  Kokkos::parallel_for(1, functor<double>());
  Kokkos::parallel_for(Kokkos::RangePolicy<tag>(0, 1), functor<int>());
  Kokkos::parallel_for(1, Plain());
  for (const char *label : {"i", "f", "2nd", "N"})
    Kokkos::parallel_for(label, 1, functor<double>());
}

using vector = Kokkos::View<double *>;
enum { LENGTH = 1000, LAUNCHES = 1000 };

double sum_of(const vector &values) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<>(0, LENGTH), KOKKOS_LAMBDA(int i, double &part) { part += values(i); }, sum);
  return sum;
}

void kernels() {
  vector values("values", LENGTH), sums("sums", LENGTH);
  for (int i = 0; i < 7; i++)
    Kokkos::parallel_for(
        "fill in", Kokkos::RangePolicy<>(0, LENGTH), KOKKOS_LAMBDA(int k) { values(k) = k; });
  Kokkos::parallel_for(
      "quote \" back\\slash\nnewline\x01\xff", LENGTH, KOKKOS_LAMBDA(int k) { values(k) += 1; });
  Kokkos::parallel_for(
      LENGTH, KOKKOS_LAMBDA(int k) { values(k) -= 1; });
  if (sum_of(values) + sum_of(values) != 999000)
    std::exit(3);
  Kokkos::parallel_scan(
      "running", LENGTH, KOKKOS_LAMBDA(int k, double &sum, bool last) {
        sum += values(k);
        if (last)
          sums(k) = sum;
      });
}

void copies() {
  vector device("device", LENGTH);
  auto host = Kokkos::create_mirror(device);
  Kokkos::deep_copy(host, device);
  Kokkos::deep_copy(device, host);
  Kokkos::deep_copy(device, host);
  Kokkos::deep_copy(device, device);
  Kokkos::deep_copy(device, 3.0);
}

void regions() {
  for (int step = 0; step < 3; step++) {
    Kokkos::Profiling::pushRegion("step");
    Kokkos::Profiling::pushRegion("assemble");
    Kokkos::parallel_for("in the step", 10, KOKKOS_LAMBDA(int){});
    Kokkos::Profiling::popRegion();
    Kokkos::fence();
    Kokkos::Profiling::popRegion();
  }
  Kokkos::Profiling::pushRegion("assemble");
  Kokkos::Profiling::popRegion();
  Kokkos::Profiling::markEvent("here");
  uint32_t section;
  Kokkos::Profiling::createProfileSection("phase", &section);
  for (int i = 0; i < 4; i++) {
    Kokkos::Profiling::startSection(section);
    Kokkos::Profiling::stopSection(section);
  }
  Kokkos::Profiling::destroyProfileSection(section);
}

std::atomic<int> expected;

/* Two at once wait for each other before they begin. */
void launch_many(const char *label) {
  expected--;
  while (expected > 0)
    std::this_thread::yield();
  Kokkos::Profiling::pushRegion(label);
  for (int i = 0; i < LAUNCHES; i++) {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<>(Kokkos::DefaultExecutionSpace(), 0, 1), KOKKOS_LAMBDA(int){});
    Kokkos::parallel_for("both", Kokkos::RangePolicy<>(Kokkos::DefaultExecutionSpace(), 0, 1), KOKKOS_LAMBDA(int){});
  }
  Kokkos::Profiling::popRegion();
}

void threads() {
  expected = 2;
  std::thread first(launch_many, "first"), second(launch_many, "second");
  first.join();
  second.join();
  std::thread third(launch_many, "first");
  third.join();
}

void unbalanced() {
  Kokkos::Profiling::popRegion();
  Kokkos::Profiling::pushRegion("closed");
  Kokkos::Profiling::popRegion();
  Kokkos::Profiling::popRegion();
  Kokkos::Profiling::popRegion();
  Kokkos::Profiling::pushRegion("never popped");
  Kokkos::parallel_for("last", 1, KOKKOS_LAMBDA(int){});
}

} // namespace

int main(int argc, char **argv) {
  const std::string scene = argc > 1 ? argv[1] : "";
  Kokkos::initialize(argc, argv);
  if (scene == "kernels")
    kernels();
  else if (scene == "labels")
    labels();
  else if (scene == "copies")
    copies();
  else if (scene == "regions")
    regions();
  else if (scene == "threads")
    threads();
  else if (scene == "unbalanced" || scene == "no-finalize")
    unbalanced();
  else
    return 2;
  if (scene == "no-finalize")
    std::exit(0);
  Kokkos::finalize();
  return 0;
}
