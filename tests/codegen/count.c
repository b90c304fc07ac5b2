/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Runs every loop with the suffix given by -DSUFFIX for callgrind to count: alone and from the shared index at one lane, in
 * index order and through an order, and the single position. Prints the items that ran. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/arena.h"
#include "scheduler/run.h"

#define PASTE(a, b) a##b
#define NAME(a, b)  PASTE(a, b)
#define LOOP(name)  NAME(tac_loop_##name, SUFFIX)

void LOOP(shared)(struct tac_work *work, struct tac_lane *lane);
void LOOP(shared_ordered)(struct tac_work *work, struct tac_lane *lane);
void LOOP(alone)(struct tac_work *work, struct tac_lane *lane);
void LOOP(alone_ordered)(struct tac_work *work, struct tac_lane *lane);
void LOOP(one)(struct tac_work *work, size_t position, struct tac_lane *lane);

enum { ITEMS = 2000 };

static enum tac_status count_item(void *context, size_t index, struct tac_lane *lane) {
  (void)index, (void)lane;
  ++*(size_t *)context;
  return TAC_STATUS_OK;
}

static void run(void (*loop)(struct tac_work *work, struct tac_lane *lane), const size_t *order, size_t grain,
                struct tac_arena *arena, size_t *ran) {
  struct tac_lane_failure failure = {.status = TAC_STATUS_OK};
  struct tac_lane lane = {.count = 1, .arena = arena, .error = &failure.error};
  struct tac_run batch = {.work = {.count = ITEMS, .lanes = 1, .lane = &lane},
                          .item = count_item,
                          .context = ran,
                          .order = order,
                          .grain = grain,
                          .failure = &failure};
  if (loop)
    loop(&batch.work, &lane);
  else
    for (size_t position = 0; position < ITEMS; position++)
      LOOP(one)(&batch.work, position, &lane);
}

int main(void) {
  struct tac_arena *arena;
  size_t order[ITEMS], ran = 0;
  if (tac_arena_create(&arena, NULL, NULL) != TAC_STATUS_OK)
    return EXIT_FAILURE;
  for (size_t i = 0; i < ITEMS; i++)
    order[i] = ITEMS - 1 - i;
  run(LOOP(alone), NULL, 1, arena, &ran);
  run(LOOP(alone_ordered), order, 1, arena, &ran);
  run(LOOP(shared), NULL, 1, arena, &ran);
  run(LOOP(shared), NULL, 7, arena, &ran);
  run(LOOP(shared_ordered), order, 1, arena, &ran);
  run(NULL, order, 1, arena, &ran);
  tac_arena_destroy(&arena);
  printf("%zu\n", ran);
  return ran == 6 * (size_t)ITEMS ? EXIT_SUCCESS : EXIT_FAILURE;
}
