/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdlib.h>

#include "apps/volume_fmm/direct.h"
#include "apps/volume_fmm/run.h"

/* Closed forms and evaluations of the kernel in direct quadrature that a comparison may take. */
#define TERMS_MOST       1e6
#define EVALUATIONS_MOST 2e8
#define SAMPLES_LEAST    6
#define SAMPLES_MOST     40

/* What is allowed, in units of the larger of --tol and --eps. */
#define POTENTIAL_FACTOR 10
#define GRADIENT_FACTOR  100

static size_t point_count(const struct tac_volume_run *run) {
  return run->answer.count > 0 ? run->answer.count : run->nodes;
}

/* The i-th of `count` out of `total` points: all of them, or a part that is spread evenly by multiples of the golden ratio. */
static size_t pick(size_t i, size_t count, size_t total) {
  const double golden = 0.61803398874989485, place = golden * (double)(i + 1);
  const size_t index = count == total ? i : (size_t)((place - floor(place)) * (double)total);
  return index < total ? index : total - 1;
}

static void point_at(double *x, const struct tac_volume_run *run, size_t index, double *scratch) {
  const size_t dim = (size_t)run->dim, each = run->nodes / tac_fmm_tree_leaves(run->tree);
  const double *from = run->answer.points + (run->answer.count > 0 ? dim * index : 0);
  if (run->answer.count == 0) {
    tac_fmm_tree_nodes(run->tree, index / each, scratch);
    from = scratch + dim * (index % each);
  }
  for (size_t axis = 0; axis < dim; axis++)
    x[axis] = from[axis];
}

/* An L2 norm whose squares neither overflow nor underflow: scale * sqrt(square), scale the largest so far. */
struct norm {
  double scale, square;
};

static void add_to_norm(struct norm *norm, double value) {
  const double size = fabs(value);
  if (size <= norm->scale) {
    norm->square += norm->scale > 0 ? size / norm->scale * (size / norm->scale) : 0;
    return;
  }
  const double ratio = norm->scale / size; /* or not a number, which stays */
  norm->square = norm->square * ratio * ratio + 1;
  norm->scale = size;
}

static double norm_value(const struct norm *norm) {
  return norm->scale * sqrt(norm->square);
}

struct sums {
  struct norm difference, reference;
};

static void add(struct sums *sums, double value, double reference) {
  add_to_norm(&sums->difference, value - reference);
  add_to_norm(&sums->reference, reference);
}

/* Relative to the reference at these points; where they see next to nothing of an answer, to a thousandth of the largest value
 * at the nodes, which is what accuracies are relative to. */
static struct tac_volume_difference difference_of(const struct sums *sums, double largest, size_t count) {
  const double difference = norm_value(&sums->difference), floor = 1e-3 * largest * sqrt((double)count);
  const double reference = fmax(norm_value(&sums->reference), floor);
  return (struct tac_volume_difference){reference > 0 ? difference / reference : difference, sums->difference.scale};
}

/* The largest size of some fields at the nodes. */
static double largest_of(const struct tac_volume_run *run, int begin, int end) {
  double largest = 0;
  for (int f = begin; f < end; f++)
    for (size_t i = 0; i < run->nodes; i++)
      largest = fmax(largest, fabs(run->potential[f][i]));
  return largest;
}

/* reference[f*count + i] beside the answer at the picked points. */
static void compare_picked(struct tac_volume_run *run, size_t count, const double *reference) {
  const size_t total = point_count(run);
  double *const *fields = run->answer.count > 0 ? run->answer.fields : run->potential;
  struct sums potential = {{0, 0}, {0, 0}}, gradient = potential;
  for (size_t i = 0; i < count; i++)
    for (int f = 0; f < run->fields; f++)
      add(f < run->parts ? &potential : &gradient, fields[f][pick(i, count, total)], reference[(size_t)f * count + i]);
  run->comparison.points = count;
  run->comparison.potential = difference_of(&potential, largest_of(run, 0, run->parts), count);
  run->comparison.gradient = difference_of(&gradient, largest_of(run, run->parts, run->fields), count);
}

static void fill_closed(double *reference, const struct tac_volume_run *run, size_t count, const double *points) {
  for (size_t i = 0; i < count; i++) {
    double fields[TAC_VOLUME_FIELDS];
    tac_density_answer(fields, &run->density, points + (size_t)run->dim * i);
    for (int f = 0; f < run->fields; f++)
      reference[(size_t)f * count + i] = fields[f];
  }
}

static struct tac_direct direct_of(const struct tac_volume_run *run) {
  return (struct tac_direct){run->tree, run->kernel, run->options->grad, run->values};
}

static enum tac_status fill_direct(double *reference, const struct tac_volume_run *run, size_t count, const double *points,
                                   struct tac_error *error) {
  const struct tac_direct direct = direct_of(run);
  double *fields[TAC_VOLUME_FIELDS];
  for (int f = 0; f < run->fields; f++)
    fields[f] = reference + (size_t)f * count;
  if (run->progress) {
    run->progress->next_ns = 0;
    tac_progress_show(run->progress, "direct quadrature at %zu points", count);
  }
  return tac_direct_evaluate(&direct, run->scheduler, count, points, fields, error);
}

/* How many points to compare at. K0 by quadrature takes about a hundred times as long as the other kernels. */
static size_t choose_count(const struct tac_volume_run *run) {
  const size_t total = point_count(run);
  const int slow = run->kernel.kind == TAC_FMM_YUKAWA;
  double most = TERMS_MOST / (double)tac_density_terms(&run->density) / (slow ? 30 : 1);
  if (run->comparison.reference == TAC_VOLUME_QUADRATURE) {
    const struct tac_direct direct = direct_of(run);
    most = EVALUATIONS_MOST / tac_direct_cost(&direct) / (slow && run->dim == 2 ? 100 : 1);
    most = fmin(fmax(most, SAMPLES_LEAST), SAMPLES_MOST);
  }
  return (double)total < most ? total : (size_t)fmax(most, 1);
}

/* The closed form is of all space: it is the answer only where what lies outside the domain is nothing to what is allowed. */
static void choose_reference(struct tac_volume_run *run) {
  const struct tac_volume_options *o = run->options;
  struct tac_volume_comparison *c = &run->comparison;
  const double accuracy = fmax(o->tol, o->eps);
  c->allowed = POTENTIAL_FACTOR * accuracy;
  c->allowed_gradient = GRADIENT_FACTOR * accuracy;
  const int known = tac_density_is_known(&run->density);
  const double outside = known ? tac_density_outside(&run->density) : 0;
  if (known && outside > 0.1 * accuracy)
    c->outside = outside;
  else if (known && (o->check || tac_density_terms(&run->density) <= 2))
    c->reference = TAC_VOLUME_CLOSED_FORM;
  if (c->reference == TAC_VOLUME_NO_REFERENCE && o->check)
    c->reference = TAC_VOLUME_QUADRATURE;
}

static enum tac_status pick_points(double *points, const struct tac_volume_run *run, size_t count, struct tac_error *error) {
  const size_t dim = (size_t)run->dim, total = point_count(run);
  double *scratch = malloc(dim * (run->nodes / tac_fmm_tree_leaves(run->tree)) * sizeof *scratch);
  if (!scratch)
    return tac_error_set(error, TAC_STATUS_MEMORY, "comparison", "no memory for %zu points", count);
  for (size_t i = 0; i < count; i++)
    point_at(points + dim * i, run, pick(i, count, total), scratch);
  free(scratch);
  return TAC_STATUS_OK;
}

enum tac_status tac_volume_compare(struct tac_volume_run *run, struct tac_error *error) {
  struct tac_volume_comparison *c = &run->comparison;
  choose_reference(run);
  if (c->reference == TAC_VOLUME_NO_REFERENCE)
    return TAC_STATUS_OK;
  const size_t count = choose_count(run);
  double *points = malloc((size_t)run->dim * count * sizeof *points);
  double *reference = malloc((size_t)run->fields * count * sizeof *reference);
  enum tac_status status;
  if (!points || !reference) {
    status = tac_error_set(error, TAC_STATUS_MEMORY, "comparison", "no memory for %zu points", count);
    goto done;
  }
  status = pick_points(points, run, count, error);
  if (status == TAC_STATUS_OK && c->reference == TAC_VOLUME_QUADRATURE)
    status = fill_direct(reference, run, count, points, error);
  else if (status == TAC_STATUS_OK)
    fill_closed(reference, run, count, points);
  if (status == TAC_STATUS_OK)
    compare_picked(run, count, reference);
  c->passed = c->potential.relative <= c->allowed && (!run->options->grad || c->gradient.relative <= c->allowed_gradient);
done:
  free(points);
  free(reference);
  return status;
}
