/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <string.h>

#include "apps/fmm/far_build.h"

#define REACH 3 /* largest component of an offset in List 2 */

const int tac_far_sorted[TAC_FAR_SORTED][3] = {{2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {3, 0, 0}, {3, 1, 0}, {3, 2, 0},
                                               {3, 3, 0}, {2, 1, 1}, {2, 2, 1}, {2, 2, 2}, {3, 1, 1}, {3, 2, 1},
                                               {3, 2, 2}, {3, 3, 1}, {3, 3, 2}, {3, 3, 3}};
const int tac_far_orders[TAC_FAR_ORDERS][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};

int tac_far_sorted_count(int dim) {
  return dim == 3 ? TAC_FAR_SORTED : 7;
}

int tac_far_offset_count(int dim) {
  return dim == 3 ? 4 * 4 * 4 - 2 * 2 * 2 : 4 * 4 - 2 * 2;
}

int tac_far_offset_slot(int dim, const int offset[3]) {
  int slot = 0;
  for (int z = 0; z <= (dim == 3 ? REACH : 0); z++)
    for (int y = 0; y <= REACH; y++)
      for (int x = 0; x <= REACH; x++) {
        const int near = x <= 1 && y <= 1 && z <= 1;
        if (x == offset[0] && y == offset[1] && z == offset[2])
          return near ? -1 : slot;
        slot += !near;
      }
  return -1;
}

int tac_far_images(int dim, const int sorted[3], struct tac_far_image out[TAC_FAR_ORDERS]) {
  int count = 0;
  for (int order = 0; order < (dim == 3 ? TAC_FAR_ORDERS : 2); order++) {
    struct tac_far_image image = {.order = order};
    for (int axis = 0; axis < 3; axis++)
      image.offset[axis] = sorted[tac_far_orders[order][axis]];
    int known = 0;
    for (int k = 0; k < count; k++)
      known |= memcmp(out[k].offset, image.offset, sizeof image.offset) == 0;
    if (!known)
      out[count++] = image;
  }
  return count;
}

void tac_far_permute_modes(const struct tac_modes *modes, const int order[3], int *map) {
  for (int i = 0; i < modes->count; i++) {
    unsigned char degree[3];
    for (int axis = 0; axis < 3; axis++)
      degree[order[axis]] = modes->degree[i][axis];
    map[i] = 0;
    while (memcmp(modes->degree[map[i]], degree, sizeof degree) != 0)
      map[i]++;
  }
}
