/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_DMRG_SWEEP_H
#define TACTUS_DMRG_SWEEP_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/dmrg/hamiltonian.h>
#include <tactus/dmrg/state.h>
#include <tactus/measure/cost_terms.h>
#include <tactus/measure/event.h>
#include <tactus/scheduler/scheduler.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tac_cost_model;
struct tac_recorder;

/* The events of a measured run, in the order of the tables. */
enum tac_dmrg_event {
  TAC_DMRG_EVENT_RUN = 0,
  TAC_DMRG_EVENT_DEVICE_SETUP, /* on a device only: its kernels are built, and its first memory taken */
  TAC_DMRG_EVENT_INITIAL_ENVIRONMENTS,
  TAC_DMRG_EVENT_SWEEP,
  TAC_DMRG_EVENT_BOND,
  TAC_DMRG_EVENT_CENTER,
  TAC_DMRG_EVENT_EIGENSOLVER,
  TAC_DMRG_EVENT_APPLICATION,       /* batched: effective-H output groups */
  TAC_DMRG_EVENT_KRYLOV_ALLOCATION, /* the Krylov events exist at detailed only */
  TAC_DMRG_EVENT_KRYLOV_UPDATE,
  TAC_DMRG_EVENT_KRYLOV_REDUCTION, /* inner products and norms, with the update just before */
  TAC_DMRG_EVENT_SVD,
  TAC_DMRG_EVENT_SVD_BATCH, /* batched */
  TAC_DMRG_EVENT_SELECTION,
  TAC_DMRG_EVENT_MATERIALIZATION, /* batched */
  TAC_DMRG_EVENT_ENVIRONMENT,     /* batched */
  TAC_DMRG_EVENT_COUNT
};
TAC_API extern const struct tac_event_set tac_dmrg_events;

/* Of its batched events: what the time of an item on the host is made of. m and n are the rows and columns of a block. */
#define TAC_DMRG_COSTED_EVENTS 5
TAC_API extern const struct tac_event_terms tac_dmrg_cost_terms[TAC_DMRG_COSTED_EVENTS];

/* Block operators of every left and right part of the chain in the bases of one state, and the workspace of the sweeps:
 * after the first sweeps at full bond dimension nothing is allocated any more. Belongs to one state and one Hamiltonian. */
struct tac_dmrg_environments;

/* Makes them for a state (its centre at the left end) and a Hamiltonian (copied), and builds the right parts as batches.
 * INVALID when sites or spin differ. The state must outlive them and change only through sweeps with them.
 *
 * Made for a scheduler of a device executor they take the state's numbers to its device, for sweeps with that scheduler, which
 * must outlive them; the numbers come back when they are destroyed, or when somebody asks for them. UNAVAILABLE where
 * the device has no double precision and the state needs it, INVALID also where other environments have the state on a device,
 * MEMORY where the device's does not suffice. */
TAC_API enum tac_status tac_dmrg_environments_create(struct tac_dmrg_environments **out,
                                                     const struct tac_dmrg_hamiltonian *hamiltonian,
                                                     struct tac_dmrg_state *state, struct tac_scheduler *scheduler,
                                                     struct tac_error *error);
TAC_API enum tac_status tac_dmrg_environments_create_measured(struct tac_dmrg_environments **out,
                                                              const struct tac_dmrg_hamiltonian *hamiltonian,
                                                              struct tac_dmrg_state *state, struct tac_scheduler *scheduler,
                                                              struct tac_recorder *recorder, struct tac_error *error);
TAC_API void tac_dmrg_environments_destroy(struct tac_dmrg_environments **environments);
/* Bytes held on host and device, and how many allocations were made since creation (steady state makes none). */
TAC_API size_t tac_dmrg_environments_bytes(const struct tac_dmrg_environments *environments);
TAC_API uint64_t tac_dmrg_environments_allocations(const struct tac_dmrg_environments *environments);

enum tac_dmrg_decomposition {
  TAC_DMRG_GUARDED = 0, /* faster ones where a guard allows: Gram matrices, warm subspaces (not for single precision) */
  TAC_DMRG_EXACT        /* a full SVD of every block: GESDD, GESVD where that reports failure */
};

/* Where the blocks of a sweep on a device executor are decomposed. On the host they are decomposed by the lanes' LAPACK, in
 * memory that is mapped; on the device always by a full SVD. */
enum tac_dmrg_split_place {
  TAC_DMRG_SPLIT_AUTO = 0, /* each block where it is expected to take less time; everything on the host where there is no
                              device, or the device is made of the host's processors */
  TAC_DMRG_SPLIT_DEVICE,   /* everything on the device; refused by an executor without one */
  TAC_DMRG_SPLIT_HOST
};

struct tac_dmrg_options {
  size_t size;       /* sizeof(struct tac_dmrg_options) */
  int max_states;    /* cap on the bond dimension, at least 1; default 256 */
  double cutoff;     /* states are dropped while the sum of their discarded squares over the total stays at or below this;
                        0 … 1, default 0 (none); at least one state is kept */
  int local_matvecs; /* effective-H products per bond, at least 1; default 4. The state is improved within the span of the
                        vectors that were multiplied: 1 leaves it as it is, but for truncation, and gives its energy */
  enum tac_dmrg_decomposition decomposition;
  enum tac_dmrg_split_place split;
  int energy_before_truncation; /* 1: summaries give the last Ritz value; 0 (default): the energy of the truncated state */
  /* Items start in the order of these seconds, longest first, where the model knows their event; it is read at the start of
   * each sweep. NULL (default): by their multiplications. No order changes the result. INVALID: an event or a term that is not
   * among tac_dmrg_cost_terms; on a device executor, where a step is one item. */
  const struct tac_cost_model *costs;
};
TAC_API void tac_dmrg_options_init(struct tac_dmrg_options *options);
TAC_API enum tac_status tac_dmrg_options_check(const struct tac_dmrg_options *options, struct tac_error *error);

/* One sweep: one direction, from the end where the centre is to the other. */
struct tac_dmrg_sweep_summary {
  int direction;                               /* +1 left to right, -1 right to left */
  double energy;                               /* after (or before, see the options) the truncation of the last bond */
  double energy_ritz;                          /* last Ritz value, before truncation */
  int max_bond;                                /* largest bond dimension of the state */
  double max_discarded;                        /* largest discarded weight of a bond; exactly 0 when nothing was discarded */
  double discarded_floor;                      /* weights below this are not resolved (0 for full decompositions) */
  double max_residual;                         /* largest residual norm of a local eigensolver */
  uint64_t products;                           /* effective-H products */
  uint64_t svd_items;                          /* charge blocks decomposed */
  uint64_t svd_device_items;                   /* of these on the device; the others on the host */
  uint64_t full_bonds, gram_bonds, warm_bonds; /* bonds split by SVD, by Gram matrices, by a warm decomposition */
  uint64_t warm_rejected;                      /* warm decompositions that the guard took back */
  uint64_t svd_fallbacks;                      /* blocks whose GESDD failed and GESVD was used, or whose decomposition on the
                                                  device failed and the host's was used */
  int state_changed;                           /* 0: no bond's vector changed by more than rounding */
};

/* Sweeps once. On failure the state stays a valid state of the same sector, error->where names the phase and the text the
 * site and what happened. NUMERICAL: NaN or infinity, or a decomposition that failed by every route. The field is one
 * number in a sector: the state is found without it, and the energies hold it. Chains of one site have no bond: the summary
 * holds the energy of the sector. */
TAC_API enum tac_status tac_dmrg_sweep(struct tac_dmrg_state *state, struct tac_dmrg_environments *environments,
                                       struct tac_scheduler *scheduler, const struct tac_dmrg_options *options,
                                       struct tac_dmrg_sweep_summary *summary, struct tac_error *error);
TAC_API enum tac_status tac_dmrg_sweep_measured(struct tac_dmrg_state *state, struct tac_dmrg_environments *environments,
                                                struct tac_scheduler *scheduler, const struct tac_dmrg_options *options,
                                                struct tac_dmrg_sweep_summary *summary, struct tac_recorder *recorder,
                                                struct tac_error *error);

/* Called after each bond by the entries below; `site` is the left site of the bond. Returns nonzero to stop the sweep, which
 * then returns OK with the bonds done so far in the summary, its energy the last Ritz value. */
typedef int (*tac_dmrg_progress_fn)(void *context, int site, int bonds_done, int bonds, double energy);
TAC_API enum tac_status tac_dmrg_sweep_progress(struct tac_dmrg_state *state, struct tac_dmrg_environments *environments,
                                                struct tac_scheduler *scheduler, const struct tac_dmrg_options *options,
                                                struct tac_dmrg_sweep_summary *summary, tac_dmrg_progress_fn progress,
                                                void *context, struct tac_error *error);
TAC_API enum tac_status tac_dmrg_sweep_progress_measured(struct tac_dmrg_state *state,
                                                         struct tac_dmrg_environments *environments,
                                                         struct tac_scheduler *scheduler,
                                                         const struct tac_dmrg_options *options,
                                                         struct tac_dmrg_sweep_summary *summary, tac_dmrg_progress_fn progress,
                                                         void *context, struct tac_recorder *recorder, struct tac_error *error);

/* Says when a sequence of sweeps has converged: two successive energies at full bond dimension (the bond no longer grows)
 * that differ from the one before by at most tolerance times the larger |E| of both, or by 1e-300. Plain values. */
struct tac_dmrg_convergence {
  double tolerance; /* relative; default 1e-11 */
  int min_sweeps;   /* default 2 */
  int sweeps, hits; /* counted by _add */
  double last_energy;
  int last_max_bond;
};
TAC_API void tac_dmrg_convergence_init(struct tac_dmrg_convergence *convergence);
/* Takes the summary of the next sweep; returns 1 once converged. */
TAC_API int tac_dmrg_convergence_add(struct tac_dmrg_convergence *convergence, const struct tac_dmrg_sweep_summary *summary,
                                     int max_states);

/* <H^2> - <H>^2 of the state, normalised, by a pass over the chain that keeps both operators in every block; not batched.
 * Rounding leaves about 1e-13 times <H^2>. *energy receives <H>. INVALID: something is NULL, sites or spin differ.
 * NUMERICAL: <H> or <H^2> overflows. */
TAC_API enum tac_status tac_dmrg_variance(double *variance, double *energy, const struct tac_dmrg_state *state,
                                          const struct tac_dmrg_hamiltonian *hamiltonian, struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
