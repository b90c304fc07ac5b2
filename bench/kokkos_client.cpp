/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Empty launches of a Kokkos program, for the bench `kokkos`: kokkos_client THREADS LAUNCHES SAMPLES [REGION] prints the least
 * and the median nanoseconds of a launch on a line; with the name of a region the launches are in it. Alternating labels, so
 * that the last one found is not the next one. */

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <Kokkos_Core.hpp>

static double sample(int launches, const char *region) {
  if (region)
    Kokkos::Profiling::pushRegion(region);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < launches; i += 2) {
    Kokkos::parallel_for("first kernel of two", Kokkos::RangePolicy<>(0, 0), KOKKOS_LAMBDA(int){});
    Kokkos::parallel_for("second kernel of two", Kokkos::RangePolicy<>(0, 0), KOKKOS_LAMBDA(int){});
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  if (region)
    Kokkos::Profiling::popRegion();
  return took.count() / launches;
}

int main(int argc, char **argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1, launches = argc > 2 ? std::atoi(argv[2]) : 100000;
  const int samples = argc > 3 ? std::atoi(argv[3]) : 21;
  const char *region = argc > 4 ? argv[4] : nullptr;
  Kokkos::initialize(argc, argv);
  std::vector<double> ns;
  for (int i = 0; i < samples; i++) {
    std::vector<double> each(static_cast<size_t>(threads));
    std::vector<std::thread> others;
    for (int t = 1; t < threads; t++)
      others.emplace_back([&each, t, launches, region] { each[static_cast<size_t>(t)] = sample(launches, region); });
    each[0] = sample(launches, region);
    for (auto &other : others)
      other.join();
    ns.push_back(*std::max_element(each.begin(), each.end()));
  }
  Kokkos::finalize();
  std::sort(ns.begin(), ns.end());
  std::printf("%.2f %.2f\n", ns.front(), ns[ns.size() / 2]);
  return 0;
}
