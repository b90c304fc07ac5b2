/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/kernels.h"

const struct tac_kernels *tac_kernels_of(enum tac_dmrg_scalar scalar) {
  switch (scalar) {
  case TAC_DMRG_REAL32:
    return &tac_kernels_real32;
  case TAC_DMRG_COMPLEX64:
    return &tac_kernels_complex64;
  case TAC_DMRG_COMPLEX32:
    return &tac_kernels_complex32;
  case TAC_DMRG_REAL64:
  default:
    return &tac_kernels_real64;
  }
}
