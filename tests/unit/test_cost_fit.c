/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/cost_fit.h>

#include <math.h>
#include <string.h>

#include "tests/unit/counting_allocator.h"
#include "tests/unit/seed.h"
#include "tests/unit/suite.h"

enum { TERMS = 3, ITEMS = 400 };

static const double truth[TERMS] = {2e-10, 5e-9, 3e-6};

struct seen {
  double values[ITEMS * TERMS], seconds[ITEMS];
  struct tac_cost_samples samples;
};

/* Products of matrices of many shapes: multiplications, elements, 1. */
static void fill(struct seen *seen, size_t shapes) {
  for (size_t i = 0; i < ITEMS; i++) {
    const size_t shape = i % shapes;
    const double m = (double)(1 + shape % 17 * 9), n = (double)(2 + shape % 23 * 5), k = (double)(1 + shape % 5 * 30);
    const double value[TERMS] = {m * n * k, m * n, 1};
    memcpy(seen->values + i * TERMS, value, sizeof value);
    seen->seconds[i] = truth[0] * value[0] + truth[1] * value[1] + truth[2];
  }
  seen->samples = (struct tac_cost_samples){ITEMS, TERMS, seen->values, seen->seconds};
}

static struct tac_cost_fit fit_of(const struct tac_cost_samples *samples) {
  struct tac_cost_fit fit;
  ck_assert_int_eq(tac_cost_fit_items(&fit, samples, NULL, NULL), TAC_STATUS_OK);
  return fit;
}

static void check_truth(const struct tac_cost_fit *fit, double tolerance) {
  for (size_t t = 0; t < TERMS; t++) {
    ck_assert_double_eq_tol(fit->seconds[t] / truth[t], 1, tolerance);
    ck_assert_int_eq(fit->state[t], TAC_COST_TERM_FITTED);
  }
}

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

START_TEST(exact_seconds_give_the_coefficients) {
  struct seen seen;
  fill(&seen, ITEMS);
  const struct tac_cost_fit fit = fit_of(&seen.samples);
  check_truth(&fit, 1e-9);
  ck_assert_uint_eq(fit.terms, TERMS);
  ck_assert_uint_eq(fit.items, ITEMS);
  ck_assert_double_lt(fit.median_relative_error, 1e-9);
  ck_assert_double_lt(fit.residual_seconds, 1e-13);
  ck_assert_double_eq_tol(fit.r_squared, 1, 1e-12);
}
END_TEST

START_TEST(noise_is_averaged_out) {
  struct seen seen;
  uint64_t state = test_seed();
  fill(&seen, ITEMS);
  for (size_t i = 0; i < ITEMS; i++)
    seen.seconds[i] *= 1 + 0.1 * (uniform(&state) - 0.5);
  const struct tac_cost_fit fit = fit_of(&seen.samples);
  check_truth(&fit, 0.06); /* each item is off by 5 % at most */
  ck_assert_double_lt(fit.median_relative_error, 0.05);
  ck_assert_double_gt(fit.median_relative_error, 0.01);
}
END_TEST

/* Of 400 items every eighth lost its processor for 10 ms: half of them among repetitions, half without any. */
START_TEST(outliers_do_not_matter) {
  struct seen seen;
  uint64_t state = test_seed();
  for (size_t shapes = 40; shapes <= ITEMS; shapes += ITEMS - 40) {
    fill(&seen, shapes);
    for (size_t i = 0; i < ITEMS; i++)
      seen.seconds[i] *= 1 + 0.02 * (uniform(&state) - 0.5);
    for (size_t i = 0; i < ITEMS / 8; i++)
      seen.seconds[(size_t)(uniform(&state) * ITEMS)] += 1e-2;
    const struct tac_cost_fit fit = fit_of(&seen.samples);
    check_truth(&fit, 0.05);
    ck_assert_double_gt(fit.residual_seconds, 1e-3); /* they are told, though */
  }
}
END_TEST

START_TEST(equal_items_are_one_by_their_median) {
  const double values[] = {1, 1, 1, 1, 1, 2, 2}, seconds[] = {3, 1, 100, 2, 4, 5, 7};
  const struct tac_cost_samples samples = {7, 1, values, seconds};
  /* Medians 3 five times and 6 twice: exactly 3 a unit. */
  const struct tac_cost_fit fit = fit_of(&samples);
  ck_assert_double_eq_tol(fit.seconds[0], 3, 1e-9);
  ck_assert_uint_eq(fit.distinct, 2);
  ck_assert_uint_eq(fit.items, 7);
  /* Errors 0, 2, 0.97, 1/2, 1/4, 1/5, 1/7: the fourth of seven is 1/4. */
  ck_assert_double_eq_tol(fit.median_relative_error, 0.25, 1e-9);
}
END_TEST

/* Two items that one term cannot meet: 1 unit took 1 s, 1 unit of the other kind, of twice the length, 4 s. Weights are 1/y,
 * the errors equal in size at the start, so Huber's function stays a square: (x - 1)^2 + (2x - 4)^2 / 4 is least at 3/2. */
START_TEST(an_item_counts_as_its_time_does) {
  const double values[] = {1, 2}, seconds[] = {1, 4};
  const struct tac_cost_samples samples = {2, 1, values, seconds};
  const struct tac_cost_fit fit = fit_of(&samples);
  ck_assert_double_eq_tol(fit.seconds[0], 1.5, 1e-6);
}
END_TEST

START_TEST(terms_without_use_are_told) {
  double values[ITEMS * 5];
  struct seen seen;
  fill(&seen, ITEMS);
  for (size_t i = 0; i < ITEMS; i++) {
    const double *from = seen.values + i * TERMS, flops = from[0], elements = from[1];
    const double value[5] = {flops, 0, 2 * flops + elements, 1, 1e6 / (1 + flops)};
    memcpy(values + 5 * i, value, sizeof value);
    seen.seconds[i] = 1e-9 * flops + 1e-6 * (1 - exp(-flops)); /* less where flops are few: the last term would be negative */
  }
  const struct tac_cost_samples samples = {ITEMS, 5, values, seen.seconds};
  const struct tac_cost_fit fit = fit_of(&samples);
  ck_assert_int_eq(fit.state[1], TAC_COST_TERM_ABSENT);
  ck_assert_int_eq(fit.state[4], TAC_COST_TERM_UNUSED);
  ck_assert(fit.seconds[1] == 0 && fit.seconds[4] == 0);
}
END_TEST

START_TEST(a_term_twice_is_collinear) {
  double values[ITEMS * 2];
  struct seen seen;
  fill(&seen, ITEMS);
  for (size_t i = 0; i < ITEMS; i++) {
    values[2 * i] = seen.values[TERMS * i];
    values[2 * i + 1] = 2 * seen.values[TERMS * i];
    seen.seconds[i] = 1e-9 * values[2 * i];
  }
  const struct tac_cost_samples samples = {ITEMS, 2, values, seen.seconds};
  const struct tac_cost_fit fit = fit_of(&samples);
  ck_assert_double_eq_tol(fit.seconds[0] + 2 * fit.seconds[1], 1e-9, 1e-15);
  ck_assert_int_eq((fit.state[0] == TAC_COST_TERM_COLLINEAR) + (fit.state[1] == TAC_COST_TERM_COLLINEAR), 1);
}
END_TEST

/* Durations of 0 are below what a clock sees; one item has no variance. */
START_TEST(little_to_go_by) {
  const double values[] = {1, 1, 1}, seconds[] = {0, 0, 0};
  struct tac_cost_samples samples = {3, 1, values, seconds};
  struct tac_cost_fit fit = fit_of(&samples);
  ck_assert_double_eq_tol(fit.seconds[0], TAC_COST_SHORTEST_SECONDS, 1e-20);
  ck_assert(fit.r_squared == 0);
  const double none[] = {0};
  samples = (struct tac_cost_samples){1, 1, none, values};
  fit = fit_of(&samples);
  ck_assert(fit.seconds[0] == 0);
  ck_assert_int_eq(fit.state[0], TAC_COST_TERM_ABSENT);
  ck_assert(fit.median_relative_error == 1);
}
END_TEST

START_TEST(refusals) {
  const double good[] = {1, 2}, wrong[] = {-1, NAN, INFINITY, 1e101};
  struct tac_cost_fit fit;
  struct tac_error error;
  struct tac_cost_samples samples = {2, 1, good, good};
  ck_assert_int_eq(tac_cost_fit_items(NULL, &samples, NULL, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_cost_fit_items(&fit, NULL, NULL, &error), TAC_STATUS_INVALID);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const double bad[] = {1, wrong[i]};
    samples = (struct tac_cost_samples){2, 1, good, bad};
    ck_assert_int_eq(tac_cost_fit_items(&fit, &samples, NULL, &error), TAC_STATUS_INVALID);
    ck_assert_ptr_nonnull(strstr(error.text, "item 1"));
    samples = (struct tac_cost_samples){2, 1, bad, good};
    ck_assert_int_eq(tac_cost_fit_items(&fit, &samples, NULL, &error), TAC_STATUS_INVALID);
  }
  samples = (struct tac_cost_samples){0, 1, good, good};
  ck_assert_int_eq(tac_cost_fit_items(&fit, &samples, NULL, &error), TAC_STATUS_INVALID);
  samples = (struct tac_cost_samples){1, 0, good, good};
  ck_assert_int_eq(tac_cost_fit_items(&fit, &samples, NULL, &error), TAC_STATUS_INVALID);
  samples = (struct tac_cost_samples){1, TAC_COST_TERMS_MAX + 1, good, good};
  ck_assert_int_eq(tac_cost_fit_items(&fit, &samples, NULL, &error), TAC_STATUS_INVALID);
  samples = (struct tac_cost_samples){2, 1, good, good};
  for (size_t left = 0; left < 2; left++) {
    struct counting counting = {.largest = SIZE_MAX, .left = left};
    const struct tac_allocator allocator = {counting_allocate, counting_release, &counting};
    ck_assert_int_eq(tac_cost_fit_items(&fit, &samples, &allocator, &error), TAC_STATUS_MEMORY);
    ck_assert_uint_eq(counting.allocated, counting.released);
  }
}
END_TEST

START_TEST(states_have_names) {
  ck_assert_str_eq(tac_cost_term_state_name(TAC_COST_TERM_FITTED), "fitted");
  ck_assert_str_eq(tac_cost_term_state_name(TAC_COST_TERM_ABSENT), "always 0");
  ck_assert_str_eq(tac_cost_term_state_name(TAC_COST_TERM_COLLINEAR), "collinear");
  ck_assert_str_eq(tac_cost_term_state_name(TAC_COST_TERM_UNUSED), "unused");
  ck_assert_str_eq(tac_cost_term_state_name((enum tac_cost_term_state)99), "unknown");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {exact_seconds_give_the_coefficients,
                                noise_is_averaged_out,
                                outliers_do_not_matter,
                                equal_items_are_one_by_their_median,
                                an_item_counts_as_its_time_does,
                                terms_without_use_are_told,
                                a_term_twice_is_collinear,
                                little_to_go_by,
                                refusals,
                                states_have_names};
  return RUN_SUITE("cost_fit", tests);
}
