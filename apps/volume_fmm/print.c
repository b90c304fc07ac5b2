/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/print.h"

#include <inttypes.h>

#include "apps/program/costs_report.h"
#include "apps/program/machine.h"
#include "apps/program/streams.h"

#define PLURAL(count) ((count) == 1 ? "" : "s")

static void print_cube(FILE *stream, const struct tac_cube *cube) {
  fprintf(stream, "cube file of %zu x %zu x %zu voxels and %zu atom%s, lengths in %s%s\n", cube->shape[0], cube->shape[1],
          cube->shape[2], cube->atom_count, PLURAL(cube->atom_count),
          cube->units == TAC_CUBE_UNITS_ANGSTROM ? "Angstrom" : "Bohr",
          cube->units_are_doubtful ? " (by their sign; some programs mean Bohr: --units=bohr)" : "");
}

void tac_volume_print_header(FILE *stream, const struct tac_volume_run *run) {
  const struct tac_volume_options *o = run->options;
  const struct tac_density *density = &run->density;
  tac_machine_print(stream, "volume_fmm", run->scheduler, &run->blas);
  fprintf(stream, "%dD, kernel %s", run->dim, tac_fmm_kernel_name(run->kernel.kind));
  if (run->kernel.kind != TAC_FMM_LAPLACE)
    fprintf(stream, " with %s = %g, near field by %s", run->kernel.kind == TAC_FMM_YUKAWA ? "l" : "k", run->kernel.parameter,
            tac_volume_choice_name("--near", o->near));
  fputs(", density ", stream);
  tac_stream_text(stream, o->density, 0);
  fputs(o->grad ? ", with the gradient\n" : "\n", stream);
  if (density->cube.values)
    print_cube(stream, &density->cube);
  fputs("domain ", stream);
  for (int axis = 0; axis < run->dim; axis++)
    fprintf(stream, "%s[%g, %g]", axis ? " x " : "", density->lower[axis], density->lower[axis] + density->side);
  fprintf(stream, ", order %d, %s basis, tolerance %g, far field to %g, path %s\n", o->order,
          tac_volume_choice_name("--basis", o->basis), o->tol, o->eps, tac_volume_choice_name("--path", o->path));
}

void tac_volume_print_tree(FILE *stream, const struct tac_volume_run *run) {
  const struct tac_fmm_list_sizes lists = tac_fmm_tree_list_sizes(run->tree);
  const size_t leaves = tac_fmm_tree_leaves(run->tree);
  fprintf(stream, "\nlevel      side     leaves\n");
  for (int level = 0; level < tac_fmm_tree_levels(run->tree); level++)
    if (tac_fmm_tree_leaves_at(run->tree, level) > 0)
      fprintf(stream, "%5d %9.4g %10zu\n", level, tac_fmm_tree_side(run->tree, level),
              tac_fmm_tree_leaves_at(run->tree, level));
  fprintf(stream, "tree        %zu lea%s, %zu nodes, %.3g MB, %.3g s", leaves, leaves == 1 ? "f" : "ves", run->nodes,
          1e-6 * (double)tac_fmm_tree_bytes(run->tree), run->tree_seconds);
  if (tac_fmm_tree_resolution(run->tree) > 0)
    fprintf(stream, ", density resolved to %.2g of its maximum", tac_fmm_tree_resolution(run->tree));
  fprintf(stream,
          "\npairs       list 1: %" PRIu64 " same level, %" PRIu64 " finer, %" PRIu64 " coarser; list 2: %" PRIu64
          "; list 3: %" PRIu64 "; list 4: %" PRIu64 "\n",
          lists.list1_same, lists.list1_finer, lists.list1_coarser, lists.list2, lists.list3, lists.list4);
  if (run->density.samples && tac_fmm_tree_levels(run->tree) > tac_samples_level(run->density.samples) + 2)
    fputs("warning: the leaves are far finer than the samples: they resolve what is between them, which nobody knows; "
          "a larger --tol is enough\n",
          stream);
}

/* Largest and smallest number of coefficients of an expansion. */
static void print_ranks(FILE *stream, const struct tac_fmm_plan_info *info) {
  int least = 0, most = 0;
  for (int level = 0; level < TAC_FMM_MAX_LEVELS; level++) {
    const int rank = info->ranks[level];
    most = rank > most ? rank : most;
    least = rank > 0 && (least == 0 || rank < least) ? rank : least;
  }
  if (most == 0)
    return;
  fprintf(stream, "expansions  %d", least);
  if (most > least)
    fprintf(stream, " to %d", most);
  fprintf(stream, " coefficients of polynomials up to degree %d\n", info->far_degree);
}

void tac_volume_print_plan(FILE *stream, const struct tac_volume_run *run) {
  const struct tac_fmm_plan_info info = tac_fmm_plan_info(run->plan);
  fprintf(stream, "tables      %.3g s%s; far operators %.3g s%s; plan of %.3g MB\n", info.near_seconds,
          info.near_cached ? ", cached" : "", info.far_seconds, info.far_cached ? ", cached" : "", 1e-6 * (double)info.bytes);
  print_ranks(stream, &info);
  if (info.split_order > 0)
    fprintf(stream, "split       order %d, %d smooth nodes along each axis\n", info.split_order, info.smooth_order);
}

double tac_volume_rate(const struct tac_volume_run *run) {
  return run->off_seconds > 0 ? (double)run->nodes / run->off_seconds : 0;
}

void tac_volume_print_result(FILE *stream, const struct tac_volume_run *run) {
  const int lanes = tac_scheduler_lanes(run->scheduler);
  if (!run->options->quiet)
    fputc('\n', stream);
  if (tac_scheduler_device(run->scheduler) && !run->options->quiet)
    fprintf(stream, "device      %.3g MB of operators, lists and expansions there, settled in %.3g s with a first evaluation\n",
            1e-6 * (double)tac_fmm_plan_info(run->plan).device_bytes, run->device_seconds);
  fprintf(stream, "evaluation  %.4g s with measurements off, %.3g points/s on %d lane%s", run->off_seconds,
          tac_volume_rate(run), lanes, PLURAL(lanes));
  if (run->evaluations > 1)
    fprintf(stream, " (fastest of %d)", run->evaluations);
  else if (!run->recorder && !tac_scheduler_device(run->scheduler))
    fputs(" (the first)", stream);
  fputc('\n', stream);
  if (run->answer.count > 0)
    fprintf(stream, "answer      at %zu points, %.4g s\n", run->answer.count, run->answer_seconds);
}

enum tac_status tac_volume_print_phases(FILE *stream, const struct tac_volume_run *run, struct tac_error *error) {
  const struct tac_phase_report report = tac_volume_report(run);
  fputc('\n', stream);
  enum tac_status status = tac_phase_report_text(&report, tac_stream_sink, stream, error);
  if (status == TAC_STATUS_OK && run->options->level == TAC_DETAILED) {
    fputc('\n', stream);
    status = tac_machine_print_records(stream, run->recorder, error);
  }
  if (status == TAC_STATUS_OK)
    status = tac_hooks_print(stream, run->hook_figures, error);
  if (status == TAC_STATUS_OK)
    status = tac_machine_print_counters(stream, run->counters, run->scheduler, error);
  if (status == TAC_STATUS_OK && run->costs && run->options->level == TAC_DETAILED)
    status =
        tac_costs_print_run(stream, run->options->costs, run->costs, run->recorder, tac_fmm_cost_terms, TAC_FMM_PHASES, error);
  return status;
}

const char *tac_volume_reference_name(enum tac_volume_reference reference) {
  static const char *const names[] = {"none", "closed form", "direct quadrature"};
  return names[reference];
}

static void print_difference(FILE *stream, const struct tac_volume_run *run, const char *what,
                             const struct tac_volume_difference *difference) {
  const struct tac_volume_comparison *c = &run->comparison;
  const size_t total = run->answer.count > 0 ? run->answer.count : run->nodes;
  fprintf(stream, "%-11s %.2e relative L2, %.2e at most, against %s at ", what, difference->relative, difference->largest,
          c->reference == TAC_VOLUME_CLOSED_FORM ? "the closed form" : "direct quadrature");
  if (c->points < total)
    fprintf(stream, "%zu of ", c->points);
  fprintf(stream, "%zu %s%s\n", total, run->answer.count > 0 ? "point" : "node", PLURAL(total));
}

void tac_volume_print_comparison(FILE *stream, const struct tac_volume_run *run) {
  const struct tac_volume_comparison *c = &run->comparison;
  if (c->outside > 0)
    fprintf(stream,
            "note: a share of about %.1e of the density lies outside the domain, where it is cut off: the closed form, of "
            "all space, is not the answer\n",
            c->outside);
  if (c->reference == TAC_VOLUME_NO_REFERENCE)
    return;
  print_difference(stream, run, "error", &c->potential);
  if (run->options->grad)
    print_difference(stream, run, "  gradient", &c->gradient);
  if (run->options->check) {
    fprintf(stream, "check %s: allowed are %.2g", c->passed ? "passed" : "missed", c->allowed);
    if (run->options->grad)
      fprintf(stream, " and, for the gradient, %.2g", c->allowed_gradient);
    fputs(" relative L2\n", stream);
  }
}
