/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* The smallest program: one batch of independent items, joined, and a sum in a fixed order. */
#include <stdio.h>

#include <tactus/tactus.h>

enum { COUNT = 1000 };

struct squares {
  long long square[COUNT];
};

static enum tac_status square_item(void *context, size_t index, struct tac_lane *lane) {
  struct squares *squares = context;
  long long number = (long long)index + 1;
  (void)lane;
  squares->square[index] = number * number;
  return TAC_STATUS_OK;
}

int main(void) {
  struct squares squares;
  struct tac_scheduler *scheduler = NULL;
  struct tac_scheduler_options options;
  struct tac_error error;
  tac_scheduler_options_init(&options);
  enum tac_status status = tac_scheduler_create(&scheduler, &options, &error);
  if (status)
    goto done;
  status = tac_run_batch(scheduler, &(struct tac_batch){.count = COUNT, .item = square_item, .context = &squares}, &error);
  if (status)
    goto done;
  long long sum = 0;
  for (int i = 0; i < COUNT; i++)
    sum += squares.square[i];
  printf("1^2 + ... + %d^2 = %lld on %d lanes\n", COUNT, sum, tac_scheduler_lanes(scheduler));
done:
  if (status)
    fprintf(stderr, "sum_of_squares: %s: %s\n", error.where, error.text);
  tac_scheduler_destroy(&scheduler);
  return status != TAC_STATUS_OK;
}
