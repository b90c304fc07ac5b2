/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/apps/chain.h"
#include "tests/unit/suite.h"

/* Sweeps a chain on the threads executor and on the serial one, decompositions of both kinds, side by side. */
static void compare(int lanes, enum tac_dmrg_scalar scalar, enum tac_dmrg_decomposition decomposition) {
  struct chain serial = chain_of(14, 1, 0), threads = chain_of(14, 1, 0);
  threads.executor = "threads";
  threads.lanes = lanes;
  serial.start.scalar = threads.start.scalar = scalar;
  serial.options.max_states = threads.options.max_states = 40;
  serial.options.decomposition = threads.options.decomposition = decomposition;
  for (int sweep = 0; sweep < 9; sweep++) {
    chain_sweep(&serial);
    chain_sweep(&threads);
    ck_assert(serial.last.energy == threads.last.energy && serial.last.energy_ritz == threads.last.energy_ritz);
    ck_assert(serial.last.max_discarded == threads.last.max_discarded);
    ck_assert_uint_eq(serial.last.warm_bonds, threads.last.warm_bonds);
  }
  chain_destroy(&serial);
  chain_destroy(&threads);
}

START_TEST(lanes_change_no_bit) {
  for (int lanes = 2; lanes <= 4; lanes += 2) {
    compare(lanes, TAC_DMRG_REAL64, TAC_DMRG_GUARDED);
    compare(lanes, TAC_DMRG_COMPLEX64, TAC_DMRG_GUARDED);
    compare(lanes, TAC_DMRG_REAL64, TAC_DMRG_EXACT);
    compare(lanes, TAC_DMRG_REAL32, TAC_DMRG_EXACT);
    compare(lanes, TAC_DMRG_COMPLEX32, TAC_DMRG_EXACT);
  }
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("lanes");
  tcase_set_timeout(cases, 250); /* a sanitizer on a busy machine */
  tcase_add_test(cases, lanes_change_no_bit);
  return run_cases("lanes", cases);
}
