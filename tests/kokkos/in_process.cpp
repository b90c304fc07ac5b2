/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Counters in a Kokkos program itself: in_process SCENE prints what is wrong, and nothing when all is right. Exit status 0, 1
 * (something is wrong) or 2 (usage). */

#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

#include <tactus/kokkos.hpp>

namespace {

int wrong;

void expect(bool right, const char *what) {
  if (right)
    return;
  std::printf("%s\n", what);
  wrong++;
}

void launch(const char *label) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<>(0, 10), KOKKOS_LAMBDA(int){});
}

tac_kokkos_counters *create() {
  const tac_kokkos_options options = tactus::kokkos::options();
  tac_kokkos_counters *counters = nullptr;
  expect(tac_kokkos_counters_create(&counters, &options, nullptr) == TAC_STATUS_OK, "no counters");
  return counters;
}

uint64_t launches(const tac_kokkos_counters *counters) {
  return tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS).count;
}

void count() {
  tac_kokkos_counters *counters = create(), *inner = create();
  launch("before");
  {
    tactus::kokkos::scope scope(counters);
    expect(scope.status() == TAC_STATUS_OK, "the scope is refused");
    launch("outer");
    launch("outer");
    Kokkos::View<double *> values("values", 100);
    auto mirror = Kokkos::create_mirror(values);
    Kokkos::deep_copy(mirror, values);
    Kokkos::deep_copy(values, values);
    Kokkos::Profiling::pushRegion("region");
    {
      tactus::kokkos::scope nested(inner);
      launch("inner");
      tactus::kokkos::scope refused(counters);
      expect(refused.status() == TAC_STATUS_BUSY, "a set is in two scopes");
    }
    Kokkos::Profiling::popRegion();
    std::thread([] { launch("elsewhere"); }).join();
  }
  launch("after");
  {
    tactus::kokkos::scope unlabelled(inner);
    Kokkos::parallel_for(10, KOKKOS_LAMBDA(int){});
  }
  const std::string type = tac_kokkos_counters_at(inner, TAC_KOKKOS_KERNELS, 1).name;
  expect(type.find("::count()::") != std::string::npos, "the type of a kernel without a label");
  expect(launches(counters) == 4 && launches(inner) == 2, "launches");
  const tac_kokkos_row copies = tac_kokkos_counters_total(counters, TAC_KOKKOS_COPIES);
  expect(copies.count == 2 && copies.bytes == 1600 && copies.self_bytes == 800, "copies");
  expect(tac_kokkos_counters_total(counters, TAC_KOKKOS_REGIONS).timed == 1, "regions");
  expect(tac_kokkos_counters_spaces(counters) == 1 && tac_kokkos_counters_space(counters, 0).allocations == 2, "memory");
  const tac_kokkos_mismatches all = tac_kokkos_counters_mismatches(counters);
  expect(all.kernels + all.copies + all.regions + all.unfinished == 0, "mismatches");
  tac_kokkos_counters_destroy(&counters);
  tac_kokkos_counters_destroy(&inner);
}

int print(void *, const char *text, size_t bytes) {
  return std::fwrite(text, 1, bytes, stdout) != bytes;
}

/* A record with facts, on standard output. */
void record() {
  const tac_report_fact facts[] = {{"program", "in_process"}, {"wall_ns", "1000000000"}, {"threads", "1"}};
  const tac_report_facts all = {facts, sizeof facts / sizeof *facts};
  tac_kokkos_counters *counters = create();
  {
    tactus::kokkos::scope scope(counters);
    launch("work");
  }
  expect(tac_kokkos_report_json(counters, &all, print, nullptr, nullptr) == TAC_STATUS_OK, "no record");
  tac_kokkos_counters_destroy(&counters);
}

} // namespace

int main(int argc, char **argv) {
  using tactus::kokkos::status;
  const std::string scene = argc > 1 ? argv[1] : "";
  if (scene == "early") {
    expect(tactus::kokkos::install() == status::installed, "not installed");
    Kokkos::initialize(argc, argv);
    expect(tactus::kokkos::receiving(), "not receiving");
    count();
    expect(tactus::kokkos::install() == status::installed, "another answer");
  } else if (scene == "record") {
    tactus::kokkos::install();
    Kokkos::initialize(argc, argv);
    record();
  } else if (scene == "late") {
    Kokkos::initialize(argc, argv);
    expect(tactus::kokkos::install() == status::late, "not late");
    count();
    expect(tactus::kokkos::install() == status::late, "another answer");
  } else if (scene == "deferred") {
    Kokkos::initialize(argc, argv);
    expect(tactus::kokkos::install() == status::deferred, "not deferred");
    expect(!tactus::kokkos::receiving(), "receiving");
    tac_kokkos_counters *counters = create();
    {
      tactus::kokkos::scope scope(counters);
      launch("a tool's");
    }
    expect(launches(counters) == 0, "counted beside the tool");
    expect(tactus::kokkos::install() == status::deferred, "another answer");
    tac_kokkos_counters_destroy(&counters);
  } else if (scene == "taken over") {
    expect(tactus::kokkos::install() == status::installed, "not installed");
    Kokkos::initialize(argc, argv);
    expect(!tactus::kokkos::receiving(), "receiving beside the tool");
    tac_kokkos_counters *counters = create();
    {
      tactus::kokkos::scope scope(counters);
      launch("a tool's");
    }
    expect(launches(counters) == 0, "counted beside the tool");
    expect(tactus::kokkos::install() == status::installed, "another answer");
    tac_kokkos_counters_destroy(&counters);
  } else {
    return 2;
  }
  Kokkos::finalize();
  return wrong ? 1 : 0;
}
