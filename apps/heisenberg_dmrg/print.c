/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/print.h"

#include <inttypes.h>
#include <math.h>

#include "apps/heisenberg_dmrg/perturbation.h"
#include "apps/program/costs_report.h"
#include "apps/program/machine.h"
#include "measure/text.h"

#define PLURAL(count) ((count) == 1 ? "" : "s")
#define ENERGY_BYTES  32

/* As many decimals as the precision holds of an ordinary energy, so that a column of them lines up at the point; the odd
 * sizes that would be all zeros in that form have an exponent. */
static const char *energy_text(char text[ENERGY_BYTES], const struct tac_heisenberg_run *run, double energy) {
  const int single = run->options->single_precision;
  const double size = fabs(energy);
  if (size == 0 || (size >= 1e-3 && size < 1e6))
    snprintf(text, ENERGY_BYTES, "%.*f", single ? 6 : 12, energy);
  else
    snprintf(text, ENERGY_BYTES, "%.*g", single ? 8 : 15, energy);
  return text;
}

void tac_print_header(FILE *stream, const struct tac_heisenberg_run *run) {
  const struct tac_heisenberg_options *o = run->options;
  tac_machine_print(stream, "heisenberg_dmrg", run->scheduler, &run->blas);
  fprintf(stream, "chain of %d spin%s %s, 2 Sz = %d, Jxy = %g, Jz = %g, field %g\n", o->sites, PLURAL(o->sites),
          tac_heisenberg_choice_name("--spin", o->twice_spin), o->twice_sz, o->jxy, o->jz, o->field);
  fprintf(stream, "%s %s, %s start, at most %d state%s, cutoff %g, %d product%s a bond, trajectory %s\n",
          tac_heisenberg_choice_name("--scalar", o->complex_scalar),
          tac_heisenberg_choice_name("--precision", o->single_precision), tac_heisenberg_choice_name("--start", o->start),
          o->max_states, PLURAL(o->max_states), o->cutoff, o->local_matvecs, PLURAL(o->local_matvecs),
          tac_heisenberg_choice_name("--trajectory", o->trajectory));
  fflush(stream);
}

void tac_print_sweep_heading(FILE *stream, const char *title) {
  fprintf(stream, "\n%6s  to     %22s %8s %10s %12s\n", title, "energy", "m", "discarded", "seconds");
  fflush(stream);
}

void tac_print_sweep(FILE *stream, const struct tac_heisenberg_run *run, const struct tac_heisenberg_sweeps *sweeps) {
  char energy[ENERGY_BYTES];
  const struct tac_heisenberg_sweep *sweep = &sweeps->sweep[sweeps->count - 1];
  fprintf(stream, "%6zu  %-5s  %22s %8d %10.3g %12.6f\n", sweeps->count, sweep->summary.direction > 0 ? "right" : "left",
          energy_text(energy, run, sweep->summary.energy), sweep->summary.max_bond, sweep->summary.max_discarded,
          sweep->seconds);
  fflush(stream);
}

/* Two energies that rounding alone tells apart are one; an unknown one differs from none. */
static int energies_differ(double a, double b, int single_precision) {
  return fabs(a - b) > (single_precision ? 1e-6 : 1e-12) * fmax(1, fabs(a));
}

static void print_energies(FILE *stream, const struct tac_heisenberg_run *run) {
  const struct tac_heisenberg_result *result = &run->result;
  const int single = run->options->single_precision;
  char text[ENERGY_BYTES];
  fprintf(stream, "energy          %s%s\n", energy_text(text, run, result->energy),
          run->options->trajectory ? "  before the last truncation" : "");
  if (energies_differ(result->energy, result->energy_ritz, single))
    fprintf(stream, "  untruncated   %s  before the last truncation\n", energy_text(text, run, result->energy_ritz));
  if (energies_differ(result->energy, result->energy_state, single))
    fprintf(stream, "  of the state  %s  after the last truncation\n", energy_text(text, run, result->energy_state));
  fprintf(stream, "energy a site   %s\n", energy_text(text, run, result->energy / run->options->sites));
}

/* Gram matrices do not see weights below a floor; where the largest weight is not well above it, it is no measure. */
static void print_discarded_floor(FILE *stream, const struct tac_heisenberg_sweeps *sweeps) {
  const struct tac_dmrg_sweep_summary *last = &sweeps->sweep[sweeps->count - 1].summary;
  if (last->discarded_floor > 0 && last->max_discarded > 0 && last->max_discarded < 10 * last->discarded_floor)
    fprintf(stream, "discarded       %.3g, not resolved below %.3g\n", last->max_discarded, last->discarded_floor);
}

/* How many bonds were decomposed in which way. */
static void print_decompositions(FILE *stream, const struct tac_heisenberg_run *run) {
  const struct tac_heisenberg_result *result = &run->result;
  fprintf(stream, "decompositions  %" PRIu64 " SVD, %" PRIu64 " Gram, %" PRIu64 " warm (%" PRIu64 " taken back)", result->full,
          result->gram, result->warm, result->rejected);
  if (result->fallbacks > 0)
    fprintf(stream, ", GESVD for %" PRIu64 " block%s", result->fallbacks, PLURAL(result->fallbacks));
  if (tac_scheduler_device(run->scheduler))
    fprintf(stream, "; %" PRIu64 " of %" PRIu64 " blocks on the device", result->device_blocks, result->blocks);
  fputc('\n', stream);
}

void tac_print_result(FILE *stream, const struct tac_heisenberg_run *run) {
  const struct tac_heisenberg_result *result = &run->result;
  const char *warnings[4];
  size_t count = tac_heisenberg_warnings(run, warnings, sizeof warnings / sizeof *warnings);
  if (!run->options->quiet)
    fputc('\n', stream);
  fprintf(stream, "%s after %zu sweep%s\n", result->converged ? "converged" : "not converged", run->sweeps.count,
          PLURAL(run->sweeps.count));
  print_energies(stream, run);
  if (isfinite(result->variance))
    fprintf(stream, "variance        %.3g\n", result->variance);
  else
    fputs("variance        not computed (overflow)\n", stream);
  print_discarded_floor(stream, &run->sweeps);
  print_decompositions(stream, run);
  for (size_t i = 0; i < count; i++)
    fprintf(stream, "warning: %s\n", warnings[i]);
  fflush(stream);
}

void tac_print_steady(FILE *stream, const struct tac_heisenberg_run *run) {
  double seconds = tac_heisenberg_there_and_back_seconds(&run->steady);
  if (run->steady.count >= 2)
    fprintf(stream, "steady, there and back: %.6g s (median of %zu)\n", seconds, run->steady.count / 2);
  fflush(stream);
}

void tac_print_comparison(FILE *stream, const struct tac_heisenberg_run *run) {
  const struct tac_heisenberg_comparison *comparison = &run->comparison;
  const double difference = run->result.energy - comparison->exact;
  char text[ENERGY_BYTES];
  fprintf(stream, "exact energy    %s  %s\n", energy_text(text, run, comparison->exact),
          tac_reference_name(comparison->source));
  fprintf(stream, "check %s: %.2g %s the exact energy; allowed %.2g … %.2g\n", comparison->passed ? "passed" : "missed",
          fabs(difference), difference < 0 ? "below" : "above", -comparison->allowed.below, comparison->allowed.above);
  fflush(stream);
}

enum tac_status tac_print_measurements(FILE *stream, const struct tac_heisenberg_run *run, struct tac_error *error) {
  fputc('\n', stream);
  enum tac_status status = tac_machine_print_records(stream, run->recorder, error);
  if (status == TAC_STATUS_OK)
    status = tac_hooks_print(stream, run->hook_figures, error);
  if (status == TAC_STATUS_OK)
    status = tac_machine_print_counters(stream, run->counters, run->scheduler, error);
  if (status == TAC_STATUS_OK && run->costs && run->options->level == TAC_DETAILED)
    status = tac_costs_print_run(stream, run->options->costs, run->costs, run->recorder, tac_dmrg_cost_terms,
                                 TAC_DMRG_COSTED_EVENTS, error);
  fflush(stream);
  return status;
}

void tac_print_perturbation(FILE *stream, const struct tac_heisenberg_run *run) {
  const struct tac_heisenberg_perturbation *perturbation = &run->perturbation;
  char cost[TAC_COST_BYTES];
  tac_format_cost(cost, perturbation->measured_seconds, perturbation->off_seconds);
  fprintf(stream,
          "Measured, a sweep there and back took %.6f s, and %.6f s with measurements off: ", perturbation->measured_seconds,
          perturbation->off_seconds);
  fprintf(stream, "%s.\n", perturbation->same_work ? cost : "two that did not do the same work");
  fflush(stream);
}
