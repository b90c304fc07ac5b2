/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_DRIVER_H
#define APPS_DMRG_DRIVER_H

#include "apps/dmrg/environments.h"

/* What a sweep works on; the caller's own. */
struct tac_sweep {
  struct tac_dmrg_environments *environments;
  struct tac_scheduler *scheduler;
  const struct tac_dmrg_options *options;
  struct tac_dmrg_sweep_summary *summary;
};

/* The entry points of one level; those of off have no recorder. */
struct tac_driver_off {
  enum tac_status (*initial_environments)(struct tac_dmrg_environments *, struct tac_scheduler *, struct tac_error *);
  enum tac_status (*sweep)(const struct tac_sweep *, struct tac_error *);
  enum tac_status (*sweep_progress)(const struct tac_sweep *, tac_dmrg_progress_fn, void *, struct tac_error *);
};

struct tac_driver {
  enum tac_status (*initial_environments)(struct tac_dmrg_environments *, struct tac_scheduler *, struct tac_recorder *,
                                          struct tac_error *);
  enum tac_status (*sweep)(const struct tac_sweep *, struct tac_recorder *, struct tac_error *);
  enum tac_status (*sweep_progress)(const struct tac_sweep *, tac_dmrg_progress_fn, void *, struct tac_recorder *,
                                    struct tac_error *);
};

extern const struct tac_driver_off tac_driver_off;
extern const struct tac_driver tac_driver_coarse, tac_driver_detailed, tac_driver_hooked;

#endif
