/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_FMM_PLAN_H
#define TACTUS_FMM_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/fmm/kernel.h>
#include <tactus/fmm/tree.h>
#include <tactus/measure/cost_terms.h>
#include <tactus/measure/event.h>
#include <tactus/scheduler/scheduler.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tac_cost_model;
struct tac_recorder;

/* Events of a measured evaluation: the nine phases in the order in which they run. Each is a batch, or one a level. */
enum tac_fmm_event {
  TAC_FMM_EVENT_SOLVE = 0,
  TAC_FMM_EVENT_FORM_MULTIPOLES,    /* P2M */
  TAC_FMM_EVENT_COARSEN_MULTIPOLES, /* M2M, a batch a level */
  TAC_FMM_EVENT_TABLE_APPLY,        /* List 1 */
  TAC_FMM_EVENT_SPLIT_CORRECTION,   /* only where the near field is split */
  TAC_FMM_EVENT_MULTIPOLE_TO_LOCAL, /* M2L, List 2 */
  TAC_FMM_EVENT_EVAL_MULTIPOLES,    /* M2P, List 3 */
  TAC_FMM_EVENT_FORM_LOCALS,        /* P2L, List 4 */
  TAC_FMM_EVENT_REFINE_LOCALS,      /* L2L, a batch a level */
  TAC_FMM_EVENT_EVAL_LOCALS,        /* L2P */
  TAC_FMM_EVENT_COUNT
};
TAC_API extern const struct tac_event_set tac_fmm_events;

/* Names of the phases in the order in which they run: all, those of the far field, those of the near field. */
#define TAC_FMM_PHASES      9
#define TAC_FMM_FAR_PHASES  7
#define TAC_FMM_NEAR_PHASES 2
TAC_API extern const char *const tac_fmm_phases[TAC_FMM_PHASES];
TAC_API extern const char *const tac_fmm_far_phases[TAC_FMM_FAR_PHASES];
TAC_API extern const char *const tac_fmm_near_phases[TAC_FMM_NEAR_PHASES];

/* Of the nine phases: what the time of an item, some targets of one level, is made of on the host. */
TAC_API extern const struct tac_event_terms tac_fmm_cost_terms[TAC_FMM_PHASES];

/* Near field of Yukawa and Helmholtz: Laplace tables with a correction, or tables of the kernel itself for every level. */
enum tac_fmm_near { TAC_FMM_NEAR_SPLIT = 0, TAC_FMM_NEAR_TABLES };

/* How lists 1 to 4 are run: by mirror-paired stencils, by plain products offset by offset, or by what is cheaper. */
enum tac_fmm_path { TAC_FMM_PATH_AUTO = 0, TAC_FMM_PATH_PAIRED, TAC_FMM_PATH_PLAIN };

struct tac_fmm_plan_options {
  size_t size; /* sizeof(struct tac_fmm_plan_options) */
  struct tac_fmm_kernel kernel;
  double eps; /* accuracy of the far field relative to the largest potential, 1e-13 … 1e-1; default 1e-6 */
  enum tac_fmm_near near;
  int split_order;  /* retained non-smooth channels + 1; 0 (default): automatic */
  int smooth_order; /* nodes an axis for the remainder, 0 (default): automatic */
  int gradient;     /* 1: gradients too */
  enum tac_fmm_path path;
  const char *cache_folder; /* where tables and operators are kept between runs; NULL (default): nowhere */
  const struct tac_allocator *allocator;
  /* Items start in the order of these seconds, longest first, where the model knows their phase; it is read while the plan is
   * made. NULL (default): by their floating-point operations. No order changes the answer. INVALID: an event or a term that is
   * not among tac_fmm_cost_terms; an evaluation on a device, where a phase is not made of these items. */
  const struct tac_cost_model *costs;
};
TAC_API void tac_fmm_plan_options_init(struct tac_fmm_plan_options *options);

/* Everything that depends on the tree and the kernel and not on the density: operators, gather lists, workspace. Made
 * once, used for many densities: an evaluation allocates nothing and gives the same bits each time. Serves one caller at a
 * time. The tree must outlive it.
 *
 * On a scheduler with a device an evaluation runs there as a whole. The first one takes the device's memory and writes
 * operators and lists to it, where the plan keeps them until it meets another device or leaves this one; later ones write the
 * density, read the answer, and allocate nothing. The bits are those of the device: equal for all lanes and queues, and to the
 * host's to rounding. */
struct tac_fmm_plan;

/* INVALID: an option out of range; Helmholtz with k*h above what the near field bears (the text names the level that would do).
 */
TAC_API enum tac_status tac_fmm_plan_create(struct tac_fmm_plan **out, const struct tac_fmm_tree *tree,
                                            const struct tac_fmm_plan_options *options, struct tac_error *error);
TAC_API void tac_fmm_plan_destroy(struct tac_fmm_plan **plan);

/* Bytes that a plan of this tree and these options will hold, without making it. */
TAC_API size_t tac_fmm_plan_predict_bytes(const struct tac_fmm_tree *tree, const struct tac_fmm_plan_options *options);

struct tac_fmm_plan_info {
  size_t bytes;
  size_t device_bytes;           /* held on a device, not among `bytes`; 0: none has been met */
  uint64_t allocations;          /* of the host's memory, made since creation started; an evaluation adds none */
  int ranks[TAC_FMM_MAX_LEVELS]; /* expansion coefficients of a box (multipole and local alike), 0 where there is no far field
                                  */
  int far_degree;                /* highest degree of the expansions' polynomials */
  int split_order, smooth_order; /* in force; 0 without the split */
  /* Of the split, by the level of the source, as tac_fmm_count_operations wants them; 0 without it. */
  int channels[TAC_FMM_MAX_LEVELS], remainder_terms[TAC_FMM_MAX_LEVELS];
  double flops[TAC_FMM_PHASES];     /* that one evaluation runs, by phase */
  double near_seconds, far_seconds; /* of set-up: tables and operators */
  int near_cached, far_cached;      /* 1: the tables, or all far operators that are kept, were read from the cache */
};
TAC_API struct tac_fmm_plan_info tac_fmm_plan_info(const struct tac_fmm_plan *plan);

/* Real fields of an answer: parts * (1 + dim with gradients). Field part + parts*component; component 0 is the potential,
 * component 1 + axis the derivative along that axis. */
TAC_API int tac_fmm_plan_fields(const struct tac_fmm_plan *plan);

/* Gives back what the plan holds on a device; without one a success. To be called, or the plan to be destroyed, before the
 * scheduler that evaluated there is. The expansions for tac_fmm_evaluate_at are kept; they are lost, and nothing counts as
 * evaluated, where the device fails to give them. */
TAC_API enum tac_status tac_fmm_plan_leave_device(struct tac_fmm_plan *plan, struct tac_error *error);

/* From density values at the nodes of all leaves, density[leaf*order^dim + node], to the answer at the same nodes,
 * fields[f][leaf*order^dim + node]. NUMERICAL when a value is not finite: the text names phase and box. The plan keeps the
 * expansions for tac_fmm_evaluate_at. The measured entry records at the recorder's level. On a device: UNAVAILABLE where it has
 * no double precision, MEMORY where the plan does not fit; the host's executors serve the plan afterwards as before. */
TAC_API enum tac_status tac_fmm_evaluate(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, const double *density,
                                         double *const *fields, struct tac_error *error);
TAC_API enum tac_status tac_fmm_evaluate_measured(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler,
                                                  const double *density, double *const *fields, struct tac_recorder *recorder,
                                                  struct tac_error *error);

/* The answer at any points inside or outside the domain, of the density last evaluated: local expansions, lists 1 and 3
 * at the point. points[dim*i + axis], fields[f][i]. INVALID before the first evaluation. It runs on the scheduler's host
 * threads, also where that has a device; after an evaluation on a device, whose scheduler must still be there, the first call
 * reads the expansions from it. */
TAC_API enum tac_status tac_fmm_evaluate_at(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, size_t count,
                                            const double *points, double *const *fields, struct tac_error *error);

/* Seconds and calls of the phases, from the recorder of a measured evaluation into a profile (in execution order; a phase
 * that was not entered has 0 calls). */
struct tac_phase_profile;
TAC_API enum tac_status tac_fmm_profile(struct tac_phase_profile *profile, const struct tac_recorder *recorder,
                                        struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
