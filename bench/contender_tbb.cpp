/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "bench/contender.h"

#include <cstddef>
#include <new>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

namespace {

template <class Partitioner> void run(void *self) {
  const auto *contender = static_cast<const bench_contender *>(self);
  const bench_load *load = contender->load;
  static_cast<tbb::task_arena *>(contender->arena)->execute([load] {
    tbb::parallel_for(
        std::size_t{0}, load->count, [load](std::size_t index) { load->item(load->context, index, nullptr); }, Partitioner{});
  });
}

} // namespace

int bench_tbb_create(bench_contender *contender, int simple) {
  contender->arena = new (std::nothrow) tbb::task_arena(contender->threads);
  contender->run = simple ? run<tbb::simple_partitioner> : run<tbb::auto_partitioner>;
  return contender->arena ? 0 : -1;
}

void bench_tbb_destroy(bench_contender *contender) {
  delete static_cast<tbb::task_arena *>(contender->arena);
  contender->arena = nullptr;
}
