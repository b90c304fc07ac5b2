/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <string.h>

#include "tests/unit/kokkos_set.h"

START_TEST(options_are_looked_at) {
  struct tac_kokkos_options options = {0};
  struct tac_kokkos_counters *counters = NULL;
  struct tac_error error;
  ck_assert_int_eq(tac_kokkos_counters_create(&counters, &options, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_kokkos_counters_create(NULL, NULL, &error), TAC_STATUS_INVALID);
  tac_kokkos_options_init(&options);
  options.allocator = &counting_allocator;
  options.step = "step";
  for (size_t left = 0; left < 3; left++) {
    counting.left = left;
    ck_assert_int_eq(tac_kokkos_counters_create(&counters, &options, &error), TAC_STATUS_MEMORY);
    ck_assert_ptr_null(counters);
  }
  ck_assert_uint_eq(counting.allocated, counting.released);
  ck_assert_int_eq(tac_kokkos_counters_create(&counters, NULL, &error), TAC_STATUS_OK);
  tac_kokkos_counters_destroy(&counters);
  tac_kokkos_counters_destroy(&counters);
  tac_kokkos_counters_destroy(NULL);
}
END_TEST

START_TEST(rows_are_limited) {
  struct tac_kokkos_counters *counters = enter_limited_set(100);
  char label[16];
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 150; i++) {
      snprintf(label, sizeof label, "kernel %d", i);
      end(begin(label));
    }
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_KERNELS), 100);
  for (size_t i = 0; i < 100; i++)
    ck_assert_uint_eq(kernel(counters, i).count, 2);
  ck_assert_str_eq(kernel(counters, 77).name, "kernel 77");
  ck_assert_uint_eq(tac_kokkos_counters_dropped(counters), 100);
  ck_assert_uint_eq(tac_kokkos_counters_unrecorded(counters, TAC_KOKKOS_KERNELS).timed, 100);
  leave_set(&counters);
}
END_TEST

START_TEST(merging_adds_rows_by_what_they_are) {
  struct tac_kokkos_counters *one = enter_set(), *two = create_set();
  launch("a", 5);
  tac_kokkos_push_region("x");
  tac_kokkos_push_region("y");
  tac_kokkos_pop_region();
  tac_kokkos_pop_region();
  tac_kokkos_pop_region();
  tac_kokkos_allocate("Host", 100);
  ck_assert_int_eq(tac_kokkos_scope_begin(two, NULL), TAC_STATUS_OK);
  launch("b", 1);
  launch("a", 7);
  tac_kokkos_push_region("y");
  tac_kokkos_push_region("x");
  tac_kokkos_pop_region();
  driven_clock_advance(&driven, 9);
  tac_kokkos_pop_region();
  tac_kokkos_deallocate("Host", 100);
  tac_kokkos_allocate("Host", 40);
  ck_assert_int_eq(tac_kokkos_scope_end(two, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_kokkos_counters_merge(two, one, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_kokkos_counters_rows(two, TAC_KOKKOS_KERNELS), 2);
  const struct tac_kokkos_row a = kernel(two, 1);
  ck_assert_uint_eq(a.count, 2);
  ck_assert_int_eq(a.total_ns, 12);
  ck_assert_int_eq(a.min_ns, 5);
  ck_assert_int_eq(a.max_ns, 7);
  ck_assert_uint_eq(tac_kokkos_counters_rows(two, TAC_KOKKOS_REGIONS), 4);
  ck_assert_str_eq(region(two, 3).name, "y");
  ck_assert_uint_eq(region(two, 3).parent, 2);
  ck_assert_int_eq(region(two, 0).total_ns, 9);
  ck_assert_str_eq(tac_kokkos_counters_mismatches(two).last_region, "x");
  const struct tac_kokkos_space host = tac_kokkos_counters_space(two, 0);
  ck_assert_int_eq(host.bytes, 40);
  ck_assert_int_eq(host.high_water_bytes, 100);
  ck_assert_int_eq(tac_kokkos_counters_merge(two, two, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_kokkos_counters_merge(NULL, two, NULL), TAC_STATUS_INVALID);
  tac_kokkos_counters_destroy(&two);
  leave_set(&one);
}
END_TEST

START_TEST(merging_without_memory_loses_no_event) {
  struct tac_kokkos_counters *one = enter_set(), *two = create_set();
  launch("a", 5);
  launch("b", 5);
  counting.left = 0;
  ck_assert_int_eq(tac_kokkos_counters_merge(two, one, NULL), TAC_STATUS_OK);
  counting.left = (size_t)-1;
  ck_assert_uint_eq(tac_kokkos_counters_total(two, TAC_KOKKOS_KERNELS).count, 2);
  ck_assert_int_eq(tac_kokkos_counters_total(two, TAC_KOKKOS_KERNELS).total_ns, 10);
  ck_assert_uint_eq(tac_kokkos_counters_dropped(two), 2);
  tac_kokkos_counters_destroy(&two);
  leave_set(&one);
}
END_TEST

START_TEST(devices_are_read_by_the_version) {
  static const struct {
    uint32_t device;
    enum tac_kokkos_group group;
    uint64_t version;
    struct tac_kokkos_device taken;
  } cases[] = {
      {0x01000001, TAC_KOKKOS_KERNELS, 20240906, {"OpenMP", 0, 1, "instance"}},
      {0x02020003, TAC_KOKKOS_KERNELS, 20211015, {"Cuda", 1, 3, "instance"}},
      {0x02020003, TAC_KOKKOS_KERNELS, 20210623, {"Cuda", 0, 0x20003, "instance"}},
      {0x02fe0000, TAC_KOKKOS_KERNELS, 20240906, {"Cuda", 127, 0, "instance"}},
      {0x0201ffff, TAC_KOKKOS_KERNELS, 20240906, {"Cuda", 0, 0x1ffff, "instance"}},
      {0x08000000, TAC_KOKKOS_KERNELS, 20240906, {"OpenACC", 0, 0, "instance"}},
      {0x08000000, TAC_KOKKOS_KERNELS, 20210225, {"unknown", 0, 0, "instance"}},
      {0xff000000, TAC_KOKKOS_KERNELS, 20240906, {"unknown", 0, 0, "instance"}},
      {0x01000000, TAC_KOKKOS_FENCES, 20240906, {"OpenMP", 0, 0, "all"}},
      {0x03ffffff, TAC_KOKKOS_FENCES, 20240906, {"HIP", 0, 0, "copies"}},
      {0x03000002, TAC_KOKKOS_FENCES, 20240906, {"HIP", 0, 2, "instance"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct tac_kokkos_device device = tac_kokkos_device(cases[i].device, cases[i].group, cases[i].version);
    ck_assert_str_eq(device.type, cases[i].taken.type);
    ck_assert_uint_eq(device.number, cases[i].taken.number);
    ck_assert_uint_eq(device.instance, cases[i].taken.instance);
    ck_assert_str_eq(device.scope, cases[i].taken.scope);
  }
}
END_TEST

START_TEST(directions_go_by_the_prefix_alone) {
  ck_assert_int_eq(tac_kokkos_direction("Host", "Cuda"), TAC_KOKKOS_HOST_TO_DEVICE);
  ck_assert_int_eq(tac_kokkos_direction("HIPHostPinned", "Host"), TAC_KOKKOS_DEVICE_TO_HOST);
  ck_assert_int_eq(tac_kokkos_direction("Host", "HostX"), TAC_KOKKOS_SAME);
  ck_assert_int_eq(tac_kokkos_direction("Cuda", "CudaUVM"), TAC_KOKKOS_SAME);
  ck_assert_int_eq(tac_kokkos_direction("Hos", "Host"), TAC_KOKKOS_DEVICE_TO_HOST);
}
END_TEST

START_TEST(memory_has_a_high_water_mark) {
  struct tac_kokkos_counters *counters = enter_set();
  tac_kokkos_deallocate("Cuda", 30); /* from before */
  tac_kokkos_allocate("Cuda", 100);
  tac_kokkos_allocate("Cuda", 50);
  tac_kokkos_deallocate("Cuda", 100);
  tac_kokkos_allocate("CudaUVM", 1);
  struct tac_kokkos_space cuda = tac_kokkos_counters_space(counters, 0);
  ck_assert_str_eq(cuda.name, "Cuda");
  ck_assert_uint_eq(cuda.allocations, 2);
  ck_assert_uint_eq(cuda.deallocations, 2);
  ck_assert_int_eq(cuda.bytes, 20);
  ck_assert_int_eq(cuda.high_water_bytes, 120);
  ck_assert_uint_eq(tac_kokkos_counters_spaces(counters), 2);
  tac_kokkos_counters_reset(counters);
  cuda = tac_kokkos_counters_space(counters, 0);
  ck_assert_uint_eq(cuda.allocations, 0);
  ck_assert_int_eq(cuda.bytes, 20);
  ck_assert_int_eq(cuda.high_water_bytes, 20);
  leave_set(&counters);
}
END_TEST

START_TEST(spaces_are_limited) {
  struct tac_kokkos_counters *counters = enter_set();
  char name[16];
  for (int i = 0; i < 70; i++) {
    snprintf(name, sizeof name, "space %d", i);
    tac_kokkos_allocate(name, 1);
  }
  ck_assert_uint_eq(tac_kokkos_counters_spaces(counters), 64);
  ck_assert_uint_eq(tac_kokkos_counters_dropped(counters), 6);
  leave_set(&counters);
}
END_TEST

START_TEST(sections_may_overlap_and_come_again) {
  struct tac_kokkos_counters *counters = enter_set();
  uint32_t one, two, again;
  tac_kokkos_create_section("one", &one);
  tac_kokkos_create_section("two", &two);
  tac_kokkos_start_section(one);
  driven_clock_advance(&driven, 5);
  tac_kokkos_start_section(two);
  driven_clock_advance(&driven, 5);
  tac_kokkos_stop_section(one);
  driven_clock_advance(&driven, 5);
  tac_kokkos_stop_section(two);
  tac_kokkos_destroy_section(one);
  tac_kokkos_create_section("one", &again);
  tac_kokkos_start_section(again);
  driven_clock_advance(&driven, 1);
  tac_kokkos_stop_section(again);
  tac_kokkos_stop_section(again); /* not running */
  tac_kokkos_start_section(1000); /* not there */
  const struct tac_kokkos_section section = tac_kokkos_counters_section(counters, 0);
  ck_assert_str_eq(section.name, "one");
  ck_assert_uint_eq(section.count, 2);
  ck_assert_int_eq(section.total_ns, 11);
  ck_assert_int_eq(section.min_ns, 1);
  ck_assert_int_eq(section.max_ns, 10);
  ck_assert_int_eq(tac_kokkos_counters_section(counters, 1).total_ns, 10);
  ck_assert_uint_eq(tac_kokkos_counters_sections(counters), 2);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).sections, 2);
  leave_set(&counters);
}
END_TEST

START_TEST(sections_stand_in_the_region_of_their_start) {
  struct tac_kokkos_counters *counters = enter_set();
  uint32_t one, running;
  tac_kokkos_create_section("one", &one);
  tac_kokkos_create_section("running", &running);
  tac_kokkos_start_section(running);
  for (int i = 0; i < 2; i++) {
    tac_kokkos_push_region("3:a;b");
    tac_kokkos_push_region("inner");
    tac_kokkos_start_section(one);
    driven_clock_advance(&driven, 4);
    tac_kokkos_pop_region();
    tac_kokkos_pop_region();
    tac_kokkos_stop_section(one);
  }
  tac_kokkos_start_section(one);
  tac_kokkos_stop_section(one);
  ck_assert_uint_eq(tac_kokkos_counters_sections(counters), 3);
  struct tac_kokkos_section section = tac_kokkos_counters_section(counters, 1);
  ck_assert_str_eq(section.name, "one");
  ck_assert_str_eq(region(counters, section.parent).name, "inner");
  ck_assert_uint_eq(section.count, 2);
  ck_assert_int_eq(section.total_ns, 8);
  ck_assert_uint_eq(tac_kokkos_counters_section(counters, 2).parent, TAC_KOKKOS_NO_PARENT);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).unfinished, 1);
  /* In a set whose regions came in another order. */
  struct tac_kokkos_counters *into = create_set();
  ck_assert_int_eq(tac_kokkos_scope_begin(into, NULL), TAC_STATUS_OK);
  tac_kokkos_push_region("inner");
  tac_kokkos_pop_region();
  ck_assert_int_eq(tac_kokkos_scope_end(into, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_kokkos_counters_merge(into, counters, NULL), TAC_STATUS_OK);
  section = tac_kokkos_counters_section(into, 1);
  ck_assert_str_eq(region(into, section.parent).name, "inner");
  ck_assert_str_eq(region(into, region(into, section.parent).parent).name, "3:a;b");
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(into).unfinished, 1);
  tac_kokkos_counters_destroy(&into);
  tac_kokkos_counters_reset(counters);
  ck_assert_uint_eq(tac_kokkos_counters_section(counters, 1).parent, TAC_KOKKOS_NO_PARENT);
  leave_set(&counters);
}
END_TEST

START_TEST(sections_without_memory_are_dropped) {
  struct tac_kokkos_counters *counters = enter_set();
  uint32_t section;
  counting.left = 0;
  tac_kokkos_create_section("one", &section);
  tac_kokkos_start_section(section);
  tac_kokkos_stop_section(section);
  tac_kokkos_destroy_section(section);
  counting.left = (size_t)-1;
  tac_kokkos_create_section("one", &section);
  counting.left = 0;
  tac_kokkos_start_section(section);
  tac_kokkos_stop_section(section);
  counting.left = (size_t)-1;
  ck_assert_uint_eq(tac_kokkos_counters_sections(counters), 0);
  ck_assert_uint_eq(tac_kokkos_counters_dropped(counters), 2);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).sections, 0);
  leave_set(&counters);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      options_are_looked_at,
      rows_are_limited,
      merging_adds_rows_by_what_they_are,
      merging_without_memory_loses_no_event,
      devices_are_read_by_the_version,
      directions_go_by_the_prefix_alone,
      memory_has_a_high_water_mark,
      spaces_are_limited,
      sections_may_overlap_and_come_again,
      sections_stand_in_the_region_of_their_start,
      sections_without_memory_are_dropped,
  };
  return RUN_SUITE("kokkos_counters", tests);
}
