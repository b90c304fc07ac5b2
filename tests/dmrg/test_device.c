/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/dmrg.h>

#include <math.h>
#include <string.h>

#include <tactus/measure/recorder.h>

#include "apps/dmrg/device/device.h"
#include "runtime/device/device.h"
#include "tests/device/subject.h"
#include "tests/dmrg/device_chain.h"
#include "tests/dmrg/exact.h"

static struct chain chain;

static int is_single(enum tac_dmrg_scalar scalar) {
  return scalar == TAC_DMRG_REAL32 || scalar == TAC_DMRG_COMPLEX32;
}

/* The whole sector fits: sweeps end on the exact energy. */
static void check_ground_state(int sites, int twice_spin, enum tac_dmrg_scalar scalar, enum tac_dmrg_split_place place) {
  device_chain_init(&chain, sites);
  chain_set_spin(&chain, twice_spin);
  chain.hamiltonian.jz = 0.8;
  chain.hamiltonian.field = 0.3;
  chain.start.scalar = scalar;
  chain.start.start = TAC_DMRG_RANDOM;
  chain.options.split = place;
  chain_create(&chain);
  const double energy = chain_sweeps(&chain, 10), exact = exact_ground_energy(&chain.hamiltonian, chain.start.twice_sz);
  ck_assert_double_eq_tol(energy, exact, is_single(scalar) ? 2e-5 : 1e-11);
  ck_assert_uint_eq(chain.summary.svd_device_items, place == TAC_DMRG_SPLIT_DEVICE ? chain.summary.svd_items : 0);
  ck_assert_uint_eq(chain.summary.svd_fallbacks, 0);
  chain_destroy(&chain);
}

static void check_ground_states(enum tac_dmrg_split_place place) {
  for (int scalar = TAC_DMRG_REAL64; scalar <= TAC_DMRG_COMPLEX32; scalar++) {
    check_ground_state(8, 1, (enum tac_dmrg_scalar)scalar, place);
    check_ground_state(5, 2, (enum tac_dmrg_scalar)scalar, place);
  }
}

START_TEST(ground_states_with_the_host_decomposing) {
  check_ground_states(TAC_DMRG_SPLIT_HOST);
}
END_TEST

START_TEST(ground_states_with_the_device_decomposing) {
  check_ground_states(TAC_DMRG_SPLIT_DEVICE);
}
END_TEST

/* Lengths of Krylov vectors whose squares overflow or vanish, or whose numbers lose digits, which sums on the device do not
 * notice; and couplings near them. */
START_TEST(couplings_whose_squares_overflow_or_vanish) {
  static const struct {
    enum tac_dmrg_scalar scalar;
    double scale;
  } cases[] = {{TAC_DMRG_REAL64, 1e-170}, {TAC_DMRG_REAL64, 1e-150}, {TAC_DMRG_REAL64, 1e-100}, {TAC_DMRG_REAL64, 1e-50},
               {TAC_DMRG_REAL64, 1e40},   {TAC_DMRG_REAL64, 1e100},  {TAC_DMRG_REAL64, 1e150},  {TAC_DMRG_REAL64, 1e155},
               {TAC_DMRG_REAL32, 1e-20},  {TAC_DMRG_REAL32, 1e-12},  {TAC_DMRG_REAL32, 1e-8},   {TAC_DMRG_REAL32, 1e8},
               {TAC_DMRG_REAL32, 1e12}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    device_chain_init(&chain, 8);
    chain.start.scalar = cases[i].scalar;
    const double exact = exact_ground_energy(&chain.hamiltonian, 0);
    chain.hamiltonian.jxy = chain.hamiltonian.jz = cases[i].scale;
    chain_create(&chain);
    ck_assert_double_eq_tol(chain_sweeps(&chain, 10) / cases[i].scale, exact, is_single(cases[i].scalar) ? 2e-5 : 1e-11);
    chain_destroy(&chain);
  }
}
END_TEST

/* For all that the library can tell, the device has no double precision: sums, too, are then in single precision. */
static void check_single(enum tac_dmrg_scalar scalar, enum tac_dmrg_split_place place) {
  device_chain_init(&chain, 8);
  chain.start.scalar = scalar;
  chain.options.split = place;
  ck_assert_int_eq(tac_scheduler_create(&chain.scheduler, &chain.scheduling, &chain.error), TAC_STATUS_OK);
  tac_scheduler_device(chain.scheduler)->info.fp64 = 0;
  ck_assert_int_eq(tac_dmrg_state_create(&chain.state, &chain.start, &chain.error), TAC_STATUS_OK);
  ck_assert_msg(
      !tac_dmrg_environments_create(&chain.environments, &chain.hamiltonian, chain.state, chain.scheduler, &chain.error), "%s",
      chain.error.text);
  ck_assert_double_eq_tol(chain_sweeps(&chain, 10), exact_ground_energy(&chain.hamiltonian, 0), 2e-5);
  chain_destroy(&chain);
}

START_TEST(single_precision_needs_no_double_precision) {
  if (strcmp(device_executor(), "host") == 0)
    return; /* its kernels are compiled beforehand, with sums in double precision */
  for (int place = TAC_DMRG_SPLIT_DEVICE; place <= TAC_DMRG_SPLIT_HOST; place++) {
    check_single(TAC_DMRG_REAL32, (enum tac_dmrg_split_place)place);
    check_single(TAC_DMRG_COMPLEX32, (enum tac_dmrg_split_place)place);
  }
}
END_TEST

enum { SWEEPS = 12 };
static struct tac_dmrg_sweep_summary of_host[SWEEPS];

/* 20 spins, as many sweeps on the host as follow on the device. */
static void sweep_on_host(int max_states, enum tac_dmrg_decomposition decomposition) {
  chain_init(&chain, 20);
  chain.options.max_states = max_states;
  chain.options.decomposition = decomposition;
  chain_create(&chain);
  for (int i = 0; i < SWEEPS; i++) {
    chain_sweep(&chain);
    of_host[i] = chain.summary;
  }
  chain_destroy(&chain);
}

static void start_on_device(int max_states, enum tac_dmrg_decomposition decomposition) {
  device_chain_init(&chain, 20);
  chain.options.max_states = max_states;
  chain.options.decomposition = decomposition;
  chain_create(&chain);
}

static void assert_near(double a, double b, double relative) {
  ck_assert_msg(fabs(a - b) <= relative * fabs(b), "%.15g instead of %.15g", a, b);
}

/* What is decomposed where, block by block: those of more elements than that on the device. */
static void mix_places(double elements) {
  chain.environments->bond.device->costs = (struct tac_split_costs){.host = {1, 1, 1}, .column = elements};
}

static void check_trajectory(int place) {
  sweep_on_host(40, TAC_DMRG_EXACT);
  start_on_device(40, TAC_DMRG_EXACT);
  chain.options.split = place < 3 ? (enum tac_dmrg_split_place)place : TAC_DMRG_SPLIT_AUTO;
  if (place == 3)
    mix_places(256);
  for (int i = 0; i < SWEEPS; i++) {
    assert_near(chain_sweep(&chain), of_host[i].energy, 1e-11);
    assert_near(chain.summary.energy_ritz, of_host[i].energy_ritz, 1e-11);
    ck_assert_int_eq(chain.summary.max_bond, of_host[i].max_bond);
    ck_assert_double_eq_tol(chain.summary.max_discarded, of_host[i].max_discarded, 1e-3 * of_host[i].max_discarded + 1e-15);
  }
  const uint64_t on_device = chain.summary.svd_device_items, all = chain.summary.svd_items;
  if (place == 3)
    ck_assert(on_device > 0 && on_device < all);
  else
    ck_assert_uint_eq(on_device, place == TAC_DMRG_SPLIT_DEVICE ? all : 0);
  chain_destroy(&chain);
}

START_TEST(equal_sweeps_have_the_energies_of_the_host) {
  check_trajectory(TAC_DMRG_SPLIT_HOST);
}
END_TEST

START_TEST(equal_sweeps_with_the_device_decomposing) {
  check_trajectory(TAC_DMRG_SPLIT_DEVICE);
}
END_TEST

START_TEST(equal_sweeps_with_both_decomposing) {
  check_trajectory(3);
}
END_TEST

/* Gram matrices and warm subspaces, on the host's lanes; a device takes its blocks of such a bond by an SVD. */
START_TEST(guarded_decompositions_converge_to_the_same_energy) {
  sweep_on_host(40, TAC_DMRG_GUARDED);
  const double tolerance = of_host[SWEEPS - 1].max_discarded + 1e-11;
  for (int mixed = 0; mixed < 2; mixed++) {
    start_on_device(40, TAC_DMRG_GUARDED);
    if (mixed)
      mix_places(256);
    for (int i = 0; i < SWEEPS; i++)
      chain_sweep(&chain);
    assert_near(chain.summary.energy, of_host[SWEEPS - 1].energy, tolerance);
    ck_assert_uint_gt(chain.summary.warm_bonds, 0);
    ck_assert_int_eq(chain.summary.svd_device_items > 0, mixed);
    chain_destroy(&chain);
  }
}
END_TEST

/* With nothing left for another method a bond is decomposed in full, and the summary says so. */
START_TEST(a_device_decomposes_in_full) {
  start_on_device(24, TAC_DMRG_GUARDED);
  chain.options.split = TAC_DMRG_SPLIT_DEVICE;
  chain_sweeps(&chain, SWEEPS);
  ck_assert_uint_eq(chain.summary.full_bonds, 19);
  ck_assert_uint_eq(chain.summary.svd_device_items, chain.summary.svd_items);
  ck_assert_double_eq(chain.summary.discarded_floor, 0);
  chain_destroy(&chain);
}
END_TEST

struct outcome {
  double energy[4];
  uint64_t state;
};

static struct outcome run_lanes(int lanes, int streams, int mixed, enum tac_level level) {
  struct outcome outcome;
  struct tac_recorder_options options;
  struct tac_recorder *recorder = NULL;
  device_chain_init(&chain, 16);
  chain.options.max_states = 32;
  chain.start.start = TAC_DMRG_RANDOM;
  chain.start.random_states = 32;
  chain.scheduling.executor_options.lanes = lanes;
  chain.scheduling.executor_options.streams = streams;
  chain.scheduling.level = level;
  chain_create(&chain);
  if (mixed)
    mix_places(256);
  tac_recorder_options_init(&options);
  options.events = &tac_dmrg_events;
  options.level = level;
  if (level != TAC_OFF)
    ck_assert_int_eq(tac_recorder_create(&recorder, &options, &chain.error), TAC_STATUS_OK);
  for (int i = 0; i < 4; i++) {
    if (!recorder)
      chain_sweep(&chain);
    else
      ck_assert_int_eq(tac_dmrg_sweep_measured(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary,
                                               recorder, &chain.error),
                       TAC_STATUS_OK);
    outcome.energy[i] = chain.summary.energy;
  }
  tac_recorder_destroy(&recorder);
  outcome.state = chain_fingerprint(chain.state);
  chain_destroy(&chain);
  return outcome;
}

START_TEST(lanes_streams_and_levels_change_no_bit) {
  for (int mixed = 0; mixed < 2; mixed++) {
    const struct outcome first = run_lanes(1, 0, mixed, TAC_OFF);
    for (int other = 0; other < 4; other++) {
      const struct outcome outcome =
          run_lanes(other % 2 ? 4 : 2, other == 1 ? 9 : 0, mixed, other / 2 ? TAC_DETAILED : TAC_OFF);
      for (int i = 0; i < 4; i++)
        ck_assert_double_eq(outcome.energy[i], first.energy[i]);
      ck_assert(outcome.state == first.state);
    }
  }
}
END_TEST

START_TEST(steady_state_takes_nothing_from_the_device) {
  for (int mixed = 0; mixed < 2; mixed++) {
    device_chain_init(&chain, 14);
    chain.options.max_states = 16;
    chain.options.decomposition = mixed ? TAC_DMRG_EXACT : TAC_DMRG_GUARDED;
    chain_create(&chain);
    if (mixed)
      mix_places(64);
    chain_sweeps(&chain, 16);
    const struct tac_device_memory_stats before = tac_device_memory_stats(tac_scheduler_device(chain.scheduler));
    const uint64_t allocations = tac_dmrg_environments_allocations(chain.environments);
    const size_t bytes = tac_dmrg_environments_bytes(chain.environments) + tac_dmrg_state_bytes(chain.state);
    chain_sweeps(&chain, 6);
    ck_assert(mixed ? chain.summary.svd_device_items > 0 && chain.summary.svd_device_items < chain.summary.svd_items
                    : chain.summary.warm_bonds > 0);
    const struct tac_device_memory_stats after = tac_device_memory_stats(tac_scheduler_device(chain.scheduler));
    ck_assert_uint_eq(after.allocations, before.allocations);
    ck_assert_uint_eq(after.reuses, before.reuses);
    ck_assert_uint_eq(after.used_bytes, before.used_bytes);
    ck_assert_uint_eq(tac_dmrg_environments_allocations(chain.environments), allocations);
    ck_assert_uint_eq(tac_dmrg_environments_bytes(chain.environments) + tac_dmrg_state_bytes(chain.state), bytes);
    chain_destroy(&chain);
  }
}
END_TEST

/* What a program does after each bond: looks at the state, asks for its variance, stops the sweep. */
static int look(void *context, int site, int done, int bonds, double energy) {
  double variance, mean;
  (void)site, (void)energy;
  const uint64_t mark = chain_fingerprint(chain.state);
  ck_assert_int_eq(tac_dmrg_variance(&variance, &mean, chain.state, &chain.hamiltonian, &chain.error), TAC_STATUS_OK);
  ck_assert_double_ge(mean, *(const double *)context - 1e-10);
  ck_assert(chain_fingerprint(chain.state) == mark);
  return done == bonds / 2;
}

START_TEST(interrupted_sweeps_resume_and_the_state_can_be_seen) {
  device_chain_init(&chain, 10);
  chain.options.max_states = 9;
  chain_create(&chain);
  const double energy = chain_sweeps(&chain, 4);
  const uint64_t mark = chain_fingerprint(chain.state);
  chain_destroy(&chain);
  chain_create(&chain);
  double exact = exact_ground_energy(&chain.hamiltonian, 0);
  for (int sweep = 0; sweep < 4; sweep++) {
    ck_assert_int_eq(tac_dmrg_sweep_progress(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary,
                                             look, &exact, &chain.error),
                     TAC_STATUS_OK);
    ck_assert_int_eq(tac_dmrg_state_center(chain.state), sweep % 2 ? 5 : 4);
    chain_sweep(&chain);
  }
  ck_assert_double_eq(chain.summary.energy, energy);
  ck_assert(chain_fingerprint(chain.state) == mark);
  chain_destroy(&chain);
}
END_TEST

/* From device to host and back with one state: its numbers come home when environments end. */
START_TEST(a_state_outlives_its_device) {
  struct chain host;
  chain_init(&host, 12);
  device_chain_init(&chain, 12);
  chain_create(&chain);
  chain_sweeps(&chain, 6);
  const uint64_t mark = chain_fingerprint(chain.state);
  struct tac_dmrg_environments *made = NULL;
  ck_assert_int_eq(tac_scheduler_create(&host.scheduler, &host.scheduling, &host.error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_dmrg_environments_create(&made, &chain.hamiltonian, chain.state, host.scheduler, &host.error),
                   TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(host.error.text, "on a device"));
  ck_assert_int_eq(tac_dmrg_sweep(chain.state, chain.environments, host.scheduler, &chain.options, &chain.summary, &host.error),
                   TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(host.error.text, "were not made for"));
  tac_dmrg_environments_destroy(&chain.environments);
  tac_scheduler_destroy(&chain.scheduler);
  ck_assert(chain_fingerprint(chain.state) == mark);
  ck_assert_int_eq(tac_dmrg_environments_create(&made, &chain.hamiltonian, chain.state, host.scheduler, &host.error),
                   TAC_STATUS_OK);
  ck_assert_int_eq(tac_dmrg_sweep(chain.state, made, host.scheduler, &chain.options, &chain.summary, &host.error),
                   TAC_STATUS_OK);
  ck_assert_double_eq_tol(chain.summary.energy, exact_ground_energy(&chain.hamiltonian, 0), 1e-10);
  tac_dmrg_environments_destroy(&made);
  tac_dmrg_state_destroy(&chain.state);
  tac_scheduler_destroy(&host.scheduler);
}
END_TEST

int main(int argc, char **argv) {
  const TTest *const tests[] = {ground_states_with_the_host_decomposing,
                                ground_states_with_the_device_decomposing,
                                couplings_whose_squares_overflow_or_vanish,
                                single_precision_needs_no_double_precision,
                                equal_sweeps_have_the_energies_of_the_host,
                                equal_sweeps_with_the_device_decomposing,
                                equal_sweeps_with_both_decomposing,
                                guarded_decompositions_converge_to_the_same_energy,
                                a_device_decomposes_in_full,
                                lanes_streams_and_levels_change_no_bit,
                                steady_state_takes_nothing_from_the_device,
                                interrupted_sweeps_resume_and_the_state_can_be_seen,
                                a_state_outlives_its_device};
  return run_device_suite(argc, argv, "dmrg_device", tests, sizeof tests / sizeof *tests);
}
