/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/dmrg.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tactus/measure/recorder.h>

#include "tests/dmrg/chain.h"
#include "tests/unit/suite.h"

static struct chain chain;
static struct tac_error error;

static void assert_refused(enum tac_status status, enum tac_status expected, const char *word) {
  ck_assert_msg(status == expected, "%s instead of %s", tac_status_name(status), tac_status_name(expected));
  ck_assert_int_eq(error.status, expected);
  ck_assert_msg(strstr(error.text, word) != NULL, "'%s' does not name %s", error.text, word);
  ck_assert_str_ne(error.where, "");
  tac_error_clear(&error);
}

START_TEST(hamiltonian_names_the_field) {
  const double bad[] = {NAN, INFINITY, -INFINITY};
  struct tac_dmrg_hamiltonian h;
  for (int i = 0; i < 3; i++) {
    tac_dmrg_hamiltonian_init(&h, 4);
    h.jxy = bad[i];
    assert_refused(tac_dmrg_hamiltonian_check(&h, &error), TAC_STATUS_INVALID, "jxy");
    tac_dmrg_hamiltonian_init(&h, 4);
    h.jz = bad[i];
    assert_refused(tac_dmrg_hamiltonian_check(&h, &error), TAC_STATUS_INVALID, "jz");
    tac_dmrg_hamiltonian_init(&h, 4);
    h.field = bad[i];
    assert_refused(tac_dmrg_hamiltonian_check(&h, &error), TAC_STATUS_INVALID, "field");
  }
  tac_dmrg_hamiltonian_init(&h, 0);
  assert_refused(tac_dmrg_hamiltonian_check(&h, &error), TAC_STATUS_INVALID, "sites");
  tac_dmrg_hamiltonian_init(&h, TAC_DMRG_MAX_SITES + 1);
  assert_refused(tac_dmrg_hamiltonian_check(&h, &error), TAC_STATUS_INVALID, "sites");
  tac_dmrg_hamiltonian_init(&h, 4);
  h.twice_spin = 3;
  assert_refused(tac_dmrg_hamiltonian_check(&h, &error), TAC_STATUS_INVALID, "twice_spin");
  h.size--;
  assert_refused(tac_dmrg_hamiltonian_check(&h, &error), TAC_STATUS_INVALID, "tac_dmrg_hamiltonian_init");
  assert_refused(tac_dmrg_hamiltonian_check(NULL, &error), TAC_STATUS_INVALID, "tac_dmrg_hamiltonian_init");
  tac_dmrg_hamiltonian_init(&h, 1);
  ck_assert_int_eq(tac_dmrg_hamiltonian_check(&h, NULL), TAC_STATUS_OK);
}
END_TEST

START_TEST(sectors_that_do_not_exist) {
  ck_assert_int_eq(tac_dmrg_sector_check(3, 1, 1, NULL), TAC_STATUS_OK);
  assert_refused(tac_dmrg_sector_check(3, 1, 0, &error), TAC_STATUS_INVALID, "-3, -1, … 3");
  assert_refused(tac_dmrg_sector_check(4, 1, 6, &error), TAC_STATUS_INVALID, "2 Sz = 6");
  assert_refused(tac_dmrg_sector_check(4, 2, 7, &error), TAC_STATUS_INVALID, "-8, -6, … 8");
  assert_refused(tac_dmrg_sector_check(4, 1, INT32_MAX, &error), TAC_STATUS_INVALID, "2 Sz");
  assert_refused(tac_dmrg_sector_check(4, 1, INT32_MIN, &error), TAC_STATUS_INVALID, "2 Sz");
  assert_refused(tac_dmrg_sector_check(0, 1, 0, &error), TAC_STATUS_INVALID, "sites");
  for (int sites = 1; sites < 6; sites++)
    for (int spin = 1; spin <= 2; spin++)
      for (int twice_sz = -12; twice_sz <= 12; twice_sz++) {
        const int exists = abs(twice_sz) <= sites * spin && (twice_sz - sites * spin) % 2 == 0;
        ck_assert_int_eq(tac_dmrg_sector_check(sites, spin, twice_sz, NULL), exists ? TAC_STATUS_OK : TAC_STATUS_INVALID);
      }
}
END_TEST

START_TEST(state_options_name_the_field) {
  struct tac_dmrg_state_options good, bad;
  struct tac_dmrg_state *state = (struct tac_dmrg_state *)&good;
  tac_dmrg_state_options_init(&good, 5);
  ck_assert_int_eq(good.twice_sz, 1); /* the smallest sector of an odd chain */
  bad = good;
  bad.sites = 0;
  assert_refused(tac_dmrg_state_create(&state, &bad, &error), TAC_STATUS_INVALID, "sites");
  ck_assert_ptr_null(state);
  bad = good;
  bad.twice_spin = 0;
  assert_refused(tac_dmrg_state_create(&state, &bad, &error), TAC_STATUS_INVALID, "twice_spin");
  bad = good;
  bad.twice_sz = 2;
  assert_refused(tac_dmrg_state_create(&state, &bad, &error), TAC_STATUS_INVALID, "2 Sz");
  bad = good;
  bad.scalar = (enum tac_dmrg_scalar)4;
  assert_refused(tac_dmrg_state_create(&state, &bad, &error), TAC_STATUS_INVALID, "scalar");
  bad = good;
  bad.start = (enum tac_dmrg_start) - 1;
  assert_refused(tac_dmrg_state_create(&state, &bad, &error), TAC_STATUS_INVALID, "start");
  bad = good;
  bad.start = TAC_DMRG_RANDOM;
  bad.random_states = 0;
  assert_refused(tac_dmrg_state_create(&state, &bad, &error), TAC_STATUS_INVALID, "random_states");
  bad = good;
  bad.size++;
  assert_refused(tac_dmrg_state_create(&state, &bad, &error), TAC_STATUS_INVALID, "tac_dmrg_state_options_init");
  assert_refused(tac_dmrg_state_create(&state, NULL, &error), TAC_STATUS_INVALID, "tac_dmrg_state_options_init");
  assert_refused(tac_dmrg_state_create(NULL, &good, &error), TAC_STATUS_INVALID, "state");
  ck_assert_int_eq(tac_dmrg_state_create(&state, &bad, NULL), TAC_STATUS_INVALID);
  tac_dmrg_state_destroy(&state);
  tac_dmrg_state_destroy(NULL);
}
END_TEST

START_TEST(sweep_options_name_the_field) {
  struct tac_dmrg_options good, bad;
  tac_dmrg_options_init(&good);
  ck_assert_int_eq(good.max_states, 256);
  ck_assert_int_eq(good.local_matvecs, 4);
  ck_assert_double_eq(good.cutoff, 0);
  ck_assert_int_eq(good.decomposition, TAC_DMRG_GUARDED);
  ck_assert_int_eq(tac_dmrg_options_check(&good, &error), TAC_STATUS_OK);
  bad = good;
  bad.max_states = 0;
  assert_refused(tac_dmrg_options_check(&bad, &error), TAC_STATUS_INVALID, "max_states");
  const double cutoffs[] = {-1e-300, 1.0000001, NAN, INFINITY};
  for (int i = 0; i < 4; i++) {
    bad = good;
    bad.cutoff = cutoffs[i];
    assert_refused(tac_dmrg_options_check(&bad, &error), TAC_STATUS_INVALID, "cutoff");
  }
  bad = good;
  bad.local_matvecs = 0;
  assert_refused(tac_dmrg_options_check(&bad, &error), TAC_STATUS_INVALID, "local_matvecs");
  bad = good;
  bad.decomposition = (enum tac_dmrg_decomposition)7;
  assert_refused(tac_dmrg_options_check(&bad, &error), TAC_STATUS_INVALID, "decomposition");
  bad = good;
  bad.split = (enum tac_dmrg_split_place)3;
  assert_refused(tac_dmrg_options_check(&bad, &error), TAC_STATUS_INVALID, "split");
  bad = good;
  bad.size = 0;
  assert_refused(tac_dmrg_options_check(&bad, &error), TAC_STATUS_INVALID, "tac_dmrg_options_init");
  assert_refused(tac_dmrg_options_check(NULL, &error), TAC_STATUS_INVALID, "tac_dmrg_options_init");
}
END_TEST

START_TEST(environments_belong_to_a_state) {
  struct tac_dmrg_environments *made = NULL;
  chain_init(&chain, 6);
  chain_create(&chain);
  struct tac_dmrg_hamiltonian h = chain.hamiltonian;
  h.sites = 7;
  assert_refused(tac_dmrg_environments_create(&made, &h, chain.state, chain.scheduler, &error), TAC_STATUS_INVALID, "7 sites");
  h = chain.hamiltonian;
  h.twice_spin = 2;
  assert_refused(tac_dmrg_environments_create(&made, &h, chain.state, chain.scheduler, &error), TAC_STATUS_INVALID, "spin");
  h = chain.hamiltonian;
  h.jz = NAN;
  assert_refused(tac_dmrg_environments_create(&made, &h, chain.state, chain.scheduler, &error), TAC_STATUS_INVALID, "jz");
  assert_refused(tac_dmrg_environments_create(&made, &chain.hamiltonian, NULL, chain.scheduler, &error), TAC_STATUS_INVALID,
                 "missing");
  assert_refused(tac_dmrg_environments_create(&made, &chain.hamiltonian, chain.state, NULL, &error), TAC_STATUS_INVALID,
                 "missing");
  assert_refused(tac_dmrg_environments_create(NULL, &chain.hamiltonian, chain.state, chain.scheduler, &error),
                 TAC_STATUS_INVALID, "missing");
  chain_sweep(&chain); /* the centre is at the right end now */
  assert_refused(tac_dmrg_environments_create(&made, &chain.hamiltonian, chain.state, chain.scheduler, &error),
                 TAC_STATUS_INVALID, "site 5");
  ck_assert_ptr_null(made);
  tac_dmrg_environments_destroy(&made);
  tac_dmrg_environments_destroy(NULL);
  chain_destroy(&chain);
}
END_TEST

static int never(void *context, int site, int done, int bonds, double energy) {
  (void)context, (void)site, (void)done, (void)bonds, (void)energy;
  return 0;
}

START_TEST(a_sweep_needs_its_arguments) {
  struct chain other;
  chain_init(&chain, 6);
  chain_create(&chain);
  chain_init(&other, 6);
  chain_create(&other);
  const uint64_t mark = chain_fingerprint(chain.state);
  assert_refused(tac_dmrg_sweep(NULL, chain.environments, chain.scheduler, &chain.options, &chain.summary, &error),
                 TAC_STATUS_INVALID, "missing");
  assert_refused(tac_dmrg_sweep(chain.state, NULL, chain.scheduler, &chain.options, &chain.summary, &error), TAC_STATUS_INVALID,
                 "missing");
  assert_refused(tac_dmrg_sweep(chain.state, chain.environments, NULL, &chain.options, &chain.summary, &error),
                 TAC_STATUS_INVALID, "missing");
  assert_refused(tac_dmrg_sweep(chain.state, chain.environments, chain.scheduler, &chain.options, NULL, &error),
                 TAC_STATUS_INVALID, "missing");
  assert_refused(tac_dmrg_sweep(chain.state, chain.environments, chain.scheduler, NULL, &chain.summary, &error),
                 TAC_STATUS_INVALID, "options");
  assert_refused(tac_dmrg_sweep(other.state, chain.environments, chain.scheduler, &chain.options, &chain.summary, &error),
                 TAC_STATUS_INVALID, "another state");
  assert_refused(tac_dmrg_sweep_progress(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary, NULL,
                                         NULL, &error),
                 TAC_STATUS_INVALID, "progress");
  chain.options.split = TAC_DMRG_SPLIT_DEVICE;
  assert_refused(tac_dmrg_sweep(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary, &error),
                 TAC_STATUS_INVALID, "serial");
  ck_assert(chain_fingerprint(chain.state) == mark);
  chain_destroy(&other);
  chain_destroy(&chain);
}
END_TEST

static struct tac_recorder *recorder_of(const struct tac_event_set *events, enum tac_level level) {
  static const struct tac_hooks hooks = {0};
  struct tac_recorder_options options;
  struct tac_recorder *recorder;
  tac_recorder_options_init(&options);
  options.events = events;
  options.level = level;
  options.hooks = level == TAC_HOOKED ? &hooks : NULL;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, &error), TAC_STATUS_OK);
  return recorder;
}

/* The three measured entries with one recorder. */
static void assert_all_refuse(struct tac_recorder *recorder, enum tac_status expected, const char *word) {
  struct tac_dmrg_environments *made = NULL;
  assert_refused(
      tac_dmrg_environments_create_measured(&made, &chain.hamiltonian, chain.state, chain.scheduler, recorder, &error),
      expected, word);
  ck_assert_ptr_null(made);
  assert_refused(tac_dmrg_sweep_measured(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary,
                                         recorder, &error),
                 expected, word);
  assert_refused(tac_dmrg_sweep_progress_measured(chain.state, chain.environments, chain.scheduler, &chain.options,
                                                  &chain.summary, never, NULL, recorder, &error),
                 expected, word);
}

START_TEST(recorders_that_do_not_fit) {
  const struct tac_event_set copy = tac_dmrg_events;
  chain_init(&chain, 6);
  chain.scheduling.level = TAC_COARSE;
  chain_create(&chain);
  const uint64_t mark = chain_fingerprint(chain.state);
  struct tac_recorder *stranger = recorder_of(&copy, TAC_COARSE), *detailed = recorder_of(&tac_dmrg_events, TAC_DETAILED);
  struct tac_recorder *hooked = recorder_of(&tac_dmrg_events, TAC_HOOKED);
  assert_all_refuse(NULL, TAC_STATUS_INVALID, "no recorder");
  assert_all_refuse(stranger, TAC_STATUS_INVALID, "tac_dmrg_events");
  assert_all_refuse(detailed, TAC_STATUS_LEVEL, "detailed");
  assert_all_refuse(hooked, TAC_STATUS_LEVEL, "hooked");
  for (int event = 0; event < TAC_DMRG_EVENT_COUNT; event++)
    ck_assert_uint_eq(tac_recorder_stats(detailed, event).count, 0);
  ck_assert(chain_fingerprint(chain.state) == mark);
  tac_recorder_destroy(&stranger);
  tac_recorder_destroy(&detailed);
  tac_recorder_destroy(&hooked);
  chain_destroy(&chain);
  chain_init(&chain, 1); /* where no batch would notice */
  chain_create(&chain);
  struct tac_recorder *coarse = recorder_of(&tac_dmrg_events, TAC_COARSE);
  assert_all_refuse(coarse, TAC_STATUS_LEVEL, "off");
  tac_recorder_destroy(&coarse);
  chain_destroy(&chain);
}
END_TEST

START_TEST(accessors_bear_sites_that_do_not_exist) {
  size_t count = 7;
  const void *data = &count;
  chain_init(&chain, 4);
  chain_create(&chain);
  ck_assert_ptr_null(tac_dmrg_state_blocks(chain.state, 4, &count, &data));
  ck_assert_uint_eq(count, 0);
  ck_assert_ptr_null(data);
  ck_assert_ptr_null(tac_dmrg_state_blocks(chain.state, -1, NULL, NULL));
  ck_assert_int_eq(tac_dmrg_state_bond_dimension(chain.state, -1), 0);
  ck_assert_int_eq(tac_dmrg_state_bond_dimension(chain.state, 5), 0);
  ck_assert_int_eq(tac_dmrg_state_bond_dimension(chain.state, 4), 1);
  ck_assert_int_eq(tac_dmrg_state_form(chain.state, 99), TAC_DMRG_LEFT_FORM);
  ck_assert_int_eq(tac_dmrg_state_sites(chain.state), 4);
  ck_assert_int_eq(tac_dmrg_state_twice_spin(chain.state), 1);
  ck_assert_int_eq(tac_dmrg_state_twice_sz(chain.state), 0);
  ck_assert_int_eq(tac_dmrg_state_scalar(chain.state), TAC_DMRG_REAL64);
  chain_destroy(&chain);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {hamiltonian_names_the_field,    sectors_that_do_not_exist,
                                state_options_name_the_field,   sweep_options_name_the_field,
                                environments_belong_to_a_state, a_sweep_needs_its_arguments,
                                recorders_that_do_not_fit,      accessors_bear_sites_that_do_not_exist};
  return RUN_SUITE("arguments", tests);
}
